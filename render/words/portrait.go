package words

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/diff/cause"
	"perfdiff/render/number"
)

// RunAnswer is what every output on one run set says first, in this order. Nothing in it is compared or judged.
type RunAnswer struct {
	Tag      string    // "ONE RUN"
	Headline string    // what a step takes, and what most of that is
	Story    string    // of how much that holds, what stands out, and what to look at first
	Unit     string    // of the parts
	Parts    []RunPart // what a step is made of, the largest first; in the last row the step. nil: not recorded
	Also     []string
	Gains    [][2]string // the most that a step could be shorter, and what would have to be free for it
	Section  string      // of the page that shows what to look at first; "" there is none
	Looks    string      // what the section is called
}

// RunPart is a part of the mean step. Times and shares add up as they are printed.
type RunPart struct {
	Name, Time, Share string
	Kind              string  // as in cause.Part; cause.Rest for all small parts together, "" for the step
	Of                float64 // share of the step
	Shown             float64 // s, as it is printed
}

// leastPart is the share of the step from which on a part has a row of its own, leastLead that from which on what could
// be free is looked at before the kernels. Chosen, not measured: a step of less is not why somebody looks.
const leastPart, leastLead = 0.01, 0.1

// AnswerOfRun returns the answer on one run set; with all, each part that is not too
// short for the digits has a row.
func AnswerOfRun(p *diff.Portrait, all bool) RunAnswer {
	a := RunAnswer{Tag: "ONE RUN"}
	if n := len(p.Side.Runs); n > 1 {
		a.Tag = strings.ToUpper(number.Counted(n, "run"))
	}
	row, parts := runParts(p, all)
	a.Unit, a.Parts = row.Name, parts
	lead := leadOf(p)
	a.Headline, a.Section, a.Looks = runHeadline(p, &a, row), lead.section, sectionNames[lead.section]
	text := []string{runBasis(p), standsOut(p), busy(p)}
	if lead.what != "" {
		text = append(text, "The first thing to look at is "+lead.what+".")
	}
	a.Story = strings.Join(slices.DeleteFunc(text, func(s string) bool { return s == "" }), " ")
	a.Also = slices.DeleteFunc([]string{ranksAlike(p), readsSaid(p), overlapSaid(p, row, parts)}, func(s string) bool { return s == "" })
	a.Gains = gains(p)
	return a
}

// runHeadline says what a step takes, and what most of it is.
func runHeadline(p *diff.Portrait, a *RunAnswer, row number.Row) string {
	switch {
	case p.Report.OfResults:
		return "What " + number.Counted(len(p.Side.Runs), "run") + " printed, in the median."
	case math.IsNaN(p.Step):
		return "No steps were found" + wholeCapture(p) + "."
	case len(a.Parts) == 0:
		return "A step takes " + seconds(p.Step) + " in the median. What it is made of was not recorded."
	}
	text := "A step takes " + a.Parts[len(a.Parts)-1].Time + number.Space + a.Unit
	if math.Abs(p.Step-p.Mean) > p.Report.Policy.Threshold*p.Mean {
		text += " in the mean (" + row.Digits(p.Step) + " in the median)"
	}
	first, second := &a.Parts[0], &a.Parts[1]
	if len(a.Parts) > 2 && second.Kind != cause.Rest && second.Of > 0.8*first.Of {
		return text + ": " + first.Share + " is " + noun(p, first) + ", and " + second.Share + " " + noun(p, second) + "."
	}
	return text + ", and " + shareOf(first) + " of that is " + noun(p, first) + "."
}

// shareOf names a share as people say it, where it is that to a few percent.
func shareOf(x *RunPart) string {
	for _, s := range []struct {
		least, most float64
		name        string
	}{{0.235, 0.265, "a quarter"}, {0.32, 0.345, "a third"}, {0.465, 0.535, "half"}, {0.655, 0.68, "two thirds"}, {0.735, 0.765, "three quarters"}, {0.945, 1, "nearly all"}} {
		if x.Of >= s.least && x.Of <= s.most {
			return s.name
		}
	}
	return x.Share
}

// noun names a part within a sentence.
func noun(p *diff.Portrait, x *RunPart) string {
	return cmp.Or(sumNouns[x.Kind], number.Lower(x.Name))
}

// runParts returns what the mean step is made of, and all small parts in one row.
func runParts(p *diff.Portrait, all bool) (row number.Row, out []RunPart) {
	parts := slices.Clone(p.Report.Waterfall.Parts)
	if len(parts) == 0 || !(p.Mean > 0) {
		return row, nil
	}
	slices.SortStableFunc(parts, func(a, b cause.Part) int { return cmp.Compare(b.Cand, a.Cand) })
	least := parts[0].Cand
	for i := range parts {
		if v := parts[i].Cand; v >= leastPart*p.Mean {
			least = v
		}
	}
	row = number.RowOf("s", p.Mean, 0, math.Min(least, 0.1*p.Mean)) // three digits of the step at least
	rest, values := 0.0, []float64(nil)
	for i := range parts {
		x := &parts[i]
		if v := x.Cand; v >= least || all && v >= row.Unit() {
			out, values = append(out, RunPart{Name: StepPart(x.StepPart), Kind: x.Kind, Of: p.PartShare(v)}), append(values, v)
		} else {
			rest += v
		}
	}
	if rest > 0 {
		out, values = append(out, RunPart{Name: "Everything else", Kind: cause.Rest, Of: p.PartShare(rest)}), append(values, rest)
	}
	times, shares := addingUp(values, p.Mean, row.Unit()), addingUp(values, p.Mean, 0.01*p.Mean)
	for i := range out {
		out[i].Shown, out[i].Share = float64(times[i]*row.Unit()), wholePercent(shares[i]/100)
		out[i].Time = row.Digits(out[i].Shown)
	}
	if last := len(out) - 1; rest > 0 && times[last] == 0 && shares[last] == 0 {
		out = out[:last]
	}
	return row, append(out, RunPart{Name: "Step", Time: row.Digits(p.Mean), Of: 1, Shown: p.Mean})
}

