package html

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/diff/cause"
	"perfdiff/diff/verdict"
	"perfdiff/golden"
)

// drawn is what the script of a report's page draws.
func drawn(t *testing.T, r *diff.Report) *golden.Drawn {
	t.Helper()
	d, err := golden.Decode([]byte(written(t, r)))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// sameNumbers: both have the same values, to what a chart shows of them.
func sameNumbers(t *testing.T, what string, got, want []float64) {
	t.Helper()
	if len(want) == 0 || len(got) != len(want) {
		t.Errorf("%s: got %d values, want %d", what, len(got), len(want))
		return
	}
	for i := range want {
		missing, off := math.IsNaN(want[i]), math.Abs(got[i]-want[i])
		if missing != math.IsNaN(got[i]) || !missing && off > 2e-5*math.Abs(want[i])+1e-9 {
			t.Errorf("%s: value %d is %g, want %g", what, i, got[i], want[i])
			return
		}
	}
}

// seriesOf are the values of the series of a chart by name, in its order; a point of several
// numbers is a list of each.
func seriesOf(t *testing.T, d *golden.Drawn, chart, name string) (all [][][]float64) {
	t.Helper()
	c, ok := d.Charts[chart]
	if !ok {
		t.Fatalf("there is no chart %s", chart)
	}
	for i := range c.Option.Series {
		if s := &c.Option.Series[i]; s.Name == name {
			all = append(all, s.Components())
		}
	}
	if len(all) == 0 {
		t.Fatalf("chart %s has no series %s", chart, name)
	}
	return all
}

// twoSides are the sides of a report as charts name them.
var twoSides = []struct {
	name, key, color string
	step             func(*cause.StepPoint) *cause.StepSide
	rank             func(*diff.RankRow) *diff.RankSide
	part             func(*verdict.Comparison) float64
	gap              func(*cause.GapBin) float64
	courses          func(*diff.Report) []diff.RankActivity
}{
	{
		"Baseline", "b", "$base",
		func(p *cause.StepPoint) *cause.StepSide { return &p.Base },
		func(r *diff.RankRow) *diff.RankSide { return &r.Base },
		func(c *verdict.Comparison) float64 { return c.Base },
		func(g *cause.GapBin) float64 { return g.Base },
		func(r *diff.Report) []diff.RankActivity { return r.Activity.Base },
	},
	{
		"Candidate", "c", "$cand",
		func(p *cause.StepPoint) *cause.StepSide { return &p.Cand },
		func(r *diff.RankRow) *diff.RankSide { return &r.Cand },
		func(c *verdict.Comparison) float64 { return c.Cand },
		func(g *cause.GapBin) float64 { return g.Cand },
		func(r *diff.Report) []diff.RankActivity { return r.Activity.Cand },
	},
}

// TestStepsAreDrawn: the line is the side's median in the side's colour, and the band goes
// from its fastest to its slowest rank.
func TestStepsAreDrawn(t *testing.T) {
	r := severalRuns()
	d := drawn(t, r)
	for _, side := range twoSides {
		var median, low, band []float64
		runs := make([][]float64, 3)
		for i := range r.Steps {
			p := side.step(&r.Steps[i])
			median, low, band = append(median, 1e3*p.Median), append(low, 1e3*p.Min), append(band, 1e3*(p.Max-p.Min))
			for k := range runs {
				runs[k] = append(runs[k], 1e3*p.PerRun[k])
			}
		}
		sameNumbers(t, side.name, seriesOf(t, d, "steps", side.name)[0][0], median)
		sameNumbers(t, "lower end, "+side.name, seriesOf(t, d, "steps", "_low "+side.name)[0][0], low)
		sameNumbers(t, "band, "+side.name, seriesOf(t, d, "steps", "_band "+side.name)[0][0], band)
		for k, line := range seriesOf(t, d, "steps", "_run "+strings.ToLower(side.name)) {
			sameNumbers(t, fmt.Sprintf("run %d, %s", k, side.name), line[0], runs[k])
		}
	}
	for _, id := range []string{"steps", "collectives", "ecdf", "boxes", "gaps"} {
		for _, s := range d.Charts[id].Option.Series {
			for _, side := range twoSides {
				if s.Name == side.name && s.Colour() != side.color {
					t.Errorf("%s: %s has the colour %s", id, s.Name, s.Colour())
				}
			}
		}
	}
}

// TestSidesAreDrawn: collectives, gaps, boxes, breakdown, curves and the first picture show of
// each side what the report has of it.
func TestSidesAreDrawn(t *testing.T) {
	r := jobReport(4, 12)
	d := drawn(t, r)
	s := &sheet{r: r}
	for _, side := range twoSides {
		var times, from, gaps, used []float64
		for _, c := range s.partsOfMetric(run.CommTime) {
			times = append(times, 1e3*side.part(c))
		}
		sameNumbers(t, "collectives, "+side.name, seriesOf(t, d, "collectives", side.name)[0][0], times)
		for i := range r.Gaps {
			from, gaps = append(from, 1e6*max(r.Gaps[i].From, 1e-6)), append(gaps, side.gap(&r.Gaps[i]))
		}
		points := seriesOf(t, d, "gaps", side.name)[0]
		floor := points[1][len(gaps)]
		for i := range gaps {
			gaps[i] = max(gaps[i], floor) // the axis is logarithmic
		}
		sameNumbers(t, "lengths of gaps, "+side.name, points[0], append(from, 1e6*r.Gaps[len(r.Gaps)-1].To))
		sameNumbers(t, "gaps, "+side.name, points[1], append(gaps, floor))
		boxes, parts := make([][]float64, 5), make([][]float64, 4)
		for i := range r.Ranks {
			x := side.rank(&r.Ranks[i])
			for k := range boxes {
				boxes[k] = append(boxes[k], 1e3*x.Box[k])
			}
			for k := range parts {
				parts[k] = append(parts[k], 1e3*x.Parts[k])
			}
		}
		for k, v := range seriesOf(t, d, "boxes", side.name)[0] {
			sameNumbers(t, fmt.Sprintf("boxes %d, %s", k, side.name), v, boxes[k])
		}
		for k, name := range []string{"Compute", "Exposed communication", "Copies", "Idle"} {
			sameNumbers(t, name+", "+side.name, seriesOf(t, d, "breakdown-"+side.key, name)[0][0], parts[k])
		}
		for i := range r.Steps {
			if !r.Steps[i].Omission.Omitted() {
				used = append(used, 1e3*side.step(&r.Steps[i]).Median)
			}
		}
		dots := map[string][]float64{"b": d.First.Base, "c": d.First.Cand}[side.key]
		sameNumbers(t, "first picture, "+side.name, dots, used)
		slices.Sort(used)
		curve := seriesOf(t, d, "ecdf", side.name)[0]
		sameNumbers(t, "curve, "+side.name, curve[0][1:len(curve[0])-1], used)
		sameNumbers(t, "end of the curve, "+side.name, curve[1][len(curve[1])-2:], []float64{100, 100})
	}
	var changes []float64
	for _, q := range r.Quantiles[1 : len(r.Quantiles)-1] {
		changes = append(changes, 1e3*(q.Cand-q.Base))
	}
	sameNumbers(t, "quantiles", seriesOf(t, d, "quantiles", "Change")[0][0], changes)
}

// TestMapsAreDrawn: each cell of a map is its rank's value at its step, and each bin of the
// courses its share; reads are the sum over ranks.
func TestMapsAreDrawn(t *testing.T) {
	r := jobReport(4, 12)
	d := drawn(t, r)
	metrics := map[string]string{
		"Step time": run.StepTime, "Compute": run.ComputeTime, "Idle": run.IdleTime,
		"Exposed communication": run.ExposedCommTime, "Overlap": run.Overlap, "Gap time": run.GapTime,
		"AllReduce": run.CollectiveDuration + "/AllReduce", "I/O throughput": run.IOReadThroughput,
	}
	factors := map[string]float64{"ms": 1e3, "%": 100, "GB/s": 1e-9}
	for k, side := range twoSides {
		for _, m := range d.Map.Metrics {
			var want []float64
			for i := range r.Ranks {
				for _, v := range side.rank(&r.Ranks[i]).Values[metrics[m.Name]] {
					want = append(want, factors[m.Unit]*v)
				}
			}
			sameNumbers(t, "map of "+m.Name+", "+side.name, d.Floats([]int{m.Base, m.Cand}[k], d.Map.Columns*len(d.Ranks)), want)
		}
		course := []golden.SideActivity{d.Activity.Base, d.Activity.Cand}[k]
		var compute, at, read []float64
		for i, c := range side.courses(r) {
			for bin, v := range c.Compute {
				compute = append(compute, float64(v))
				if i == 0 {
					at, read = append(at, (float64(bin)+0.5)*r.Activity.Bin), append(read, 0)
				}
				read[bin] += float64(c.Read[bin]) * 1e-9
			}
		}
		bins := d.Bytes(course.Maps["compute"], course.Bins*len(course.Rows))
		sameNumbers(t, "course of compute, "+side.name, bins, compute)
		points := seriesOf(t, d, "io-"+side.key, side.name)[0]
		var drawn []float64 // as the line goes on: points within a level stretch are left out
		for i, k := 0, 0; i < len(at); i++ {
			for k+1 < len(points[0]) && points[0][k+1] <= at[i]*(1+1e-5) {
				k++
			}
			drawn = append(drawn, points[1][k])
		}
		sameNumbers(t, "reads, "+side.name, drawn, read)
		last := len(at) - 1
		sameNumbers(t, "ends of reads, "+side.name, []float64{points[0][0], points[0][len(points[0])-1]}, []float64{at[0], at[last]})
	}
	if len(d.Map.Metrics) < len(metrics) {
		t.Errorf("got %d maps, want %d", len(d.Map.Metrics), len(metrics))
	}
}

// TestTimelineIsDrawn: each bar stands where its span was, with its lane, stream, launch and
// wait; where there are too many the shortest are left out, and of those of a length that is said none is.
func TestTimelineIsDrawn(t *testing.T) {
	r := fullReport(2, 12)
	d := drawn(t, r)
	tick := d.Timeline.Tick * 1e6 // ns
	ticks := func(ns int64) float64 { return math.Round(float64(ns) / tick) }
	for side, list := range r.Timeline {
		for at := range list {
			for i, strip := range list[at].Ranks {
				of := d.Timeline.Steps[side][at].Ranks[i]
				bars := d.Bars(of.At, of.N)
				shown, all := 0, 0
				for _, b := range bars {
					shown += boolRank(int64(b.Length) < of.Least)
				}
				for _, x := range strip.Spans {
					all += boolRank(int64(max(1, ticks(x.End)-ticks(x.Start))) < of.Least)
				}
				if of.N < 500 || shown != all || shown < of.N/2 || (of.Least > 0) != (of.N < len(strip.Spans)) {
					t.Fatalf("step %d: of bars of %d ticks and more %d of %d are shown, of all %d of %d", at, of.Least, shown, all, of.N, len(strip.Spans))
				}
				var got, want []float64
				k := 0
				for _, x := range strip.Spans {
					if k == len(bars) {
						break
					}
					b := bars[k]
					if float64(b.Start) != ticks(x.Start) || b.Lane != int(x.Lane) || math.Abs(float64(b.Length)-ticks(x.End-x.Start)) > 1 {
						continue
					}
					k++
					track, wait := "", 0.0
					if x.Track > 0 {
						track = trackName(strip.Tracks[x.Track-1])
					}
					if x.Split {
						wait = 1 + ticks(x.Wait)
					}
					if name := d.Timeline.Names[b.Name]; name != strip.Names[x.Name] || b.Track > 0 && d.Timeline.Tracks[b.Track-1].Name != track || (b.Track > 0) != (track != "") {
						t.Fatalf("got %s on track %d, want %s on %s", name, b.Track, strip.Names[x.Name], track)
					}
					got = append(got, float64(b.Start), float64(b.Ahead), float64(b.Wait))
					want = append(want, ticks(x.Start), ticks(x.Ahead), wait)
				}
				if k != len(bars) {
					t.Fatalf("step %d: bar %d of %d is no span", at, k, len(bars))
				}
				sameNumbers(t, fmt.Sprintf("timeline of side %d, rank %d", side, strip.Rank), got, want)
			}
		}
	}
}
