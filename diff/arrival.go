package diff

import (
	"fmt"
	"math"
	"strings"

	"perfdiff/analyze/run"
	"perfdiff/diff/number"
)

// mostly is how many times larger one part of a change must be than the other
// to be called its cause.
const mostly = 3

// stays is up to which share of itself a part may move and still be said to stay. Chosen,
// not measured: what moved by less is shown by the same digits, or nearly.
const stays = 0.05

// hidden reports whether the exposed transfer changed while the whole of it did
// not.
func hidden(r *Report, exposed *Comparison) bool {
	whole := metricOf(r.Parts, run.CommTransferTime)
	return whole != nil && math.Abs(exposed.Delta) >= mostly*math.Abs(whole.Delta)
}

// transferWhy says whether the exposed transfer changed because the transfer takes
// another time, because compute hides another part of it, or both.
func transferWhy(r *Report, exposed *Comparison) (why, advice string) {
	whole := metricOf(r.Parts, run.CommTransferTime)
	if whole == nil || math.IsNaN(whole.Delta) {
		return "", ""
	}
	sc := whole.scale()
	less := "less"
	if exposed.Delta < 0 {
		less = "more"
	}
	// Of what the transfer takes longer, as much is exposed as before.
	rest := exposed.Delta - whole.Delta
	switch {
	case hidden(r, exposed):
		return fmt.Sprintf("compute hides %s of the transfer, which itself %s; what is exposed of it %s", less, moved(whole, sc), moved(exposed, sc)), streamAdvice
	case rest*exposed.Delta > 0 && whole.Delta*exposed.Delta > 0 && math.Abs(rest) >= (1-mostOf)*math.Abs(exposed.Delta):
		return fmt.Sprintf("compute hides %s of the transfer (%s), and the transfer itself %s", less, sc.SignedWith(rest), moved(whole, sc)), streamAdvice + " " + networkAdvice
	}
	return "the transfer itself " + moved(whole, sc), networkAdvice
}

const (
	streamAdvice  = "Look at what the streams wait for around the collectives: bucket sizes, stream priorities, synchronizations."
	networkAdvice = "Look at the links, NCCL's settings and the placement of ranks; record the network ports to see whether they are full."
)

// arrivals says whether communication changed because ranks arrive at other
// times or because the transfer took another time; "" where the captures do not
// separate the two. The transfer itself is the whole of it, exposed or not: a late
// rank can push a transfer out of what hides it, and the network is as before. told is what
// a finding about late ranks tells already.
func arrivals(r *Report, told *lateTold) (why, advice string) {
	wait, exposed, whole := metricOf(r.Parts, run.ExposedWaitTime), metricOf(r.Parts, run.ExposedTransferTime), metricOf(r.Parts, run.CommTransferTime)
	if wait == nil || exposed == nil || whole == nil || math.IsNaN(wait.Delta) || math.IsNaN(exposed.Delta) || math.IsNaN(whole.Delta) {
		return "", ""
	}
	sc := number.ScaleOf("s", math.Max(math.Max(wait.Base, wait.Cand), math.Max(whole.Base, whole.Cand)))
	w, t := math.Abs(wait.Delta), math.Abs(exposed.Delta)
	transfer := "the transfer itself " + moved(whole, sc)
	switch {
	case w >= mostly*t && wait.Delta < 0:
		return fmt.Sprintf("ranks arrive closer together (waiting %s); %s", moved(wait, sc), transfer), ""
	case w >= mostly*t:
		advice = "Look at who arrives last and why (Collectives, who waits for whom)"
		if still(whole) {
			advice += map[bool]string{true: "; the network is not the cause", false: "; nothing points to the network"}[whole.Verdict == Unchanged]
		}
		return fmt.Sprintf("ranks arrive further apart (waiting %s); %s", moved(wait, sc), transfer), advice + "."
	case pushedOut(r, told):
		return pushedWhy(whole, exposed, sc)
	case t >= mostly*w && hidden(r, exposed):
		return transferWhy(r, exposed)
	case t >= mostly*w:
		why, advice = transferWhy(r, exposed)
		return fmt.Sprintf("%s; waiting for late ranks %s", why, moved(wait, sc)), advice
	case hidden(r, exposed):
		return fmt.Sprintf("waiting for late ranks %s; %s, of which %s is exposed", moved(wait, sc), transfer, fromTo(exposed, sc)),
			"Begin with who arrives last (Collectives): a late rank also pushes a transfer out of the compute that hides it."
	}
	return fmt.Sprintf("waiting for late ranks %s, %s", moved(wait, sc), transfer),
		"Both moved: begin with who arrives last (Collectives), since a late rank can also make a transfer longer."
}

