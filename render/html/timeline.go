package html

import (
	"fmt"
	"math"
	"strconv"

	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/diff/cause"
	"perfdiff/render/number"
)

// timeData is the timeline: kinds of step, in them sides, in them ranks.
type timeData struct {
	Unit  string       `json:"unit"`
	Names []string     `json:"names"` // of bars
	Kinds [2]*timeKind `json:"kinds"` // typical, worst
}

type timeKind struct {
	End   float64      `json:"end"` // of the axis
	Sides [2]*timeSide `json:"sides"`
}

type timeSide struct {
	Title string     `json:"title"`
	Ranks []timeRank `json:"ranks"`
}

type timeRank struct {
	Rank   int     `json:"rank"`
	Row    int     `json:"row"` // index into the page's ranks; -1: none
	Length float64 `json:"length"`
	// Bars are lane, name, start and length of each bar in turn. Times are in thousandths of
	// the unit.
	Bars    []int `json:"bars"`
	Omitted int   `json:"omitted"`
}

func (s *sheet) timelineSection() section {
	sec := section{ID: "timeline", Nav: "Timeline", Title: "What does a step look like?"}
	d := &timeData{Unit: s.ms.Name, Names: []string{}}
	number := map[string]int{}
	found := false
	for i, list := range s.r.Timeline {
		for k := range list {
			e := &list[k]
			kind := 0
			if e.Worst {
				kind = 1
			}
			if d.Kinds[kind] == nil {
				d.Kinds[kind] = &timeKind{}
			}
			d.Kinds[kind].Sides[i] = s.timeSide(d, number, e)
			for _, r := range d.Kinds[kind].Sides[i].Ranks {
				d.Kinds[kind].End = max(d.Kinds[kind].End, r.Length)
				found = true
			}
		}
	}
	if !found {
		sec.Reading = "Not known: no step with GPU work was recorded."
		sec.Blocks = []block{{Empty: &empty{"No timeline of a step in these captures.", s.recordKernels() + ", and mark the steps."}}}
		return sec
	}
	s.data.Timeline = d
	sw := &choices{Name: "excerpt", Label: "Step", Options: []choice{{"0", "Typical"}, {"1", "Worst"}}}
	sec.Reading = s.timelineReading()
	key := []legend{{"compute", "Compute"}, {"transfer", "Communication"}, {"memory", "Copies"}}
	for _, c := range run.IdleCauses {
		if number[c] > 0 || len(d.Names) > 0 && d.Names[0] == c {
			key = append(key, legend{c, "Gap: " + c})
		}
	}
	sec.Blocks = []block{{
		Switch: sw, Legend: key, Charts: []chart{{ID: "timeline", Label: "Timelines of a step on both sides"}},
		Note: "Steps are aligned at their own start; both sides have one time axis. For each rank from above: host ranges of the thread that runs the steps (outlined), compute, communication, copies, and gaps in the colour of their largest cause. First the rank that arrives last, then the one that waits longest; select another rank to see it. At most 2\u2009000 bars a step and side, which all ranks share; the shortest are left out. Typical: the step nearest to the median of the later half of the run. Worst: the longest one but for the first.",
	}}
	return sec
}

func (s *sheet) timelineReading() string {
	say := func(side string, list []diff.Excerpt, of func(*cause.StepPoint) *cause.StepSide) string {
		text := ""
		for i := range list {
			e := &list[i]
			if len(e.Ranks) == 0 {
				continue
			}
			what, takes := "a typical", s.ms.With(float64(e.Ranks[0].Length)*1e-9)+" on rank "+strconv.Itoa(e.Ranks[0].Rank)
			if e.Worst {
				what = "the worst"
			}
			for k := range s.r.Steps { // as the other sections have it: the median rank's
				if x := of(&s.r.Steps[k]); s.r.Steps[k].Number == e.Step && s.runCount() == 1 && !math.IsNaN(x.Median) {
					takes = s.ms.With(x.Median)
				}
			}
			if text != "" {
				text += " and "
			}
			text += fmt.Sprintf("%s step (%d) of the %s takes %s", what, e.Step, side, takes)
		}
		return text
	}
	base := say("baseline", s.r.Timeline[0], func(p *cause.StepPoint) *cause.StepSide { return &p.Base })
	cand := say("candidate", s.r.Timeline[1], func(p *cause.StepPoint) *cause.StepSide { return &p.Cand })
	switch {
	case base == "":
		return number.Capital(cand) + "."
	case cand == "":
		return number.Capital(base) + "."
	}
	return number.Capital(base) + "; " + cand + "."
}

func (s *sheet) timeSide(d *timeData, number map[string]int, e *diff.Excerpt) *timeSide {
	out := &timeSide{Title: fmt.Sprintf("step %d", e.Step)}
	if e.Run != "" && s.runCount() > 1 {
		out.Title += " of " + e.Run
	}
	if !e.Used {
		out.Title += ", left out of every number"
	}
	fine := func(ns int64) int { return int(math.Round(float64(ns) * 1e-9 * s.ms.Factor * 1000)) }
	for i := range e.Ranks {
		strip := &e.Ranks[i]
		r := timeRank{Rank: strip.Rank, Row: -1, Length: float64(strip.Length) * 1e-9 * s.ms.Factor, Bars: []int{}, Omitted: strip.Omitted}
		r.Length = sixDigits(r.Length)
		for row := range s.r.Ranks {
			if s.r.Ranks[row].Rank == strip.Rank {
				r.Row = row
			}
		}
		place := make([]int, len(strip.Names))
		for k, name := range strip.Names {
			n, ok := number[name]
			if !ok {
				n = len(d.Names)
				number[name], d.Names = n, append(d.Names, shorten(name))
			}
			place[k] = n
		}
		for _, x := range strip.Spans {
			r.Bars = append(r.Bars, int(x.Lane), place[x.Name], fine(x.Start), max(1, fine(x.End)-fine(x.Start)))
		}
		out.Ranks = append(out.Ranks, r)
	}
	return out
}
