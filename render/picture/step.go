package picture

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"

	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/render/number"
	"perfdiff/render/plot"
)

// The measures of a still picture of a step, in px. A bar is drawn to the pixel, and bars of one colour that are
// nearer to each other than minApart are one: a step has thousands, and the picture should be only a few kilobytes.
// Chosen, not measured.
const (
	stepLeft  = 104.0 // names of lanes
	laneTall  = 13.0
	lanePitch = 17.0
	minApart  = 2.0
	sideTall  = 24.0 // of a side's heading
)

// stillLanes are the lanes of a step from above, each with its name.
var stillLanes = []struct {
	lane run.Lane
	name string
}{
	{run.LaneRange, "main thread"}, {run.LaneCompute, "compute"}, {run.LaneComm, "communication"}, {run.LaneMemory, "copies"}, {run.LaneGap, "gaps"},
}

// Step draws the typical step of one rank on both sides, for places where no script draws the timeline: on paper and
// in a mail. Sides have one axis in sc's unit. part returns the colour of a part of the step: "compute", "transfer",
// "wait", "memory", and the causes of gaps. "" where no rank is recorded.
func Step(r *diff.Report, sc number.Scale, ink plot.Ink, part func(string) string) string {
	if len(r.Views) == 0 {
		return ""
	}
	rank, ok := rankToDraw(r)
	if !ok {
		return ""
	}
	d := &stepDrawing{Plot: &plot.Plot{Ink: ink, Width: Wide, Height: 4, Small: 12}, part: part}
	for side := range r.Timeline {
		if _, s := typicalStrip(r, side, rank); s != nil {
			d.length = max(d.length, s.Length)
		}
	}
	for side, name := range []string{"Baseline", "Candidate"} {
		if e, s := typicalStrip(r, side, rank); s != nil {
			d.Height += sideTall
			took := sc.With(float64(s.Length) * 1e-9)
			d.Text(stepLeft, d.Height-8, "start", ink.Side(side), 13.5, true, fmt.Sprintf("%s, step %d, rank %d: %s", name, e.Step, rank, took))
			d.strip(s)
		}
	}
	d.axis(sc)
	return d.SVG(plot.Titled("The typical step of rank " + strconv.Itoa(rank) + ", by kind of work"))
}

// rankToDraw returns the first rank that the typical steps of both sides have, or the first of the only side that has
// any.
func rankToDraw(r *diff.Report) (rank int, ok bool) {
	for _, side := range []int{1, 0} {
		at := r.Views[0].Step[side]
		if at < 0 {
			continue
		}
		for i := range r.Timeline[side][at].Ranks {
			rank := r.Timeline[side][at].Ranks[i].Rank
			if _, other := typicalStrip(r, 1-side, rank); other != nil || r.Views[0].Step[1-side] < 0 {
				return rank, true
			}
		}
	}
	return 0, false
}

// typicalStrip returns a rank of a side's typical step; nil it has none.
func typicalStrip(r *diff.Report, side, rank int) (*diff.Excerpt, *run.Strip) {
	at := r.Views[0].Step[side]
	if at < 0 {
		return nil, nil
	}
	e := &r.Timeline[side][at]
	for i := range e.Ranks {
		if e.Ranks[i].Rank == rank && e.Ranks[i].Length > 0 {
			return e, &e.Ranks[i]
		}
	}
	return nil, nil
}

// stepDrawing is such a picture while it is drawn: down to its height.
type stepDrawing struct {
	*plot.Plot
	part   func(string) string
	length int64 // ns that the axis has
}

// scale is the axis of time, in units of factor to a second.
func (d *stepDrawing) scale(factor float64) plot.Scale {
	return plot.Scale{Hi: float64(d.length) * 1e-9 * factor, From: stepLeft, To: Wide - 14}
}

func (d *stepDrawing) x(ns int64) float64 { return d.scale(1e9).At(float64(ns)) }

// strip draws the lanes of a rank that have bars.
func (d *stepDrawing) strip(s *run.Strip) {
	at := map[run.Lane]float64{}
	for _, l := range stillLanes {
		if slices.ContainsFunc(s.Spans, func(x run.StripSpan) bool { return x.Lane == l.lane && partsOf(s, &x) != nil }) {
			d.Label(stepLeft-8, d.Height+10, "end", l.name)
			at[l.lane] = d.Height + laneTall/2
			d.Height += lanePitch
		}
	}
	bars := Bars{Strip: s, At: d.x, Lanes: at, Tall: laneTall, Part: func(key string) string {
		if key == "" {
			return d.Rule2
		}
		return d.part(key)
	}}
	bars.Draw(d.Plot)
	end := d.x(s.Length)
	d.Line(end, d.Height-lanePitch, end, d.Height, d.Ink2, 1)
	d.Height += 4
}

