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

// causeAdvice is what to do about each cause, and recordAdvice what to record where that
// is to be found out first.
var causeAdvice = map[string]string{
	"input":         "Read ahead: more loader threads, a longer queue, or reads that go past the page cache; Reads shows what storage delivers.",
	"allocator":     "Keep memory allocated: look for calls that empty the cache, for fragmentation and for shapes that grow.",
	"synchronizing": "Find the call that waits (reading a value back, printing a tensor, synchronizing the device) and move it out of the step.",
	"launching":     "Launch less: graphs, fused kernels, larger batches.",
	"dependency":    "See in Timeline which stream or collective the launched work waits for.",
}

// advice is what to do about a cause of idle time, or to record with the profiler in use.
func (p Profilers) advice(cause string) string {
	const host, record = "Take the host out of the way with graphs or fewer, larger kernels; ", " to see what the host does meanwhile."
	switch cause {
	case "host":
		const annotate, functions = "annotate what it does in the longest gaps.", "see in Gaps where it is in the longest ones (activities=[CPU, CUDA] and with_stack=True record it)."
		return host + p.Either(annotate, functions, annotate)
	case "unknown":
		const system, operators = "Record ranges and calls of the system (--trace=cuda,nvtx,osrt)", "Record operators and Python functions (activities=[CPU, CUDA], with_stack=True)"
		return p.Either(system, operators, system+", with PyTorch's profiler operators and Python functions (activities=[CPU, CUDA], with_stack=True),") + record
	}
	return causeAdvice[cause]
}

// besideOf is from which share of a change another cause of it is named beside the main
// one. Chosen, not measured: a fifth of a change is what is left to say.
const besideOf = 0.2

// Reason is one part of what a finding explains itself with, in s a step. Reasons of one
// finding are of one partition of its whole, as the waterfall has it: they never add up to
// more than the whole changed by.
type Reason struct {
	Metric, Part string   // where it is measured; Part "other": all causes that are not named
	Base, Cand   float64  // means over runs, used steps and ranks
	Places       []string // where in the program the host is, the most first; nil: not recorded, or not asked
}

func (x *Reason) delta() float64 { return x.Cand - x.Base }

// fromTo writes both values, which are times.
func (x *Reason) fromTo() string {
	sc := number.ScaleOf("s", math.Max(x.Base, x.Cand))
	return "from " + sc.Format(x.Base) + " to " + sc.With(x.Cand)
}

// Parts of idle time that a reason can be beside the causes.
const (
	otherCauses  = "other"
	hostOrNot    = "host or unknown"
	hostOrNotIs  = "the host does other work, which one side recorded more of than the other"
	otherCausesI = "other causes go the other way"
)

// idleParts are the causes of idle time as the waterfall has them. Where the sides
// recorded different things of the host, its work is not told from what nobody recorded.
func (p *pair) idleParts(r *Report) (whole Reason, parts []Reason) {
	whole, alike, joined := Reason{Metric: run.IdleTime}, p.hostAlike(), -1
	for i := range r.Waterfall.Parts {
		x := &r.Waterfall.Parts[i]
		if x.Metric != run.IdleTime || x.Part == "" {
			continue
		}
		whole.Base, whole.Cand = whole.Base+x.Base, whole.Cand+x.Cand
		part := Reason{Metric: x.Metric, Part: x.Part, Base: x.Base, Cand: x.Cand}
		if !alike && (x.Part == "host" || x.Part == "unknown") {
			if part.Part = hostOrNot; joined >= 0 {
				parts[joined].Base, parts[joined].Cand = parts[joined].Base+x.Base, parts[joined].Cand+x.Cand
				continue
			}
			joined = len(parts)
		}
		parts = append(parts, part)
	}
	return whole, parts
}

// idleReasons are the causes that explain a change of idle time: those that went with it
// and, where they are more than all of it, the rest. nil where they do not explain most of
// it, or where the mean, of which they are parts, moved against the median.
func idleReasons(whole Reason, parts []Reason, c *Comparison) []Reason {
	all, rest := whole.delta(), whole
	if !(all*c.Delta > 0) {
		return nil
	}
	parts = slices.DeleteFunc(slices.Clone(parts), func(x Reason) bool { return !(x.delta()*all > 0) || math.Abs(x.delta()) < besideOf*math.Abs(all) })
	slices.SortStableFunc(parts, func(a, b Reason) int { return cmp.Compare(math.Abs(b.delta()), math.Abs(a.delta())) })
	sum := 0.0
	for _, x := range parts {
		sum, rest.Base, rest.Cand = sum+x.delta(), rest.Base-x.Base, rest.Cand-x.Cand
	}
	switch {
	case math.Abs(sum) < mostOf*math.Abs(all):
		return nil
	case math.Abs(sum) > math.Abs(all)*(1+besideThis):
		rest.Part = otherCauses
		return append(parts, rest)
	}
	return parts
}

