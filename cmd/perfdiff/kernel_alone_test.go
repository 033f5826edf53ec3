package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"perfdiff/analyze/synth"
)

// TestKernelAlone: a kernel that changed beyond what the others differ by is named first,
// in every output, also where neither the step nor compute as a whole can be told from
// noise; without a change none is. Where the policy says gate_causes, one that takes longer
// fails.
func TestKernelAlone(t *testing.T) {
	for _, tt := range []struct {
		name, edit string
		named      bool
	}{
		{"slower", "conv_dgrad: 1.12", true}, {"faster", "conv_dgrad: 0.9", true}, {"the same", "conv_dgrad: 1", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir, _ := writeEdited(t, "slow-kernel", synth.Nsight, strings.NewReplacer("conv_dgrad: 1.3", tt.edit))
			base, cand, page := filepath.Join(dir, "baseline"), filepath.Join(dir, "candidate"), filepath.Join(t.TempDir(), "r.html")
			text, comment, doc := summaryOf(t, base, cand)
			mustRun(t, statusOK, base, cand, "-o", page)
			policy, want := filepath.Join(t.TempDir(), "p.yaml"), statusOK
			writeFile(t, policy, "gate_causes: true\n")
			if tt.name == "slower" {
				want = statusRegressed
			}
			if out, _ := mustRun(t, want, base, cand, "--policy", policy); tt.name == "slower" && !strings.Contains(flat(out), "Gate failed, exit 1. The kernel sm90_xmma_dgrad") {
				t.Errorf("gate_causes: got %s", out)
			}
			html, err := os.ReadFile(page)
			if err != nil {
				t.Fatal(err)
			}
			if c := metricsOf(doc)["compute_time"]; c.Verdict != "inconclusive" || doc.Verdict.Verdict != "inconclusive" {
				t.Fatalf("got compute %s and %s: the test needs a change that noise hides", c.Verdict, doc.Verdict.Verdict)
			}
			first := len(doc.Findings) > 0 && doc.Findings[0].Class == "look" && strings.Contains(doc.Findings[0].Text, "sm90_xmma_dgrad")
			if first != tt.named {
				t.Errorf("got %s, want the kernel named: %v", spoken(doc), tt.named)
			}
			const words = "A kernel changed beyond what the others differ by"
			for what, in := range map[string]string{"summary": flat(text), "comment": comment, "page": string(html)} {
				if strings.Contains(in, words) != tt.named {
					t.Errorf("%s: says of the kernel, want %v", what, tt.named)
				}
			}
		})
	}
}
