// Package analyze loads a run set: a directory, a file or several become ranks
// with one value per step and metric. Load is its entry point.
//
// What happens between a path and a [run.Set], with what goes from each step to the next:
//
//  1. loadSaved: path → *run.Set: a summary that perfdiff wrote is there already (summaries.go, history.go, saved/)
//  2. discover: path → []file: which files there are, and of which run each is (discover.go, nodes.go, rankname.go)
//  3. source.Read: file → *trace.Trace: one rank's spans, calls and ranges, whatever the format (source/, trace/)
//  4. step.Find: Trace → step.Found: where steps begin and end on the device's clock, with a receipt (step/)
//  5. metric.Prepare, Measure, Stats: Trace, []trace.Step → []run.Series: a value for each step and metric (metric/, idle/, picture/)
//  6. measure: Trace → capture: the above as a run.Rank, and what only all ranks together can say (measure.go)
//  7. agreeOnMarker: []result → []result: files are read again where captures were marked differently (marker_choice.go)
//  8. assemble: []result → *run.Set: copies left out, captures joined to ranks, collectives matched over
//     ranks, clocks aligned, skew, the node's counters (assemble.go, merge.go, collective/)
//
// Steps 3 to 6 run in as many workers as there are processors, and a Trace is gone when the
// next file is read: what is left of a profile are numbers. A file that is larger than the
// memory allowed goes through them in parts (parts.go).
//
// Steps 2 to 7 may run on many machines: SummarizeShard writes what step 8 takes of a share of the
// files (shard_write.go, shard/, part/), and MergeParts does step 8 with what all of them wrote
// (shard_parts.go, shard_merge.go). So the set is the same, to the byte.
//
// # Words
//
// One word a thing, in names, in keys of JSON and in what people read, here and in the
// packages behind this one. What stands last is not used for it; a test reads this table.
//
//	use                                         for                                              not
//	baseline, candidate                         the two sides                                    old, control, treatment
//	set, run, rank, step                        a side; one execution of the job; one process    iteration, worker, epoch
//	                                            with its device; once through what it repeats
//	trace                                       what one rank recorded, of which a profile is    session
//	                                            the file
//	span                                        an interval of activity on the device            slice
//	kernel, memcpy, stream, device, graph       CUDA's words; in a sentence memcpy is a copy     op, queue
//	range                                       an NVTX range, or an annotation of the program;  region
//	                                            one that tells steps is their marker
//	collective, comm, compute, memory           kinds of what kernels do                         math
//	exposed                                     not hidden by compute                            unhidden, overlapped
//	wait, transfer                              the two parts of a collective's time on a rank   delay
//	gap, idle                                   one stretch with nothing on the device; all
//	bubble, stage                               what one of the ranks that pass on micro-batches
//	                                            idles, or waits for other stages
//	skew, straggler                             how late ranks arrive; who comes last            lag, laggard
//	metric, key, part                           what is measured; one series of it; what it is   kpi
//	                                            made of
//	estimate, interval, threshold, floor        the size of a change; where it lies; the least   confidence, tolerance,
//	                                            that matters; what repeats are taken to differ   significant, significance
//	                                            by
//	regressed, improved, unchanged,             the verdicts                                     degraded, degradation,
//	inconclusive                                                                                 slowdown, speedup
//	event                                       what people decided about runs of a store
//	warning, error                              shown with the result; stops the program         alert, notice
//
// # Rules
//
// One bad file does not lose the set: it is listed with its error and left out. The package
// knows no thresholds: whether a change matters is for package diff.
package analyze
