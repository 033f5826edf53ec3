package main

import (
	"context"
	"encoding/xml"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"perfdiff/analyze"
	"perfdiff/analyze/synth"
	"perfdiff/cmd/perfdiff/policyfile"
	"perfdiff/diff"
	"perfdiff/diff/policy"
)

// TestMain keeps the environment of a build server out of the tests.
func TestMain(m *testing.M) {
	os.Unsetenv("GITHUB_ACTIONS")
	os.Unsetenv("GITHUB_STEP_SUMMARY")
	os.Exit(m.Run())
}

func TestGate(t *testing.T) {
	worse, same := sides(writeStory(t, "lost-overlap", synth.Nsight)), sides(writeStory(t, "aa", synth.Nsight))
	lost := sides(writeStory(t, "missing-rank", synth.Nsight))
	little := sides(writeStory(t, "slow-allreduce", synth.Nsight)) // 8 %, not shown by one run
	for _, tt := range []struct {
		name  string
		sides []string
		args  string
		want  int
	}{
		{"regressed", worse, "", 1}, {"warn only", worse, "--warn-only", 0},
		{"fail on other things too", worse, "--fail-on inconclusive", 1}, {"fail on inconclusive", same, "--fail-on regressed,inconclusive", 1},
		{"inconclusive passes", same, "", 0}, {"missing rank passes", lost, "", 0}, {"fail on missing rank", lost, "--fail-on missing-rank", 1},
		{"no warning", lost, "--fail-on warning", 0}, {"escalate", little, "--escalate", 4}, {"escalate, warn only", little, "--escalate --warn-only", 0},
		{"escalate, nothing to see", same, "--escalate --gate step_time", 0}, {"escalate decides nothing alone", worse, "--escalate", 4},
		{"one metric finds more", little, "--gate step_time", 1},
		{"only what is context gates", worse, "--gate io_read_throughput", 3}, {"drift gates with history", same, "--gate drift", 3},
		{"what is judged speaks before context", same, "--gate io_read_throughput,step_time", 0},
	} {
		_, stderr := mustRun(t, tt.want, append(append(tt.sides, "-q"), split(tt.args)...)...)
		if failed := strings.Contains(stderr, "perfdiff: failed: ") || strings.Contains(stderr, "perfdiff: not judged: ") || strings.Contains(stderr, "perfdiff: more runs: "); failed != (tt.want != 0) {
			t.Errorf("%s: exit %d, said %q", tt.name, tt.want, stderr)
		}
		// JUnit and annotations fail exactly where the exit status does.
		t.Setenv("GITHUB_ACTIONS", "true")
		file := filepath.Join(t.TempDir(), "x.xml")
		out, _ := mustRun(t, tt.want, append(append(tt.sides, "-q", "-o", file), split(tt.args)...)...)
		t.Setenv("GITHUB_ACTIONS", "")
		xml, err := os.ReadFile(file)
		if bad := strings.Contains(string(xml), "<failure") || strings.Contains(string(xml), "<error"); err != nil || bad != (tt.want == 1 || tt.want == 3) {
			t.Errorf("%s: exit %d, JUnit fails: %v (%v)", tt.name, tt.want, bad, err)
		}
		if bad := strings.Contains(out, "::error"); bad != (tt.want == 1 || tt.want == 3) {
			t.Errorf("%s: exit %d, annotated %s", tt.name, tt.want, out)
		}
	}
	none := sides(writeStory(t, "no-steps", synth.Nsight))
	mustRun(t, statusNotJudged, append(none, "-q", "--warn-only")...)
	for args, want := range map[string]string{"--fail-on x": `"x" is no outcome: choose of regressed, slower-kernel, inconclusive`, "--gate nope": `"nope" cannot gate`, "--gate step_time,step_time": "listed twice",
		"--allow x": `--allow x: "x" cannot be allowed: choose of missing-rank, missing-file, few-steps`} {
		if _, stderr := mustRun(t, statusError, append(worse, split(args)...)...); !strings.Contains(stderr, want) {
			t.Errorf("%s: got %s want %q", args, stderr, want)
		}
	}
}

