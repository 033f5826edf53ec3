package main

import (
	"strings"
	"testing"
	"time"

	"perfdiff/cmd/perfdiff/policyfile"
)

// TestPolicyPlaces: whatever is wrong with a policy file is said in words of the
// file, with line and column of the value.
func TestPolicyPlaces(t *testing.T) {
	t.Chdir(t.TempDir())
	policyfile.Now = func() time.Time { return time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC) }
	defer func() { policyfile.Now = time.Now }()
	for _, tt := range []struct{ text, want string }{
		{"a: [1\n", "1:4: sequence end token"}, {"alpha: 5%\nalpha: 1%\n", "2:1: mapping key \"alpha\" already defined"},
		{"- a\n", "1:1: expected keys and values, as in threshold: 2%"}, {"just text\n", "1:1: expected keys and values"},
		{"alpha: 5%\n---\nthreshold: 3%\n", "3:1: a second document begins here"},
		{"metrics:\n  tail:\n    levl: warn\n", `3:5: unknown field "levl": there are better, level, threshold`},
		{"metrics:\n  tail:\n    level: off\n", `3:12: metrics.tail.level is "off": write fail or warn`},
		{"metrics: {tail: {better: more}}\n", `1:26: metrics.tail.better is "more": write lower or higher`},
		{"metrics:\n  step_time: {threshold: 2}\n", `2:26: metrics.step_time.threshold: 2 would be 200%: write 2%`},
		{"metrics:\n  step_time: {threshold: 0}\n", "2:26: metrics.step_time.threshold is 0"},
		{"metrics:\n  tail: {threshold: 300%}\n", `2:21: metrics.tail.threshold: expected a number, as in 2, events in 100 steps, not "300%"`},
		{"metrics: 5\n", "1:10: metrics: expected metrics with their rules"}, {"metrics: {tail: warn}\n", "1:17: metrics.tail: expected rules, as in {level: warn}"},
		{"metrics:\n  overlap: {level: warn}\n  speed: {level: warn}\n", `3:10: "speed" is no main metric`},
		{"threshold: 5\n", "1:12: threshold: 5 would be 500%: write 5%"}, {"threshold: 500%\n", "1:12: threshold: 500% is too much: it must be below 100%"},
		{"threshold: -1%\n", `1:12: threshold: expected a number, as in 2% or 0.02, not "-1%"`}, {"threshold: .inf\n", "1:12: threshold: expected a number"},
		{"equivalence: [3%]\n", "1:14: equivalence: expected a number"}, {"alpha: abc\n", `1:8: alpha: expected a number, as in 0.05, not "abc"`},
		{"\nalpha: 0.7\n", "2:8: alpha is 0.7: it must lie between 0.001 and 0.2"}, {"alpha: true\n", "1:8: alpha: expected a number"},
		{"noise_floor: 0\n", "1:14: noise floor is 0"}, {"noise_floor_few_steps: 0%\n", "1:24: noise floor is 0.015, 0 with few steps"},
		{"gating: step_time\n", "1:9: gating: expected a list of metrics"}, {"gating: []\n", "1:9: 0 gating metrics"},
		{"gating:\n  - step_time\n  - speed\n", `3:5: "speed" cannot gate`}, {"gating: [tail, tail]\n", "1:16: tail is listed twice"}, {"gating: [{a: 1}]\n", "1:10: gating[1]: expected a metric"},
		{"gating: [yes, true]\n", `1:15: gating[2]: expected a metric, as in step_time, not true`},
		{"require_equal: [gpu, weather]\n", `1:22: "weather" cannot be required`}, {"ignore_kernels: [a, '[']\n", "1:21: kernels to ignore"}, {"kernel_rule: odd\n", `1:14: kernel_rule is "odd": write usual or strict`}, {"work: odd\n", `1:7: work is "odd": write per-step or per-byte`},
		{"kernel_families:\n  - {family: a, name: b}\n  - family: c\n    name: '['\n", `4:11: kernel_families: "c", "["`}, {"kernel_families: [{family: mine}]\n", "1:19: kernel_families: \"mine\", \"\""},
		{"steps: {skip_first: 1.5}\n", `1:21: steps.skip_first: expected a whole number, as in 2, not "1.5"`}, {"steps: {skip_first: -1}\n", "1:21: steps.skip_first: expected a whole number"},
		{"steps: {skip_first: two}\n", "1:21: steps.skip_first: expected a whole number"}, {"steps: 3\n", "1:8: steps: expected what a step is"},
		{"steps:\n  range: '['\n", "2:10: steps.range: error parsing regexp"}, {"steps:\n  kernel: '['\n", "2:11: steps.kernel: error parsing regexp"},
		{"steps: {range: a, kernel: b}\n", "1:27: steps: range and kernel exclude each other"},
		{"ranks: x\n", `1:8: ranks: "x" is neither`}, {"ranks: [1, 2]\n", `1:8: ranks: expected a list in quotes, as in "0-7,9"`},
		{"fail_on:\n- regressed\n- rain\n", `3:3: fail_on: "rain" is no outcome`}, {"fail_on: regressed\n", "1:10: fail_on: expected a list of outcomes"},
		{"waivers: {metric: tail}\n", "1:10: waivers: expected a list of waivers"}, {"waivers:\n  - metric: tail\n    reason: x\n", "2:5: a waiver of \"tail\" needs up_to, the largest regression that it lets through, as in up_to: 2"},
		{"waivers:\n  - {metric: tail, up_to: 2, reason: x, owner: me, expires: soon}\n", "2:61: the waiver of tail expires on \"soon\""},
		{"waivers:\n  - metric: step_time\n    up_to: 7\n    reason: x\n    owner: me\n    expires: 2026-12-31\n", "3:12: the waiver of step_time is up to 700%: it must be below 100%, as in up_to: 7%"},
		{"waivers: [{metric: step_time, up_to: 0, reason: x, owner: me, expires: 2026-12-31}]\n", "1:38: the waiver of step_time is up to 0: write more"},
		{"waivers: [{metric: step_time, up_to: much, reason: x, owner: me, expires: 2026-12-31}]\n", `1:38: waivers[1].up_to: expected a number, as in 7%, or events in 100 steps of the tail, not "much"`},
		{"waivers: [{metric: tail, up_to: 7%, reason: x, owner: me, expires: 2026-12-31}]\n", "1:33: the waiver of tail counts events in 100 steps: write a number, as in up_to: 2"},
		{"waivers:\n  - {metric: tail, up_to: 2, reason: x, owner: me, expires: 2026-12-31}\n  - {metric: tail, up_to: 3, reason: x, owner: me, expires: 2026-12-31}\n", "3:14: tail is waived twice"},
		{"gating: [step_time]\nwaivers: [{metric: tail, up_to: 2, reason: x, owner: me, expires: 2026-12-31}]\n", "2:20: a waiver of \"tail\": it does not gate"},
		{"threshold: &t 200%\n", "1:12: threshold: what is written elsewhere"}, {"threshold: *t\n", "1:12: threshold: what is written elsewhere"}, {"gating: [&g step_time]\n", "1:10: gating[1]: what is written elsewhere"},
		{"<<: {alpha: 0.2, waivers: [{metric: tail, up_to: 2, reason: x, owner: me, expires: 2026-12-31}]}\n", "1:1: <<: what is written elsewhere (&, *, <<) is not taken from there: write the value here"},
		{"metrics: {drift: {<<: {level: warn}, better: lower}}\n", "1:19: <<: what is written elsewhere"}, {"&a threshold: 2%\n", "1:"}, {"&a\nthreshold: 2%\n", "1:1: "},
		{"metrics:\n\ttail: {level: warn}\n", "2:1: a tab stands before the text: indent with spaces"},
		{"without_step_time: maybe\n", `1:20: without_step_time: expected true or false, not "maybe"`},
		{"gating: " + strings.Repeat("[", 17) + "\n", "1:25: more than 16 brackets are open here"}, {"waivers:\n  - " + strings.Repeat("{a: ", 40_000/4) + "\n", "2:69: more than 16 brackets are open"},
		{"gating:\n" + strings.Repeat("- ", 17) + "x\n", "2:33: more than 16 lists are nested in this line"},
		{"ignore_kernels: [" + strings.Repeat("a,", 101) + "]\n", "1:218: 101 kernels to ignore"},
		{"gating: [']]]]'," + strings.Repeat("[ # ]\n ", 1000), "16:2: more than 16 brackets are open"},
	} {
		writeFile(t, policyfile.Name, tt.text)
		_, stderr := mustRun(t, statusError, "policy")
		if !strings.HasPrefix(stderr, "perfdiff: error: perfdiff.yaml:"+tt.want) {
			t.Errorf("%.60q: got %s want %q", tt.text, stderr, tt.want)
		}
		for _, inner := range []string{"Go ", "policyFile", "uint64", "unmarshal", "main."} {
			if strings.Contains(stderr, inner) {
				t.Errorf("%q: got %s, which speaks of %q", tt.text, stderr, inner)
			}
		}
	}
}

