package diff

import (
	"reflect"
	"strings"
	"testing"

	"perfdiff/analyze/metric"
	"perfdiff/analyze/run"
	"perfdiff/diff/policy"
)

// TestPolicyLineNamesAll: no field of a policy can differ from the default unsaid.
func TestPolicyLineNamesAll(t *testing.T) {
	if got := policy.DefaultPolicy().Line(); got != "" {
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
		case field.Name == "From": // whose word it is, not what differs
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
		if got := p.Line(); !strings.HasPrefix(got, "policy: not the default (") {
			t.Errorf("%s: got %q", field.Name, got)
		}
	}
}

// TestPolicyLineIsShort: what somebody wrote at length hides nothing.
func TestPolicyLineIsShort(t *testing.T) {
	p := policy.DefaultPolicy()
	long := strings.Repeat("x", 10_000)
	p.Waivers, p.IgnoreKernels, p.Alpha = []policy.Waiver{{Metric: "tail", Reason: long, Owner: long, Expires: "2026-12-31", UpTo: 2, Kind: ""}}, []string{long, long}, .2
	if got := p.Line(); len(got) > 500 || !strings.Contains(got, "alpha 0.2") {
		t.Errorf("got %d bytes: %s", len(got), got)
	}
}

// TestDirections: what policies may say of a direction is the metric's own.
func TestDirections(t *testing.T) {
	gateable := policy.Gateable(metric.Descriptions())
	if len(gateable) < 10 {
		t.Errorf("only %d metrics can gate", len(gateable))
	}
	for _, m := range gateable {
		name, want := m.Name, map[run.Better]string{run.Lower: "lower", run.Higher: "higher"}[m.Better]
		if got := policy.BetterOf(m); got != want {
			t.Errorf("%s: got %s want %s", name, got, want)
		}
		for _, better := range []string{"lower", "higher"} {
			p := policy.DefaultPolicy()
			p.Rules = map[string]policy.Rule{name: {Better: better}}
			if ok := p.Check(metric.Descriptions()) == nil; ok != (better == want) {
				t.Errorf("%s better %s: taken: %v", name, better, ok)
			}
		}
	}
}