func TestPolicyFile(t *testing.T) {
	worse := sides(writeStory(t, "lost-overlap", synth.Nsight))
	dir := t.TempDir()
	t.Chdir(dir)
	policyfile.Now = func() time.Time { return time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC) }
	defer func() { policyfile.Now = time.Now }()
	for _, tt := range []struct{ name, text, want string }{
		{"unknown key", "gating: [step_time]\ntreshold: 3%\n", `perfdiff.yaml:2:1: unknown field "treshold": there are allow, alpha, `},
		{"wrong type", "gating: 5\n", "perfdiff.yaml:1:9: gating: expected a list of metrics, as in [step_time, overlap]"}, {"no size", "metrics:\n  step_time: {threshold: abc}\n", "perfdiff.yaml:2:26: metrics.step_time.threshold: expected a number, as in 2% or 0.02, not \"abc\""},
		{"no metric", "gating: [speed]\n", `"speed" cannot gate`}, {"no level", "metrics: {tail: {level: off}}\n", "metrics.tail.level is \"off\""},
		{"a direction turned", "metrics: {step_time: {better: higher}}\n", "perfdiff.yaml:1:22: step_time is better when lower: a policy cannot turn that"}, {"another turned", "metrics: {overlap: {better: lower}}\n", "overlap is better when higher"},
		{"no step time", "gating: [imbalance]\n", "perfdiff.yaml:1:9: gating leaves out step_time"}, {"both", "without_step_time: true\n", "perfdiff.yaml:1:20: without_step_time is true and step_time gates"},
		{"an error that decides nothing", "alpha: 1e-7\n", "alpha is 1e-07: it must lie between 0.001 and 0.2"}, {"a floor above all", "noise_floor: 50%\n", "noise floor is 0.5"}, {"few steps", "noise_floor_few_steps: 11%\n", "at most 0.1"}, {"no device", "noise_floor_host: 0.2\n", "at most 0.1"},
		{"no direction", "metrics: {tail: {better: more}}\n", "write lower or higher"}, {"no metric for a rule", "metrics: {speed: {level: warn}}\n", "is no main metric"},
		{"no fact", "require_equal: [weather]\n", `"weather" cannot be required`}, {"bad expression", "ignore_kernels: ['[']\n", "kernels to ignore"},
		{"bad family", "kernel_families: [{family: mine, name: '['}]\n", "kernel_families: \"mine\", \"[\""},
		{"bad step", "steps: {range: '['}\n", "error parsing regexp"}, {"bad ranks", "ranks: x\n", `"x" is neither`}, {"bad outcome", "fail_on: [rain]\n", `"rain" is no outcome`}, {"bad allowance", "allow: [sun]\n", `"sun" cannot be allowed: choose of missing-rank`},
		{"waiver without owner", "waivers: [{metric: step_time, up_to: 7%, reason: x, expires: 2026-12-31}]\n", "needs metric, up_to, reason, owner and expires"},
		{"waiver without a day", "waivers: [{metric: step_time, up_to: 7%, reason: x, owner: me, expires: soon}]\n", "write a day as in 2026-12-31"},
		{"waiver without a size", "waivers: [{metric: step_time, reason: x, owner: me, expires: 2026-12-31}]\n", `perfdiff.yaml:1:11: a waiver of "step_time" needs up_to, the largest regression that it lets through, as in up_to: 7%`},
		{"waiver of nothing", "gating: [step_time]\nwaivers: [{metric: tail, up_to: 2, reason: x, owner: me, expires: 2026-12-31}]\n", "it does not gate"},
	} {
		writeFile(t, policyfile.Name, tt.text)
		for _, args := range [][]string{worse, {"policy"}} {
			if _, stderr := mustRun(t, statusError, args...); !strings.Contains(stderr, tt.want) {
				t.Errorf("%s: got %s want %q", tt.name, stderr, tt.want)
			}
		}
	}
	for _, tt := range []struct {
		name, text string
		want       int
	}{
		{"nothing", "", 1}, {"as default", "gating: [step_time, overlap]\n", 1},
		{"warn", "gating: [step_time, overlap, exposed_comm_time]\nmetrics: {step_time: {level: warn}, overlap: {level: warn}, exposed_comm_time: {level: warn}}\n", 0},
		{"coarse", "gating: [step_time]\nmetrics: {step_time: {threshold: 40%}}\n", 0}, {"the usual direction", "gating: [step_time, overlap]\nmetrics: {overlap: {better: higher}}\n", 1},
		{"without the step time", "gating: [imbalance]\nwithout_step_time: true\n", 0},
		{"waived", "gating: [step_time]\nwaivers: [{metric: step_time, up_to: 60%, reason: upgrade, owner: me, expires: 2026-06-01}]\n", 0},
		{"other outcome", "fail_on: [missing-rank]\n", 1}, {"something may be missing", "allow: [few-steps]\n", 1}, {"equal driver", "require_equal: [driver, gpu]\n", 1},
	} {
		writeFile(t, "other.yaml", tt.text)
		if err := os.Remove(policyfile.Name); err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		t.Run(tt.name, func(t *testing.T) { mustRun(t, tt.want, append(worse, "-q", "--policy", "other.yaml")...) })
	}
	if _, stderr := mustRun(t, statusError, append(worse, "--policy", "nowhere.yaml")...); !strings.Contains(stderr, "--policy nowhere.yaml: no such file") {
		t.Errorf("no policy file: got %s", stderr)
	}
	// What perfdiff policy prints gives itself.
	writeFile(t, policyfile.Name, "gating: [step_time, tail]\nthreshold: 5%\nmetrics: {tail: {level: warn, threshold: 3}, step_time: {better: lower}}\nranks: 0-3\nignore_kernels: [a.*b]\nrequire_equal: [gpu]\nkernel_families: [{family: mine, name: dgrad}]\nfail_on: [regressed, missing-rank]\nallow: [few-steps]\n"+
		"steps: {range: '^step (\\d+)$', skip_first: 2}\nwaivers: [{metric: tail, up_to: 2.5, reason: \"a: b\", owner: me, expires: 2026-12-31}]\n")
	once, _ := mustRun(t, statusOK, "policy")
	writeFile(t, policyfile.Name, once)
	if twice, _ := mustRun(t, statusOK, "policy"); twice != once || !strings.Contains(once, "threshold: 5%") {
		t.Errorf("got\n%s\nthen\n%s", once, twice)
	}
	if out, _ := mustRun(t, statusOK, append(worse, "--warn-only", "-q", "-o", "-", "--format", "json")...); !strings.Contains(out, `"reason": "a: b"`) || !strings.Contains(out, `"ignore_kernels": ["a.*b"]`) || !strings.Contains(out, `"name": "mine"`) {
		t.Error("the report does not state the policy")
	}
}

