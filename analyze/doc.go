// Package analyze loads a run set: a directory, a file or several become ranks
// with one value per step and metric. Load is its entry point.
//
// What happens between a path and a [run.Set], with what goes from each step to the next:
//
//  1. saved        path → *run.Set      a summary that perfdiff wrote is there already (saved.go, saved/)
//  2. discover     path → []file        which files there are, and of which run each is (discover.go, nodes.go, rankname.go)
//  3. source.Read  file → *trace.Trace  one rank's spans, calls and ranges, whatever the format (source/, trace/)
//  4. step.Find    Trace → step.Found   where steps begin and end on the device's clock, with a receipt (step/)
//  5. metric.Prepare, Measure, Stats    Trace, []trace.Step → []run.Series   a value for each step and metric (metric/, idle/, picture/)
//  6. measure      Trace → capture      the above as a run.Rank, and what only all ranks together can say (measure.go)
//  7. agree        []result → []result  files are read again where captures were marked differently (agree.go)
//  8. assemble     []result → *run.Set  copies found, captures joined to ranks, collectives matched over
//     ranks, clocks aligned, skew, the node's counters (assemble.go, merge.go, collective/)
//
// Steps 3 to 6 run in as many workers as there are processors, and a Trace is gone when the
// next file is read: what is left of a profile are numbers. A file that is larger than the
// memory allowed goes through them in parts (parts.go).
//
// One bad file does not lose the set: it is listed with its error and left out. The package
// knows no thresholds: whether a change matters is for package diff.
package analyze