// TestPolicyValues: what may be written is read as it is meant.
func TestPolicyValues(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, tt := range []struct{ text, want string }{
		{"", "threshold: 2%"}, {"# nothing\n", "threshold: 2%"}, {"---\nthreshold: 0.04\n", "threshold: 4%"}, {"threshold: '4 %'\n---\n", "threshold: 4%"},
		{"threshold: 0\n", "threshold: 0%"}, {"threshold:\n", "threshold: 2%"}, {"\ufeffthreshold: 4%\n", "threshold: 4%"},
		{"threshold: !!str 4%\n", "threshold: 4%"}, {"metrics: {tail: {threshold: 2}}\n", "tail: {threshold: 2}"}, {"metrics: {overlap: {threshold: 4%}}\n", "overlap: {threshold: 4%}"},
		{"metrics: {tail: {level: warn}, drift: {level: warn, better: lower}}\n", "drift: {level: warn, better: lower}"},
		{"ranks: 3\n", `ranks: "3"`}, {"steps: {skip_first: 0}\n", "skip_first: 0"}, {"ignore_kernels: [5]\n", `ignore_kernels: ["5"]`}, {"kernel_rule: strict\n", "kernel_rule: strict"}, {"work: per-byte\n", "work: per-byte"},
		{"steps: {columns: ['wall:s']}\n", `columns: ["wall:s"]`},
	} {
		writeFile(t, policyfile.Name, tt.text)
		if out, _ := mustRun(t, statusOK, "policy"); !strings.Contains(out, tt.want) {
			t.Errorf("%q: got %s want %q", tt.text, out, tt.want)
		}
	}
}
