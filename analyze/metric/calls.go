package metric

import (
	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// callDurations are how long the calls of collectives took that start in the kept steps.
type callDurations map[trace.NameID]*run.Durations

func (c *callDurations) add(comms []*trace.Span, messages *trace.Messages) {
	for _, s := range comms {
		if *c == nil {
			*c = callDurations{}
		}
		coll := messages.Coll(s)
		d := (*c)[coll]
		if d == nil {
			d = &run.Durations{}
			(*c)[coll] = d
		}
		d.Add(s.End - s.Start)
	}
}

// Calls returns the calls of collectives by length, for those with the most time, in order of name; nil without any,
// and where a file does not hold all of them. The steps must have been measured.
func (r *Rank) Calls() []run.Calls {
	if r.lacks(kindOfWork) {
		return nil
	}
	var all []run.Calls
	for id, d := range r.calls {
		all = append(all, d.Calls(r.Trace.Names.Text(id)))
	}
	return run.TopCalls(all)
}
