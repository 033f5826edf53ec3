package run

// LostMetric is a metric that a rank recorded and that its file does not hold whole any more: it
// is not recorded, for a reason of its own.
type LostMetric struct {
	Metric string
	Why    string // what is needed and what is there, as it goes on behind "needs"
}

// WhyLost is why a metric of the rank is lost, "" if it is not.
func (r *Rank) WhyLost(metric string) string {
	for _, l := range r.Lost {
		if l.Metric == metric {
			return l.Why
		}
	}
	return ""
}

// MergeLost is what either of two captures of a rank lost; of each metric the first counts.
func MergeLost(a, b []LostMetric) []LostMetric {
	out := a[:len(a):len(a)]
	for _, l := range b {
		if (&Rank{Lost: a}).WhyLost(l.Metric) == "" {
			out = append(out, l)
		}
	}
	return out
}
