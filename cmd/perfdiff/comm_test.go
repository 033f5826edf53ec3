package main

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"perfdiff/analyze/synth"
)

// renameKernels gives the NCCL kernels of a side's Nsight exports another name.
func renameKernels(t *testing.T, side, name string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(side, "*.sqlite"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no exports in %s: %v", side, err)
	}
	for _, file := range files {
		db, err := sql.Open("sqlite", file)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := db.Exec("UPDATE StringIds SET value = ? WHERE value LIKE '%ncclDevKernel%'", name); err != nil {
			t.Fatal(err)
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// saidOfSides is what a comparison says in the forms that these tests ask for.
type saidOfSides struct {
	status int
	text   string
	report struct {
		Findings []struct{ Class, Text string }
		Metrics  []struct{ Metric, Verdict, Reason, Why string }
	}
}

func compareSides(t *testing.T, base, cand string, flags ...string) saidOfSides {
	t.Helper()
	out := filepath.Join(t.TempDir(), "report.json")
	var stdout, stderr bytes.Buffer
	x := saidOfSides{status: run(context.Background(), append([]string{base, cand, "--table", "-o", out}, flags...), &stdout, &stderr)}
	x.text = strings.Join(strings.Fields(stdout.String()+stderr.String()), " ")
	data, err := os.ReadFile(out)
	if err == nil {
		err = json.Unmarshal(data, &x.report)
	}
	if err != nil {
		t.Fatalf("%v\n%s", err, stderr.String())
	}
	return x
}

// judged are the findings that call something better or worse.
func (x *saidOfSides) judged() (out []string) {
	for _, f := range x.report.Findings {
		if f.Class == "better" || f.Class == "worse" {
			out = append(out, f.Text)
		}
	}
	return out
}

func (x *saidOfSides) wants(t *testing.T, what string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(x.text, part) {
			t.Errorf("%s: %q is not said in\n%s", what, part, x.text)
		}
	}
}

// TestRenamedCommunication: an unchanged job whose communication has other names on one
// side is told what differs, and not that anything became better or worse.
func TestRenamedCommunication(t *testing.T) {
	tests := []struct {
		what, kernel string
		want         []string
	}{
		{"another library", "void vllm::cross_device_reduce_1stage<float, 8>(vllm::RankData*)",
			[]string{"Communication has another implementation: NCCL/RCCL in the baseline, vLLM custom all-reduce in the candidate.", "Communication by: vLLM custom all-reduce, in the baseline NCCL/RCCL"}},
		{"fused", "void flashinfer::trtllm_allreduce_fusion::allreduce_fusion_kernel_twoshot_sync<(flashinfer::trtllm_allreduce_fusion::AllReduceFusionPattern)1, float, 8>(void)",
			[]string{"FlashInfer in the candidate", "is in kernels that compute as well (fused), and counts as communication"}},
		{"unknown", "void ring_exchange_kernel<float, 8>(float*)",
			[]string{"No communication is recognised in the candidate", `the largest of unknown kind are "ring_exchange_kernel<float, 8>"`, "Communication by: none recognised, in the baseline NCCL/RCCL", "compute_time 24.91 ms 26.56 ms"}},
	}
	for _, tt := range tests {
		dir := writeStory(t, "aa", synth.Nsight)
		base, cand := filepath.Join(dir, "baseline"), filepath.Join(dir, "candidate")
		renameKernels(t, cand, tt.kernel)
		for _, order := range [][2]string{{base, cand}, {cand, base}} {
			x := compareSides(t, order[0], order[1], "--table")
			if x.status != statusOK && x.status != statusNotJudged || len(x.judged()) > 0 {
				t.Errorf("%s: got exit status %d and %q, want none judged", tt.what, x.status, x.judged())
			}
			if order[0] == base {
				x.wants(t, tt.what, tt.want...)
			}
		}
	}
}

// TestCommunicationPolicy: kernels that the policy names are communication, and a summary
// that was made so keeps it.
func TestCommunicationPolicy(t *testing.T) {
	dir := writeStory(t, "slow-allreduce", synth.Nsight)
	base, cand := filepath.Join(dir, "baseline"), filepath.Join(dir, "candidate")
	renameKernels(t, base, "void ring_exchange_kernel<float, 8>(float*)")
	renameKernels(t, cand, "void ring_exchange_kernel<float, 8>(float*)")
	without := compareSides(t, base, cand)
	without.wants(t, "without", "no communication is recognised in a job of 8 ranks", "Compute: ring_exchange_kernel")

	policy := filepath.Join(t.TempDir(), "perfdiff.yaml")
	if err := os.WriteFile(policy, []byte("communication: ['^ring_exchange']\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	with := compareSides(t, base, cand, "--policy", policy)
	with.wants(t, "with", "The transfer itself rose")
	if strings.Contains(with.text, "recognised") || strings.Contains(with.text, "Compute: ") {
		t.Errorf("with the policy: got %s", with.text)
	}

	var stdout, stderr bytes.Buffer
	saved := filepath.Join(t.TempDir(), "base.perfdiff")
	if status := run(context.Background(), []string{"summarize", base, "-o", saved, "--policy", policy}, &stdout, &stderr); status != statusOK || strings.Contains(stderr.String(), "recognised") {
		t.Fatalf("summarize: got %d, %s", status, stderr.String())
	}
	if again := compareSides(t, saved, cand, "--policy", policy); !slices.Equal(again.judged(), with.judged()) {
		t.Errorf("from a summary: got %q, want %q", again.judged(), with.judged())
	}
	stdout.Reset()
	if status := run(context.Background(), []string{"policy", "--policy", policy}, &stdout, &stderr); status != statusOK || !strings.Contains(stdout.String(), `communication: ["^ring_exchange"]`) {
		t.Errorf("policy: got %d, %s", status, stdout.String())
	}
}

// TestCaptureModes: graph replays recorded as rows on one side and kernel by kernel on
// the other are compared by step, idle and busy time alone, whichever side it is.
func TestCaptureModes(t *testing.T) {
	for _, eager := range []bool{false, true} {
		edit := strings.NewReplacer()
		if eager {
			edit = strings.NewReplacer("  graph_trace: node", "  graphs: false\n  all_reduce: {captured: false}")
		}
		dir, _ := writeEdited(t, "graph-level-vs-node-level", synth.Nsight, edit)
		base, cand := filepath.Join(dir, "baseline"), filepath.Join(dir, "candidate")
		for _, order := range [][2]string{{base, cand}, {cand, base}} {
			x := compareSides(t, order[0], order[1], "--table")
			if x.status != statusOK && x.status != statusNotJudged || len(x.judged()) > 0 {
				t.Errorf("eager %v: got exit status %d and %q, want none judged", eager, x.status, x.judged())
			}
			x.wants(t, "modes", "so that only step, idle and busy time compare", "compute_or_unknown", "graph replays are recorded without their kernels")
			for _, m := range x.report.Metrics {
				switch m.Metric {
				case "step_time", "host_step_time", "idle_time", "busy_share", "drift", "tail":
					if m.Reason == "kinds_not_told" {
						t.Errorf("%s: got %s, want it compared", m.Metric, m.Why)
					}
				case "exposed_comm_time", "comm_time", "overlap":
					if m.Reason != "not_recorded" {
						t.Errorf("%s: got %s, want not_recorded", m.Metric, m.Reason)
					}
				case "compute_time", "exposed_memory_time", "imbalance":
					if m.Reason != "kinds_not_told" || !strings.Contains(m.Why, "recorded as one row each") {
						t.Errorf("%s: got %s, %q, want kinds_not_told", m.Metric, m.Reason, m.Why)
					}
				}
			}
		}
	}
}
