package diff

import (
	"fmt"
	"math"
	"strings"

	"perfdiff/analyze/trace"
	"perfdiff/diff/number"
)

// From when on a mix or a size is another one. Chosen, not measured: in the story
// serving-mixed a class goes from 40 to 20 % of the steps.
const (
	otherMix  = 0.05 // difference of a class's share of the steps
	otherSize = 0.10 // of the median size of a class's steps, a share
)

// LoadNote says what a table of loads shows.
const LoadNote = "Usual step time of the steps that are compared: those that have one of like size on the other side, " +
	"whose number they share here; where none has, of all. " +
	"Differences of groups are not tested one by one."

// Name is what people call a group: "decode, 17 to 32 requests".
func (g *LoadGroup) Name() string {
	name := className(g.Class)
	switch {
	case g.Unit == "":
		return name
	case g.From == g.To:
		return name + ", " + number.Counted(int(g.From), strings.TrimSuffix(g.Unit, "s"))
	}
	return fmt.Sprintf("%s, %s to %s %s", name, number.Count(int(g.From)), number.Count(int(g.To)), g.Unit)
}

func className(class string) string {
	if class == "" {
		return "other"
	}
	return class
}

// loadsDiffer reports whether nothing is compared because no step of one side is like
// one of the other.
func (p *Lined) loadsDiffer() bool {
	return p.like != nil && p.like.compared == 0 && min(p.like.steps[0], p.like.steps[1]) > 0 && !p.force
}

// held says what the steps of each side are.
func (l *loads) held() string {
	say := func(side func(*LoadGroup) *LoadSide) string {
		var parts []string
		for i := range l.groups {
			if s := side(&l.groups[i]); s.Steps > 0 {
				text := number.Count(s.Steps) + "\u00d7 " + className(l.groups[i].Class)
				if !math.IsNaN(s.Size) {
					text += " of " + number.Times(s.Size) + " " + l.groups[i].Unit
				}
				if !math.IsNaN(s.Context) {
					text += " with " + number.Times(s.Context) + " tokens of context"
				}
				parts = append(parts, text)
			}
		}
		if len(parts) == 0 {
			return "steps of which nothing says what the engine does in them"
		}
		const most = 4
		if len(parts) > most {
			parts = append(parts[:most], fmt.Sprintf("%d more kinds", len(parts)-most))
		}
		return strings.Join(parts, "; ")
	}
	return "Baseline: " + say(func(g *LoadGroup) *LoadSide { return &g.Base }) +
		". Candidate: " + say(func(g *LoadGroup) *LoadSide { return &g.Cand }) + "."
}

// basis says which engine steps stand behind a comparison; "" where all do.
func (l *loads) basis() string {
	if l == nil || l.compared == 0 {
		return ""
	}
	compared := [2]int{}
	for i := range l.groups {
		compared[0] += l.groups[i].Base.Compared
		compared[1] += l.groups[i].Cand.Compared
	}
	if compared == l.steps {
		return " Engine steps are compared within class and size."
	}
	return fmt.Sprintf(" Engine steps are compared within class and size: "+
		"%s of %s in the baseline and %s of %s in the candidate have one of like load on the other side.",
		number.Count(compared[0]), number.Count(l.steps[0]), number.Count(compared[1]), number.Count(l.steps[1]))
}

// The kinds of what differs in the mix of engine steps.
const (
	MixShare   = "share"   // of a class in the steps of a side, fractions
	MixContext = "context" // that the steps of a class read, medians
	MixSize    = "size"    // of the steps of a class, medians
	MixGroup   = "group"   // a group that one side alone has, in steps
)

// MixChange is one thing that differs in the mix of engine steps.
type MixChange struct {
	Kind        string
	Class, Unit string     // of the steps, and what sizes and contexts count
	Base, Cand  float64    // as the kind says
	Group       *LoadGroup // of MixGroup; else nil
}

// changes are what differs in the mix: shares of classes, contexts and sizes within them,
// kinds of steps that only one side has.
func (l *loads) changes() []MixChange {
	var out []MixChange
	for _, class := range sortedKeys(l.shares[0]) {
		if b, c := l.shares[0][class], l.shares[1][class]; math.Abs(c-b) >= otherMix {
			out = append(out, MixChange{Kind: MixShare, Class: class, Base: b, Cand: c})
		}
	}
	if len(out) == 2 && len(l.shares[0]) == 2 {
		out = out[:1] // of two classes one share says the other
	}
	another := func(b, c classSize) bool {
		return math.Abs(c.median-b.median) >= otherSize*math.Min(b.median, c.median)
	}
	for _, class := range sortedKeys(l.contexts[0]) {
		if b, c := l.contexts[0][class], l.contexts[1][class]; c.median > 0 && another(b, c) {
			out = append(out, MixChange{Kind: MixContext, Class: class, Unit: b.unit, Base: b.median, Cand: c.median})
		}
	}
	told := map[string]bool{}
	for _, class := range sortedKeys(l.sizes[0]) {
		if b, c := l.sizes[0][class], l.sizes[1][class]; b.unit == c.unit && another(b, c) {
			told[class] = true
			out = append(out, MixChange{Kind: MixSize, Class: class, Unit: b.unit, Base: b.median, Cand: c.median})
		}
	}
	for i := range l.groups {
		g := &l.groups[i]
		if told[g.Class] || l.shares[0][g.Class] == 0 || l.shares[1][g.Class] == 0 {
			continue // its class is told
		}
		if b, c := g.Base.Steps, g.Cand.Steps; min(b, c) == 0 && math.Max(g.Base.Share, g.Cand.Share) >= otherMix {
			out = append(out, MixChange{Kind: MixGroup, Class: g.Class, Unit: g.Unit, Base: float64(b), Cand: float64(c), Group: g})
		}
	}
	return out
}

// mixFinding says that the sides do other work, and what is compared all the same.
func (p *Causes) mixFinding() []Finding {
	if p.like == nil {
		return nil
	}
	changes := p.like.changes()
	if len(changes) == 0 {
		return nil
	}
	f := KindLoadMix.finding()
	f.Metric, f.Class, f.Section, f.Mix = stepTime.Metric, "look", "loads", changes
	f.Evidence, f.Advice.Kind = Evidence{Kind: EvidenceLoads, Counts: p.like.steps}, AdviceRequests
	switch {
	case p.like.compared > 0:
		f.add(ClauseLikeWithLike.clause())
	case p.policy.Force:
		f.add(ClauseForced.clause())
	}
	return []Finding{f}
}

// warnings are about what names of steps do not say.
func (l *loads) warnings() []string {
	var out []string
	if l == nil {
		return nil
	}
	told := map[string]bool{}
	for i := range l.groups {
		if g := &l.groups[i]; g.Unit == "" && g.Base.Compared > 0 {
			out = append(out, "the names of "+className(g.Class)+" steps hold neither requests nor tokens: "+
				"a batch of another size would look like a change of speed (name steps with their load)")
		} else if g.Base.Compared > 0 && g.Class != trace.Prefill.String() && math.IsNaN(g.Base.Context+g.Cand.Context) && !told[g.Class] {
			told[g.Class] = true
			out = append(out, "the names of "+className(g.Class)+" steps do not say how long the contexts are that attention reads: "+
				"longer ones would look like a change of speed (give both sides the same requests)")
		}
	}
	return out
}
