package difftest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"perfdiff/analyze/metric"
	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
	"perfdiff/diff"
	"perfdiff/diff/cause"
	"perfdiff/diff/policy"
	"perfdiff/diff/sides"
	"perfdiff/diff/verdict"
)

// Job describes one run for tests; times are in seconds.
type Job struct {
	Name    string
	Ranks   []int
	World   int
	First   int64
	Steps   int
	Step    func(rank int, s int) float64
	Series  map[run.Key]func(rank int, s int) float64
	Dropped map[int64]string
	Facts   []trace.Fact
}

// TestMetrics are the metrics that the jobs of tests measure.
var TestMetrics = WithTraits([]run.Metric{
	{Name: run.StepTime, Unit: "s", Better: run.Lower, Main: true, Needs: "steps"},
	{Name: run.ComputeTime, Unit: "s", Better: run.Lower, Main: true, Needs: "kernels"},
	{Name: run.ExposedCommTime, Unit: "s", Better: run.Lower, Main: true, Needs: "kernels"},
	{Name: run.ExposedMemoryTime, Unit: "s", Better: run.Lower, Main: true, Needs: "kernels"},
	{Name: run.IdleTime, Unit: "s", Better: run.Lower, Main: true, Needs: "kernels"},
	{Name: run.InputWaitTime, Unit: "s", Better: run.Lower, Main: true, Needs: "a range around fetching a batch"},
	{Name: run.Overlap, Unit: "ratio", Better: run.Higher, Main: true, Needs: "communication"},
	{Name: run.IOReadThroughput, Unit: "B/s", Better: run.Higher, Main: true, Needs: "file accesses"},
	{Name: run.CollectiveCalls, Unit: "1", Better: run.Neither, Part: "collective"},
	{Name: run.LastArrivals, Unit: "1", Better: run.Neither, Joint: true}, {Name: run.ExposedWaitTime, Unit: "s", Better: run.Lower, Joint: true},
	{Name: run.ExposedTransferTime, Unit: "s", Better: run.Lower, Joint: true},
	{Name: run.CommWaitTime, Unit: "s", Better: run.Lower, Joint: true, Part: "collective"},
	{Name: run.CommTransferTime, Unit: "s", Better: run.Lower, Joint: true, Part: "collective"},
	{Name: run.GapBefore, Unit: "s", Better: run.Lower, Part: "collective"},
	{Name: run.KernelTime, Unit: "s", Better: run.Lower, Part: "kernel"},
	{Name: run.KernelLaunches, Unit: "1", Better: run.Neither, Part: "kernel"},
})

// WithTraits returns metrics with the traits that they have in every set.
func WithTraits(metrics []run.Metric) []run.Metric {
	metric.AddTraits(metrics)
	return metrics
}

