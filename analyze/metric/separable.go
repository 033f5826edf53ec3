package metric

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"perfdiff/analyze/interval"
	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// sendRecv is what point-to-point kernels are called.
const sendRecv = "SendRecv"

// allToAllRange are the ranges in which PyTorch and NCCL launch an all-to-all, whose
// kernel says no more than that it sends and receives.
var allToAllRange = regexp.MustCompile(`(?i)^(?:nccl:_?|nccl|c10d::_?)all_?to_?all`)

// allToAlls are where a trace launches all-to-alls; they are looked for when they are
// first asked for.
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
			if match(x.Name) {
				a.set = a.set.Add(x.Start, x.End)
			}
		}
	}
	return s.Launch != trace.NoTime && len(a.set.Clip(nil, s.Launch, s.Launch+1)) > 0
}

// captureAll is what to do where ranks are missing.
const captureAll = "(capture all ranks to tell waiting from transfer)"

// unseparable says why waiting and transfer of a run cannot be told apart, or of which
// part; "" where they can. captured is the number of its ranks, world of the job's.
func unseparable(c *run.Clocks, captured, world int) string {
	split := c.Matched - c.Unsplit
	missing := fmt.Sprintf("%d of %d ranks were captured, and waits for ranks that were not captured look like transfer %s", captured, world, captureAll)
	switch {
	case c.Kernels == 0 || split == c.Kernels:
		return ""
	case captured == 1 && world == 1:
		return "not separable: the job has one rank, which waits for nobody"
	case captured == 1:
		return "not separable: one rank was captured " + captureAll
	case split == 0 && captured < world:
		return "not separable: " + missing
	}
	var parts []string
	if captured < world && c.Kernels > c.Matched+c.PointToPoint {
		parts = append(parts, missing)
	} else if n := c.Kernels - c.Matched - c.PointToPoint; n > 0 {
		parts = append(parts, fmt.Sprintf("not separable: %d kernels could not be matched over the ranks", n))
	}
	if c.PointToPoint > 0 {
		parts = append(parts, fmt.Sprintf("point-to-point: not separable, since the peers of %d kernels are not known", c.PointToPoint))
	}
	if c.Unsplit > 0 {
		parts = append(parts, fmt.Sprintf("not separable: in %d kernels of a Broadcast, a Reduce or another exchange in which a rank can be done early", c.Unsplit))
	}
	return strings.Join(parts, "; ")
}

// SayUnseparable puts into the descriptions of a set's metrics why none of its runs
// has them, where that is because waiting cannot be told from transfer.
func SayUnseparable(set *run.Set) {
	why := ""
	for i := range set.Runs {
		for k := range set.Runs[i].Ranks {
			if set.Runs[i].Ranks[k].Values(run.Key{Metric: run.CommWaitTime}) != nil {
				return
			}
		}
		if why == "" {
			why = set.Runs[i].Clocks.Unseparable
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
