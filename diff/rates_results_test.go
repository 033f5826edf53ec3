package diff_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
	"perfdiff/diff"
	"perfdiff/diff/policy"
)

// What a benchmark prints, simulated: resultMetrics numbers whose runs differ by 0.1 to 44 %, each other one better when
// higher. One run in badDay is on a bad day, on which all of them are worse by twice what their runs differ by. By three
// times, .8 % of unchanged pull requests fail and a step of 4 % is named in 92 %.
const (
	resultMetrics = 30
	badDay        = 20
	leastSpread   = 0.001
	mostSpread    = 0.44
)

func spreadOf(metric int) float64 {
	return leastSpread * math.Pow(mostSpread/leastSpread, float64(metric)/(resultMetrics-1))
}

// printedBy is a set of one run; worse is by how much, on logs, each metric is worse.
func printedBy(g *rand.Rand, label string, place int, worse func(metric int) float64) *run.Set {
	s := &run.Set{Label: label, Place: place, Files: []run.File{{Name: label, Digest: label, Format: "benchmark results"}}}
	k := run.Rank{Files: []string{label}, Device: -1, Steps: []trace.Step{{}}, Receipts: []run.Receipt{{Marker: "results", By: run.Marker{Kind: run.MarkResult}, Found: 1, Kept: 1}}}
	r := run.Run{Name: label, Ranks: []run.Rank{k}, Origin: run.Origin{Commit: fmt.Sprintf("%08x", 0xc0000000+place)}}
	bad := 0.0
	if g.IntN(badDay) == 0 {
		bad = 2
	}
	for m := range resultMetrics {
		better := []run.Better{run.Lower, run.Higher}[m%2]
		name := fmt.Sprintf("metric_%02d", m)
		s.Metrics = append(s.Metrics, run.Metric{Name: name, Unit: "s", Better: better, Main: true, OfResult: true})
		by := worse(m) + (g.NormFloat64()+bad)*spreadOf(m)
		r.Results = append(r.Results, run.Result{Metric: name, Value: math.Exp(-by * float64(better))})
	}
	s.Runs = []run.Run{r}
	return s
}

func noWorse(int) float64 { return 0 }

// mainOf are so many runs of main, of which those from one on have one metric 4 % worse.
func mainOf(g *rand.Rand, n, from, metric int) (out []*run.Set) {
	for i := range n {
		out = append(out, printedBy(g, fmt.Sprintf("main%03d", i), i+1, func(m int) float64 {
			if i >= from && m == metric {
				return math.Log(1.04)
			}
			return 0
		}))
	}
	return out
}

// pullRequest gates an unchanged candidate as perfdiff gate --escalate does: one run, and two more where that asks.
func pullRequest(g *rand.Rand, sets []*run.Set) (failed, asked bool) {
	p := policy.DefaultPolicy()
	p.Escalate = true
	cand := printedBy(g, "candidate", 0, noWorse)
	gate := func() diff.GateState {
		store := diff.NewStore("store", cand, diff.StoreContents{Sets: sets}, p)
		return diff.CompareStore(cand, store, p, diff.Options{}).Gate.State
	}
	if first := gate(); first != diff.GateMoreRuns {
		return first == diff.GateFailed, false
	}
	for i := range 2 {
		more := printedBy(g, fmt.Sprint("candidate", i), 0, noWorse)
		cand.Runs, cand.Files = append(cand.Runs, more.Runs...), append(cand.Files, more.Files...)
	}
	return gate() == diff.GateFailed, true
}

// namedWithin returns after how many runs of main a change of one metric is told; 0 not within most.
func namedWithin(sets []*run.Set, from, metric, most int) int {
	l := diff.LineOf(diff.StoreContents{Sets: sets[:from+most]}, policy.DefaultPolicy())
	for _, c := range l.MetricNamed(fmt.Sprintf("metric_%02d", metric)).Changes {
		if c.Told && c.Seen >= from {
			return c.Seen - from + 1
		}
	}
	return 0
}

// TestResultRates holds what runs print to the goals of the store: 500 runs of main, with bad days.
func TestResultRates(t *testing.T) {
	mains, length, every := draws(t, 2), 120, 20
	if mains >= 100 { // of whole pairs: a main takes a minute
		mains, length, every = 10, 500, 40
	}
	const seen = 5
	metric := 10 // whose runs differ by 0.8 %
	for math.Abs(spreadOf(metric)-0.01) > math.Abs(spreadOf(metric+1)-0.01) {
		metric++
	}
	pulls := (length - 21 + every) / every
	r := eachPair(fmt.Sprintf("results of %d runs", length), mains, func(g *rand.Rand, add func(string)) {
		sets := mainOf(g, length, length, -1)
		told := diff.LineOf(diff.StoreContents{Sets: sets}, policy.DefaultPolicy())
		for i := range told.Metrics {
			for _, c := range told.Metrics[i].Changes {
				if c.Told {
					add("told")
				}
			}
		}
		for at := 20; at < length; at += every {
			failed, asked := pullRequest(g, sets[:at])
			if failed {
				add("failed")
			}
			if asked {
				add("asked")
			}
			moved := mainOf(g, at+seen, at, metric)
			if n := namedWithin(moved, at, metric, seen); n > 0 {
				add("named")
			}
		}
	})
	n := mains * pulls
	failed, asked, named := r["failed"]/float64(pulls), r["asked"]/float64(pulls), r["named"]/float64(pulls)
	tell("")
	tell("perfdiff gate --store, %d numbers that runs print, which differ by 0.1 to 44 %%, one run in %d on a bad day, %d runs of main: in %%", resultMetrics, badDay, length)
	tell("unchanged pull requests fail %.1f, ask for more runs %.1f; +4 %% of one whose runs differ by 1 %% named within %d runs %.1f; false changes of main %.2f a main", 100*failed, 100*asked, seen, 100*named, r["told"])
	atMost(t, "unchanged fail", failed, .02, n)
	atLeast(t, "+4 % named", named, .95, n)
}
