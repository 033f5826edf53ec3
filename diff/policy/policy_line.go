package policy

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"perfdiff/analyze/run"
	"perfdiff/diff/number"
)

// Line says in what a policy is not the default, and whose word that is: "policy:
// perfdiff.yaml (step_time tolerance 5 %, alpha 0.01)"; "" where it is the default. It
// stands in the first lines of every output: who reads a verdict must see what bent it.
func (p Policy) Line() string {
	other := p.departures()
	if len(other) == 0 {
		return ""
	}
	from := "not the default"
	if len(p.From) > 0 {
		from = strings.Join(p.From, " and ")
	}
	return "policy: " + from + " (" + strings.Join(other, ", ") + ")"
}

// departures are what differs from the default, what weighs most first.
func (p Policy) departures() []string {
	usual := DefaultPolicy()
	var out []string
	add := func(differs bool, format string, args ...any) {
		if differs {
			out = append(out, fmt.Sprintf(format, args...))
		}
	}
	add(!p.GatesStep(), "step_time does not gate")
	add(!slices.Equal(p.Gating, usual.Gating), "gating %s", strings.Join(p.Gating, " "))
	out = append(out, p.tolerances(usual.Threshold)...)
	for _, w := range p.Waivers {
		if w.Kind != "" {
			out = append(out, fmt.Sprintf("findings of the kind %s waived until %s: %s, %s", w.Kind, quoted(w.Expires), quoted(w.Owner), quoted(w.Reason)))
			continue
		}
		out = append(out, fmt.Sprintf("%s waived %s until %s: %s, %s", w.Metric, w.size(), quoted(w.Expires), quoted(w.Owner), quoted(w.Reason)))
	}
	add(!slices.Contains(p.FailOn, "regressed"), "a regression does not fail")
	add(!slices.Equal(p.FailOn, usual.FailOn), "fails on %s", strings.Join(p.FailOn, " "))
	add(len(p.Allow) > 0, "may be missing: %s", strings.Join(p.Allow, " "))
	add(p.GateCauses, "single causes fail")
	add(p.WarnOnly, "what fails only warns")
	add(p.Escalate, "asks for more runs")
	add(p.Force, "what is not comparable is judged")
	alpha := cmp.Or(p.Shared, p.Alpha)
	add(alpha != usual.Alpha, "alpha %s", strconv.FormatFloat(alpha, 'g', -1, 64))
	add(p.Floor != usual.Floor, "noise floor %s", number.Setting(p.Floor))
	add(p.FewFloor != usual.FewFloor, "noise floor with few steps %s", number.Setting(p.FewFloor))
	add(p.HostFloor != usual.HostFloor, "noise floor without GPU work %s", number.Setting(p.HostFloor))
	usual.Threshold = p.Threshold // from which it follows
	add(p.Equal() != usual.Equal(), "changes within %s count as none", number.Setting(p.Equal()))
	add(len(p.RequireEqual) > 0, "must be equal: %s", strings.Join(p.RequireEqual, " "))
	add(len(p.IgnoreKernels) > 0, "kernels left out: %s", some(p.IgnoreKernels))
	add(p.StrictKernels, "kernels judged strictly")
	return append(out, p.Beside...)
}

// tolerances are what a policy says of single metrics, of the step time first.
func (p Policy) tolerances(usual float64) []string {
	var out []string
	said := false
	if p.Threshold != usual {
		subject := "step_time tolerance "
		if p.Rules[run.StepTime].Threshold > 0 {
			subject = "tolerance "
		}
		out = append(out, subject+number.Setting(p.Threshold))
	}
	for _, metric := range append([]string{run.StepTime}, slices.Sorted(maps.Keys(p.Rules))...) {
		r := p.Rules[metric]
		if metric == run.StepTime && said {
			continue // it came first
		}
		said = true
		switch {
		case r.Threshold > 0 && metric == run.Tail: // events, no share
			out = append(out, metric+" tolerance "+number.Times(r.Threshold)+" in 100 steps")
		case r.Threshold > 0:
			out = append(out, metric+" tolerance "+number.Setting(r.Threshold))
		}
		if r.Level == LevelWarn {
			out = append(out, metric+" only warns")
		}
	}
	return out
}

// longestWord bounds what is quoted of a policy, in characters: a long reason must not push
// the rest out of sight.
const longestWord = 60

// quoted is what a policy says, on a line.
func quoted(s string) string {
	if r := []rune(s); len(r) > longestWord {
		return string(r[:longestWord-1]) + "…"
	}
	return s
}

// some are the first of a list and how many more there are.
func some(list []string) string {
	switch len(list) {
	case 0:
		return ""
	case 1:
		return quoted(list[0])
	}
	return fmt.Sprintf("%s and %d more", quoted(list[0]), len(list)-1)
}