// TestRequireEqual: where the sides differ in what must be equal, nothing is
// judged.
func TestRequireEqual(t *testing.T) {
	a, b := writeStory(t, "aa", synth.Nsight), writeStory(t, "aa", synth.Kineto)
	t.Chdir(t.TempDir())
	writeFile(t, policyfile.Name, "require_equal: [format]\n")
	out, _ := mustRun(t, statusNotJudged, filepath.Join(a, "baseline"), filepath.Join(b, "candidate"))
	if !strings.HasPrefix(out, "NOT COMPARABLE") || !strings.Contains(strings.Join(strings.Fields(out), " "), "requires format to be equal, and it is nsys sqlite") {
		t.Errorf("got %s", out)
	}
}

func TestBuildServers(t *testing.T) {
	worse := sides(writeStory(t, "lost-overlap", synth.Nsight))
	dir := t.TempDir()
	summary, junit := filepath.Join(dir, "summary.md"), filepath.Join(dir, "result.xml")
	writeFile(t, summary, "earlier\n")
	t.Setenv("GITHUB_ACTIONS", "true")
	t.Setenv("GITHUB_STEP_SUMMARY", summary)
	out, _ := mustRun(t, statusRegressed, append(worse, "-q", "-o", junit)...)
	if !strings.HasPrefix(out, "::error title=perfdiff%3A regressed::Steps take ") || !strings.Contains(out, "::error title=perfdiff%3A overlap regressed::") {
		t.Errorf("annotations: got %s", out)
	}
	text, err := os.ReadFile(summary)
	if err != nil || !strings.HasPrefix(string(text), "earlier\n") || !strings.Contains(string(text), "### SLOWER: Steps take ") {
		t.Errorf("job summary: got %s (%v)", text, err)
	}
	data, err := os.ReadFile(junit)
	if err != nil {
		t.Fatal(err)
	}
	var parsed struct {
		Tests    int `xml:"tests,attr"`
		Failures int `xml:"failures,attr"`
		Suite    struct {
			Cases []struct {
				Name    string `xml:"name,attr"`
				Failure *struct {
					Message string `xml:"message,attr"`
				} `xml:"failure"`
			} `xml:"testcase"`
		} `xml:"testsuite"`
	}
	if err := xml.Unmarshal(data, &parsed); err != nil {
		t.Fatal(err)
	}
	failed := 0
	for _, c := range parsed.Suite.Cases {
		if c.Failure != nil {
			failed++
		}
	}
	if parsed.Tests != len(parsed.Suite.Cases) || failed != parsed.Failures || failed < 2 || parsed.Suite.Cases[0].Failure == nil {
		t.Errorf("JUnit: got %+v", parsed)
	}
	if out, _ := mustRun(t, statusRegressed, append(worse, "-q", "-o", "-", "--format", "json")...); strings.Contains(out, "::error") {
		t.Error("annotations are in a report on standard output")
	}
	t.Setenv("GITHUB_STEP_SUMMARY", filepath.Join(dir, "nowhere", "x"))
	if _, stderr := mustRun(t, statusError, append(worse, "-q")...); !strings.Contains(stderr, "the job summary (GITHUB_STEP_SUMMARY)") {
		t.Errorf("no place for the job summary: got %s", stderr)
	}
}

