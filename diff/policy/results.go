package policy

import (
	"slices"

	"perfdiff/analyze/metric"
	"perfdiff/analyze/run"
)

// IsPrinted reports whether a name is of no metric that perfdiff measures, so that it is of a number that runs print.
func IsPrinted(name string) bool {
	return !slices.ContainsFunc(Metrics(metric.Descriptions()), func(m run.Metric) bool { return m.Name == name })
}

// Of returns a metric as the policy has it: it gives numbers that runs print a direction and a unit.
func (p Policy) Of(m run.Metric) run.Metric {
	r, ruled := p.Rules[m.Name]
	if !ruled || !m.OfResult {
		return m
	}
	if r.Unit != "" && m.Unit == "" {
		m.Unit = r.Unit
	}
	switch r.Better {
	case "lower":
		m.Better = run.Lower
	case "higher":
		m.Better = run.Higher
	}
	m.Main = m.Better != run.Neither
	return m
}

// WithResults returns the policy for runs with such metrics. What runs print gates unless the policy names some of it,
// or names metrics and has profiles to judge by them: alone says that there are none.
func (p Policy) WithResults(metrics []run.Metric, alone bool) Policy {
	p.Results = nil
	for _, m := range metrics {
		switch m = p.Of(m); {
		case !m.OfResult || !m.Main:
		case slices.Contains(p.Gating, m.Name), !alone && !slices.Equal(p.Gating, DefaultGating()):
			p.Results = nil
			return p
		case len(p.Results) < run.MaxResults:
			p.Results = append(p.Results, m.Name)
		}
	}
	return p
}

// Gates lists the metrics that gate.
func (p Policy) Gates() []string { return slices.Concat(p.Gating, p.Results) }
