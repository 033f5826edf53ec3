// Package diff compares two measured run sets and says what changed, by how much and how
// sure that is. Compare is its entry point; the Report it returns holds everything the
// renderers show.
//
// What happens between two sets and a [Report], with what goes from each step to the next:
//
//  1. newPair: two *run.Set → pair: runs once, ranks matched by number, loads like with like (match.go, copies.go, load*.go)
//  2. newPlan: two sides → plan: which steps are compared: warm-up and dropped ones left out, pairs by number (plan.go)
//  3. newPast: []*run.Set → past: what runs of this job differ by, learned from the history (past*.go)
//  4. compare: run.Key → Comparison: one scalar a run; estimate, error and interval of their difference (judge.go, stat/)
//  5. gate: []Comparison → Comparison: weighted Holm over the metrics that gate: the verdict (gate.go, floor.go, scale.go)
//  6. waterfall, kernels, conduct, gaps: the same step taken apart: what it is made of on either side
//  7. findings: Report → []Finding: what changed, the largest first, each with its evidence (finding*.go)
//  8. lacks: pair → Gate: whether enough was measured for a build to pass (enough.go, outcome.go)
//
// CompareStore does so against the runs of a store: its level, and an anchor further back
// (store*.go). All times are in seconds and all sizes in bytes up to here; what people read
// is written by package render.
package diff
