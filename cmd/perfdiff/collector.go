package main

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

const (
	// maxGarbagePercent is how much a small heap may grow between collections, in percent of
	// its live bytes. Reading leaves little garbage beside spans, which are freed when their
	// file is done. With Go's default of 100 the first megabytes of each run would be collected
	// dozens of times.
	maxGarbagePercent = 400
	// minGarbagePercent is the same for a large heap. In between, garbage may take
	// garbageBytes. The sets of a thousand ranks are 1.3 GB, and nobody needs as much again for
	// garbage, while collecting numbers takes no time.
	minGarbagePercent = 15
	garbageBytes      = 192 << 20
)

// collectionSentinel is an object that nothing refers to, so that its finalizer runs after the next collection. An
// object of less than 16 bytes could share its block with a live one.
type collectionSentinel [32]byte

// paceGarbage lets the heap grow by maxGarbagePercent while it is small, and by garbageBytes
// when it is large. The percentage is set anew after each collection, when a finalizer sees how
// much is live.
func paceGarbage() {
	debug.SetGCPercent(maxGarbagePercent)
	pace := maxGarbagePercent
	var again func(*collectionSentinel)
	again = func(*collectionSentinel) {
		if next := garbagePercent(liveBytes()); next != pace {
			pace = next
			debug.SetGCPercent(pace)
		}
		runtime.SetFinalizer(new(collectionSentinel), again)
	}
	runtime.SetFinalizer(new(collectionSentinel), again)
}

// garbagePercent returns the percentage for a number of live bytes.
func garbagePercent(live int64) int {
	return int(min(max(garbageBytes*100/max(live, 1), minGarbagePercent), maxGarbagePercent))
}

// liveBytes returns how many bytes the last collection left.
func liveBytes() int64 {
	s := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(s)
	return int64(s[0].Value.Uint64())
}

// keepWithin is told how much memory a user allows, in bytes. The collector belongs to the whole process: main sets
// this, and a process that runs several commands leaves it alone.
var keepWithin = func(bytes int64) {}

const (
	// limitSlack is the part of the allowed memory (an eighth) by which the process may exceed it, as in
	// reading. It was chosen: a collector that has no slack runs all the time.
	limitSlack = 8
	// programBytes is what the program takes that the collector does not see: its own pages, of which
	// 18 to 30 MB were measured, and 5 MB between two looks of the collector.
	programBytes = 35e6
)

// collectWithin makes the collector run as often as it takes to keep the process within the memory that
// a user allows, 1.3 times with the program itself, while sides are compared and reports written: as long
// as what lives fits into it.
func collectWithin(bytes int64) {
	debug.SetMemoryLimit(min(bytes+bytes/limitSlack, bytes/10*13-programBytes))
}
