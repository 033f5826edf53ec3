package metric

import (
	"strings"

	"perfdiff/analyze/interval"
	"perfdiff/analyze/run"
	"perfdiff/analyze/source/remedy"
	"perfdiff/analyze/trace"
)

// glooMetrics measure the communication of jobs that use no GPU.
func glooMetrics() []Metric {
	return []Metric{{
		Metric: run.Metric{Name: run.GlooTime, Unit: "s", Better: run.Lower, Part: "collective",
			Doc:    "Time in which a collective of Gloo is under way, hidden by work or not, within the step's period on the host.",
			Remedy: remedy.Of(remedy.Gloo),
			Traits: run.Traits{Section: run.SectionCollectives, Formula: "length of the union of its operators"}},
		Requires: trace.HasGloo,
		MadeOf:   trace.Ranges | trace.Operators,
		When:     InPeriod,
		OnHost: func(p *period, emit Emit) {
			for part, under := range p.rank.Gloo {
				emit(part, p.inside(under))
			}
		},
	}}
}

// glooCalls returns when each collective is under way, by its name ("all_reduce"), and under "" when any is.
func glooCalls(t *trace.Trace) map[string]interval.Set {
	out := map[string]interval.Set{}
	for _, c := range t.Gloo {
		name := strings.TrimPrefix(t.Names.Text(t.Names.Caller(c).Name), "gloo:")
		for _, part := range []string{"", name} {
			out[part] = out[part].Add(c.Start, c.End())
		}
	}
	return out
}
