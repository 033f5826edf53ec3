package picture

import (
	"cmp"
	"fmt"
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
	for _, l := range stillLanes {
		bars := d.laneOf(s, l.lane)
		if len(bars) == 0 {
			continue
		}
		d.Label(stepLeft-8, d.Height+10, "end", l.name)
		var parts []string
		for key := range bars {
			parts = append(parts, key)
		}
		slices.Sort(parts)
		for _, key := range parts {
			d.bars(bars[key], key)
		}
		d.Height += lanePitch
	}
	end := d.x(s.Length)
	d.Line(end, d.Height-lanePitch, end, d.Height, d.Ink2, 1)
	d.Height += 4
}

// laneOf returns the intervals of a lane in px, by the part whose colour they have. For ranges it is the thread that
// runs the steps.
func (d *stepDrawing) laneOf(s *run.Strip, lane run.Lane) map[string][][2]float64 {
	out := map[string][][2]float64{}
	add := func(key string, from, to int64) { out[key] = append(out[key], [2]float64{d.x(from), d.x(to)}) }
	for _, x := range s.Spans {
		if x.Lane != lane {
			continue
		}
		switch lane {
		case run.LaneRange:
			if x.Track > 0 && s.Tracks[x.Track-1].Steps {
				add("", x.Start, x.End)
			}
		case run.LaneCompute:
			add("compute", x.Start, x.End)
		case run.LaneMemory:
			add("memory", x.Start, x.End)
		case run.LaneGap:
			add(s.Names[x.Name], x.Start, x.End)
		case run.LaneComm:
			if x.Split && x.Wait > 0 {
				add("wait", x.Start, x.Start+x.Wait)
			}
			if !x.Split || x.Start+x.Wait < x.End {
				add("transfer", x.Start+x.Wait, x.End)
			}
		}
	}
	return out
}

// bars draws intervals as one line of the lane's height, with breaks.
func (d *stepDrawing) bars(list [][2]float64, key string) {
	slices.SortFunc(list, func(a, b [2]float64) int { return cmp.Compare(a[0], b[0]) })
	color := d.part(key)
	if key == "" {
		color = d.Rule2
	}
	var lines [][]plot.Point
	y := d.Height + laneTall/2
	for i := 0; i < len(list); {
		from, to := list[i][0], list[i][1]
		for i++; i < len(list) && list[i][0]-to < minApart; i++ {
			to = math.Max(to, list[i][1])
		}
		from, to = math.Round(from), math.Max(math.Round(from)+1, math.Round(to))
		lines = append(lines, []plot.Point{{X: from, Y: y}, {X: to, Y: y}})
	}
	d.Paths(lines, color, laneTall)
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
