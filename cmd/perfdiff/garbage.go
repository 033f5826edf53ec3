package main

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

const (
	// mostGarbage is how much a small heap may grow before it is collected, in percent of
	// what is live. Reading leaves little garbage beside spans, which are collected when
	// their file is done; with the usual 100 the first megabytes of each run would be
	// collected dozens of times.
	mostGarbage = 400
	// leastGarbage is the same of a large one, and garbageRoom what both may have, in
	// bytes: the sets of a thousand ranks are 1.3 GB, and as much again of garbage beside
	// them is memory that nobody needs, while collecting numbers takes no time.
	leastGarbage = 15
	garbageRoom  = 192 << 20
)

// canary is what dies in the next collection; of less than 16 bytes it would share its
// place with what lives on.
type canary [32]byte

// paceGarbage lets the heap grow by mostGarbage while it is small, and by garbageRoom when
// it is not. What is live is known behind each collection, which a finalizer tells.
func paceGarbage() {
	debug.SetGCPercent(mostGarbage)
	pace := mostGarbage
	var again func(*canary)
	again = func(*canary) {
		if next := garbageOf(live()); next != pace {
			pace = next
			debug.SetGCPercent(pace)
		}
		runtime.SetFinalizer(new(canary), again)
	}
	runtime.SetFinalizer(new(canary), again)
}

// garbageOf is the percentage for so many bytes that are live.
func garbageOf(live int64) int {
	return int(min(max(garbageRoom*100/max(live, 1), leastGarbage), mostGarbage))
}

// live is what the last collection left, in bytes.
func live() int64 {
	s := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(s)
	return int64(s[0].Value.Uint64())
}
