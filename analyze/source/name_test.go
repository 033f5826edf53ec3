package source

import (
	"fmt"
	"slices"
	"testing"
)

func TestRankOfName(t *testing.T) {
	tests := []struct {
		name string
		want int
	}{
		{"report.0.sqlite", 0},
		{"report.15.nsys-rep", 15},
		{"deepcam_3.sqlite", 3},
		{"job-12345_rank3_on_node0007.sqlite", 3},
		{"profile.03.sqlite", 3},
		{"worker3.1694128201545.pt.trace.json.gz", 3},
		{"worker12_step_12.1694128201545.pt.trace.json.gz", 12},
		{"sampled_rank-1.json.gz", 1},
		{"rank_7.json", 7},
		{"Rank 7.json", 7},
		{"trace_rank0007.json", 7},
		{"7.json", 7},
		{"nsys.4.host17.sqlite", 4},
		{"host17_88123.1694128201545.pt.trace.json", -1},
		{"cloverleaf-a100-2024.5.sqlite", -1},
		{"osrt-2024.6.sqlite", -1},
		{"saxpy-mpi-2022.2-full-schema.sqlite", -1},
		{"report.sqlite", -1},
		{"frank3.sqlite", -1},
		{"trace-3-of-8.json", 3},
		{"trace-8-of-8.json", 7},
		{"local_rank3.sqlite", -1},
		{"node3.sqlite", -1},
		{"report_node_3.sqlite", -1},
		{"trace_step_12.json", -1},
		{"global_rank_5_local_rank_1.json", 5},
		{"", -1},
	}
	for _, tt := range tests {
		if got := RankOfName(tt.name); got.Rank != tt.want {
			t.Errorf("RankOfName(%q): got %+v, want %d", tt.name, got, tt.want)
		}
	}
}

// TestRanksOfNames holds what launchers write to the ranks that it says.
func TestRanksOfNames(t *testing.T) {
	// each is a name with %d, %02d or the like in the places of the arguments.
	each := func(format string, args ...[]any) (names []string) {
		for _, a := range args {
			names = append(names, fmt.Sprintf(format, a...))
		}
		return names
	}
	type row = []any
	tests := []struct {
		what  string
		names []string
		want  []int
		world int
	}{
		{"shards of a world", each("trace-%d-of-4.json", row{0}, row{1}, row{2}, row{3}), []int{0, 1, 2, 3}, 4},
		{"shards with zeros", each("t-%05d-of-%05d.pt.trace.json.gz", row{0, 2}, row{1, 2}), []int{0, 1}, 2},
		{"shards from 1", each("trace-%d-of-3.json", row{1}, row{2}, row{3}), []int{0, 1, 2}, 3},
		{"some shards", each("trace-%d-of-8.json", row{2}, row{5}), []int{2, 5}, 8},
		{"steps and a rank", each("mlperf2_ngc21.09_b12_steps11-29.%02d.sqlite", row{0}, row{1}, row{2}), []int{0, 1, 2}, 0},
		{"node and process", each("dlrm_%d_%d.nsys-rep", row{0, 0}, row{0, 1}, row{1, 2}, row{1, 3}), []int{0, 1, 2, 3}, 0},
		{"node and process, one of each node", each("dlrm_%d_%d.sqlite", row{0, 0}, row{1, 4}), []int{0, 4}, 0},
		{"process and size", each("prof_%d_4.json", row{0}, row{1}, row{2}, row{3}), []int{0, 1, 2, 3}, 0},
		{"date, time and rank", each("nsys_n2_20240511_1030%02d_%d.sqlite", row{21, 0}, row{21, 1}, row{22, 2}), []int{0, 1, 2}, 0},
		{"some of them", each("job.%d.%d.sqlite", row{4711, 0}, row{4711, 4}), []int{0, 4}, 0},
		{"not from 0, where launchers write it", each("report.%d.sqlite", row{8}, row{9}), []int{8, 9}, 0},
		{"job and task", each("train-%d.%d.0.qdrep", row{99, 0}, row{99, 1}), []int{0, 1}, 0},
		{"a process id beside it", each("r%d_pid%d.sqlite", row{0, 4100}, row{1, 4101}), []int{0, 1}, 0},
		{"tables", each("report.%d_pqtdir", row{0}, row{1}), []int{0, 1}, 0},
		{"one worker several times", each("worker%d.%d.pt.trace.json", row{0, 1694128201545}, row{0, 1694128211545}), []int{0, 0}, 0},
		{"a task of all ranks", each("task7_%d.json", row{0}, row{1}), []int{0, 1}, 0},
		{"host and process id", each("host%d_%d.1694128201545.pt.trace.json", row{0, 88123}, row{1, 4}), []int{-1, -1}, 0},
		{"steps of one rank", each("trace_step%d.json", row{0}, row{10}), []int{-1, -1}, 0},
		{"nodes", each("report_node%d.sqlite", row{0}, row{1}), []int{-1, -1}, 0},
		{"ranks of each node", each("n%d_local%d.json", row{0, 0}, row{0, 1}, row{1, 0}, row{1, 1}), []int{-1, -1, -1, -1}, 0},
		{"two that count differently", each("a%d-b%d.json", row{0, 1}, row{1, 0}), []int{-1, -1}, 0},
		{"names without numbers", []string{"a.json", "b.json"}, []int{-1, -1}, 0},
	}
	for _, tt := range tests {
		known := slices.Repeat([]int{-1}, len(tt.names))
		for i, got := range RanksOfNames(tt.names, known) {
			if got != (NameRank{tt.want[i], tt.world}) {
				t.Errorf("%s: %s: got %+v, want %d of %d", tt.what, tt.names[i], got, tt.want[i], tt.world)
			}
		}
	}
}

// TestKnownRanks: a number in whose place a file that says its rank has another one is
// no rank.
func TestKnownRanks(t *testing.T) {
	names := []string{"a_0_x.json", "a_1_x.json", "a_2_x.json"}
	for _, tt := range []struct{ known, want []int }{
		{[]int{-1, -1, 2}, []int{0, 1, 2}},
		{[]int{-1, -1, 0}, []int{-1, -1, -1}},
		{[]int{0, -1, -1}, []int{0, 1, 2}},
	} {
		for i, got := range RanksOfNames(names, tt.known) {
			if got.Rank != tt.want[i] {
				t.Errorf("known %v: %s: got %d, want %d", tt.known, names[i], got.Rank, tt.want[i])
			}
		}
	}
}
