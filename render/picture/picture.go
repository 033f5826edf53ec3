// Package picture draws the first picture of a report as SVG: step times of both sides, or a number of their runs, and
// the change with its interval. It needs no browser and no script, so that the same picture
// stands on the page, on paper, in a mail and in a write-up.
package picture

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"perfdiff/analyze/order"
	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/diff/cause"
	"perfdiff/diff/verdict"
	"perfdiff/render/number"
	"perfdiff/render/words"
)

// First is the content of the first picture. Values are in Unit.
type First struct {
	About    string  // what is drawn: "Step time"
	Sides    [2]Side // baseline, candidate
	Unit     string
	Change   string // of the medians, with its unit; "" not known
	Arrow    bool   // the change is drawn, from median to median
	Verdict  string // of the step time: one of the four; "invalid", "none" of a report without a verdict
	Estimate *Estimate
	Caption  string // says what a dot is

	within   string // About within a sentence
	ends     string // where the change is better and worse
	rows     bool   // a row for each run
	findings int    // beside it
}

// Side is one side of the picture.
type Side struct {
	Name   string
	Dots   []Dot
	Median *Written // nil: not known
	runs   []string // names, where there are several on a side
}

// Dot is one mark: a step, a share of the steps, or a run.
type Dot struct {
	Value float64
	Step  int // index into the report's steps; of a share of the steps one that takes so long; -1 of a run
	Run   int // index into the side's runs; -1 where each side has one run
	Kind  Kind
}

// Kind says what a dot stands for.
type Kind int

// The kinds of dots.
const (
	OfStep    Kind = iota // one step
	OfShare               // a share of the steps
	OfExtreme             // one step: the shortest or the longest of many
	OfRun                 // one run
)

// Written is a value with its text.
type Written struct {
	At   float64
	Text string
}

// Estimate is the change of the step time with its interval and what counts, in percent.
type Estimate struct {
	Value, Lo, Hi, Band float64
	Text, Name          string // Name is that of the band
}

// Chosen, not measured: as many dots as can be counted by eye, and as many rows as fit beside
// the findings.
const (
	mostDots = 60
	shares   = 50
	mostRows = 5
	// longestName is how many characters of a side's name stand beside its dots.
	longestName = 28
)

// Of returns the first picture of a report; nil without any step.
func Of(r *diff.Report) *First {
	if c := &r.Headline.Of; c.Metric.OfResult {
		return ofResult(r, c)
	}
	sc := number.ScaleOf("s", Longest(r))
	p := &First{About: "Step time", within: "step time", ends: "\u2190 faster\u2003slower \u2192", Unit: sc.Name, Verdict: state(r), findings: len(r.Findings)}
	for i, name := range words.SideHeads(r, longestName) {
		p.Sides[i] = Side{Name: name, runs: [2][]string{r.Base.Runs, r.Cand.Runs}[i]}
	}
	p.fill(r, sc)
	if len(p.Sides[0].Dots)+len(p.Sides[1].Dots) == 0 {
		return nil
	}
	if c := verdict.MetricOf(r.Metrics, run.StepTime); c != nil {
		p.compare(r, c, sc)
	}
	return p
}

// ofResult is the picture of a number that runs of both sides printed, a dot for each run; nil where one has none.
func ofResult(r *diff.Report, c *verdict.Comparison) *First {
	sc := number.ScaleOf(c.Metric.Unit, math.Max(math.Abs(c.Base), math.Abs(c.Cand)))
	p := &First{About: words.ResultName(c.Key.Metric), within: words.ResultWithin(c.Key.Metric), ends: "\u2190 better\u2003worse \u2192", Unit: sc.Name, Verdict: state(r), findings: len(r.Findings), Caption: "One dot is one run: the unit of the test."}
	if c.Metric.Better == run.Higher {
		p.ends = "\u2190 worse\u2003better \u2192"
	}
	for i, name := range words.SideHeads(r, longestName) {
		p.Sides[i] = Side{Name: name, runs: [2][]string{r.Base.Runs, r.Cand.Runs}[i]}
		for k := range r.Runs[i] {
			if v, ok := r.Runs[i][k].Values[c.Key.Metric]; ok && !math.IsNaN(v) {
				p.Sides[i].Dots = append(p.Sides[i].Dots, Dot{Value: float64(v * sc.Factor), Step: -1, Run: k, Kind: OfRun})
			}
		}
	}
	if len(p.Sides[0].Dots) == 0 || len(p.Sides[1].Dots) == 0 {
		return nil
	}
	p.compare(r, c, sc)
	return p
}

// compare adds the medians of a comparison, and its change.
func (p *First) compare(r *diff.Report, c *verdict.Comparison, sc number.Scale) {
	for i, v := range []float64{c.Base, c.Cand} {
		if !math.IsNaN(v) {
			p.Sides[i].Median = &Written{At: float64(v * sc.Factor), Text: sc.With(v)}
		}
	}
	if p.Verdict == "" {
		p.Verdict = c.Verdict.String()
	}
	if !math.IsNaN(c.Delta) {
		p.Change = sc.SignedWith(c.Delta)
		p.Arrow = p.Verdict == "improved" || p.Verdict == "regressed" || p.Verdict == "invalid"
	}
	p.Estimate = estimateOf(r, c)
}

// state returns how a report without a verdict is shown; "" for one with a verdict.
func state(r *diff.Report) string {
	switch r.Outcome() {
	case verdict.OutcomeNotComparable:
		return "invalid"
	case verdict.OutcomeNotJudged:
		return "none"
	}
	return ""
}