// UpTo returns the ranks 0 to n-1.
func UpTo(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

// Run makes the run that a job describes.
func (j Job) Run() run.Run {
	r := run.Run{Name: j.Name}
	for _, rank := range j.Ranks {
		r.Ranks = append(r.Ranks, j.Rank(rank))
	}
	return r
}

// Rank makes one rank of a job.
func (j Job) Rank(rank int) run.Rank {
	out := run.Rank{
		Rank: rank, RankFrom: "the file name", Host: fmt.Sprintf("node%d", rank/8), Device: rank % 8, WorldSize: j.World,
		Files: []string{fmt.Sprintf("%s/rank%d.sqlite", j.Name, rank)}, Facts: j.Facts,
	}
	for s := range j.Steps {
		n := j.First + int64(s)
		out.Steps = append(out.Steps, trace.Step{Number: n, Start: int64(s) * 1e8, End: int64(s+1) * 1e8, Dropped: j.Dropped[n]})
	}
	out.Receipts = []run.Receipt{{File: out.Files[0], Marker: `range "step N"`, Found: j.Steps, Kept: len(out.Kept()), Second: "none"}}
	add := func(key run.Key, f func(int, int) float64) {
		if f == nil {
			return
		}
		s := run.Series{Key: key, Values: make([]float64, j.Steps)}
		for i := range s.Values {
			s.Values[i] = f(rank, i)
		}
		out.Series = append(out.Series, s)
	}
	add(sides.StepTime, j.Step)
	parts := []string{""}
	for key := range j.Series {
		parts = append(parts, key.Part)
	}
	slices.Sort(parts)
	for _, m := range TestMetrics { // in a fixed order
		for _, part := range slices.Compact(slices.Clone(parts)) {
			key := run.Key{Metric: m.Name, Part: part}
			add(key, j.Series[key])
		}
	}
	return out
}

// SetOf returns a set of one run for each job.
func SetOf(label string, jobs ...Job) *run.Set {
	s := &run.Set{Label: label, Metrics: TestMetrics}
	for i, j := range jobs {
		if j.Name == "" {
			j.Name = fmt.Sprintf("run%d", i)
		}
		s.Runs = append(s.Runs, j.Run())
		for _, rank := range s.Runs[i].Ranks {
			s.Files = append(s.Files, run.File{Name: rank.Files[0], Format: "nsys sqlite", Ranks: []int{rank.Rank}})
		}
	}
	return s
}

// Wobble returns a noise that is the same in every run of the tests: about 1 %
// from step to step, 0.1 % from rank to rank.
func Wobble(seed float64) func(rank, s int) float64 {
	return func(rank, s int) float64 {
		return 1 + 0.01*math.Sin(2.3*float64(s)+seed) + 0.001*math.Sin(float64(7*rank+3*s)+seed)
	}
}

// Steady returns a noise around a level.
func Steady(level, seed float64) func(rank, s int) float64 {
	w := Wobble(seed)
	return func(rank, s int) float64 { return level * w(rank, s) }
}

// Constant returns a series of one value.
func Constant(v float64) func(int, int) float64 { return func(int, int) float64 { return v } }

// Compare compares two sets by the default policy. It panics where a finding has no evidence or sentence.
func Compare(base, cand *run.Set) *diff.Report {
	r := diff.Compare(base, cand, policy.DefaultPolicy(), diff.Options{Tool: "perfdiff test"})
	for i := range r.Findings {
		if f := &r.Findings[i]; f.Evidence.Kind == "" || TextOf(r, f) == "" {
			panic("a finding of the kind " + string(f.Kind) + " without evidence, or without a sentence")
		}
	}
	return r
}

// NewPair returns two sides lined up, before anything is judged.
func NewPair(base, cand *run.Set, policy policy.Policy) *cause.Causes {
	return &cause.Causes{Judged: &verdict.Judged{Terms: verdict.NewTerms(sides.Of(base, cand, policy.Force), policy)}}
}

// NoisySteps returns step times with white noise of a share.
func NoisySteps(level, share float64, seed uint64) func(rank, s int) float64 {
	g := rand.New(rand.NewPCG(seed, 7))
	values := map[int]float64{}
	return func(_, s int) float64 {
		if _, ok := values[s]; !ok {
			values[s] = level * math.Exp(share*g.NormFloat64())
		}
		return values[s]
	}
}

// One returns a set with one run of one rank.
func One(steps int, first int64, f func(rank, s int) float64) *run.Set {
	return SetOf("a", Job{Ranks: UpTo(2), First: first, Steps: steps, Step: f})
}

// Metrics returns a pair of sets with one run each, from values of one metric.
func Metrics(m string, base, cand func(int, int) float64) (*run.Set, *run.Set) {
	key := run.Key{Metric: m}
	mk := func(f func(int, int) float64) *run.Set {
		return SetOf("x", Job{Ranks: UpTo(3), Steps: 40, Step: Constant(0.1), Series: map[run.Key]func(int, int) float64{key: f}})
	}
	return mk(base), mk(cand)
}
