package diff

import (
	"fmt"
	"math"
	"slices"

	"perfdiff/analyze/metric"
	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
	"perfdiff/diff/cause"
	"perfdiff/diff/policy"
	"perfdiff/diff/sides"
	"perfdiff/diff/verdict"
)

// job describes one run for tests; times are in seconds.
type job struct {
	name    string
	ranks   []int
	world   int
	first   int64
	steps   int
	step    func(rank int, s int) float64
	series  map[run.Key]func(rank int, s int) float64
	dropped map[int64]string
	facts   []trace.Fact
}

var testMetrics = withTraits([]run.Metric{
	{Name: "step_time", Unit: "s", Better: run.Lower, Main: true, Needs: "steps"},
	{Name: "compute_time", Unit: "s", Better: run.Lower, Main: true, Needs: "kernels"},
	{Name: "exposed_comm_time", Unit: "s", Better: run.Lower, Main: true, Needs: "kernels"},
	{Name: "exposed_memory_time", Unit: "s", Better: run.Lower, Main: true, Needs: "kernels"},
	{Name: "idle_time", Unit: "s", Better: run.Lower, Main: true, Needs: "kernels"},
	{Name: "input_wait_time", Unit: "s", Better: run.Lower, Main: true, Needs: "a range around fetching a batch"},
	{Name: "overlap", Unit: "ratio", Better: run.Higher, Main: true, Needs: "communication"},
	{Name: "io_read_throughput", Unit: "B/s", Better: run.Higher, Main: true, Needs: "file accesses"},
	{Name: "collective_calls", Unit: "1", Better: run.Neither, Part: "collective"},
	{Name: "last_arrivals", Unit: "1", Better: run.Neither, Joint: true}, {Name: "exposed_wait_time", Unit: "s", Better: run.Lower, Joint: true},
	{Name: "exposed_transfer_time", Unit: "s", Better: run.Lower, Joint: true},
	{Name: "comm_wait_time", Unit: "s", Better: run.Lower, Joint: true, Part: "collective"},
	{Name: "comm_transfer_time", Unit: "s", Better: run.Lower, Joint: true, Part: "collective"},
	{Name: "gap_before", Unit: "s", Better: run.Lower, Part: "collective"},
	{Name: "kernel_time", Unit: "s", Better: run.Lower, Part: "kernel"},
	{Name: "kernel_launches", Unit: "1", Better: run.Neither, Part: "kernel"},
})

// withTraits are metrics with the traits that they have in every set.
func withTraits(metrics []run.Metric) []run.Metric {
	metric.AddTraits(metrics)
	return metrics
}

// upTo are the ranks 0 to n-1.
func upTo(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

func (j job) run() run.Run {
	r := run.Run{Name: j.name}
	for _, rank := range j.ranks {
		r.Ranks = append(r.Ranks, j.rank(rank))
	}
	return r
}

func (j job) rank(rank int) run.Rank {
	out := run.Rank{
		Rank: rank, RankFrom: "the file name", Host: fmt.Sprintf("node%d", rank/8), Device: rank % 8, WorldSize: j.world,
		Files: []string{fmt.Sprintf("%s/rank%d.sqlite", j.name, rank)}, Facts: j.facts,
	}
	for s := range j.steps {
		n := j.first + int64(s)
		out.Steps = append(out.Steps, trace.Step{Number: n, Start: int64(s) * 1e8, End: int64(s+1) * 1e8, Dropped: j.dropped[n]})
	}
	out.Receipts = []run.Receipt{{File: out.Files[0], Marker: `range "step N"`, Found: j.steps, Kept: len(out.Kept()), Second: "none"}}
	add := func(key run.Key, f func(int, int) float64) {
		if f == nil {
			return
		}
		s := run.Series{Key: key, Values: make([]float64, j.steps)}
		for i := range s.Values {
			s.Values[i] = f(rank, i)
		}
		out.Series = append(out.Series, s)
	}
	add(sides.StepTime, j.step)
	parts := []string{""}
	for key := range j.series {
		parts = append(parts, key.Part)
	}
	slices.Sort(parts)
	for _, m := range testMetrics { // in a fixed order
		for _, part := range slices.Compact(slices.Clone(parts)) {
			key := run.Key{Metric: m.Name, Part: part}
			add(key, j.series[key])
		}
	}
	return out
}

func setOf(label string, jobs ...job) *run.Set {
	s := &run.Set{Label: label, Metrics: testMetrics}
	for i, j := range jobs {
		if j.name == "" {
			j.name = fmt.Sprintf("run%d", i)
		}
		s.Runs = append(s.Runs, j.run())
		for _, rank := range s.Runs[i].Ranks {
			s.Files = append(s.Files, run.File{Name: rank.Files[0], Format: "nsys sqlite", Ranks: []int{rank.Rank}})
		}
	}
	return s
}

// wobble is a noise that is the same in every run of the tests: about 1 %
// from step to step, 0.1 % from rank to rank.
func wobble(seed float64) func(rank, s int) float64 {
	return func(rank, s int) float64 {
		return 1 + 0.01*math.Sin(2.3*float64(s)+seed) + 0.001*math.Sin(float64(7*rank+3*s)+seed)
	}
}

func steady(level, seed float64) func(rank, s int) float64 {
	w := wobble(seed)
	return func(rank, s int) float64 { return level * w(rank, s) }
}

func constant(v float64) func(int, int) float64 { return func(int, int) float64 { return v } }

func compare(base, cand *run.Set) *Report {
	r := Compare(base, cand, policy.DefaultPolicy(), Options{Tool: "perfdiff test"})
	for i := range r.Findings {
		if f := &r.Findings[i]; f.Evidence.Kind == "" || textOf(r, f) == "" {
			panic("a finding of the kind " + string(f.Kind) + " without evidence, or without a sentence")
		}
	}
	return r
}

// newPair are two sides lined up, of which nothing is said yet.
func newPair(base, cand *run.Set, policy policy.Policy) *cause.Causes {
	return &cause.Causes{Judged: &verdict.Judged{Terms: verdict.NewTerms(sides.Of(base, cand, policy.Force), policy)}}
}
