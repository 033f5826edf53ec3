package html

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/diff/policy"
	"perfdiff/render/number"
	"perfdiff/render/plot"
	"perfdiff/render/words"
)

// figure is a picture that script/card.js draws: one of a few kinds, each of which uses the fields that it needs.
// Values are in Unit.
type figure struct {
	Kind string `json:"kind"` // "dots", "bars", "stack", "strips", "interval"
	Unit string `json:"unit,omitempty"`

	// Of dots: a value on both sides for each rank or step.
	X    string `json:"x,omitempty"`  // what stands along the axis: "rank", "step"
	At   []int  `json:"at,omitempty"` // indices into the page's ranks or steps; none: all, in order
	Base []any  `json:"base,omitempty"`
	Cand []any  `json:"cand,omitempty"`
	// Named are the indices of those that the finding names.
	Named []int        `json:"named,omitempty"`
	Lines []figureLine `json:"lines,omitempty"`
	Top   float64      `json:"top,omitempty"` // the axis goes from 0 to here; 0: as far as the values

	// Of bars, stacked or beside each other, and of the strips of a step.
	Rows  []figureRow  `json:"rows,omitempty"`
	Parts []figurePart `json:"parts,omitempty"`
	Mark  []string     `json:"mark,omitempty"` // names of the bars that the finding is about

	Interval *cardInterval `json:"interval,omitempty"`
	Stripe   []any         `json:"stripe,omitempty"` // of dots
}

// figureLine is a value of one side that the finding names.
type figureLine struct {
	Side int     `json:"s"`
	At   float64 `json:"v"`
	Text string  `json:"t"`
}

// cardInterval is a change with its interval.
type cardInterval struct {
	Value float64 `json:"value"`
	Lo    float64 `json:"lo"`
	Hi    float64 `json:"hi"`
	Text  string  `json:"text"`
}

type figurePart struct {
	Key  string `json:"key"` // its colour
	Name string `json:"name"`
}

// figureRow is a row of bars, or a rank of a step.
type figureRow struct {
	Name   string   `json:"t"`
	Side   int      `json:"s"` // of a stack and of strips: 0 the baseline
	Values []any    `json:"v,omitempty"`
	Texts  []string `json:"w,omitempty"` // of bars: the values as people read them
	Step   int      `json:"k,omitempty"` // of strips: which of the timeline's steps of the side
	Rank   int      `json:"r,omitempty"`
	// Of a course below a strip: the length of a bin and when the first begins, in the unit of
	// the strips; the values are in Unit.
	Bin  float64 `json:"bin,omitempty"`
	From float64 `json:"from,omitempty"`
	Unit string  `json:"unit,omitempty"`
}

// mostCardPoints is how many ranks or steps a card draws; if there are more, those with the least and the largest
// values of equal shares. Chosen, not measured: four pixels each.
const mostCardPoints = 150

// mostCardCells bounds the values that a card is made of, ranks by steps: beyond it, the page
// has them in its sections only. Chosen: 1,024 ranks of 1,000 steps cost a second for each card.
const mostCardCells = 300_000

// dotsFigure draws a value of each rank or step on both sides.
func (s *sheet) dotsFigure(x string, sc number.Scale, values [2][]float64, named []int) figure {
	at := extremePlaces(values, named)
	d := figure{Kind: "dots", Unit: sc.Name, X: x, Named: named}
	for _, i := range at {
		d.Base, d.Cand = append(d.Base, drawnValue(values[0][i]*sc.Factor)), append(d.Cand, drawnValue(values[1][i]*sc.Factor))
	}
	if len(at) < len(values[0]) {
		d.At = at
	}
	return d
}

// drawnValue returns a value for a picture, nil where there is none.
func drawnValue(v float64) any {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return fiveDigits(v)
}

// fiveDigits rounds to five digits, more than a small picture shows.
func fiveDigits(v float64) float64 { return plot.Rounded(v, 5) }