// Longest returns the longest median of a step, which sets the unit.
func Longest(r *diff.Report) (out float64) {
	for i := range r.Steps {
		for _, v := range []float64{r.Steps[i].Base.Median, r.Steps[i].Cand.Median} {
			if v > out {
				out = v
			}
		}
	}
	return out
}

// fill takes the dots of both sides out of the report: if there are several runs each run, because that is what the
// test counts.
func (p *First) fill(r *diff.Report, sc number.Scale) {
	most := max(len(p.Sides[0].runs), len(p.Sides[1].runs))
	of := []func(*cause.StepPoint) *cause.StepSide{
		func(x *cause.StepPoint) *cause.StepSide { return &x.Base },
		func(x *cause.StepPoint) *cause.StepSide { return &x.Cand },
	}
	steps := [2][]Dot{}
	for i := range p.Sides {
		steps[i] = used(r, sc, -1, func(x *cause.StepPoint) float64 { return of[i](x).Median })
	}
	if most > 1 {
		p.rows = most <= mostRows
		p.Caption = "One dot is one run, by its median step: the unit of the test."
		if p.rows {
			p.Caption = "A row is one run: the large dot its median step, the unit of the test; the small ones its steps."
		}
		for i := range p.Sides {
			p.Sides[i].Dots = ofRuns(r, sc, len(p.Sides[i].runs), p.rows, of[i])
		}
		return
	}
	p.Caption = "One dot is one step (median over ranks); the line marks the median."
	if max(len(steps[0]), len(steps[1])) > mostDots {
		p.Caption = "One dot is 2" + number.Space + "% of the steps, a small one the shortest or the longest step; the line marks the median."
		steps[0], steps[1] = sharesOf(steps[0], true), sharesOf(steps[1], true)
	}
	p.Sides[0].Dots, p.Sides[1].Dots = steps[0], steps[1]
}

// used returns dots of the steps that are not left out and have a value, in order.
func used(r *diff.Report, sc number.Scale, of int, value func(*cause.StepPoint) float64) (out []Dot) {
	for i := range r.Steps {
		x := &r.Steps[i]
		if v := value(x); !x.Omission.Omitted() && !math.IsNaN(v) {
			out = append(out, Dot{Value: v * sc.Factor, Step: i, Run: of})
		}
	}
	return out
}

// ofRuns returns the dots of n runs: of each its steps, where they are drawn, and its median.
func ofRuns(r *diff.Report, sc number.Scale, n int, steps bool, of func(*cause.StepPoint) *cause.StepSide) []Dot {
	var runs, out []Dot
	for k := range n {
		dots := used(r, sc, k, func(x *cause.StepPoint) float64 {
			if per := of(x).PerRun; k < len(per) {
				return per[k]
			}
			return math.NaN()
		})
		if len(dots) == 0 {
			continue
		}
		if steps {
			out = append(out, sharesOf(dots, false)...)
		}
		runs = append(runs, Dot{Value: median(dots), Step: -1, Run: k, Kind: OfRun})
	}
	return append(out, runs...)
}

func median(dots []Dot) float64 {
	v := make([]float64, len(dots))
	for i := range dots {
		v[i] = dots[i].Value
	}
	return order.Median(v)
}

func ordered(dots []Dot) []Dot {
	out := slices.Clone(dots)
	slices.SortStableFunc(out, func(a, b Dot) int { return cmp.Compare(a.Value, b.Value) })
	return out
}

// sharesOf returns dots for equal shares of many, each the step in the middle of its share, and with
// ends the shortest and the longest step, which no share would show.
func sharesOf(dots []Dot, ends bool) []Dot {
	n := len(dots)
	if n <= shares {
		return dots
	}
	v, out := ordered(dots), []Dot{}
	for i := range shares {
		d := v[(2*i+1)*n/(2*shares)]
		d.Kind = OfShare
		out = append(out, d)
	}
	if ends {
		for _, d := range []Dot{v[0], v[n-1]} {
			d.Kind = OfExtreme
			out = append(out, d)
		}
	}
	return out
}

func estimateOf(r *diff.Report, c *verdict.Comparison) *Estimate {
	if math.IsNaN(c.Estimate) || math.IsNaN(c.Lo) || math.IsNaN(c.Hi) || !c.Relative {
		return nil
	}
	p := number.PercentFor(c.Estimate, c.Lo, c.Hi)
	band, name := noChange(r, c)
	return &Estimate{
		Value: c.Estimate * 100, Lo: c.Lo * 100, Hi: c.Hi * 100, Band: band * 100, Name: name,
		Text: fmt.Sprintf("%s%s%%  (%s to %s%s%%)", p.Signed(c.Estimate), number.Space, p.Signed(c.Lo), p.Signed(c.Hi), number.Space),
	}
}

// noChange returns up to which size a change of a metric does not count, and what that is.
func noChange(r *diff.Report, c *verdict.Comparison) (size float64, name string) {
	if c.Verdict == verdict.Unchanged && c.Relative {
		return r.Policy.Equal(), "\u00b1" + number.Setting(r.Policy.Equal()) + " counts as equal"
	}
	return c.Threshold, "\u00b1" + words.Amount(c, c.Threshold) + " threshold"
}

// Band returns the values of a metric that count as no change from the baseline, and what they are; "" for a metric
// that is not judged.
func Band(r *diff.Report, c *verdict.Comparison) (lo, hi float64, name string) {
	if c == nil || !r.Judged || !(c.Threshold > 0) || math.IsNaN(c.Base+c.Estimate) {
		return 0, 0, ""
	}
	size, name := noChange(r, c)
	if c.Relative {
		size = float64(size * math.Abs(c.Base))
	}
	return c.Base - size, c.Base + size, name
}

// Label says in words what the picture shows: the headline and its basis.
func Label(a *words.Answer) string { return a.Headline + " " + a.Story }
