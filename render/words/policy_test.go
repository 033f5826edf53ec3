package words

import (
	"reflect"
	"strings"
	"testing"

	"perfdiff/diff/policy"
	"perfdiff/render/number"
)

// TestPolicyLineNamesAll: no field of a policy can differ from the default unsaid.
func TestPolicyLineNamesAll(t *testing.T) {
	usual := policy.DefaultPolicy()
	if got := PolicyLine(&usual); got != "" {
		t.Errorf("default: got %q", got)
	}
	differ := map[string]func(*policy.Policy){
		"Rules": func(p *policy.Policy) { p.Rules = map[string]policy.Rule{"overlap": {Level: policy.LevelWarn}} },
		"Waivers": func(p *policy.Policy) {
			p.Waivers = []policy.Waiver{{Metric: "tail", Reason: "why", Owner: "who", Expires: "2026-12-31", UpTo: 2, Kind: ""}}
		},
	}
	for i := range reflect.TypeFor[policy.Policy]().NumField() {
		field := reflect.TypeFor[policy.Policy]().Field(i)
		p := policy.DefaultPolicy()
		switch v := reflect.ValueOf(&p).Elem().Field(i); {
		case field.Name == "From", field.Name == "Results": // whose word it is, and what runs print: not what differs
			continue
		case differ[field.Name] != nil:
			differ[field.Name](&p)
		case v.Kind() == reflect.Bool:
			v.SetBool(!v.Bool())
		case v.Kind() == reflect.Float64:
			v.SetFloat(0.08)
		case v.Type() == reflect.TypeFor[[]string]():
			v.Set(reflect.ValueOf([]string{"other"}))
		default:
			t.Errorf("%s: the test does not know how to change a %s", field.Name, v.Type())
			continue
		}
		if got := PolicyLine(&p); !strings.HasPrefix(got, "policy: not the default (") {
			t.Errorf("%s: got %q", field.Name, got)
		}
	}
}

// TestPolicyLineIsShort: what somebody wrote at length hides nothing.
func TestPolicyLineIsShort(t *testing.T) {
	p := policy.DefaultPolicy()
	long := strings.Repeat("x", 10_000)
	p.Waivers, p.IgnoreKernels, p.Alpha = []policy.Waiver{{Metric: "tail", Reason: long, Owner: long, Expires: "2026-12-31", UpTo: 2, Kind: ""}}, []string{long, long}, .2
	if got := PolicyLine(&p); len(got) > 500 || !strings.Contains(got, "alpha 0.2") {
		t.Errorf("got %d bytes: %s", len(got), got)
	}
}

// TestPolicyLine: each departure has words of its own, and those that have a size or names
// say them.
func TestPolicyLine(t *testing.T) {
	p := policy.DefaultPolicy()
	p.From, p.Beside, p.Threshold, p.Floor, p.Equivalence, p.Shared = []string{"a.yaml", "flags"}, []string{"ranks 0-7"}, 0.05, 0.01, 0.1, 0.01
	p.Gating, p.FailOn, p.Allow, p.IgnoreKernels = []string{"tail", "idle_time"}, []string{"warning"}, []string{"few-steps"}, []string{"a", "b", "c"}
	p.Rules = map[string]policy.Rule{"tail": {Threshold: 3}, "step_time": {Threshold: 0.07, Level: policy.LevelWarn}}
	p.Waivers = []policy.Waiver{
		{Metric: "tail", Reason: "why", Owner: "who", Expires: "2026-12-31", UpTo: 2},
		{Kind: policy.KindSpike, Reason: "why", Owner: "who", Expires: "2026-12-31"},
	}
	want := "policy: a.yaml and flags (step_time does not gate, gating tail idle_time, tolerance 5 %, step_time tolerance 7 %, step_time only warns, " +
		"tail tolerance 3 in 100 steps, tail waived up to 2 in 100 steps until 2026-12-31: who, why, " +
		"findings of the kind spike waived until 2026-12-31: who, why, a regression does not fail, fails on warning, may be missing: few-steps, " +
		"alpha 0.01, noise floor 1 %, changes within 10 % count as none, kernels left out: a and 2 more, ranks 0-7)"
	if got := strings.ReplaceAll(PolicyLine(&p), number.Space, " "); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if p.FailOn = nil; strings.Contains(PolicyLine(&p), "fails on") {
		t.Errorf("nothing fails: got %s", PolicyLine(&p))
	}
	for i, want := range []string{"why (who, up to 2 in 100 steps, until 2026-12-31)", "why (who, until 2026-12-31)"} {
		if got := Waiver(&p.Waivers[i]); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
