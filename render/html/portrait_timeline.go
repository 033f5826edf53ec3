package html

import (
	"fmt"
	"html/template"
	"slices"
	"strings"

	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/render/number"
	"perfdiff/render/picture"
	"perfdiff/render/plot"
	"perfdiff/render/words"
)

const (
	// maxStripRanks and maxStripSteps are how many ranks of how many steps are drawn. Chosen, for the
	// height of the picture.
	maxStripRanks, maxStripSteps = 8, 2
	// maxStripBars is how many bars of a rank say what they are. Chosen, for the size of the page.
	maxStripBars = 30
	stripHeight  = 44.0 // of a rank, with the room below it
	laneHeight   = 12.0
)

// timeline shows a typical step and the longest one.
func (s *portraitSheet) timeline() portraitSection {
	var steps []*diff.Excerpt
	for _, v := range s.r.Views {
		at := v.Step[1]
		if at < 0 || len(steps) == maxStripSteps || v.Kind != diff.ViewTypical && v.Kind != diff.ViewWorst {
			continue
		}
		if e := &s.r.Timeline[1][at]; len(e.Ranks) > 0 && !slices.Contains(steps, e) {
			steps = append(steps, e)
		}
	}
	if len(steps) == 0 {
		return portraitSection{}
	}
	sec := of("timeline", "Timeline", "What does a step look like?", "")
	longest, text := int64(1), []string(nil)
	for i, e := range steps {
		for k := range e.Ranks {
			longest = max(longest, e.Ranks[k].Length)
		}
		text = append(text, fmt.Sprintf("%s step (%d) takes %s", []string{"a typical", "the longest"}[i], e.Step, s.takes(1, e)))
	}
	used := map[string]bool{}
	for i, e := range steps {
		sec.Drawn = append(sec.Drawn, headed{fmt.Sprintf("%s step: %d", []string{"Typical", "Longest"}[i], e.Step), s.strips(e, longest, used)})
	}
	sec.Key = stripLegend(used)
	sec.Reading = number.Capital(strings.Join(text, "; ")) + "."
	note := "Each rank has three lanes: compute; communication; copies, and why the device does nothing. Short bars are drawn without names."
	if n := len(steps[0].Ranks) - maxStripRanks; n > 0 {
		note += fmt.Sprintf(" The first %d ranks are drawn.", maxStripRanks)
	}
	sec.Blocks = []block{{Note: note, Values: s.longestBarsOf(&steps[0].Ranks[0])}}
	return sec
}

// strips draws the ranks of a step on an axis of time that ends at the longest.
func (s *portraitSheet) strips(e *diff.Excerpt, longest int64, used map[string]bool) template.HTML {
	ranks := e.Ranks[:min(len(e.Ranks), maxStripRanks)]
	end := float64(float64(len(ranks)) * stripHeight)
	p := &plot.Plot{Ink: plot.PageInk, Width: wideFrame.width, Height: end + 18, Small: 12}
	x := plot.Scale{Hi: float64(longest) * 1e-9 * s.ms.Factor, From: barLeft, To: wideFrame.right}
	at := func(ns int64) float64 { return x.At(float64(ns) * 1e-9 * s.ms.Factor) }
	for i := range ranks {
		p.Rect(x.From, float64(i)*stripHeight, at(ranks[i].Length)-x.From, 38, "var(--paper2)")
	}
	for _, t := range x.Ticks(8, false) {
		p.Line(t.At, 0, t.At, end, p.Rule, 1)
		p.Label(t.At, end+12, "middle", t.Text)
	}
	p.Label(p.Width, end+12, "end", s.ms.Name)
	for i := range ranks {
		y, strip := float64(float64(i)*stripHeight), &ranks[i]
		p.Label(x.From-6, y+22, "end", "rank "+rankName(strip.Rank))
		named := longestOf(strip.Spans, maxStripBars)
		bars := picture.Bars{Strip: strip, At: at, Tall: laneHeight - 2, Lanes: map[run.Lane]float64{run.LaneCompute: y + 7, run.LaneComm: y + 7 + laneHeight,
			run.LaneMemory: y + 7 + 2*laneHeight, run.LaneGap: y + 7 + 2*laneHeight}, // what the device does, and why it does nothing
			Part: func(key string) string {
				used[key] = true
				return partColour(key)
			},
			Hint: func(x *run.StripSpan) string {
				if !slices.Contains(named, *x) {
					return ""
				}
				return shortenTo(strip.Names[x.Name], 48) + ", " + s.ms.With(float64(x.End-x.Start)*1e-9)
			}}
		bars.Draw(p)
	}
	return template.HTML(p.SVG(` class="strips"` + plot.Titled(fmt.Sprintf("Timeline of step %d", e.Step))))
}

// stripLegend names the colours that are used.
func stripLegend(used map[string]bool) []legend {
	var out []legend
	for _, key := range append([]string{"compute", "transfer", "wait", "memory"}, run.IdleCauses...) {
		if name := key; used[key] {
			if key == "transfer" && !used["wait"] {
				name = "comm"
			}
			out = append(out, legend{key, number.Capital(words.PartName(name))})
		}
	}
	return out
}

// longestBarsOf lists the longest bars of a rank, for readers who do not see the drawing.
func (s *portraitSheet) longestBarsOf(strip *run.Strip) *table {
	t := &table{Label: fmt.Sprintf("the longest bars of the typical step, rank %d", strip.Rank), Heads: heads("What", "Starts at, "+s.ms.Name, "Takes, "+s.ms.Name)}
	for _, x := range longestOf(strip.Spans, barsInTable) {
		name := headCell(shorten(strip.Names[x.Name]))
		name.Small = laneNames[x.Lane]
		t.Rows = append(t.Rows, row{Cells: []cell{name, numberCell(float64(x.Start) * 1e-9 * s.ms.Factor), numberCell(float64(x.End-x.Start) * 1e-9 * s.ms.Factor)}})
	}
	return t
}
