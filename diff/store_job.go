package diff

import (
	"perfdiff/analyze/run"
	"perfdiff/diff/history"
	"perfdiff/diff/policy"
	"perfdiff/diff/sides"
	"perfdiff/diff/verdict"
)

// JobOf returns the history of the runs of a store that have the most common configuration; the others are left out and
// named.
func JobOf(name string, in StoreContents, policy policy.Policy) history.Job {
	like := verdict.MostCommonSet(in.Sets)
	h, all := verdict.PastOf(sides.Of(like, &run.Set{}, policy.Force), in.Sets, map[string]verdict.LeftOut{}, verdict.AgainstMost)
	job := history.Of(history.Input{Past: h, Runs: all, Sets: in.Sets, Saved: in.Saved, Events: in.Events, Policy: policy, Now: in.Now}).Job
	job.Name = name
	return job
}
