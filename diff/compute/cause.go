package compute

import (
	"math"
	"sort"

	"perfdiff/analyze/source/ncu"
)

// least is the share of a change below which a factor is not named. Chosen, not measured: more than
// ten factors are never named.
const least = 0.1

// explain finds what the change of a time coincides with. The cycles of a kernel are its instructions times the
// latency of one, over the warps that are active at once (Little's law), and its time is the cycles over the clock; so
// the log of the time changes by the sum of the changes of the logs. What the latency adds is shared out among stalls
// by their own changes, over the logarithmic mean of both latencies, which leaves no rest (Ang 2005, the logarithmic
// mean Divisia index).
func (k *Kernel) explain(t *Measure) {
	total := math.Log(t.Cand.Median / t.Base.Median)
	rest := total
	add := func(c Cause, by float64) {
		if c.Share = by / total; !math.IsNaN(by) && !math.IsInf(by, 0) {
			rest -= by
			k.Causes = append(k.Causes, c)
		}
	}
	for _, f := range []struct {
		kind CauseKind
		id   string
		sign float64
	}{{CauseInstructions, ncu.Instructions, 1}, {CauseWarps, ncu.ActiveWarps, -1}, {CauseClock, ncu.Clock, -1}} {
		if m := k.quantity(f.id); m != nil && m.Base.Median > 0 && m.Cand.Median > 0 {
			add(Cause{Kind: f.kind, Unit: m.Unit, Base: m.Base.Median, Cand: m.Cand.Median}, float64(f.sign*math.Log(m.Cand.Median/m.Base.Median)))
		}
	}
	k.latency(add)
	sort.SliceStable(k.Causes, func(i, j int) bool { return k.Causes[i].Share > k.Causes[j].Share })
	if len(k.Causes) > 0 {
		k.Unexplained = rest / total
	}
	named := k.Causes[:0]
	for _, c := range k.Causes {
		if math.Abs(c.Share) >= least {
			named = append(named, c)
		}
	}
	k.Causes = named
	k.stallShare()
}

// latency adds the causes within the latency of an instruction, by stall where stalls are recorded in cycles.
func (k *Kernel) latency(add func(Cause, float64)) {
	var base, cand float64
	stalls := 0
	for _, m := range k.Stalls {
		if m.Unit == "cycle" {
			stalls++
			base, cand = base+known(m.Base.Median), cand+known(m.Cand.Median)
		}
	}
	m := k.quantity(ncu.Latency)
	if stalls < 2 || m != nil && (apart(base, m.Base.Median, part) || apart(cand, m.Cand.Median, part)) {
		// Not all stalls were recorded: some of them would be made to stand for all.
		if m != nil && m.Base.Median > 0 && m.Cand.Median > 0 {
			add(Cause{Kind: CauseLatency, Unit: m.Unit, Base: m.Base.Median, Cand: m.Cand.Median}, math.Log(m.Cand.Median/m.Base.Median))
		}
		return
	}
	mean := base
	if cand != base {
		mean = (cand - base) / math.Log(cand/base)
	}
	for _, m := range k.Stalls {
		if m.Unit == "cycle" {
			b, c := known(m.Base.Median), known(m.Cand.Median)
			add(Cause{Kind: CauseStall, Stall: m.ID, Unit: m.Unit, Base: b, Cand: c}, (c-b)/mean)
		}
	}
}

// part is by how much stalls may miss the latency that they add up to. Chosen, not measured: they are counted in
// other passes than it.
const part = 0.15

// known returns a median, 0 of a stall that one side did not have.
func known(v float64) float64 {
	if math.IsNaN(v) {
		return 0
	}
	return v
}

// stallShare names the stall whose share of the warps changed most, where stalls are recorded so.
func (k *Kernel) stallShare() {
	for _, m := range k.Stalls { // the largest change first
		if m.Unit == "ratio" && m.ID != "selected" && (m.Cand.Median-m.Base.Median)*k.Time.Estimate > 0 {
			k.Causes = append(k.Causes, Cause{Kind: CauseShare, Stall: m.ID, Unit: m.Unit, Base: m.Base.Median, Cand: m.Cand.Median, Share: math.NaN()})
			return
		}
	}
}

// FirstCause returns what the change of the time coincides with most, in its own direction: a stall or another factor;
// nil where nothing that was recorded does. A warp that issues is no stall.
func (k *Kernel) FirstCause() *Cause {
	for i := range k.Causes {
		if c := &k.Causes[i]; c.Stall != "selected" && !(c.Share < 0) {
			return c
		}
	}
	return nil
}
