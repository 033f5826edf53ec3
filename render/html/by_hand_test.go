package html

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/diff/cause"
	"perfdiff/diff/verdict"
	"perfdiff/render/number"
)

// series are what a chart draws, by name: the values of each in order, "-" where there is
// none. Of several with one name the second has a 2 behind it, and so on.
func series(t *testing.T, c chartData) map[string]string {
	t.Helper()
	text, err := json.Marshal(c.Option)
	if err != nil {
		t.Fatal(err)
	}
	var option struct {
		Series []struct {
			Name string
			Data []struct{ Value any }
		}
	}
	if err := json.Unmarshal(text, &option); err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, s := range option.Series {
		name := s.Name
		for i := 2; out[name] != ""; i++ {
			name = fmt.Sprint(s.Name, " ", i)
		}
		var values []string
		for _, d := range s.Data {
			values = append(values, fmt.Sprint(d.Value))
		}
		out[name] = strings.Join(values, " ")
	}
	return out
}

// draws holds what a chart draws to what it should.
func draws(t *testing.T, c chartData, want map[string]string) {
	t.Helper()
	got := series(t, c)
	for name, values := range want {
		if got[name] != values {
			t.Errorf("series %q: got %s, want %s", name, got[name], values)
		}
	}
	for name := range got {
		if _, ok := want[name]; !ok {
			t.Errorf("series %q is drawn: %s", name, got[name])
		}
	}
}

// byHand is a report of two runs per side whose every number is another one.
func byHand() *sheet {
	nan := math.NaN()
	side := func(median float64) cause.StepSide {
		return cause.StepSide{Median: median, Min: median - .01, Max: median + .02, Ranks: 2, PerRun: []float64{median - .001, median + .001}}
	}
	r := &diff.Report{Judged: true}
	r.Base.Runs, r.Cand.Runs = []string{"a", "b"}, []string{"c", "d"}
	r.Steps = []cause.StepPoint{
		{Number: 5, Base: side(.1), Cand: side(.2)},
		{Number: 6, Base: side(.11), Cand: side(.22)},
		{Number: 7, Base: cause.StepSide{Median: nan, Min: nan, Max: nan}, Cand: side(.24)},
	}
	return &sheet{r: r, ms: number.Scale{Name: "ms", Factor: 1e3}, data: pageData{Charts: map[string]chartData{}}}
}

// TestDrawnSteps: each side's line, its band from the fastest to the slowest rank on what
// is not seen below, and its runs.
func TestDrawnSteps(t *testing.T) {
	s := byHand()
	cols, _ := s.stepColumns()
	draws(t, s.stepChart(cols), map[string]string{
		"Baseline": "100 110 -", "_low Baseline": "90 100 -", "_band Baseline": "30 30 -",
		"Candidate": "200 220 240", "_low Candidate": "190 210 230", "_band Candidate": "30 30 30",
		"_run baseline": "99 109 -", "_run baseline 2": "101 111 -",
		"_run candidate": "199 219 239", "_run candidate 2": "201 221 241",
	})
}

// TestDrawnTogether: of steps that share a column the median, and the fastest and the
// slowest of their ranks, without those that are left out.
func TestDrawnTogether(t *testing.T) {
	s := byHand()
	got := mergeSteps(s.r.Steps, func(p *cause.StepPoint) *cause.StepSide { return &p.Cand })
	if math.Abs(got.Median-.22) > 1e-12 || math.Abs(got.Min-.19) > 1e-12 || math.Abs(got.Max-.26) > 1e-12 {
		t.Errorf("got %+v, want .22 within .19 and .26", got)
	}
	s.r.Steps[2].Omission.Base = "x"
	got = mergeSteps(s.r.Steps, func(p *cause.StepPoint) *cause.StepSide { return &p.Cand })
	if math.Abs(got.Median-.21) > 1e-12 || math.Abs(got.Max-.24) > 1e-12 {
		t.Errorf("without the last: got %+v, want .21 up to .24", got)
	}
	if got = mergeSteps(s.r.Steps[2:], func(p *cause.StepPoint) *cause.StepSide { return &p.Base }); !math.IsNaN(got.Median + got.Min + got.Max) {
		t.Errorf("of none: got %+v", got)
	}
}