// besideThis is by how much of the whole its parts may exceed it without the rest being
// named: nobody sees it in three digits. Chosen, not measured: it is a matter of digits.
const besideThis = 0.005

// idleWhy says which causes of idle time changed, and whether launches came late.
func (p *pair) idleWhy(r *Report, c *Comparison) (why, advice string, reasons []Reason) {
	whole, parts := p.idleParts(r)
	if reasons = idleReasons(whole, parts, c); reasons == nil {
		return "", "", nil
	}
	var words []string
	for i := range reasons {
		x := &reasons[i]
		text := causeWords[x.Part]
		switch x.Part {
		case hostOrNot:
			text = hostOrNotIs
		case otherCauses:
			text = otherCausesI
		}
		values := x.fromTo()
		if c := partOfReport(r, run.Key{Metric: x.Metric, Part: x.Part}); c != nil && (c.NotRecorded[0] == "") != (c.NotRecorded[1] == "") {
			values = onOneSide(c) // a loader that only one side shows
		}
		text += " (" + values + ")"
		if x.Part == "host" {
			var where string
			where, x.Places = p.where(x.delta())
			text += where
		}
		words = append(words, text)
	}
	why = strings.Join(words, ", and ")
	late := p.partOf(component{key: run.Key{Metric: run.GapBoundTime, Part: "launch"}})
	if late.Delta*whole.delta() > 0 && math.Abs(late.Delta) >= mostOf*math.Abs(whole.delta()) {
		fewer := ""
		if c.Delta < 0 {
			fewer = "fewer "
		}
		why = fewer + "launches come after the device is done, while " + why // of another partition: without its figures
	}
	if off := apartOf * math.Max(c.Base, c.Cand); math.Abs(whole.Base-c.Base) > off || math.Abs(whole.Cand-c.Cand) > off {
		why = "in the mean " + whole.fromTo() + ", since " + why
	}
	return why, p.profilers().advice(reasons[0].Part), reasons
}

// idleOfInput says what of a wait for input left the device idle, as the waterfall has it,
// where that changed by less than the wait: the rest was hidden behind the device's work.
func (p *pair) idleOfInput(r *Report, wait *Comparison) string {
	x := partOfReport(r, run.Key{Metric: run.IdleTime, Part: "input"})
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

// onOneSide says what one side recorded and that the other did not.
func onOneSide(c *Comparison) string {
	has, value, lacks := "baseline", c.Base, "candidate"
	if c.NotRecorded[0] != "" {
		has, value, lacks = "candidate", c.Cand, "baseline"
	}
	return fmt.Sprintf("%s in the %s, not recorded in the %s", number.ScaleOf(c.Metric.Unit, value).With(value), has, lacks)
}

// apartOf is from which part of idle time its mean, which the causes add up to, is told
// beside the median. Chosen, not measured: what differs by less reads as the same number.
const apartOf = 0.05

// where says where in the program a change of other host work is.
func (p *pair) where(delta float64) (text string, places []string) {
	places, most := p.placesOf(delta)
	if len(places) == 0 {
		return "", nil
	}
	how := ", most of it in "
	if !most {
		how = ", first of all in "
	}
	return how + strings.Join(places, " and "), places
}

// profilers are those that recorded either side.
func (p *pair) profilers() Profilers { return profilersOf(p.base.set, p.cand.set) }

// idleCauses are the findings about causes of idle time that the finding about idle time
// as a whole does not tell: those that moved against it, or that it hides behind input.
// whole is that finding's change, 0 without one.
func (p *pair) idleCauses(r *Report, whole float64, told *lateTold) (out []Finding) {
	if whole == 0 && !p.launchedAlike() {
		return nil
	}
	for i := range r.Parts {
		x := &r.Parts[i]
		if x.Metric.Name != run.IdleTime || x.Part == "" || x.Part == "input" || !(math.Abs(x.Delta) >= p.least()) || x.Delta*whole > 0 || !x.changed() || told.tells(x) {
			continue
		}
		if (x.Part == "host" || x.Part == "unknown") && !p.hostAlike() {
			continue
		}
		f := p.about(subject{run.IdleTime, "gaps", KindIdleCause}, x)
		f.Text = "Idle time while " + causeWords[x.Part] + " " + rose(x.Delta) + " " + fromTo(x, x.scale()) + " a step."
		f.Part = x.Part
		if x.Part == "host" {
			if where, _ := p.where(x.Delta); where != "" {
				f.add(where)
			}
		}
		if f.tellMean(x); f.Class == "worse" {
			f.Advice = p.profilers().advice(x.Part)
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
