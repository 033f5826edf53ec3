package metric

import (
	"regexp"
	"slices"
	"strings"

	"perfdiff/analyze/interval"
	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// sendRecv is the name of point-to-point kernels.
const sendRecv = "SendRecv"

// allToAllRange matches the ranges in which PyTorch and NCCL launch an all-to-all. Its kernel
// says only that it sends and receives.
var allToAllRange = regexp.MustCompile(`(?i)^(?:nccl:_?|nccl|c10d::_?)all_?to_?all`)

// allToAlls is when a trace launches all-to-alls. They are looked for at the first question.
type allToAlls struct {
	t    *trace.Trace
	set  interval.Set
	done bool
}

// launched reports whether a kernel was launched as an all-to-all.
func (a *allToAlls) launched(s *trace.Span) bool {
	if !a.done {
		a.done = true
		match := a.t.Names.AskAlike(allToAllRange.MatchString)
		for _, x := range a.t.Ranges {
			if !x.Open && match(x.Name) {
				a.set = a.set.Add(x.Start, x.End)
			}
		}
	}
	return s.Launch != trace.NoTime && len(a.set.Clip(nil, s.Launch, s.Launch+1)) > 0
}

// inseparable returns why waiting and transfer cannot be told apart in a run's communication, or in some of it; nil if
// they can. captured is the number of its ranks, world that of the job's.
func inseparable(c *run.Clocks, captured, world int) []run.Inseparable {
	split := c.Matched - c.Unsplit
	missing := run.Inseparable{Why: run.RanksMissing, Captured: captured, World: world}
	switch {
	case c.Kernels == 0 || split == c.Kernels:
		return nil
	case captured == 1 && world == 1:
		return []run.Inseparable{{Why: run.OneRankJob}}
	case captured == 1:
		return []run.Inseparable{{Why: run.OneRankCaptured}}
	case split == 0 && captured < world:
		return []run.Inseparable{missing}
	}
	var reasons []run.Inseparable
	if captured < world && c.Kernels > c.Matched+c.PointToPoint {
		missing.Why = run.SomeRanksMissing
		reasons = append(reasons, missing)
	} else if n := c.Kernels - c.Matched - c.PointToPoint; n > 0 {
		reasons = append(reasons, run.Inseparable{Why: run.Unmatched, Kernels: n})
	}
	if c.PointToPoint > 0 {
		reasons = append(reasons, run.Inseparable{Why: run.PeersUnknown, Kernels: c.PointToPoint})
	}
	if c.Unsplit > 0 {
		reasons = append(reasons, run.Inseparable{Why: run.DoneEarly, Kernels: c.Unsplit})
	}
	return reasons
}

// setReasons writes the reasons into the clocks of a run, as data and as a sentence.
func setReasons(c *run.Clocks, reasons []run.Inseparable) {
	var parts []string
	for i := range reasons {
		parts = append(parts, reasons[i].Sentence())
	}
	c.Reasons, c.Inseparable = reasons, strings.Join(parts, "; ")
}

// DescribeInseparable adds to the descriptions of a set's metrics why no run has them, if that is because waiting
// cannot be told from transfer.
func DescribeInseparable(set *run.Set) {
	why := ""
	for i := range set.Runs {
		for k := range set.Runs[i].Ranks {
			if set.Runs[i].Ranks[k].Values(run.Key{Metric: run.CommWaitTime}) != nil {
				return
			}
		}
		if why == "" {
			why = set.Runs[i].Clocks.Inseparable
		}
	}
	if why == "" {
		return
	}
	waits := waitMetrics()
	for i := range set.Metrics {
		if m := &set.Metrics[i]; slices.ContainsFunc(waits, func(w Metric) bool { return w.Name == m.Name }) {
			m.Needs += "; " + why
		}
	}
}
