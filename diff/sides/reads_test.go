package sides_test

import (
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/diff/difftest"
	"perfdiff/diff/verdict"
)

// TestCopiesAreNoReads: in summaries of earlier versions what reached the device stood in for
// what was read. It is compared by no side, and hides nothing that was read.
func TestCopiesAreNoReads(t *testing.T) {
	for _, x := range []struct {
		name         string
		base, cand   string // sources of the two sides
		reason       string
		says, hidden bool
	}{
		{"both copies", run.SourceCopies, run.SourceCopies, verdict.ReasonNotRecorded, true, true},
		{"files and copies", run.SourceFiles, run.SourceCopies, verdict.ReasonNotRecorded, true, false},
		{"files", run.SourceFiles, run.SourceFiles, verdict.ReasonDecided, false, false},
	} {
		base, cand := difftest.Metrics("io_read_throughput", difftest.Constant(1e9), difftest.Constant(3e9))
		for i, s := range []*run.Set{base, cand} {
			for k := range s.Runs[0].Ranks {
				series := s.Runs[0].Ranks[k].Series
				last := &series[len(series)-1]
				last.Source = []string{x.base, x.cand}[i]
				last.Proxy = last.Source == run.SourceCopies
			}
		}
		c := verdict.MetricOf(difftest.Compare(base, cand).Metrics, "io_read_throughput")
		if c.Reason != x.reason || (c.NotRecorded[1] != verdict.Need{}) != x.says || (c.NotRecorded[0] != verdict.Need{}) != x.hidden {
			t.Errorf("%s: got %s, %+v", x.name, c.Reason, c.NotRecorded)
		}
	}
}

// TestNodesAddUp: counters of nodes add up where both sides have them of all, the share of
// time does not, and a node of which nothing is known in a step leaves no sum there.
func TestNodesAddUp(t *testing.T) {
	set := func(name string, value float64) *run.Set {
		s := difftest.SetOf(name, difftest.Job{Ranks: difftest.UpTo(4), Steps: 20, Step: difftest.Constant(0.1)})
		ranks := s.Runs[0].Ranks
		for i := range ranks {
			ranks[i].Host = []string{"a", "b"}[i/2]
			for _, metric := range []string{run.IOReadThroughput, run.IOReadTimeShare} {
				of := run.Key{Metric: metric}
				values := make([]float64, len(ranks[i].Steps))
				for j := range values {
					if values[j] = value * float64(1+i/2); metric == run.IOReadTimeShare {
						values[j] = 0.5
					}
				}
				if i%2 == 0 {
					ranks[i].Series = append(ranks[i].Series, run.Series{Key: of, Values: values, Source: run.SourceStorage})
				}
				ranks[i].Series = append(ranks[i].Series, run.Series{Key: of, Values: constants(len(values), value/4), Source: run.SourceFiles})
			}
		}
		s.Metrics = append(s.Metrics, run.Metric{Name: run.IOReadTimeShare, Unit: "ratio"})
		return s
	}
	base, cand := set("a", 1e9), set("b", 2e9)
	r := difftest.Compare(base, cand)
	c, share := r.Comparison(run.Key{Metric: run.IOReadThroughput}), r.Comparison(run.Key{Metric: run.IOReadTimeShare})
	if c.Base != 3e9 || c.Cand != 6e9 || c.Ranks != [2]int{2, 2} || !c.OfNodes() || c.Verdict != verdict.Improved {
		t.Errorf("got %g and %g of %v, %v", c.Base, c.Cand, c.Ranks, c.Verdict)
	}
	if share == nil || share.Base != 0.5 || share.Cand != 0.5 {
		t.Errorf("the share: got %+v", share)
	}
	cand.Runs[0].Ranks = cand.Runs[0].Ranks[:2] // one node is not captured
	r = difftest.Compare(base, cand)
	if c := r.Comparison(run.Key{Metric: run.IOReadThroughput}); c.Base != 1e9 || c.Cand != 2e9 {
		t.Errorf("of one node: got %g and %g", c.Base, c.Cand)
	}
}

// constants are as many of a value.
func constants(n int, v float64) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = v
	}
	return out
}
