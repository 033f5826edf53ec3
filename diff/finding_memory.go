package diff

import (
	"fmt"
	"math"

	"perfdiff/analyze/run"
)

// directions are what copies of a direction are called.
var directions = map[string]string{"h2d": "copies to the device", "d2h": "copies from the device", "d2d": "copies within the device", "p2p": "copies between devices"}

// memoryWhy says which copies changed, and whether they move more or move it slower.
func memoryWhy(r *Report, c *Comparison) (why, advice string) {
	var most *Comparison
	for i := range r.Parts {
		x := &r.Parts[i]
		if x.Metric.Name == run.MemcpyTime && directions[x.Part] != "" && x.Delta*c.Delta > 0 && (most == nil || math.Abs(x.Delta) > math.Abs(most.Delta)) {
			most = x
		}
	}
	if most == nil || math.Abs(most.Delta) < mostOf*math.Abs(c.Delta) {
		return "", ""
	}
	bytes, rate := partOfReport(r, run.Key{Metric: run.MemcpyBytes, Part: most.Part}), partOfReport(r, run.Key{Metric: run.MemcpyBandwidth, Part: most.Part})
	why = directions[most.Part]
	switch {
	case bytes == nil || rate == nil || !(bytes.Base > 0) || !(bytes.Cand > 0) || !(rate.Base > 0) || !(rate.Cand > 0):
		return why + " take " + fromTo(most, most.scale()), "See who copies in Timeline, and whether it can run beside compute."
	case math.Abs(math.Log(bytes.Cand/bytes.Base)) >= math.Abs(math.Log(rate.Cand/rate.Base)):
		return why + " move " + fromTo(bytes, bytes.scale()) + " a step", "Look for what is copied that was not, and for what could stay on the device."
	}
	return fmt.Sprintf("%s run at another rate (%s)", why, fromTo(rate, rate.scale())),
		"Pin the host memory, and look at who shares the link; copies on a stream of their own can run beside compute."
}