// Bars are the bars of a rank of a step.
type Bars struct {
	*run.Strip
	At    func(ns int64) float64        // where a time stands, in px
	Lanes map[run.Lane]float64          // the middle of each lane that is drawn
	Tall  float64                       // of a bar
	Part  func(key string) string       // the colour of a part of the step, or of a cause of gaps; "" is a range
	Hint  func(x *run.StripSpan) string // what a pointer on a bar is told; "": nothing
}

// leastHint is from which width on, in px, a bar says what it is. Chosen, not measured.
const leastHint = 6.0

// Draw draws the bars: those that say what they are each by itself, and the others of one lane and colour as one mark.
func (b *Bars) Draw(p *plot.Plot) {
	type look struct {
		y   float64
		key string
	}
	all := map[look][][2]float64{}
	for i := range b.Spans {
		x := &b.Spans[i]
		y, drawn := b.Lanes[x.Lane]
		if !drawn || x.Start >= b.Length {
			continue
		}
		for _, part := range partsOf(b.Strip, x) {
			from, to := b.At(max(part.from, 0)), b.At(min(part.to, b.Length))
			if b.Hint != nil && to-from >= leastHint {
				if hint := b.Hint(x); hint != "" {
					p.Line(from, y, to, y, b.Part(part.key), b.Tall).Hint = hint
					continue
				}
			}
			all[look{y, part.key}] = append(all[look{y, part.key}], [2]float64{from, to})
		}
	}
	for _, l := range slices.SortedFunc(maps.Keys(all), func(a, b look) int { return cmp.Or(cmp.Compare(a.y, b.y), cmp.Compare(a.key, b.key)) }) {
		p.Paths(joined(all[l], l.y), b.Part(l.key), b.Tall)
	}
}

type stepPart struct {
	key      string
	from, to int64
}

// partsOf returns the parts of the step that a bar has. Of ranges only the thread that runs the steps has any.
func partsOf(s *run.Strip, x *run.StripSpan) []stepPart {
	whole := func(key string) []stepPart { return []stepPart{{key, x.Start, x.End}} }
	switch x.Lane {
	case run.LaneRange:
		if x.Track > 0 && s.Tracks[x.Track-1].Steps {
			return whole("")
		}
		return nil
	case run.LaneGap:
		return whole(s.Names[x.Name])
	case run.LaneComm:
		if x.Split && x.Wait > 0 {
			end := min(x.Start+x.Wait, x.End)
			return slices.DeleteFunc([]stepPart{{"wait", x.Start, end}, {"transfer", end, x.End}}, func(p stepPart) bool { return p.from == p.to })
		}
		return whole("transfer")
	case run.LaneMemory:
		return whole("memory")
	}
	return whole("compute")
}

// joined returns intervals as lines at a height, to the pixel, those that are nearly at each other as one.
func joined(list [][2]float64, y float64) (lines [][]plot.Point) {
	slices.SortFunc(list, func(a, b [2]float64) int { return cmp.Compare(a[0], b[0]) })
	for i := 0; i < len(list); {
		from, to := list[i][0], list[i][1]
		for i++; i < len(list) && list[i][0]-to < minApart; i++ {
			to = math.Max(to, list[i][1])
		}
		from, to = math.Round(from), math.Max(math.Round(from)+1, math.Round(to))
		lines = append(lines, []plot.Point{{X: from, Y: y}, {X: to, Y: y}})
	}
	return lines
}

// axis draws the time below both sides.
func (d *stepDrawing) axis(sc number.Scale) {
	top, all := d.Height+2, d.scale(sc.Factor)
	d.Line(stepLeft, top, all.To, top, d.Rule2, 1)
	for _, t := range all.Ticks(6, false) {
		d.Line(t.At, top, t.At, top+4, d.Rule2, 1)
		d.Label(math.Min(t.At, all.To-10), top+17, "middle", t.Text+number.Space+sc.Name)
	}
	d.Height = top + 24
}
