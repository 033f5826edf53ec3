package diff

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

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

// besideOf is from which share of a change another cause of it is named beside the main
// one.
const besideOf = 0.2

// idleWhy says which causes of idle time changed, and which gaps: those whose
// launch came late, or those that waited for something else.
func idleWhy(r *Report, c *Comparison) (why, advice string) {
	var causes []idleCause
	for i := range r.Parts {
		x := &r.Parts[i]
		if x.Metric.Name != "idle_time" || x.Part == "" {
			continue
		}
		if y := causeOf(x); y.delta*c.Delta > 0 && math.Abs(y.delta) >= besideOf*math.Abs(c.Delta) {
			causes = append(causes, y)
		}
	}
	slices.SortStableFunc(causes, func(a, b idleCause) int { return cmp.Compare(math.Abs(b.delta), math.Abs(a.delta)) })
	var words []string
	sum := 0.0
	for _, x := range causes {
		words, sum = append(words, fmt.Sprintf("%s (%s)", causeWords[x.part], x.words)), sum+x.delta
	}
	if math.Abs(sum) < mostOf*math.Abs(c.Delta) {
		return "", ""
	}
	why = strings.Join(words, ", and ")
	late := partOfReport(r, run.Key{Metric: "gap_bound_time", Part: "launch"})
	if late != nil && late.Delta*c.Delta > 0 && math.Abs(late.Delta) >= mostOf*math.Abs(c.Delta) {
		fewer := ""
		if c.Delta < 0 {
			fewer = "fewer "
		}
		why = fmt.Sprintf("%slaunches come after the device is done (gaps of that kind %s), while %s", fewer, fromTo(late, late.scale()), why)
	}
	return why, causeAdvice[causes[0].part]
}

// idleOfInput says what of a wait for input left the device idle, as the waterfall has it,
// where that changed by less than the wait: the rest was hidden behind the device's work.
func (p *pair) idleOfInput(r *Report, wait *Comparison) string {
	x := partOfReport(r, run.Key{Metric: "idle_time", Part: "input"})
	if x == nil || x.NotRecorded != [2]string{} {
		return ""
	}
	delta, verb := x.CandMean-x.BaseMean, "rose"
	if delta < 0 {
		verb = "fell"
	}
	if !(math.Abs(wait.Delta)-math.Abs(delta) >= p.least()) || delta*wait.Delta <= 0 {
		return ""
	}
	sc := number.ScaleOf("s", math.Max(x.BaseMean, x.CandMean))
	return fmt.Sprintf("; what of it leaves the device idle %s from %s to %s in the mean", verb, sc.Format(x.BaseMean), sc.With(x.CandMean))
}

// idleCause is what one cause has in a change of idle time.
type idleCause struct {
	part, words string
	delta       float64 // s
}

// causeOf is what a part of idle time has in its change. Input that only one side shows,
// since the other has no loader that anybody could see, counts as far as it was recorded;
// the words say so.
func causeOf(x *Comparison) idleCause {
	base, cand := x.NotRecorded[0] == "", x.NotRecorded[1] == ""
	switch {
	case base == cand || x.Part != "input":
		return idleCause{x.Part, fromTo(x, x.scale()), x.Delta}
	case base:
		return idleCause{x.Part, onOneSide(x), -x.Base}
	}
	return idleCause{x.Part, onOneSide(x), x.Cand}
}

// onOneSide says what one side recorded and that the other did not.
func onOneSide(c *Comparison) string {
	has, value, lacks := "baseline", c.Base, "candidate"
	if c.NotRecorded[0] != "" {
		has, value, lacks = "candidate", c.Cand, "baseline"
	}
	return fmt.Sprintf("%s in the %s, not recorded in the %s", number.ScaleOf(c.Metric.Unit, value).With(value), has, lacks)
}

// idleCauses are the findings about causes of idle time that the finding about idle time
// as a whole does not tell: those that moved against it, or that it hides behind input.
// whole is that finding's change, 0 without one.
func (p *pair) idleCauses(r *Report, whole float64, told *lateTold) (out []Finding) {
	for i := range r.Parts {
		x := &r.Parts[i]
		if x.Metric.Name != "idle_time" || x.Part == "" || x.Part == "input" || !(math.Abs(x.Delta) >= p.least()) || x.Delta*whole > 0 || !x.changed() || told.tells(x) {
			continue
		}
		f := p.about(subject{"idle_time", "Idle time while " + causeWords[x.Part], "gaps"}, x)
		if f.tellMean(x); f.Class == "worse" {
			f.Advice = causeAdvice[x.Part]
		}
		out = append(out, f)
	}
	return out
}

func partOfReport(r *Report, key run.Key) *Comparison {
	for i := range r.Parts {
		if r.Parts[i].Key == key {
			return &r.Parts[i]
		}
	}
	return nil
}
