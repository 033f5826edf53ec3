// Package diff compares two measured run sets and says what changed, by how much and how
// sure that is. Compare is its entry point; the Report it returns holds everything the
// renderers show.
//
// What happens between two sets and a [Report], with what goes from each step to the next:
//
//  1. sides.Of: two *run.Set → *sides.Lined: runs once, ranks matched by number, loads like with like, and which
//     steps enter: warm-up and dropped ones left out, pairs by number (sides/)
//  2. verdict.Of: Lined, policy, past runs → *verdict.Judged: one scalar a run and metric; estimate, error and interval
//     of their difference; weighted Holm over the metrics that gate (verdict/, stat/)
//  3. cause.Of: Judged → *cause.Causes: the same step taken apart, what it is made of on either side, and what
//     changed, the largest first, each with its evidence (cause/)
//  4. newReport: Causes → Report: everything that is shown, each part made of what is there before, and whether enough was measured for a build to pass
//     (compare.go, headline.go, outcome.go, enough.go)
//
// What a project asks of all that is a policy.Policy (policy/). No step sees what a later one
// makes: the types say so.
//
// CompareStore does so against the runs of a store: its level, and an anchor further back
// (store*.go). All times are in seconds and all sizes in bytes up to here; what people read
// is written by package render.
package diff
