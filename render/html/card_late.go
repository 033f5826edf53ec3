package html

import (
	"fmt"
	"math"
	"slices"

	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/diff/cause"
	"perfdiff/render/number"
	"perfdiff/render/plot"
	"perfdiff/render/words"
)

// stragglerFigures shows who is late and by how much, who waits, and a step of the late rank above the same step of a
// usual rank and of the one that waits longest.
func (s *sheet) stragglerFigures(f *words.Finding) []*cardFigure {
	own := s.ofRanks("Own time of each rank", "The step without waiting for others, median", "s", f, medianOwnTime)
	if own == nil {
		own = s.ranksFigure(keyOf(f.Finding), f)
	}
	out := []*cardFigure{own}
	if len(f.Ranks) > 0 {
		out = append(out, s.blameFigure(f, f.Ranks[0]), s.lateStrips(f.Ranks[0]))
	} else {
		out = append(out, s.stepOfBoth(f))
	}
	return append(out, s.stepsFigure(keyOf(f.Finding), f))
}

// blameFigure returns how long each rank waits for the late one, on both sides; nil where arrivals are
// not known.
func (s *sheet) blameFigure(f *words.Finding, late int) *cardFigure {
	var waits [2]map[int]float64
	for side, list := range s.r.RankWaits {
		waits[side] = map[int]float64{}
		for i := range list {
			if v, ok := list[i].WaitsFor[late]; ok {
				waits[side][list[i].Rank] = v
			}
		}
	}
	if len(waits[0])+len(waits[1]) == 0 {
		return nil
	}
	of := func(side, rank int) float64 {
		if v, ok := waits[side][rank]; ok {
			return v
		}
		return math.NaN()
	}
	var values [2][]float64
	for i := range s.r.Ranks {
		values[0], values[1] = append(values[0], of(0, s.r.Ranks[i].Rank)), append(values[1], of(1, s.r.Ranks[i].Rank))
	}
	sc := scaleOfCard("s", values)
	rank := func(i int) string { return " (rank " + s.data.Ranks[i] + ")" }
	d := s.dotsFigure("rank", sc, values, nil)
	heading := fmt.Sprintf("Who waits for rank %d", late)
	return &cardFigure{heading, bothSpans("What a rank waits for it in a step, under compute too", sc, values, rank) + leftOutText(&d, len(values[0]), "rank"), d}
}

// lateStrips draws the late rank, one with the median own time and the one that waits longest, in a step with a late
// arrival; nil where no such step is recorded.
func (s *sheet) lateStrips(late int) *cardFigure {
	at := slices.IndexFunc(s.r.Views, func(v diff.View) bool { return v.Kind == diff.ViewCulprit && v.Rank == late })
	if at < 0 || s.data.Timeline == nil {
		return nil
	}
	v := &s.r.Views[at]
	side := max(0, slices.Index(sideNames[:], v.Side))
	if len(v.Beside) == 0 || v.Step[side] < 0 {
		return nil
	}
	e := s.stepShown(side, v.Step[side])
	rows := []figureRow{e.row(late, fmt.Sprintf("rank %d, late", late))}
	text := fmt.Sprintf("Step %d of the %s", e.Step, v.Side)
	if v.Step[side] != s.r.Views[0].Step[side] {
		text += ", in which it is furthest behind"
	}
	text += fmt.Sprintf(": rank %d", late)
	usual := v.Beside[0]
	rows = append(rows, e.row(usual, fmt.Sprintf("rank %d, in the middle", usual)))
	text += fmt.Sprintf(", below it rank %d, which takes as long as most", usual)
	if len(v.Beside) > 1 {
		waiter := v.Beside[1]
		rows = append(rows, e.row(waiter, fmt.Sprintf("rank %d, waits longest", waiter)))
		text += fmt.Sprintf(", and rank %d, which waits longest for it", waiter)
	}
	return &cardFigure{"The step of three ranks", text + ".", figure{Kind: "strips", Rows: rows}}
}

// sideNames are the sides in order.
var sideNames = [2]string{"baseline", "candidate"}

// shownStep is a step of a side that the page has a timeline of.
type shownStep struct {
	*diff.Excerpt
	side, at int        // at: among the steps of the side
	drawn    []timeRank // that the page has of it
}

func (s *sheet) stepShown(side, at int) *shownStep {
	return &shownStep{&s.r.Timeline[side][at], side, at, s.data.Timeline.Steps[side][at].Ranks}
}

// typicalOf returns the typical step of a side; nil where none is recorded.
func (s *sheet) typicalOf(side int) *shownStep {
	if s.data.Timeline == nil || len(s.r.Views) == 0 {
		return nil
	}
	at := s.r.Views[0].Step[side]
	if at < 0 || len(s.r.Timeline[side][at].Ranks) == 0 {
		return nil
	}
	return s.stepShown(side, at)
}

