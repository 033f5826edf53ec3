package diff

import (
	"fmt"
	"math"

	"perfdiff/analyze/run"
	"perfdiff/diff/number"
)

// causeWords say what goes on while the device is idle, by cause.
var causeWords = map[string]string{
	"input": "the host waits for input", "allocator": "the host frees and allocates device memory", "synchronizing": "the host waits for the device or looks whether it is done",
	"launching": "launches are on their way", "dependency": "work that is launched waits for a stream, an event or a collective",
	"host": "the host does other work", "unknown": "nothing recorded says what the host does",
}

// causeAdvice is what to do, or to record, about each cause.
var causeAdvice = map[string]string{
	"input":         "Read ahead: more loader threads, a longer queue, or reads that go past the page cache; Reads shows what storage delivers.",
	"allocator":     "Keep memory allocated: look for calls that empty the cache, for fragmentation and for shapes that grow.",
	"synchronizing": "Find the call that waits (reading a value back, printing a tensor, synchronizing the device) and move it out of the step.",
	"launching":     "Launch less: graphs, fused kernels, larger batches.",
	"dependency":    "See in Timeline which stream or collective the launched work waits for.",
	"host":          "Take the host out of the way with graphs or fewer, larger kernels; annotate what it does in the longest gaps.",
	"unknown":       "Record ranges and calls of the system (--trace=cuda,nvtx,osrt) to see what the host does meanwhile.",
}

// idleWhy says which causes of idle time changed, and which gaps: those whose
// launch came late, or those that waited for something else.
func idleWhy(r *Report, c *Comparison) (why, advice string) {
	var most *Comparison
	for i := range r.Parts {
		if x := &r.Parts[i]; x.Metric.Name == "idle_time" && x.Part != "" && x.Delta*c.Delta > 0 && (most == nil || math.Abs(x.Delta) > math.Abs(most.Delta)) {
			most = x
		}
	}
	if most == nil || math.Abs(most.Delta) < mostOf*math.Abs(c.Delta) {
		return "", ""
	}
	sc := number.ScaleOf("s", math.Max(most.Base, most.Cand))
	why = fmt.Sprintf("%s for %s, in the baseline for %s", causeWords[most.Part], sc.With(most.Cand), sc.With(most.Base))
	late := partOfReport(r, run.Key{Metric: "gap_bound_time", Part: "launch"})
	if late != nil && late.Delta*c.Delta > 0 && math.Abs(late.Delta) >= mostOf*math.Abs(c.Delta) {
		fewer := ""
		if c.Delta < 0 {
			fewer = "fewer "
		}
		why = fmt.Sprintf("%slaunches come after the device is done (gaps of that kind: %s, in the baseline %s), while %s for %s, in the baseline for %s",
			fewer, sc.With(late.Cand), sc.With(late.Base), causeWords[most.Part], sc.With(most.Cand), sc.With(most.Base))
	}
	return why, causeAdvice[most.Part]
}

func partOfReport(r *Report, key run.Key) *Comparison {
	for i := range r.Parts {
		if r.Parts[i].Key == key {
			return &r.Parts[i]
		}
	}
	return nil
}
