package words

import (
	"math"
	"strings"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/diff/cause"
	"perfdiff/diff/policy"
	"perfdiff/diff/sides"
	"perfdiff/diff/verdict"
)

// TestReads: how either side reads is said as people do, and from which nodes.
func TestReads(t *testing.T) {
	nan := math.NaN()
	one, four := cause.ReadSide{Burst: 14e9, Share: 0.97, Readers: 1, Aligned: 0.1, PerNode: nan}, cause.ReadSide{Burst: 42e9, Share: 0.66, Readers: 4, Aligned: 1, PerNode: nan}
	two := [2]int{2, 2}
	for _, x := range []struct {
		kind    policy.Kind
		details cause.ReadDetails
		reads   sides.Reads
		want    string
	}{
		{policy.KindReadThroughput, cause.ReadDetails{Base: one, Cand: four}, sides.Reads{Source: run.SourceStorage, Nodes: two, Of: two},
			"Read throughput rose from 14 to 28 GB/s: 14.0 GB/s for 97.0 % of the time became bursts of 42.0 GB/s for 66.0 % of it, " +
				"in large aligned requests as direct reads are, measured from storage counters, sum over 2 nodes."},
		{policy.KindReadBursts, cause.ReadDetails{Base: four, Cand: cause.ReadSide{Burst: 20e9, Share: 0.95, Readers: nan, Aligned: nan, PerNode: nan}}, sides.Reads{Source: run.SourceFiles},
			"Reads: bursts of 42.0 GB/s for 66.0 % of the time became 20.0 GB/s for 95.0 % of it, measured from file access events."},
		{policy.KindReadBursts, cause.ReadDetails{Base: one, Cand: one}, sides.Reads{Source: run.SourceStorage, Nodes: [2]int{1, 1}, Of: two, Has: [2][]string{{"a"}, {"b"}}},
			"Reads: 14.0 GB/s for 97.0 % of the time became 14.0 GB/s for 97.0 % of it, measured from storage counters, sum over 1 of 2 nodes, those that both sides sampled."},
		{policy.KindReadBursts, cause.ReadDetails{Base: one, Cand: one}, sides.Reads{Source: run.SourceStorage, Nodes: [2]int{1, 2}, Of: [2]int{1, 2}},
			"Reads: 14.0 GB/s for 97.0 % of the time became 14.0 GB/s for 97.0 % of it, measured from storage counters, sum over 1 node in the baseline and 2 in the candidate."},
	} {
		metric := run.Metric{Name: run.IOReadThroughput, Unit: "B/s", Traits: run.Traits{Subject: "Read throughput"}}
		r := &diff.Report{Metrics: []verdict.Comparison{{Key: run.Key{Metric: metric.Name}, Metric: metric, Sources: [2][]string{{x.reads.Source}, {x.reads.Source}}, Reads: &x.reads}}}
		f := cause.NewFinding(x.kind)
		f.Metric, f.Base, f.Cand, f.Delta, f.Unit, f.Reads = metric.Name, 14e9, 28e9, 14e9, "B/s", &x.details
		if got := strings.ReplaceAll(Of(r, &f).Text, "\u202f", " "); got != x.want {
			t.Errorf("got  %s\nwant %s", got, x.want)
		}
	}
}
