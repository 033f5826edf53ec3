package words

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"perfdiff/diff"
	"perfdiff/diff/cause"
	"perfdiff/diff/sides"
	"perfdiff/render/number"
)

// LoadNote says what a table of loads shows.
const LoadNote = "Usual step time of the steps that are compared: those that have one of like size on the other side, " +
	"whose number they share here; where none has, of all. " +
	"Differences of groups are not tested one by one."

// LoadGroup returns what people call a group of engine steps: "decode, 17 to 32 requests".
func LoadGroup(g *sides.LoadGroup) string {
	name := loadClass(g.Class)
	switch {
	case g.Unit == "":
		return name
	case g.From == g.To:
		return name + ", " + number.Counted(int(g.From), strings.TrimSuffix(g.Unit, "s"))
	}
	return fmt.Sprintf("%s, %s to %s %s", name, number.Count(int(g.From)), number.Count(int(g.To)), g.Unit)
}

// loadClass returns what people call a class of engine steps.
func loadClass(class string) string { return cmp.Or(class, "other") }

// ofContext returns the unit of contexts, for use within a sentence.
func ofContext(unit string) string { return unit + " of context" }

// otherLoads says what engine steps each side has, where none is like any of the other.
func otherLoads(groups []sides.LoadGroup) string {
	return "Baseline: " + loadsOf(groups, func(g *sides.LoadGroup) *sides.LoadSide { return &g.Base }) +
		". Candidate: " + loadsOf(groups, func(g *sides.LoadGroup) *sides.LoadSide { return &g.Cand }) +
		". Steps of other classes, sizes or contexts do other work, and their times say nothing of speed."
}

// mostLoads is how many kinds of engine steps a sentence names.
const mostLoads = 4

func loadsOf(groups []sides.LoadGroup, side func(*sides.LoadGroup) *sides.LoadSide) string {
	var parts []string
	for i := range groups {
		s := side(&groups[i])
		if s.Steps == 0 {
			continue
		}
		text := number.Count(s.Steps) + "\u00d7 " + loadClass(groups[i].Class)
		if !math.IsNaN(s.Size) {
			text += " of " + number.Times(s.Size) + " " + groups[i].Unit
		}
		if !math.IsNaN(s.Context) {
			text += " with " + number.Times(s.Context) + " " + ofContext("tokens")
		}
		parts = append(parts, text)
	}
	if len(parts) == 0 {
		return "steps of which nothing says what the engine does in them"
	}
	if len(parts) > mostLoads {
		parts = append(parts[:mostLoads], fmt.Sprintf("%d more kinds", len(parts)-mostLoads))
	}
	return strings.Join(parts, "; ")
}

// comparedLoads says which engine steps were compared, with a space in front; "" where steps are not compared by load.
func comparedLoads(r *diff.Report) string {
	compared := [2]int{}
	for i := range r.Loads {
		compared[0] += r.Loads[i].Base.Compared
		compared[1] += r.Loads[i].Cand.Compared
	}
	switch compared {
	case [2]int{}:
		return ""
	case r.Ground.LoadSteps:
		return " Engine steps are compared within class and size."
	}
	return fmt.Sprintf(" Engine steps are compared within class and size: "+
		"%s of %s in the baseline and %s of %s in the candidate have one of like load on the other side.",
		number.Count(compared[0]), number.Count(r.Ground.LoadSteps[0]), number.Count(compared[1]), number.Count(r.Ground.LoadSteps[1]))
}

// silent says what names of engine steps do not say.
func silent(s *cause.Silence) string {
	names := "the names of " + loadClass(s.Class) + " steps "
	switch s.Kind {
	case cause.SilentSize:
		return names + "hold neither requests nor tokens: " +
			"a batch of another size would look like a change of speed (name steps with their load)"
	case cause.SilentContext:
		return names + "do not say how long the contexts are that attention reads: " +
			"longer ones would look like a change of speed (give both sides the same requests)"
	}
	return ""
}
