package diff_test

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"perfdiff/analyze/metric"
	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
	"perfdiff/diff"
	"perfdiff/diff/difftest"
	"perfdiff/diff/policy"
	"perfdiff/diff/verdict"
)

func ramp(rank, s int) float64 { return 0.1 + 0.12*float64(s)/18 }

func TestVerdicts(t *testing.T) {
	several := func(label string, level float64, n int) *run.Set {
		var jobs []difftest.Job
		for i := range n {
			jobs = append(jobs, difftest.Job{Ranks: difftest.UpTo(2), Steps: 60, Step: difftest.Steady(level, float64(i))})
		}
		return difftest.SetOf(label, jobs...)
	}
	one := func(steps int, f func(int, int) float64) *run.Set {
		return difftest.SetOf("x", difftest.Job{Ranks: difftest.UpTo(4), First: 11, Steps: steps, Step: f})
	}
	sized := func(ranks, world int, level float64) *run.Set {
		return difftest.SetOf("x", difftest.Job{Ranks: difftest.UpTo(ranks), World: world, Steps: 40, Step: difftest.Steady(level, 1)})
	}
	settling := func(rank, s int) float64 { return 0.1 * math.Exp(math.Max(0, 0.6-float64(s)/39)) }
	growing := func(rank, s int) float64 { return 0.1 * math.Exp(math.Pow(float64(s)/39, 3)) }
	for _, c := range []struct {
		name       string
		base, cand *run.Set
		verdict    verdict.Verdict
		reason     string
		judged     bool
		headline   string
	}{
		{"regressed", one(60, difftest.Steady(0.1, 0)), one(60, difftest.Steady(0.12, 1)), verdict.Regressed, verdict.ReasonDecided, true, "Steps take 20 ms longer (+20 %)."},
		{"improved", one(60, difftest.Steady(0.1, 0)), one(60, difftest.Steady(0.08, 1)), verdict.Improved, verdict.ReasonDecided, true, "Steps take 20 ms less (-20 %)."},
		{"the ramp", one(19, ramp), one(19, difftest.Constant(0.079)), verdict.Improved, verdict.ReasonDecided, true, "Steps take 81 ms less (-51 %)."},
		{"unchanged", several("a", 0.1, 5), several("b", 0.1005, 5), verdict.Unchanged, verdict.ReasonDecided, true, "Steps take as long as before, within 0.5 %: 100 and 100 ms."},
		{"noise", one(60, difftest.Steady(0.1, 0)), one(60, difftest.Steady(0.1005, 1)), verdict.Inconclusive, verdict.ReasonNoise, true, "No slowdown seen: 100 and 101 ms per step."},
		{"needs runs", one(60, difftest.Steady(0.1, 0)), one(60, difftest.Steady(0.104, 1)), verdict.Inconclusive, verdict.ReasonNeedsRuns, true, "Steps took 4.0 ms longer (+4.0 %), but runs of this job may differ that much by themselves."},
		{"no end of warm-up", one(40, settling), one(40, settling), verdict.Inconclusive, verdict.ReasonNoSteadyState, true, "Cannot tell: the steps do not settle."},
		{"too short to settle", one(12, settling), one(12, func(r, s int) float64 { return settling(r, s) * 0.5 }), verdict.Improved, verdict.ReasonDecided, true, "Steps take 79.4 ms less (-50 %)."},
		{"grows ever faster", one(40, growing), one(40, func(r, s int) float64 { return growing(r, s) * 0.5 }), verdict.Improved, verdict.ReasonDecided, true, "Steps take 68 ms less (-50 %)."},
		{"few steps, halved", one(5, difftest.Steady(0.1, 0)), one(5, difftest.Steady(0.05, 1)), verdict.Improved, verdict.ReasonDecided, true, "Steps take 50 ms less (-50 %)."},
		{"few steps, 5 %", one(8, difftest.Steady(0.1, 0)), one(8, difftest.Steady(0.105, 1)), verdict.Inconclusive, verdict.ReasonTooFewSteps, true, "Cannot tell: only 8 steps in common, and a rise above 24 % is excluded."},
		{"one step", one(1, difftest.Steady(0.1, 0)), one(1, difftest.Steady(0.2, 0)), verdict.Inconclusive, verdict.ReasonTooFewSteps, false, "Too few steps to judge: only 1 step in common. Record at least 3 after the warm-up, better 50."},
		{"no steps", one(0, nil), one(20, difftest.Steady(0.2, 0)), verdict.Inconclusive, verdict.ReasonNoSteps, false, "No verdict: no steps were found in the baseline."},
		{"no steps at all", one(0, nil), one(0, nil), verdict.Inconclusive, verdict.ReasonNoSteps, false, "No verdict: no steps were found in the baseline and in the candidate."},
		{"nothing at all", &run.Set{}, &run.Set{}, verdict.Inconclusive, verdict.ReasonNoSteps, false, "No verdict: no steps were found in the baseline and in the candidate."},
		{"no step times", one(20, nil), one(20, difftest.Steady(0.1, 0)), verdict.Inconclusive, verdict.ReasonNotRecorded, false, "No verdict: the step time was not recorded."},
		{"job sizes", sized(8, 8, 0.1), sized(8, 16, 0.2), verdict.Inconclusive, verdict.ReasonRankCount, false, "No verdict: the jobs differ in size, 8 and 16 ranks."},
		{"captures missing", sized(8, 8, 0.1), sized(5, 8, 0.2), verdict.Regressed, verdict.ReasonDecided, true, "Steps take 100 ms longer (+100 %)."},
		{"sizes unknown", sized(8, 0, 0.1), sized(16, 0, 0.2), verdict.Inconclusive, verdict.ReasonRankCount, false, "No verdict: the jobs differ in size."},
		{"other steps", one(40, ramp), difftest.SetOf("x", difftest.Job{Ranks: difftest.UpTo(4), First: 500, Steps: 40, Step: func(r, s int) float64 { return 1.05 * ramp(r, s) }}),
			verdict.Inconclusive, verdict.ReasonNoCommonSteps, true, "Cannot tell yet. Record the same steps on both sides."},
		{"other steps, no drift", one(60, difftest.Steady(0.1, 0)), difftest.SetOf("x", difftest.Job{Ranks: difftest.UpTo(4), First: 500, Steps: 60, Step: difftest.Steady(0.1005, 1)}), verdict.Inconclusive, verdict.ReasonNoise, true, "No slowdown seen: 100 and 101 ms per step."},
		{"other steps, no drift, perhaps slower", one(60, difftest.Steady(0.1, 0)), difftest.SetOf("x", difftest.Job{Ranks: difftest.UpTo(4), First: 500, Steps: 60, Step: difftest.Steady(0.104, 1)}), verdict.Inconclusive, verdict.ReasonNeedsRuns, true, "Steps took 4.0 ms longer (+4.0 %), but runs of this job may differ that much by themselves."},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := difftest.Compare(c.base, c.cand)
			if r.Verdict != c.verdict || r.Reason != c.reason || r.Judged != c.judged {
				t.Errorf("got %d %s judged %v, want %d %s %v", r.Verdict, r.Reason, r.Judged, c.verdict, c.reason, c.judged)
			}
			if got := difftest.Plain(difftest.HeadlineOf(r)); got != c.headline {
				t.Errorf("headline: got %q, want %q", got, c.headline)
			}
			if strings.Contains(difftest.BasisOf(r), "NaN") || difftest.BasisOf(r) == "" {
				t.Errorf("basis: %q", difftest.BasisOf(r))
			}
		})
	}
}