// addingUp rounds parts to units of which there are as many as in the rounded whole: those with the largest fractions
// are rounded up.
func addingUp(parts []float64, whole, unit float64) []float64 {
	out, order := make([]float64, len(parts)), make([]int, len(parts))
	left := math.Round(whole / unit)
	for i, v := range parts {
		out[i], order[i] = math.Floor(v/unit), i
		left -= out[i]
	}
	slices.SortStableFunc(order, func(i, j int) int {
		return cmp.Compare(parts[j]/unit-out[j], parts[i]/unit-out[i])
	})
	for k := 0; k < len(order) && left > 0; k, left = k+1, left-1 {
		out[order[k]]++
	}
	return out
}

// runBasis says of how much the answer holds: "16 ranks on 2 nodes, 18 steps, NVIDIA H100."
func runBasis(p *diff.Portrait) string {
	s := &p.Side
	if p.Report.OfResults {
		return "Nothing else is known of them."
	}
	text := number.Counted(len(s.Ranks), "rank")
	if n := len(s.Missing); n > 0 {
		text = number.Count(len(s.Ranks)) + " of " + number.Counted(len(s.Ranks)+n, "rank")
	}
	if len(s.Hosts) > 1 {
		text += " on " + number.Counted(len(s.Hosts), "node")
	}
	if s.Steps.Used > 0 {
		text += ", " + number.Counted(s.Steps.Used, "step")
	}
	switch n := len(s.GPUs); {
	case n > 2:
		text += ", " + number.Counted(n, "kind") + " of GPU"
	case n > 0:
		text += ", " + strings.Join(s.GPUs, " and ")
	}
	return text + "."
}

// standsOut says which rank, or which steps, stand out; that none does, where that was looked at.
func standsOut(p *diff.Portrait) string {
	var list []string
	for i := range p.Notes {
		switch n := &p.Notes[i]; n.Kind {
		case diff.NoteStraggler:
			list = append(list, fmt.Sprintf("Rank %d comes last in %s collectives, and the others wait for it.", n.Rank.Rank, shareOfCalls(n.Rank.LastShare)))
		case diff.NoteSpikes:
			list = append(list, spikesOf(n)+" longer than those around them.")
		case diff.NoteLevel:
			row := number.RowOf("s", n.Level.Before, n.Level.After, n.Level.After-n.Level.Before)
			list = append(list, fmt.Sprintf("From step %d on a step takes %s instead of %s.", n.Level.Step, row.Digits(n.Level.After), row.With(n.Level.Before)))
		case diff.NoteDrift:
			list = append(list, "The step time "+[2]string{"falls", "rises"}[at(n.Size > 0)]+" by "+unsigned(math.Abs(n.Size))+" from the first step to the last.")
		}
	}
	if len(list) > 0 {
		return strings.Join(list, " ")
	}
	ranks, steps := false, len(p.Side.Stability) > 0 && !math.IsNaN(p.Side.Stability[0].Drift)
	if x := computesOf(p, everywhere); len(p.Report.RankWaits[1]) > 2 {
		ranks = x.hi-x.lo < p.Report.Policy.Threshold*p.Mean
	}
	switch {
	case ranks && steps:
		return "No rank and no step stands out."
	case ranks:
		return "No rank stands out."
	case steps:
		return "No step stands out."
	}
	return ""
}

func shareOfCalls(v float64) string {
	if v > 0.9995 {
		return "all"
	}
	return wholePercent(v) + " of the"
}

// wholePercent writes a share without decimals, as the table of parts does.
func wholePercent(v float64) string { return fmt.Sprintf("%.0f%s%%", 100*v, number.Space) }

func at(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// spikesOf says how many steps take how much longer: "3 steps, every 8th, take 90 ms".
func spikesOf(n *diff.Note) string {
	text := number.Counted(n.Count, "step")
	if n.Every > 0 {
		text += ", every " + number.Ordinal(n.Every) + ","
	}
	return text + " " + [2]string{"take", "takes"}[at(n.Count == 1)] + " " + seconds(n.Of)
}

// busy says how much of the time the devices have work.
func busy(p *diff.Portrait) string {
	idle, known := 0.0, false
	for i := range p.Report.Waterfall.Parts {
		if x := &p.Report.Waterfall.Parts[i]; x.Metric == run.IdleTime {
			idle, known = idle+x.Cand, true
		}
	}
	if !known {
		return ""
	}
	who := "GPUs are"
	if len(p.Side.Ranks) == 1 {
		who = "The GPU is"
	}
	return who + " busy " + wholePercent(1-p.PartShare(idle)) + " of the time."
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
