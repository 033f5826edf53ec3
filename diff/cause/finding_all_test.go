package cause_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/diff/cause"
	"perfdiff/diff/difftest"
	"perfdiff/diff/policy"
	"perfdiff/diff/sides"
)

// inStories are the kinds of findings that stories have, as their expected outputs say.
func inStories(t *testing.T) map[string]bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "..", "golden", "*", "measures.txt"))
	if err != nil || len(files) < 20 {
		t.Fatalf("%d stories: %v", len(files), err)
	}
	out := map[string]bool{}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			if words := strings.Fields(line); len(words) > 2 && words[0] == "finding:" {
				out[words[2]] = true
			}
		}
	}
	return out
}

// madeUp are pairs with findings of kinds that no story has.
func madeUp() map[policy.Kind][2]*run.Set {
	type series = map[run.Key]func(int, int) float64
	key := func(metric, part string) run.Key { return run.Key{Metric: metric, Part: part} }
	side := func(step float64, of series) *run.Set {
		return difftest.SetOf("a", difftest.Job{Ranks: difftest.UpTo(4), Steps: 60, Step: difftest.Steady(step, 0), Series: of})
	}
	noisy := func(v float64) func(int, int) float64 {
		w := difftest.Wobble(1)
		return func(rank, s int) float64 { return v * w(rank, s) }
	}
	comm := func(wait, transfer float64) *run.Set {
		return side(.05, series{key(run.ExposedCommTime, ""): noisy(wait + transfer), key(run.ExposedWaitTime, ""): noisy(wait), key(run.ExposedTransferTime, ""): noisy(transfer)})
	}
	kernels := func(slow float64) *run.Set {
		of := series{key(run.ComputeTime, ""): difftest.Steady(.07, 0)}
		for i := range 8 {
			name, factor := fmt.Sprint("kernel", i), 1.0
			if i == 3 {
				factor = slow
			}
			of[key(run.KernelTime, name)], of[key(run.KernelLaunches, name)] = difftest.Steady(.008*factor, float64(i)), difftest.Constant(3)
		}
		return side(.1, of)
	}
	skewed := func(lead float64) *run.Set {
		of := series{key(run.ComputeTime, ""): func(rank, s int) float64 { return .03 + lead*float64(rank/3) }}
		s := side(.05, of)
		for i := range s.Runs[0].Ranks {
			x, values := &s.Runs[0].Ranks[i], make([]float64, 60)
			for j := range values {
				values[j] = lead * difftest.Wobble(1)(0, j)
			}
			x.Series = append(x.Series, run.Series{Key: key(run.ComputeSkew, ""), Values: values})
		}
		s.Metrics = append(slices.Clone(s.Metrics), run.Metric{Name: run.ComputeSkew, Unit: "s", Better: run.Lower, Main: true})
		return s
	}
	idle := func(host, launching float64) *run.Set {
		return side(.05, series{key(run.IdleTime, ""): noisy(host + launching), key(run.IdleTime, "dependency"): noisy(host), key(run.IdleTime, "launching"): noisy(launching)})
	}
	warm := func(steps int, seed uint64) *run.Set {
		w := difftest.NoisySteps(.1, .002, seed)
		return difftest.One(80, 0, func(rank, s int) float64 {
			if s < steps {
				return 2 * w(rank, s)
			}
			return w(rank, s)
		})
	}
	moves := func(library string) *run.Set {
		s := side(.05, series{key(run.CommTime, ""): noisy(.01)})
		for i := range s.Runs[0].Ranks {
			s.Runs[0].Ranks[i].Work = []run.KernelWork{{Kernel: "k", Library: library, Time: 1e6, Launches: 60}}
		}
		return s
	}
	calling := func(label string, factor int64, more ...run.Stat) *run.Set {
		stats := peers(8)
		for i := range stats {
			stats[i] = calls(run.KernelTable, stats[i].Name, 200, factor*stats[i].Median/100, .02)
		}
		return stepless(label, 1, append(stats, more...)...)
	}
	bursts := func(rate, share float64) *run.Set {
		s := side(.05, series{key(run.IOReadThroughput, ""): noisy(14e9)})
		for i := range s.Runs[0].Ranks {
			for metric, v := range map[string]float64{run.IOReadBurstRate: rate, run.IOReadTimeShare: share} {
				values := make([]float64, 60)
				for j := range values {
					values[j] = noisy(v)(i, j)
				}
				s.Runs[0].Ranks[i].Series = append(s.Runs[0].Ranks[i].Series, run.Series{Key: key(metric, ""), Values: values})
			}
		}
		s.Metrics = append(slices.Clone(s.Metrics), run.Metric{Name: run.IOReadBurstRate, Unit: "B/s", Better: run.Higher, Traits: run.Traits{InFindings: true}},
			run.Metric{Name: run.IOReadTimeShare, Unit: "ratio"})
		return s
	}
	work := func(step, flops float64) *run.Set {
		s := side(step, nil)
		for i := range s.Runs[0].Ranks {
			for metric, v := range map[string]float64{run.FLOPs: flops, run.FLOPsRate: 400e12} {
				s.Runs[0].Ranks[i].Series = append(s.Runs[0].Ranks[i].Series, run.Series{Key: key(metric, ""), Values: slices.Repeat([]float64{v}, 60)})
			}
		}
		s.Metrics = append(slices.Clone(s.Metrics), run.Metric{Name: run.FLOPs, Unit: "FLOP"}, run.Metric{Name: run.FLOPsRate, Unit: "FLOP/s", Better: run.Higher})
		return s
	}
	tail := func(long int64) *run.Set {
		of := series{key(run.CollectiveDuration, "AllReduce"): noisy(.002)}
		s := side(.05, of)
		for i := range s.Runs[0].Ranks {
			var d run.Durations
			for n := range int64(120) {
				d.Add(2e6 + n*1e3)
			}
			for range long {
				d.Add(9e6)
			}
			s.Runs[0].Ranks[i].Calls = []run.Calls{d.Calls("AllReduce")}
		}
		return s
	}
	return map[policy.Kind][2]*run.Set{
		policy.KindOtherSteps:     {evaluating(0, 1), evaluating(5, 2)},
		policy.KindCollectiveTail: {tail(0), tail(32)},
		policy.KindWorkShrank:     {work(.05, 16e12), work(.045, 14e12)},
		policy.KindWorkGrew:       {work(.05, 16e12), work(.051, 18e12)},
		policy.KindReadBursts:     {bursts(15e9, .93), bursts(42e9, .33)},
		policy.KindTransfer:       {comm(.008, .002), comm(.002, .008)},
		policy.KindWait:           {comm(.008, .002), comm(.002, .008)},
		policy.KindKernelAlone:    {kernels(1), kernels(1.6)},
		policy.KindComputeSkew:    {skewed(.001), skewed(.012)},
		policy.KindMemory:         {side(.05, series{key(run.ExposedMemoryTime, ""): noisy(.002)}), side(.05, series{key(run.ExposedMemoryTime, ""): noisy(.009)})},
		policy.KindIdleCause:      {idle(.012, .002), idle(.004, .009)},
		policy.KindWarmUp:         {warm(0, 1), warm(12, 2)},
		policy.KindLibrary:        {moves("NCCL"), moves("RCCL")},
		policy.KindKernelShift:    {calling("b", 100), calling("c", 125)},
		policy.KindOtherKernel:    {calling("b", 100), calling("c", 100, calls(run.KernelTable, "gemm", 200, 200_000, .02))},
		policy.KindReplays:        {calling("b", 100), calling("c", 100, calls(run.KernelTable, sides.GraphKernel, 200, 200_000, .02))},
	}
}