// TestForce: another GPU is no verdict, and with --force one that says so.
func TestForce(t *testing.T) {
	sets := sides(writeStory(t, "different-gpu", synth.Nsight))
	out, _ := mustRun(t, statusNotJudged, sets...)
	if !strings.HasPrefix(out, "NOT COMPARABLE") || !strings.Contains(out, "--force") {
		t.Errorf("got %s", out)
	}
	out, _ = mustRun(t, statusRegressed, append([]string{"--force"}, sets...)...)
	if !strings.Contains(strings.Join(strings.Fields(out), " "), "compared only because of --force: GPU: NVIDIA H100 80GB HBM3 and NVIDIA A100-SXM4-80GB") {
		t.Errorf("got %s", out)
	}
}

// TestGateable: every main metric can gate, and every metric that can is there.
func TestGateable(t *testing.T) {
	set, err := analyze.Load(context.Background(), filepath.Join(writeStory(t, "aa", synth.Nsight), "baseline"), analyze.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r := diff.Compare(set, set, policy.DefaultPolicy(), diff.Options{})
	var names []string
	for _, m := range r.Metrics {
		names = append(names, m.Key.Metric)
	}
	slices.Sort(names)
	var want []string
	for _, m := range policy.Gateable(analyze.Metrics()) {
		if !m.WhereRecorded { // the others are shown with a dash
			want = append(want, m.Name)
		}
	}
	slices.Sort(want)
	if !slices.Equal(names, want) {
		t.Errorf("the main metrics are\n%v, can gate\n%v", names, want)
	}
}
