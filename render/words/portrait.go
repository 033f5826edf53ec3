package words

import (
	"fmt"
	"math"
	"strings"

	"perfdiff/diff"
	"perfdiff/render/number"
)

// Portrait says in one sentence what a run set is: "A step takes 78.8 ms in the median."
func Portrait(p *diff.Portrait) string {
	if p.Report != nil && p.Report.OfResults {
		return "What " + number.Counted(len(p.Side.Runs), "run") + " printed, in the median."
	}
	if math.IsNaN(p.Step) {
		return "No steps were found."
	}
	return "A step takes " + seconds(p.Step) + " in the median."
}

// PortraitBasis says of how much that holds.
func PortraitBasis(p *diff.Portrait) string {
	s := &p.Side
	if p.Report != nil && p.Report.OfResults {
		return "It is compared with nothing, and nothing is judged."
	}
	parts := []string{number.Counted(len(s.Runs), "run"), number.Counted(len(s.Ranks), "rank")}
	if len(s.Hosts) > 1 {
		parts = append(parts, number.Counted(len(s.Hosts), "host"))
	}
	if s.Steps.Used > 0 {
		parts = append(parts, number.Counted(s.Steps.Used, "step")+" used, found by "+s.Steps.Marker)
	}
	text := strings.Join(parts, ", ") + "." + strings.ReplaceAll(missing("", s), " of the ", " ")
	return strings.Join(strings.Fields(text), " ") + " It is compared with nothing, and nothing is judged."
}

// NoteText returns the number of a note, and what it says.
func NoteText(p *diff.Portrait, n *diff.Note) (size, unit, text string) {
	sc := number.ScaleOf("s", p.Step)
	size, unit = sc.Format(n.Size), sc.Name
	switch n.Kind {
	case diff.NoteExposed:
		text = "of a step are communication that no compute hides, waiting for late ranks included" + ofStep(n) + "."
	case diff.NoteIdle:
		text = "of a step the device has nothing to do" + ofStep(n)
		if n.Part.Part != "" {
			text += "; most of it: " + number.Lower(StepPart(n.Part)) + ", " + sc.With(n.Of)
		}
		if !math.IsNaN(n.Running) {
			text += "; " + launchThread(n.Running)
		}
		text += "."
	case diff.NoteStraggler:
		text = fmt.Sprintf("of a step each of the other ranks waits for rank %d", n.Rank.Rank)
		if n.Rank.Host != "" {
			text += " (" + n.Rank.Host + ")"
		}
		text += ", which comes last in " + number.Share(n.Rank.LastShare) + " of the collectives"
		if n.By != "" {
			text += "; what it does longer: " + n.By
		}
		text += "."
	case diff.NoteBubble:
		text = "of a step are the bubble of the pipeline" + ofStep(n) + "."
	case diff.NoteSpikes:
		text = fmt.Sprintf("of a mean step are spent in %s that take %s longer than those around them", number.Counted(n.Count, "step"), sc.With(n.Of))
		if n.Every > 0 {
			text += ", every " + number.Ordinal(n.Every) + " step"
		}
		text += "."
	case diff.NoteLevel:
		size, unit = number.PercentFor(n.Size, 0, 0).Signed(n.Size), "%"
		text = fmt.Sprintf("from step %d on: a step takes %s instead of %s.", n.Level.Step, sc.Format(n.Level.After), sc.With(n.Level.Before))
	case diff.NoteDrift:
		size, unit = number.PercentFor(n.Size, 0, 0).Signed(n.Size), "%"
		text = "is the change of the step time from the first to the last step."
	case diff.NoteBound:
		name, method := Bound(n.Bound)
		text = "of a step would be saved " + name + ": " + sc.With(n.Bound.Cand) + " are left (" + method + ")."
	}
	return size, unit, text
}

func ofStep(n *diff.Note) string {
	if math.IsNaN(n.Share) {
		return ""
	}
	return " (" + number.Share(n.Share) + " of the mean step)"
}