func TestBasis(t *testing.T) {
	a := difftest.SetOf("a", difftest.Job{Ranks: difftest.UpTo(16), First: 11, Steps: 19, Step: ramp})
	b := difftest.SetOf("b", difftest.Job{Ranks: difftest.UpTo(16), First: 11, Steps: 19, Step: difftest.Constant(0.079)})
	got := difftest.Plain(difftest.BasisOf(difftest.Compare(a, b)))
	want := "The mean step went from 160 to 79 ms. Faster? Yes; step by step it is 51 to 56 % (95 % interval between runs; limit 2 %): by 28 % at the first and 65 % at the last. The change? Open: what takes the time was not recorded. Based on 1 run of 16 ranks x 19 steps per side; runs differ by 1.5 % (assumed); it could be chance only if they differ by 22 % or more."
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	b.Runs[0].Ranks = slices.Delete(b.Runs[0].Ranks, 3, 4)
	got = difftest.Plain(difftest.BasisOf(difftest.Compare(a, b)))
	want = strings.Replace(want, "1 run of 16 ranks", "1 run of 16 and 15 ranks", 1) + " Rank 3 of the candidate is missing."
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestSameAgainstSame(t *testing.T) {
	j := difftest.Job{Ranks: difftest.UpTo(4), Steps: 40, Step: difftest.Steady(0.1, 0), Series: map[run.Key]func(int, int) float64{
		{Metric: "compute_time"}:              difftest.Steady(0.07, 1),
		{Metric: "exposed_memory_time"}:       difftest.Constant(0),
		{Metric: "overlap"}:                   difftest.Steady(0.5, 2),
		{Metric: "input_wait_time"}:           func(_, s int) float64 { return float64(s%3) * 0.001 },
		{Metric: "kernel_time", Part: "gemm"}: difftest.Steady(0.03, 1), {Metric: "kernel_launches", Part: "gemm"}: difftest.Constant(3),
	}}
	a, b := difftest.SetOf("a", j, j), difftest.SetOf("b", j, j)
	r := difftest.Compare(a, b)
	for _, c := range slices.Concat(r.Metrics, r.Parts) {
		if c.Runs != [2]int{} && (c.Estimate != 0 || c.Delta != 0) {
			t.Errorf("%s: got %g, want exactly 0", diff.KeyName(c.Key), c.Estimate)
		}
		if c.Verdict == verdict.Regressed || c.Verdict == verdict.Improved {
			t.Errorf("%s: got verdict %d", diff.KeyName(c.Key), c.Verdict)
		}
	}
	for _, k := range r.Kernels {
		if k.Delta != 0 {
			t.Errorf("kernel %s: got %g, want 0", k.Name, k.Delta)
		}
	}
	if len(r.Findings) > 0 {
		t.Errorf("got findings %v, want none", r.Findings)
	}

	for i := range a.Files {
		a.Files[i].Digest, b.Files[len(b.Files)-1-i].Digest = a.Files[i].Name, a.Files[i].Name
	}
	r = difftest.Compare(a, b)
	if !r.SameFiles || r.Verdict != verdict.Inconclusive || r.Judged || r.Gate.State != diff.GateNotJudged || r.Reason != verdict.ReasonSameFiles ||
		difftest.HeadlineOf(r) != "Nothing was measured: both sides are the same files." {
		t.Errorf("same files: got %v %d %s %q", r.SameFiles, r.Verdict, r.Reason, difftest.HeadlineOf(r))
	}
	if c := verdict.MetricOf(r.Metrics, "step_time"); c.Estimate != 0 || c.Lo != 0 || c.Hi != 0 {
		t.Errorf("same files: got %g [%g, %g], want 0", c.Estimate, c.Lo, c.Hi)
	}
}

func TestSameFilesWithOneStep(t *testing.T) {
	a := difftest.SetOf("a", difftest.Job{Ranks: difftest.UpTo(8), Steps: 1, Step: difftest.Steady(0.1, 0)})
	a.Digest = "d"
	r := difftest.Compare(a, a)
	if r.Judged || !r.SameFiles || r.Reason != verdict.ReasonTooFewSteps {
		t.Errorf("got judged %v, same %v, %s", r.Judged, r.SameFiles, r.Reason)
	}
}

// wide is a pair with several runs, missing captures and all kinds of series.
func wide() (base, cand *run.Set) {
	mk := func(seed, level float64, ranks []int) difftest.Job {
		return difftest.Job{Ranks: ranks, Steps: 45, Step: difftest.Steady(level, seed), World: 6, Dropped: map[int64]string{0: "first step"},
			Facts: []trace.Fact{{Key: trace.FactGPU, Value: "A"}, {Key: trace.FactDriver, Value: "1"}},
			Series: map[run.Key]func(int, int) float64{
				{Metric: "compute_time"}:                           difftest.Steady(0.07, seed),
				{Metric: "input_wait_time"}:                        difftest.Steady(level/3, seed+1),
				{Metric: "overlap"}:                                difftest.Steady(0.5, seed+2),
				{Metric: "gap_before", Part: "AllReduce"}:          difftest.Steady(0.001, seed),
				{Metric: "kernel_time", Part: "gemm"}:              difftest.Steady(0.03, seed),
				{Metric: "kernel_launches", Part: "gemm"}:          difftest.Constant(3),
				{Metric: "kernel_time", Part: "ncclAllReduce"}:     difftest.Steady(0.01*level/0.1, seed),
				{Metric: "kernel_launches", Part: "ncclAllReduce"}: difftest.Constant(3),
			}}
	}
	base = difftest.SetOf("a", mk(0, 0.1, difftest.UpTo(6)), mk(1, 0.101, difftest.UpTo(6)), mk(2, 0.099, difftest.UpTo(5)))
	cand = difftest.SetOf("b", mk(3, 0.115, difftest.UpTo(6)), mk(4, 0.116, []int{0, 2, 5}))
	for _, s := range []*run.Set{base, cand} {
		s.Warnings = []trace.Warning{{File: "x", Text: "one"}, {File: "y", Text: "one"}, {File: "z", Text: "two"}}
		for i := range s.Runs {
			for k := range s.Runs[i].Ranks {
				r := &s.Runs[i].Ranks[k]
				r.Activity = run.Activity{Start: 0, Bin: 1 << 20, Busy: []uint8{200, 100, 3}, Read: []float32{1, 2, 3}}
				r.Gaps.Counts[5] = int64(10 * (k + 1))
			}
		}
	}
	return base, cand
}

func TestOrderDoesNotMatter(t *testing.T) {
	base, cand := wide()
	want := difftest.Compare(base, cand)
	rng := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		for _, s := range []*run.Set{base, cand} {
			rng.Shuffle(len(s.Runs), func(i, j int) { s.Runs[i], s.Runs[j] = s.Runs[j], s.Runs[i] })
			rng.Shuffle(len(s.Files), func(i, j int) { s.Files[i], s.Files[j] = s.Files[j], s.Files[i] })
			rng.Shuffle(len(s.Warnings), func(i, j int) { s.Warnings[i], s.Warnings[j] = s.Warnings[j], s.Warnings[i] })
			for i := range s.Runs {
				r := s.Runs[i].Ranks
				rng.Shuffle(len(r), func(i, j int) { r[i], r[j] = r[j], r[i] })
			}
		}
		if got := difftest.Compare(base, cand); !same(got, want) {
			t.Fatal("the report depends on the order of runs, ranks, files or warnings")
		}
	}
}