// extremePlaces returns the indices for which a picture has room: the least and the largest value of either side in
// each of equal shares, and all that are named.
func extremePlaces(values [2][]float64, named []int) []int {
	n := len(values[0])
	keep := map[int]bool{}
	for _, i := range named {
		keep[i] = true
	}
	share := max(1, (4*n+mostCardPoints-1)/mostCardPoints)
	if n <= mostCardPoints {
		share = 1
	}
	for from := 0; from < n; from += share {
		for _, v := range values {
			lo, hi := from, from
			for i := from; i < min(n, from+share); i++ {
				if v[i] < v[lo] || math.IsNaN(v[lo]) {
					lo = i
				}
				if v[i] > v[hi] || math.IsNaN(v[hi]) {
					hi = i
				}
			}
			keep[lo], keep[hi] = true, true
		}
	}
	var out []int
	for i := range n {
		if keep[i] {
			out = append(out, i)
		}
	}
	return out
}

// leftOutText says that a picture leaves some out; "" it does not.
func leftOutText(d *figure, all int, what string) string {
	if d.At == nil {
		return ""
	}
	return fmt.Sprintf(" Drawn are %s of %s %ss, the least and the largest among them.", number.Count(len(d.At)), number.Count(all), what)
}

// extremes returns the indices of the least and the largest value; -1 without any.
func extremes(values []float64) (lo, hi int) {
	lo, hi = -1, -1
	for i, v := range values {
		if math.IsNaN(v) {
			continue
		}
		if lo < 0 || v < values[lo] {
			lo = i
		}
		if hi < 0 || v > values[hi] {
			hi = i
		}
	}
	return lo, hi
}

// spanText writes the range of values: "29.0 to 34.1 ms", with the rank or step of either end where name is given; ""
// without a value.
func spanText(sc number.Scale, v []float64, name func(int) string) string {
	lo, hi := extremes(v)
	if lo < 0 {
		return ""
	}
	if sc.Format(v[lo]) == sc.Format(v[hi]) {
		return sc.With(v[lo])
	}
	return sc.Format(v[lo]) + name(lo) + " to " + sc.With(v[hi]) + name(hi)
}

// bothSpans returns the sentence of a picture of dots.
func bothSpans(what string, sc number.Scale, values [2][]float64, name func(int) string) string {
	base, cand := spanText(sc, values[0], name), spanText(sc, values[1], name)
	switch {
	case base == "" && cand == "":
		return ""
	case base == "":
		return what + ": " + cand + " in the candidate."
	case cand == "":
		return what + ": " + base + " in the baseline."
	case base == cand:
		return what + ": " + base + " on both sides."
	}
	return what + ": baseline " + base + ", candidate " + cand + "."
}

// stepsFigure draws a series step by step; nil where steps have no values.
func (s *sheet) stepsFigure(key string, f *words.Finding) *cardFigure {
	values := s.perStep(key, f.OfMeans)
	sc := scaleOfCard(unitOf(key, f), values)
	if key == run.ExposedWaitTime || key == run.ExposedTransferTime { // which stand below each other
		sc = s.ms
	}
	if len(s.r.Steps) < 2 || !known(values) {
		return nil
	}
	var named []int
	for i := range s.r.Steps {
		if slices.Contains(namedSteps(f), s.r.Steps[i].Number) {
			named = append(named, i)
		}
	}
	d := s.dotsFigure("step", sc, values, named)
	if key == keyOf(f.Finding) && f.Kind != policy.KindStraggler { // whose numbers are of the late ranks
		d.Lines = namedLines(f, sc, s.withoutOmitted(values))
	}
	over := "mean over ranks"
	if !f.OfMeans {
		over = "median over ranks"
		d.Stripe = s.stripeOfSeries(key, sc)
	}
	step := func(i int) string { return fmt.Sprintf(" (step %d)", s.r.Steps[i].Number) }
	used := s.withoutOmitted(values)
	return &cardFigure{"Step by step", bothSpans(seriesName(key)+", "+over, sc, used, step) + leftOutText(&d, len(s.r.Steps), "step"), d}
}