// pushedOut reports whether the late ranks that were told of are why another part of the
// transfer is exposed, and waiting for them is not what changed.
func pushedOut(r *Report, told *lateTold) bool {
	wait, exposed := metricOf(r.Parts, run.ExposedWaitTime), metricOf(r.Parts, run.ExposedTransferTime)
	if wait == nil || exposed == nil || !(math.Abs(exposed.Delta) >= mostly*math.Abs(wait.Delta)) {
		return false
	}
	return hidden(r, exposed) && told.pushes(exposed)
}

// pushedWhy says that late ranks are why another part of the transfer is hidden.
func pushedWhy(whole, exposed *Comparison, sc number.Scale) (why, advice string) {
	push := map[bool]string{true: "push", false: "no longer push"}[exposed.Delta > 0]
	return "late ranks " + push + " the transfer out of the compute that hides it; the transfer itself " + moved(whole, sc),
		"Begin with who arrives last (Collectives)."
}

// unseparable says why waiting and transfer cannot be told apart, where a capture does
// not hold what it needs.
func unseparable(r *Report) (why, advice string) {
	for _, side := range []*Side{&r.Base, &r.Cand} {
		for _, c := range side.Clocks {
			if c.Unseparable != "" && side.World != 1 { // the one rank of a job waits for nobody
				why, remedy, _ := strings.Cut(strings.TrimPrefix(c.Unseparable, "not separable: "), " (")
				what := "Capture all ranks of the job"
				if strings.HasPrefix(remedy, "summarize ") { // they were captured
					what = number.Capital(strings.TrimSuffix(remedy, ")"))
				}
				return "waiting for late ranks cannot be told from transfer, since " + why, what + " to tell waiting from transfer."
			}
		}
	}
	return "", ""
}

// still reports whether something moved by so little that no change is seen in it.
func still(c *Comparison) bool { return math.Abs(c.Delta) <= stays*math.Max(c.Base, c.Cand) }

// moved says where something came from and went, that it stayed, which has to be shown, or
// that no change is seen.
func moved(c *Comparison, sc number.Scale) string {
	switch {
	case still(c) && c.Verdict == Unchanged:
		return "stayed at " + sc.With(c.Cand)
	case still(c):
		return "shows no sign of a change (" + sc.Format(c.Base) + " and " + sc.With(c.Cand) + ")"
	case c.Delta < 0:
		return "fell " + fromTo(c, sc)
	}
	return "rose " + fromTo(c, sc)
}

func fromTo(c *Comparison, sc number.Scale) string {
	return "from " + sc.Format(c.Base) + " to " + sc.With(c.Cand)
}

// The two parts of exposed communication, where they move against each other.
var (
	exposedWait     = subject{metric: run.ExposedWaitTime, kind: KindWait}
	exposedTransfer = subject{metric: run.ExposedTransferTime, kind: KindTransfer}
)

// against are the findings about waiting and transfer where they are told one by one,
// so that nothing is left to say of their sum: where one grew and the other shrank, and
// where the finding about stragglers told the waiting.
func (p *pair) against(r *Report, told *lateTold) (out []Finding, all bool) {
	wait, transfer := metricOf(r.Parts, run.ExposedWaitTime), metricOf(r.Parts, run.ExposedTransferTime)
	least := p.least()
	if wait == nil || transfer == nil || math.IsNaN(wait.Delta) || math.IsNaN(transfer.Delta) {
		return nil, false
	}
	matters := func(c *Comparison) bool { return math.Abs(c.Delta) >= least && c.changed() }
	waiting := told != nil && (math.Abs(wait.Delta-told.wait) < math.Max(least, math.Abs(wait.Delta)*(mostlyTold-1)) ||
		told.wait*wait.Delta > 0 && math.Abs(wait.Delta) <= math.Abs(told.wait)) // what is exposed of it can be less
	if !waiting && !(wait.Delta*transfer.Delta < 0 && matters(wait) && matters(transfer)) {
		return nil, false
	}
	if matters(transfer) {
		f := p.about(exposedTransfer, transfer)
		why, advice := transferWhy(r, transfer)
		whole := metricOf(r.Parts, run.CommTransferTime)
		if f.pushed = whole != nil && hidden(r, transfer) && told.pushes(transfer); f.pushed {
			why, advice = pushedWhy(whole, transfer, whole.scale())
		}
		if whole != nil && math.Abs(transfer.Base-whole.Base)+math.Abs(transfer.Cand-whole.Cand) <= stays*(whole.Base+whole.Cand) {
			why, f.pushed = "it is all of the transfer, none is hidden", false
		}
		if why != "" {
			f.add(": " + why)
			if f.Class == "worse" {
				f.Advice = advice
			}
		}
		f.tellMean(transfer)
		out = append(out, f)
	}
	if !waiting {
		f := p.about(exposedWait, wait)
		f.tellMean(wait)
		out = append(out, f)
	}
	return out, true
}
