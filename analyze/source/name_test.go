package source

import "testing"

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
		{"", -1},
	}
	for _, tt := range tests {
		if got, from := RankOfName(tt.name); got != tt.want || (from == "") != (tt.want < 0) {
			t.Errorf("RankOfName(%q): got %d from %q, want %d", tt.name, got, from, tt.want)
		}
	}
}
