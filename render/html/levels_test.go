package html

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/diff/verdict"
)

// withLevel adds a metric to a report that every rank has in every step: base on one side, more
// with each rank and cand on the other; NaN on a side has none.
func withLevel(r *diff.Report, metric run.Metric, part string, base, cand float64) {
	key := metric.Name
	if part != "" {
		key += "/" + part
	}
	c := verdict.Comparison{Key: run.Key{Metric: metric.Name, Part: part}, Metric: metric, Base: base, Cand: cand, BaseMean: base, CandMean: cand, Runs: [2]int{1, 1}}
	for i := range r.Ranks {
		for k, v := range []float64{base, cand} {
			side := []*diff.RankSide{&r.Ranks[i].Base, &r.Ranks[i].Cand}[k]
			if math.IsNaN(v) {
				c.Runs[k] = 0
				c.NotRecorded[k] = verdict.Need{Kind: verdict.NeedRecord, What: "changes of device memory"}
				continue
			}
			values := make([]float64, len(side.Steps))
			for j := range values {
				values[j] = v * (1 + float64(i)/100)
			}
			side.Values[key] = values
		}
	}
	r.Parts = append(r.Parts, c)
}

// TestLevels: what was recorded of memory, clocks, power and temperature is drawn over steps for
// both sides, with a map for the lines of a rank; and what one side lacks is said.
func TestLevels(t *testing.T) {
	r := jobReport(3, 6)
	bytes, hertz := run.Metric{Unit: "B", Better: run.Lower}, run.Metric{Unit: "Hz"}
	bytes.Name, hertz.Name = run.MemoryAllocatedPeak, run.GPUClock
	withLevel(r, bytes, "", 10e9, 12e9)
	bytes.Name = run.MemoryReservedPeak
	withLevel(r, bytes, "", 11e9, math.NaN())
	withLevel(r, hertz, "", 1.98e9, 1.41e9)
	withLevel(r, run.Metric{Name: run.GPUPower, Unit: "W"}, "Board", 700, 500)
	page := written(t, r)
	for _, want := range []string{
		"Peak of allocated memory: 10.0\u202fGB in the baseline, 12.0\u202fGB in the candidate. Peak of reserved memory: 11.0\u202fGB in the baseline. " +
			"Clock: 1\u2009980\u202fMHz in the baseline, 1\u2009410\u202fMHz in the candidate. Power (Board): 700\u202fW in the baseline, 500\u202fW in the candidate.",
		"Not recorded in the candidate (changes of device memory).", ">Clock</h3>", ">Power (Board)</h3>",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	data := dataBlock(t, page)
	for _, want := range []string{`"key":"gpu_power/Board"`, `"key":"memory_allocated_peak"`, `"median":[1980,1410]`} {
		if !strings.Contains(data, want) {
			t.Errorf("the data does not hold %s", want)
		}
	}
	s := &sheet{r: r}
	x := s.levelPoints(run.GPUClock)[2]
	if got, want := fmt.Sprintf("%.0f %.0f %.0f", x.Cand.Min/1e6, x.Cand.Median/1e6, x.Cand.Max/1e6), "1410 1424 1438"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if x := s.levelPoints(run.MemoryReservedPeak)[2]; !math.IsNaN(x.Cand.Median) || x.Base.Median != 11e9*1.01 {
		t.Errorf("got %+v, want a level on the baseline alone", x)
	}
}

// TestLevelAxis: the axis of a level ends near its values, so that a change by a few percent is
// seen, and one value on both sides has an axis as well.
func TestLevelAxis(t *testing.T) {
	for _, c := range []struct {
		base, cand float64
		want       string
	}{
		{1.98e9, 1.867e9, "1800 2050"}, {1.98e9, 1.98e9, "1940 2020"},
	} {
		r := jobReport(1, 4)
		withLevel(r, run.Metric{Name: run.GPUClock, Unit: "Hz"}, "", c.base, c.cand)
		s := &sheet{r: r}
		l := s.levels()[0]
		chart, _ := s.levelChart("x", &l)
		axis := fmt.Sprint(chart.Option["yAxis"])
		ends := strings.Fields(c.want)
		if !strings.Contains(axis, ends[0]) || !strings.Contains(axis, ends[1]) {
			t.Errorf("%g and %g: got %s, want ends %s", c.base, c.cand, axis, c.want)
		}
	}
}

// TestLevelOfOneRank: where one device differs and the median does not show it, the sentence names
// it.
func TestLevelOfOneRank(t *testing.T) {
	r := jobReport(3, 6)
	withLevel(r, run.Metric{Name: run.GPUClock, Unit: "Hz"}, "", 1.98e9, 1.98e9)
	for i := range r.Ranks[1].Cand.Values[run.GPUClock] {
		r.Ranks[1].Cand.Values[run.GPUClock][i] = 1.584e9
	}
	s := &sheet{r: r, data: pageData{Charts: map[string]chartData{}}}
	sec := s.levelSection()
	want := fmt.Sprintf("Clock: 1\u2009980\u202fMHz in the baseline, 1\u2009980\u202fMHz (rank %d: 1\u2009584) in the candidate.", r.Ranks[1].Rank)
	if sec.Reading != want {
		t.Errorf("got %q, want %q", sec.Reading, want)
	}
}