// same is reflect.DeepEqual in which NaN equals itself.
func same(a, b any) bool { return equal(reflect.ValueOf(a), reflect.ValueOf(b)) }

func equal(a, b reflect.Value) bool {
	switch a.Kind() {
	case reflect.Pointer:
		if a.IsNil() || b.IsNil() {
			return a.IsNil() && b.IsNil()
		}
		return equal(a.Elem(), b.Elem())
	case reflect.Float64:
		return a.Float() == b.Float() || math.IsNaN(a.Float()) && math.IsNaN(b.Float())
	case reflect.Struct:
		for i := range a.NumField() {
			if !equal(a.Field(i), b.Field(i)) {
				return false
			}
		}
		return true
	case reflect.Slice, reflect.Array:
		if a.Len() != b.Len() {
			return false
		}
		for i := range a.Len() {
			if !equal(a.Index(i), b.Index(i)) {
				return false
			}
		}
		return true
	case reflect.Map:
		for _, k := range a.MapKeys() {
			if !b.MapIndex(k).IsValid() || !equal(a.MapIndex(k), b.MapIndex(k)) {
				return false
			}
		}
		return a.Len() == b.Len()
	case reflect.Bool: // what is not exported has no Interface
		return a.Bool() == b.Bool()
	case reflect.String:
		return a.String() == b.String()
	case reflect.Int, reflect.Int8, reflect.Int64:
		return a.Int() == b.Int()
	case reflect.Uint8:
		return a.Uint() == b.Uint()
	}
	return reflect.DeepEqual(a.Interface(), b.Interface())
}

func TestArgumentsAreKept(t *testing.T) {
	base, cand := wide()
	base2, cand2 := wide()
	difftest.Compare(base, cand)
	if !same(base, base2) || !same(cand, cand2) {
		t.Error("Compare changed its arguments")
	}
}

func TestPolicyCheck(t *testing.T) {
	if err := policy.DefaultPolicy().Check(metric.Descriptions()); err != nil {
		t.Errorf("default: %v", err)
	}
	for _, change := range []func(*policy.Policy){
		func(p *policy.Policy) { p.Alpha = 0 }, func(p *policy.Policy) { p.Alpha = 1 }, func(p *policy.Policy) { p.Threshold = -1 },
		func(p *policy.Policy) { p.Equivalence = math.NaN() }, func(p *policy.Policy) { p.Floor = 0 }, func(p *policy.Policy) { p.FewFloor = 2 }, func(p *policy.Policy) { p.HostFloor = 0 },
	} {
		p := policy.DefaultPolicy()
		change(&p)
		if p.Check(metric.Descriptions()) == nil {
			t.Errorf("%+v: no error", p)
		}
	}
}
