package main

import (
	"path/filepath"
	"strings"
	"testing"

	"perfdiff/analyze/synth"
)

// TestLogOfEveryCommand: whatever a command prints of a profile, no runner obeys a name in it.
func TestLogOfEveryCommand(t *testing.T) {
	t.Setenv("GITHUB_ACTIONS", "true")
	dir, _ := writeEdited(t, "slow-kernel", synth.Nsight, strings.NewReplacer("ranks: 4", "ranks: 2", "steps: 30", "steps: 12"))
	const plant = "'\n::error::PWNR ##[group]'"
	base, cand := filepath.Join(dir, "baseline"), filepath.Join(dir, "candidate")
	for _, side := range []string{base, cand} {
		alter(t, side, "UPDATE NVTX_EVENTS SET text = text || "+plant+" WHERE text NOT LIKE 'step %'; UPDATE StringIds SET value = value || "+plant+" WHERE value LIKE '%kernel%' OR value LIKE '%gemm%'")
	}
	in := func(name string) string { return filepath.Join(dir, name) }
	mustRun(t, statusRegressed, base, cand, "-q", "-o", in("report.json"))
	tried := map[string][]string{
		"": {base, cand}, "steps": {base}, "pick": {base, cand}, "check": {base}, "report": {base},
		"summarize": {base, "-o", in("saved.perfdiff")}, "plan": {base, "-o", in("plan.json")},
		"gate": {"--store", in("store"), base}, "history": {base, cand}, "merge": {base, "-o", in("merged.perfdiff")}, "ncu": {base, cand},
		"demo": {in("demo")}, "policy": nil, "record": nil, "completion": {"bash"}, "man": nil,
	}
	for name, args := range tried {
		all := args
		if name != "" {
			all = append([]string{name}, args...)
		}
		var stdout, stderr strings.Builder
		run(t.Context(), all, &stdout, &stderr)
		for _, text := range []string{stdout.String(), stderr.String()} {
			_, possible := obeyed(text)
			for _, line := range possible {
				own := strings.HasPrefix(line, "::error title=perfdiff%3A ") && !strings.Contains(line[1:], "::error") && !strings.Contains(line, "##[")
				if strings.Contains(line, "PWNR") && !own { // the verdict's annotation may name a kernel
					t.Errorf("%s: could be a command: %q", name, line)
				}
			}
		}
		named := strings.Contains(stdout.String(), "PWNR")
		if want := name == "steps"; want && !named {
			t.Errorf("%s: names nothing that was planted: %s", name, stdout.String())
		}
		if named && !strings.Contains("\n"+stdout.String(), "\n::stop-commands::") {
			t.Errorf("%s: does not stop commands: %s", name, stdout.String())
		}
	}
	for _, name := range namesOfVerbs() {
		if _, ok := tried[name]; !ok {
			t.Errorf("%s is not tried", name)
		}
	}
}
