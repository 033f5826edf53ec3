package html

import (
	"fmt"
	"slices"
	"strings"

	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/diff/cause"
	"perfdiff/diff/sides"
	"perfdiff/render/number"
	"perfdiff/render/words"
)

// waitedForNames are the texts for what the device waited for in a gap.
var waitedForNames = map[string]string{
	"launch": "launched late", "input": "launched late, waiting for input", "dependency": "launched before, waited for a stream or collective", "unknown": "launch not recorded",
}

// idleCauseBlocks show the causes of idle time and the longest gaps of both sides.
func (s *sheet) idleCauseBlocks() []block {
	var out []block
	u := s.ms.Name
	t := &table{Label: "Idle time by cause", Heads: heads("Idle time per step", "Baseline, "+u, "Candidate, "+u, "Change, "+u, "Interval, "+u)}
	for i := range s.r.Waterfall.Parts {
		if p := &s.r.Waterfall.Parts[i].PartChange; p.Metric == run.IdleTime && p.Part != "" {
			t.Rows = append(t.Rows, s.partRow(words.StepPart(p.StepPart), p))
		}
	}
	if len(t.Rows) > 0 {
		out = append(out, block{Heading: "What the host did meanwhile", Table: t,
			Note: "Each moment of a gap has one cause, in this order: waiting for input, allocating, synchronizing, launching, a dependency of work that is launched already, other recorded host work, nothing recorded. They add up to idle time exactly."})
	}
	bound := &table{Label: "Gaps by what came late", Heads: heads("Gaps", "Baseline", "Candidate", "Change")}
	for _, name := range []string{"launch", "input", "dependency", "unknown"} {
		if c := s.comparisonOf(run.GapBoundTime, name); c != nil && (c.Base > 0 || c.Cand > 0) {
			bound.Rows = append(bound.Rows, row{Cells: append([]cell{headCell(number.Capital(waitedForNames[name]))}, s.threeCells(c)...)})
		}
	}
	if len(bound.Rows) > 0 {
		out = append(out, block{Table: bound})
	}
	for i, side := range []string{"Baseline", "Candidate"} {
		if list := s.r.Longest[i]; len(list) > 0 {
			out = append(out, block{Heading: "The longest gaps, " + strings.ToLower(side), Table: s.longestGapTable(side, list)})
		}
	}
	return out
}

func (s *sheet) longestGapTable(side string, list []cause.LongGap) *table {
	t := &table{Label: side + ": longest gaps", Heads: heads("Length", "Rank", "Step", "At, "+s.ms.Name)}
	t.Heads = append(t.Heads, head{Text: "Between", Left: true}, head{Text: "What came late", Left: true}, head{Text: "Meanwhile", Left: true}, head{Text: "In the profile", Left: true})
	for i := range list {
		g := &list[i]
		length := float64(g.Length) * 1e-9
		var causes []string
		for _, c := range g.Causes {
			ns := float64(c.Time) * 1e-9
			text := fmt.Sprintf("%s %s", c.Name, number.GapScale(ns).With(ns))
			if c.Name == "host" && len(g.Places) > 0 {
				text += ", first of all in " + g.Places[0].String()
			}
			causes = append(causes, text)
		}
		t.Rows = append(t.Rows, row{Cells: []cell{
			headCell(number.GapScale(length).With(length)), textCell(fmt.Sprint(g.Rank), ""), textCell(fmt.Sprint(g.Step), ""), numberCell(float64(g.At) * 1e-9 * s.ms.Factor),
			{Text: shorten(orDash(g.After)) + " \u2192 " + shorten(orDash(g.Before)), Title: g.After + " \u2192 " + g.Before, Left: true, Class: "wrapc"},
			{Text: waitedForNames[g.WaitedFor], Left: true, Class: "wrapc"}, {Text: strings.Join(causes, ", "), Left: true, Class: "wrapc"},
			{Text: words.Place(&g.Place), Left: true, Class: "wrapc"},
		}})
	}
	return t
}

// levelText returns a change of level in a few words.
func levelText(l *cause.LevelChange) string {
	if l == nil {
		return number.None
	}
	text := fmt.Sprintf("%s from step %d on", number.SignedWith(100*l.Change, "%"), l.Step)
	if l.Part != (cause.StepPart{}) {
		text += ": " + strings.ToLower(words.StepPart(l.Part))
	}
	if len(l.Ranks) > 0 && !l.All {
		text += ", rank " + sides.Ranges(l.Ranks)
	}
	return text
}

// stabilityTable shows how steadily runs go on: warm-up, drift, spikes, and changes of level if
// there are any. It is nil if nothing is known.
func (s *sheet) stabilityTable() *block {
	leveled := slices.ContainsFunc(slices.Concat(s.r.Base.Stability, s.r.Cand.Stability), func(c cause.Stability) bool { return c.Level != nil })
	t := &table{Label: "How runs go on", Heads: []head{{Text: "Run", Left: true}, {Text: "Warm-up", Unit: "steps"}, {Text: "Drift", Unit: "%, first to last"}}}
	if leveled {
		t.Heads = append(t.Heads, head{Text: "Another level", Left: true})
	}
	t.Heads = append(t.Heads, head{Text: "Spikes"}, head{Text: "Period", Unit: "steps"},
		head{Text: "A spike adds", Unit: s.ms.Name}, head{Text: "Cost", Unit: s.ms.Name + " per step"}, head{Text: "Mostly", Left: true})
	for _, side := range []struct {
		name string
		of   *diff.Side
	}{{"Baseline", &s.r.Base}, {"Candidate", &s.r.Cand}} {
		for i := range side.of.Stability {
			name, c := side.name, &side.of.Stability[i]
			if len(side.of.Stability) > 1 {
				name += ", " + c.Run
			}
			cells := []cell{headCell(name), textCell(number.Count(c.WarmUp), ""), textCell(number.Format(100*c.Drift), "")}
			if leveled {
				cells = append(cells, leftCell(levelText(c.Level)))
			}
			t.Rows = append(t.Rows, row{Cells: append(cells, s.spikeCells(c)...)})
		}
	}
	if len(t.Rows) == 0 {
		return nil
	}
	note := "Warm-up: slow steps at the start of the run; every run leaves out as many as the one with the most. Drift: a robust line through the steps. A spike takes at least a quarter longer than its neighbours; it has a period where the distances agree."
	if leveled {
		note += " Another level: from that step on steps take longer, or less, for good; the drift is then from level to level."
	}
	return &block{Heading: "How runs go on", Table: t.cutRows(), Note: note}
}

// spikeCells returns the cells about spikes in that table.
func (s *sheet) spikeCells(c *cause.Stability) []cell {
	period, excess, cost := number.None, number.None, number.None
	if c.Period > 0 {
		period = number.Count(c.Period)
	}
	if len(c.Spikes) > 0 {
		excess, cost = s.ms.Format(c.Excess), s.ms.Format(c.Cost)
	}
	return []cell{textCell(number.Count(len(c.Spikes)), ""), textCell(period, ""), textCell(excess, ""), textCell(cost, ""),
		leftCell(orDash(strings.Trim(words.StepPart(c.Part)+", "+c.Range, ", ")))}
}