func TestDrawnCollectives(t *testing.T) {
	of := func(name string, base, cand float64) *verdict.Comparison {
		return &verdict.Comparison{Key: run.Key{Metric: "comm_time", Part: name}, Base: base, Cand: cand}
	}
	c := byHand().collectiveChart([]*verdict.Comparison{of("AllReduce", .012, .034), of("AllGather", .005, math.NaN())})
	draws(t, c, map[string]string{"Baseline": "12 5", "Candidate": "34 -"})
}

func TestDrawnBreakdown(t *testing.T) {
	s := byHand()
	for _, metric := range []string{"compute_time", "exposed_comm_time", "exposed_memory_time", "idle_time"} {
		s.r.Waterfall.Parts = append(s.r.Waterfall.Parts, cause.Part{PartChange: cause.PartChange{StepPart: cause.StepPart{Key: run.Key{Metric: metric}}, Kind: "x"}})
	}
	list := []breakdownBars{{"0", 0, []float64{.01, .02, .03, .04}, []float64{.05, .06, .07, .08}}, {"1", 1, []float64{.09}, nil}}
	names := s.stepParts()
	want := func(rows ...[]float64) map[string]string {
		out := map[string]string{}
		for k, p := range names {
			var v []string
			for _, row := range rows {
				x := 0.0
				if k < len(row) {
					x = 1e3 * row[k]
				}
				v = append(v, fmt.Sprint(sixDigits(x)))
			}
			out[p.name] = strings.Join(v, " ")
		}
		return out
	}
	draws(t, s.breakdownChart("x", list, .2, func(b *breakdownBars) []float64 { return b.base }), want(list[0].base, list[1].base))
	draws(t, s.breakdownChart("x", list, .2, func(b *breakdownBars) []float64 { return b.cand }), want(list[0].cand, nil))
}

func TestDrawnDistribution(t *testing.T) {
	q := quantity{unit: "s", each: "step", scale: number.Milliseconds, base: []float64{.1, .11}, cand: []float64{.2, .22, .23, .24}}
	for _, side := range []string{"Baseline", "Candidate"} {
		got := series(t, q.cumulativeChart())[side]
		points := strings.Split(strings.Trim(got, "[]"), "] [")
		want := map[string][]string{"Baseline": {"100 50", "110 100"}, "Candidate": {"200 25", "220 50", "230 75", "240 100"}}[side]
		if n := len(points); n < 2 || !slices.Equal(points[1:n-1], want) || !strings.HasSuffix(points[0], " 0") || !strings.HasSuffix(points[n-1], " 100") {
			t.Errorf("%s: got %v, want %v between 0 and 100", side, points, want)
		}
	}
	q.quantiles = []cause.QuantilePoint{{Percent: 0, Base: 1, Cand: 2}, {Percent: 5, Base: .1, Cand: .09}, {Percent: 50, Base: .1, Cand: .1}, {Percent: 95, Base: .2, Cand: .25}}
	draws(t, q.quantileChart(), map[string]string{"Change": "-10 0 50"})
}

// TestNumbersOfCharts: six digits, nothing for what is not there, and an axis that ends at
// a round number not far above.
func TestNumbersOfCharts(t *testing.T) {
	for _, c := range []struct{ v, want float64 }{{123456.7, 123457}, {-0.00123456789, -0.00123457}, {0, 0}, {99999.96, 100000}} {
		if got := sixDigits(c.v); got != c.want {
			t.Errorf("round(%v): got %v, want %v", c.v, got, c.want)
		}
	}
	for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		if got := chartValue(v); got != missingPoint {
			t.Errorf("point(%v): got %v, want %v", v, got, missingPoint)
		}
	}
	if got := largestMagnitude(1, -7, math.Inf(1), math.NaN(), 3); got != 7 {
		t.Errorf("largest: got %v, want 7", got)
	}
}

// TestPolicyIsClosed: a page may run its own scripts, by their sums, and load nothing. The
// words are written out here, since what the page's code says of itself shows nothing.
func TestPolicyIsClosed(t *testing.T) {
	got := strings.Split(scriptPolicy(digest("abc")), "; ")
	want := []string{"default-src 'none'", "script-src 'sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0='",
		"style-src 'unsafe-inline'", "img-src data:", "base-uri 'none'", "form-action 'none'"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
