package html

import (
	"fmt"
	"slices"
	"strings"

	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/render/number"
	"perfdiff/render/words"
)

// stepStrips draws ranks of one step below each other, on the server.
type stepStrips struct {
	Label, Heading string
	Rows           []stripRow
	Height         int
	Ticks          []stripTick
	TickY, GridEnd int
}

// stripRow is a rank: its name, and the bars of each colour.
type stripRow struct {
	Name       string
	Y, NameY   int
	Bars       []stripBar  // that are wide enough to say what they are
	Short      []shortBars // all others, by colour
	Background string      // width of the step
}

type stripBar struct {
	Key, X, W, Text string
	Y, H            int
}

type shortBars struct{ Key, Path string }

// stripTick is a line on the axis of time.
type stripTick struct{ X, Text, Anchor string }

const (
	// maxStripRanks and maxStripSteps are how many ranks of how many steps are drawn. Chosen, for the
	// height of the picture.
	maxStripRanks, maxStripSteps = 8, 2
	// leastStripBar is from which width on, in units of the picture, a bar says what it is.
	leastStripBar = 6.0
	// maxStripBars is how many bars of a rank say what they are. Chosen, for the size of the page.
	maxStripBars = 30
	stripHeight  = 44 // of a rank, with the room below it
	laneHeight   = 12
)

// stripLanes are the lanes of a rank from above: what the device does, and why it does nothing.
var stripLanes = map[run.Lane]int{run.LaneCompute: 0, run.LaneComm: 1, run.LaneMemory: 2, run.LaneGap: 2}

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
		strips := s.strips(e, longest, used)
		strips.Heading = fmt.Sprintf("%s step: %d", []string{"Typical", "Longest"}[i], e.Step)
		sec.Strips = append(sec.Strips, strips)
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
func (s *portraitSheet) strips(e *diff.Excerpt, longest int64, used map[string]bool) *stepStrips {
	out := &stepStrips{Label: fmt.Sprintf("Timeline of step %d", e.Step)}
	x := func(ns int64) float64 { return barLeft + float64((plotRight-barLeft)*(float64(ns)/float64(longest))) }
	for i := range e.Ranks[:min(len(e.Ranks), maxStripRanks)] {
		out.Rows = append(out.Rows, s.stripRow(&e.Ranks[i], i*stripHeight, x, used))
	}
	out.GridEnd = len(out.Rows) * stripHeight
	out.TickY, out.Height = out.GridEnd+12, out.GridEnd+18
	whole := float64(longest) * 1e-9
	for _, share := range []float64{0, 0.25, 0.5, 0.75, 1} {
		tick := stripTick{coordinate(x(int64(share * float64(longest)))), s.ms.Format(share * whole), "middle"}
		if share == 1 {
			tick.Text, tick.Anchor = s.ms.With(whole), "end"
		}
		out.Ticks = append(out.Ticks, tick)
	}
	return out
}

// stripRow draws a rank.
func (s *portraitSheet) stripRow(strip *run.Strip, y int, x func(int64) float64, used map[string]bool) stripRow {
	out := stripRow{Name: fmt.Sprint("rank ", strip.Rank), Y: y, NameY: y + 22, Background: coordinate(x(strip.Length) - barLeft)}
	short := map[string]*strings.Builder{}
	draw := func(key string, lane int, from, to int64, text string) {
		used[key] = true
		a, b := x(max(from, 0)), x(min(to, strip.Length))
		top := y + 2 + lane*laneHeight
		if w := b - a; text != "" && w >= leastStripBar {
			out.Bars = append(out.Bars, stripBar{key, coordinate(a), coordinate(w), text, top, laneHeight - 2})
		} else if w > 0 {
			if short[key] == nil {
				short[key] = new(strings.Builder)
			}
			fmt.Fprintf(short[key], "M%s %dh%sv%dh-%sz", coordinate(a), top, coordinate(max(w, 0.4)), laneHeight-2, coordinate(max(w, 0.4)))
		}
	}
	drawn := slices.DeleteFunc(slices.Clone(strip.Spans), func(b run.StripSpan) bool { _, has := stripLanes[b.Lane]; return !has })
	named := longestOf(drawn, maxStripBars)
	for _, b := range drawn {
		text := ""
		if i := slices.Index(named, b); i >= 0 {
			text = shortenTo(strip.Names[b.Name], 48) + ", " + s.ms.With(float64(b.End-b.Start)*1e-9)
		}
		lane := stripLanes[b.Lane]
		switch {
		case b.Lane == run.LaneGap:
			draw(strip.Names[b.Name], lane, b.Start, b.End, text)
		case b.Lane == run.LaneComm && b.Split:
			draw("wait", lane, b.Start, b.Start+b.Wait, text)
			draw("transfer", lane, b.Start+b.Wait, b.End, text)
		default:
			draw(map[run.Lane]string{run.LaneCompute: "compute", run.LaneComm: "transfer", run.LaneMemory: "memory"}[b.Lane], lane, b.Start, b.End, text)
		}
	}
	for _, l := range stripLegend(used) {
		if path := short[l.Key]; path != nil {
			out.Short = append(out.Short, shortBars{l.Key, path.String()})
		}
	}
	return out
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
