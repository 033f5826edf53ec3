// Package store is the directory in which perfdiff keeps the runs of main: what its files are called, in which order
// its runs are, what people decided about them, how a run is saved and which ones go.
//
// A store survives what CI systems do to directories: caches that are restored old, two of them that grew apart and
// are copied together, jobs that save at once, machines that stop. So every file in it is written once, whole, under a
// name of its own, and never changed:
//
//	000123-20260101T120000Z-0123456789ab.perfdiff    a run: its number, when it was saved, a digest of its content
//	event-0123456789ab.json                          what somebody decided, named by a digest of its bytes
//	index.json                                       derived from the others, for other programs; nothing is judged by it
//
// Order is that of saving: by number, which is one more than the largest that the store held. Two that were saved at
// once, or in caches that grew apart, may have one number; they are in order of the time of saving, then of digest.
// When a run was recorded plays no part, nor does a clock that is wrong. Runs of a store as perfdiff made it before
// have no number (20260101T120000Z-DIGEST, undated-000007-DIGEST) and come first: those that say when they were
// recorded by that, the others where their number says, or by name. So do summaries that people put there.
//
// An event counts once main saved a run after it: each run names the events that the store held when it was saved.
// See Counted.
package store
