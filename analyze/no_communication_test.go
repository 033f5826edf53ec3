package analyze

import (
	"strings"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// TestUnheard: a job of several ranks without communication is told what is the largest
// that nobody knows.
func TestUnheard(t *testing.T) {
	rank := func(world, kernels, comm, graphs int, recorded trace.Recorded, work ...run.KernelWork) run.Rank {
		return run.Rank{WorldSize: world, Recorded: recorded, Work: work,
			Spans: run.SpanCount{Kernels: kernels, CommKernels: comm, Graphs: graphs, KernelTime: 1000}}
	}
	work := []run.KernelWork{
		{Kernel: "gemm", Time: 600, Family: "GEMM"}, {Kernel: "big_unknown", Time: 200, Family: "other"},
		{Kernel: "void my::peer_exchange<float>(float*)", Time: 100, Family: "other"},
		{Kernel: "flash_fwd_splitkv_combine_kernel", Time: 90, Family: "attention"}, {Kernel: "tiny", Time: 10, Family: "other"},
	}
	for _, tt := range []struct {
		name string
		rank run.Rank
		want string
	}{
		{"unknown kernels", rank(64, 5, 0, 0, 0, work...), `no communication is recognised in a job of 64 ranks: all kernels count as compute; ` +
			`the largest of unknown kind are "void my::peer_exchange<float>(float*)" (10 % of kernel time), "big_unknown" (20 % of kernel time), "tiny" (1 % of kernel time) ` +
			`(name those that communicate in perfdiff.yaml, communication: [REGEX])`},
		{"none unknown", rank(64, 5, 0, 0, 0, work[0]), "no communication is recognised in a job of 64 ranks: all kernels count as compute"},
		{"replays", rank(64, 5, 0, 3, 0, work...), "no communication is recognised in a job of 64 ranks: graph replays are recorded without their kernels (record with --cuda-graph-trace=node)"},
		{"communication", rank(64, 5, 1, 0, 0, work...), ""},
		{"one rank", rank(1, 5, 0, 0, 0, work...), ""},
		{"no device", rank(64, 0, 0, 0, 0), ""},
		{"MPI", rank(64, 5, 0, 0, trace.HasMPI, work...), ""},
	} {
		set := &run.Set{}
		warnNoCommunication(set, []run.Rank{tt.rank}, nil)
		got := ""
		for _, w := range set.Warnings {
			got += w.Text
		}
		if got != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", tt.name, got, tt.want)
		}
	}
}

// TestSilentRank: where most ranks communicate and one does not, its compute is not recorded.
func TestSilentRank(t *testing.T) {
	compute := run.Key{Metric: run.ComputeTime}
	for _, x := range []struct {
		name  string
		comm  []int // communication kernels, by rank
		kinds trace.Recorded
		lost  []bool
	}{
		{"all communicate", []int{5, 5, 5}, 0, []bool{false, false, false}},
		{"one does not", []int{0, 5, 5}, 0, []bool{true, false, false}},
		{"most do not", []int{5, 0, 0}, 0, []bool{false, false, false}},
		{"by MPI", []int{0, 5, 5}, trace.HasMPI, []bool{false, false, false}},
	} {
		set, ranks := &run.Set{}, []run.Rank{}
		for i, n := range x.comm {
			ranks = append(ranks, run.Rank{Rank: i, Files: []string{"a.sqlite"}, Recorded: x.kinds, Spans: run.SpanCount{Kernels: 50, CommKernels: n, KernelTime: 1000},
				Work:   []run.KernelWork{{Kernel: "my_exchange", Time: 100, Family: "other"}},
				Series: []run.Series{{Key: compute}, {Key: run.Key{Metric: run.StepTime}}}})
		}
		loseUnknownCommunication(set, ranks)
		warned := 0
		for i := range ranks {
			r := &ranks[i]
			if why := r.WhyLost(run.ComputeTime); (why != "") != x.lost[i] || len(r.Series) != map[bool]int{true: 1, false: 2}[x.lost[i]] || x.lost[i] && !strings.Contains(why, `"my_exchange" (10 % of kernel time)`) {
				t.Errorf("%s: rank %d has %d series and lost compute time because %q", x.name, i, len(r.Series), why)
			}
			if x.lost[i] {
				warned++
			}
		}
		if len(set.Warnings) != warned {
			t.Errorf("%s: %d warnings, want %d", x.name, len(set.Warnings), warned)
		}
	}
}