// ranksFigure draws a series rank by rank, over the steps that count; nil where ranks have no values, or only one has.
func (s *sheet) ranksFigure(key string, f *words.Finding) *cardFigure {
	over, of := "median over steps", func(side *diff.RankSide) float64 { return medianOfKept(side, key) }
	if f.OfMeans {
		over, of = "mean over steps", func(side *diff.RankSide) float64 { return meanOfKept(side, key) }
	}
	return s.ofRanks("Rank by rank", seriesName(key)+", "+over, unitOf(key, f), f, of)
}

// stripeOfSeries returns what counts as no change of a series; nil where it is not judged.
func (s *sheet) stripeOfSeries(key string, sc number.Scale) []any {
	metric, part, _ := strings.Cut(key, "/")
	return stripeOf(s.r, s.r.Comparison(run.Key{Metric: metric, Part: part}), sc)
}

// ofRanks returns a value of each rank on both sides.
func (s *sheet) ofRanks(heading, what, unit string, f *words.Finding, of func(*diff.RankSide) float64) *cardFigure {
	if len(s.r.Ranks) < 2 {
		return nil
	}
	var values [2][]float64
	var named []int
	for i := range s.r.Ranks {
		row := &s.r.Ranks[i]
		values[0], values[1] = append(values[0], of(&row.Base)), append(values[1], of(&row.Cand))
		if slices.Contains(s.few(f.Ranks), row.Rank) {
			named = append(named, i)
		}
	}
	if !known(values) {
		return nil
	}
	sc := scaleOfCard(unit, values)
	d := s.dotsFigure("rank", sc, values, named)
	rank := func(i int) string { return " (rank " + s.data.Ranks[i] + ")" }
	return &cardFigure{heading, bothSpans(what, sc, values, rank) + leftOutText(&d, len(values[0]), "rank"), d}
}

// unitOf returns the unit of a series that a finding shows: its own, else a time.
func unitOf(key string, f *words.Finding) string {
	if key == keyOf(f.Finding) && f.Unit != "" {
		return f.Unit
	}
	return "s"
}

// scaleOfCard returns the scale for the values of a picture.
func scaleOfCard(unit string, values [2][]float64) number.Scale {
	return number.ScaleOf(unit, largestMagnitude(slices.Concat(existing(values[0]), existing(values[1]))...))
}

// namedLines returns lines for the two values that the finding names, if they lie among the values that are drawn: a
// sum over nodes, say, lies above what each rank has.
func namedLines(f *words.Finding, sc number.Scale, drawn [2][]float64) []figureLine {
	var out []figureLine
	for side, v := range []float64{f.Base, f.Cand} {
		if all := existing(drawn[side]); len(all) > 0 && v >= slices.Min(all) && v <= slices.Max(all) {
			out = append(out, figureLine{side, fiveDigits(v * sc.Factor), sc.With(v)})
		}
	}
	return out
}

// intervalFigure returns the change with its interval; nil where it has none.
func intervalFigure(f *words.Finding) *cardFigure {
	if f.Interval == "" {
		return nil
	}
	value, factor := f.Change().Estimate, number.ScaleOf(f.Unit, math.Max(math.Abs(f.Lo), math.Abs(f.Hi))).Factor
	if f.Relative || f.Unit == "ratio" {
		factor = 100
	}
	d := figure{Kind: "interval", Interval: &cardInterval{Value: fiveDigits(value * factor), Lo: fiveDigits(f.Lo * factor), Hi: fiveDigits(f.Hi * factor), Text: f.Interval}}
	says := "Zero lies outside it."
	if f.Lo <= 0 && f.Hi >= 0 {
		says = "Zero lies within it."
	}
	return &cardFigure{"How sure", "The interval goes from " + f.Interval + ". " + says, d}
}

// seriesName returns a series as people call it.
func seriesName(key string) string {
	metric, part, _ := strings.Cut(key, "/")
	return metricName(metric, shorten(part))
}

// known reports whether any value is.
func known(values [2][]float64) bool {
	return len(existing(values[0]))+len(existing(values[1])) > 0
}