// evaluating is a job of which one in so many steps launches 14 kernels, and the others 34; 0: all do.
func evaluating(every int, seed uint64) *run.Set {
	launches := func(_, s int) float64 {
		if every > 0 && s%every == every-1 {
			return 14
		}
		return 34
	}
	return difftest.SetOf("a", difftest.Job{Ranks: difftest.UpTo(2), Steps: 60, Step: difftest.NoisySteps(.05, .0002, seed),
		Series: map[run.Key]func(int, int) float64{{Metric: run.KernelLaunches, Part: "gemm"}: launches}})
}

// TestOtherSteps: the steps of another kind are named with what they launch, on whichever side they are,
// and not where both sides have as many.
func TestOtherSteps(t *testing.T) {
	found := func(base, cand *run.Set) *cause.Finding {
		r := difftest.Compare(base, cand)
		at := slices.IndexFunc(r.Findings, func(f cause.Finding) bool { return f.Kind == policy.KindOtherSteps })
		if at < 0 {
			return nil
		}
		return &r.Findings[at]
	}
	for _, side := range []string{"baseline", "candidate"} {
		base, cand := evaluating(5, 1), evaluating(0, 2)
		if side == "candidate" {
			base, cand = evaluating(0, 1), evaluating(5, 2)
		}
		f := found(base, cand)
		if f == nil || f.Others.Side != side || f.Others.Every != 5 || f.Others.Launches != 14 || f.Others.Usual != 34 || len(f.Steps) != 12 {
			t.Errorf("%s: got %+v", side, f)
		}
	}
	if f := found(evaluating(5, 1), evaluating(5, 2)); f != nil {
		t.Errorf("of both sides: got %+v", f.Others)
	}
}

// TestEveryKindIsFound: no kind of finding is there for nothing: a story has it, or a pair
// that is made up here; and what is found says on what it stands.
func TestEveryKindIsFound(t *testing.T) {
	stories, made := inStories(t), madeUp()
	for _, kind := range append(policy.FailKinds(), string(policy.KindComputeUnchanged)) {
		k := policy.Kind(kind)
		pair, here := made[k]
		switch {
		case stories[string(k)] == here:
			t.Errorf("%s: in a story %v, and made up here %v: it must be one of them", k, stories[string(k)], here)
		case here:
			r := difftest.Compare(pair[0], pair[1])
			if !slices.ContainsFunc(r.Findings, func(f cause.Finding) bool { return f.Kind == k }) {
				t.Errorf("%s: not found: %s: %v", k, difftest.HeadlineOf(r), kindsOf(r))
			}
		}
	}
}

func kindsOf(r *diff.Report) (kinds []string) {
	for i := range r.Findings {
		kinds = append(kinds, string(r.Findings[i].Kind)+" "+difftest.TextOf(r, &r.Findings[i]))
	}
	return kinds
}
