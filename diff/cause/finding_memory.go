package cause

import (
	"math"
	"slices"

	"perfdiff/analyze/run"
	"perfdiff/diff/verdict"
)

// directions are the directions of copies that people have a name for.
var directions = []string{"h2d", "d2h", "d2d", "p2p"}

// memoryWhy says which copies changed, and whether they move more or move it slower.
func memoryWhy(r *Causes, c *verdict.Comparison) (why []Clause, advice Advice) {
	var most *verdict.Comparison
	for i := range r.Parts {
		x := &r.Parts[i]
		if x.Metric.Name == run.MemcpyTime && slices.Contains(directions, x.Part) && x.Delta*c.Delta > 0 && (most == nil || math.Abs(x.Delta) > math.Abs(most.Delta)) {
			most = x
		}
	}
	if most == nil || math.Abs(most.Delta) < mostOf*math.Abs(c.Delta) {
		return nil, Advice{}
	}
	bytes, rate := r.Part(run.Key{Metric: run.MemcpyBytes, Part: most.Part}), r.Part(run.Key{Metric: run.MemcpyBandwidth, Part: most.Part})
	switch {
	case bytes == nil || rate == nil || !(bytes.Base > 0) || !(bytes.Cand > 0) || !(rate.Base > 0) || !(rate.Cand > 0):
		return []Clause{ClauseCopiesTake.clause(most.Part)}, Advice{Kind: AdviceCopiesTake}
	case math.Abs(math.Log(bytes.Cand/bytes.Base)) >= math.Abs(math.Log(rate.Cand/rate.Base)):
		return []Clause{ClauseCopiesMove.clause(most.Part)}, Advice{Kind: AdviceCopiesMove}
	}
	return []Clause{ClauseCopiesRate.clause(most.Part)}, Advice{Kind: AdviceCopiesRate}
}