// row returns a rank of the step as a row of strips.
func (x *shownStep) row(rank int, name string) figureRow {
	return figureRow{Side: x.side, Step: x.at, Rank: rank, Name: name}
}

// stripOf returns a rank of a step; nil: the page has none.
func stripOf(e *shownStep, rank int) *run.Strip {
	if !slices.ContainsFunc(e.drawn, func(r timeRank) bool { return r.Rank == rank }) {
		return nil
	}
	for i := range e.Ranks {
		if e.Ranks[i].Rank == rank {
			return &e.Ranks[i]
		}
	}
	return nil
}

// networkFigures shows waiting and transfer step by step, the lengths of calls, and the bandwidth by size.
func (s *sheet) networkFigures(f *words.Finding) []*cardFigure {
	var out []*cardFigure
	if f.Calls != nil {
		out = append(out, callsFigure(f.Calls))
	}
	wait, transfer := s.stepsFigure(run.ExposedWaitTime, f), s.stepsFigure(run.ExposedTransferTime, f)
	if wait != nil && transfer != nil {
		wait.Heading, transfer.Heading = "Waiting for late ranks", "The transfer itself"
		oneScale(&wait.figure, &transfer.figure)
		out = append(out, wait, transfer)
	} else {
		out = append(out, s.stepsFigure(keyOf(f.Finding), f))
	}
	return append(out, s.bandwidthFigure())
}

// oneScale gives two pictures of dots one axis from 0 on, if they have one unit.
func oneScale(a, b *figure) {
	if a.Unit != b.Unit {
		return
	}
	top := 0.0
	for _, v := range slices.Concat(a.Base, a.Cand, b.Base, b.Cand) {
		if x, ok := v.(float64); ok {
			top = max(top, x)
		}
	}
	a.Top, b.Top = plot.Ceiling(top), plot.Ceiling(top)
}

// callsFigure returns the lengths of a collective's calls.
func callsFigure(c *[2]cause.CallLengths) *cardFigure {
	sc := number.ScaleOf("s", largestMagnitude(existing([]float64{c[0].P95, c[1].P95})...))
	d := figure{Kind: "bars", Unit: sc.Name}
	for _, x := range []struct {
		name string
		of   func(*cause.CallLengths) float64
	}{
		{"Median call", func(l *cause.CallLengths) float64 { return l.Median }}, {"95 % take at most", func(l *cause.CallLengths) float64 { return l.P95 }},
		{"Standard deviation", func(l *cause.CallLengths) float64 { return l.Deviation }},
	} {
		d.Rows = append(d.Rows, barRow(x.name, sc, x.of(&c[0]), x.of(&c[1])))
	}
	return &cardFigure{"Lengths of its calls", barsText(d.Rows), d}
}

// barRow returns a quantity on both sides as two bars.
func barRow(name string, sc number.Scale, base, cand float64) figureRow {
	return figureRow{Name: name, Values: []any{drawnValue(base * sc.Factor), drawnValue(cand * sc.Factor)}, Texts: []string{valueText(sc, base), valueText(sc, cand)}}
}

// barsText says what bars show.
func barsText(rows []figureRow) string {
	text := ""
	for i := range rows {
		if i > 0 {
			text += "; "
		}
		if r := &rows[i]; r.Texts[0] == r.Texts[1] {
			text += r.Name + ": " + r.Texts[0] + " on both sides"
		} else {
			text += r.Name + ": " + r.Texts[0] + " and " + r.Texts[1]
		}
	}
	return text + "."
}

// mostSizes is how many sizes of messages a card shows: those with the longest transfer are in
// the section.
const mostSizes = 6

// bandwidthFigure draws the bandwidth of the links by size of the message; nil where that is not known.
func (s *sheet) bandwidthFigure() *cardFigure {
	metric := run.TransferBandwidth
	if len(s.partsOfMetric(metric)) == 0 {
		metric = run.BusBandwidth
	}
	list := s.partsOfMetric(metric)
	if len(list) == 0 {
		return nil
	}
	list = list[:min(len(list), mostSizes)]
	sc := number.ScaleOf("B/s", largestMagnitude(existing([]float64{list[0].Base, list[0].Cand})...))
	d := figure{Kind: "bars", Unit: sc.Name}
	for _, c := range list {
		d.Rows = append(d.Rows, barRow(shorten(c.Part), sc, c.Base, c.Cand))
	}
	return &cardFigure{"Bandwidth by size", barsText(d.Rows), d}
}
