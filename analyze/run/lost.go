package run

import "fmt"

// LostMetric is a metric that a rank recorded, but that its file does not hold whole. It counts
// as not recorded, for a reason of its own.
type LostMetric struct {
	Metric string
	Why    string // what is needed and what is there, as it goes on behind "needs"
}

// WhyLost returns why the rank lost a metric; "" if it did not.
func (r *Rank) WhyLost(metric string) string {
	for _, l := range r.Lost {
		if l.Metric == metric {
			return l.Why
		}
	}
	return ""
}

// MergeLost returns what either of two captures of a rank lost; each metric once, with the first reason.
func MergeLost(a, b []LostMetric) []LostMetric {
	out := a[:len(a):len(a)]
	for _, l := range b {
		if (&Rank{Lost: a}).WhyLost(l.Metric) == "" {
			out = append(out, l)
		}
	}
	return out
}

// KernelsLost returns why what is made of kernels is lost: each step of one side launches the same number, and those
// of the other fewer on average, each lacking different ones.
func KernelsLost(each, mean float64) string {
	return fmt.Sprintf("all kernels: each step of the other side launches %.0f, and steps of this one %.1f in the mean, each without others (record again)",
		each, mean)
}
