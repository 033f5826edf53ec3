package cause

import (
	"cmp"
	"math"
	"slices"

	"perfdiff/analyze/run"
	"perfdiff/diff/policy"
	"perfdiff/diff/sides"
	"perfdiff/diff/verdict"
)

// Finding is one thing to know about the change, in the metric's unit. How people read its
// numbers is for render/words.
type Finding struct {
	Kind         policy.Kind
	Metric, Part string  // where it is measured; Part "" is the metric itself
	Ranks        []int   // that it is about, in order; nil: all, or it is not known which
	Steps        []int64 // numbers of those that it is about; nil: all that are compared
	// Base and Cand are the two values, and Delta is the change that the finding is about: the
	// latter less the former, of medians, or where the kind says so as it was tested. NaN:
	// not known, or nothing that the kind has.
	Base, Cand, Delta float64
	// Lo and Hi are the interval of Delta, NaN where there is none. Estimate is the change as
	// it was tested, where the interval is that of the test and not put on the medians; else
	// NaN. Relative says that these three are fractions of the baseline.
	Estimate, Lo, Hi float64
	Relative         bool
	OfMeans          bool    // Base, Cand and Delta are of means, as the waterfall has them
	Unit             string  // of all of them: "s", "B/s", "ratio", "1"; "" none has a number
	EachSpike        float64 // s, what one of several adds, of spikes; else NaN

	Class    string   // "better", "worse", "unchanged", "stayed" (which is not sure), "remains", "look"
	Clauses  []Clause // what is said behind the sentence, in order
	Evidence Evidence // which ranks, steps and spans it stands on
	Advice   Advice   // what to do, or to record, next
	Section  string   // the section of the page that shows it: "steps", "io"
	Effect   float64  // s per step, for ranking
	Reasons  []Reason // what the sentence explains itself with; nil nothing

	// What single kinds hold beside their numbers; nil, or the zero value, of others.
	Late        *LateChange          // of straggler and late-ranks
	Level       *LevelDetails        // of level-change
	Spikes      *SpikeDetails        // of spike and shared-spike
	Lines       *[2]Line             // of drift: how the steps of either side go
	WarmUp      *WarmUpCosts         // of warm-up
	Kernel      *Kernel              // of kernel-alone
	Call        *Call                // of call and other-kernel
	Rate        *WorkRate            // of work-rate
	NotCompared *verdict.NotCompared // of kinds-of-work
	Mix         []MixChange          // of load-mix, the largest classes first
	Fact        *verdict.Difference  // of library and not-comparable
	Side        string               // of graph-replays: the one that replays; of other-kernel: the one that runs it
	Unsure      bool                 // of compute-unchanged: it moved by more than what matters

	pushed bool // late ranks, of which another finding speaks, are its cause
}

// maxFindings is how many sentences a reader takes in.
const maxFindings = 10

// findings are the sentences that say what changed and why: by size of their
// effect on the step; then what goes with it; then compute if it did not change,
// and the gap before a collective that is still there. A finding exists only
// where its evidence does.
func (p *Causes) findings() []Finding {
	if p.Identical {
		return nil
	}
	if !p.Decided() {
		return p.unjudgedFindings()
	}
	cause, told := p.stragglers() // says why others wait, and what compute skew would say
	changed := slices.Concat(p.levelFinding(), cause, p.SpikeFindings(), p.kernelFindings(), p.collectiveFindings(), p.changedTimes(told))
	for i := range changed {
		p.besideStep(&changed[i])
	}
	slices.SortStableFunc(changed, func(a, b Finding) int { return cmp.Compare(math.Abs(b.Effect), math.Abs(a.Effect)) })
	causeFirst(changed)
	var support []Finding
	if c := verdict.MetricOf(p.Metrics, computeSkew.metric); len(cause) == 0 && c != nil && c.Changed() && math.Abs(c.Delta) >= p.Least() {
		support = append(support, p.skewFinding(c))
	}
	drift := p.driftFinding()
	support = slices.Concat(support, drift, p.warmUpFinding())
	if len(drift) == 0 && len(p.levelFinding()) == 0 { // steps on a slope differ from one to the next as well
		support = append(support, p.jitterFinding()...)
	}
	support = slices.Concat(support, p.unlikeFinding(), p.libraryFinding())
	for _, s := range besideParts {
		c := verdict.MetricOf(p.Metrics, s.metric)
		if c == nil || !c.Changed() || s.metric == run.Overlap && told != nil && c.Delta*told.wait < 0 { // who waits hides less of it
			continue
		}
		support = append(support, p.about(s, c))
	}
	support = append(support, p.oneSided()...)
	tail := slices.Concat(p.mixFinding(), p.unchangedCompute(len(changed) > 0), p.gapFinding(len(changed)+len(support) > 0))
	room := maxFindings - len(tail)
	out := slices.Concat(changed, support)
	room = min(room, len(out))
	p.FindingsLeftOut = out[room:]
	return append(out[:room:room], tail...)
}

// skewFinding is the finding about the rank that computes longest, where it is not known
// whether others wait for it.
func (p *Causes) skewFinding(c *verdict.Comparison) Finding {
	f, s := p.about(computeSkew, c), p.Cand
	if c.Delta < 0 {
		s = p.Base
	}
	means := means(s, computing)
	top, most := 0, math.Inf(-1)
	for _, n := range sides.SortedKeys(means) {
		if means[n] > most {
			top, most = n, means[n]
		}
	}
	f.Ranks = []int{top}
	longest := ClauseLongest.clause()
	longest.Side, longest.Ranks, longest.Cand, longest.Delta = s.Name, f.Ranks, most, most-median(means)
	f.add(longest)
	if f.tellMean(c); f.Class == "worse" {
		f.Advice = Advice{Kind: AdviceLate, Of: computing}
	}
	return f
}

// add puts more at the end of the sentence.
func (f *Finding) add(more ...Clause) { f.Clauses = append(f.Clauses, more...) }

// changedTimes are the findings about parts of the step, the largest first.
// What contains another part that moved as far stands behind it, or is left
// out: it would say the same with less. So is what the finding about stragglers told.
func (p *Causes) changedTimes(told *explainedByLate) []Finding {
	against, whole := p.against(told)
	out := slices.Clone(against)
	said := map[string]float64{}
	for _, s := range partsOfStep {
		c := verdict.MetricOf(p.Metrics, s.metric)
		if c == nil || !c.Changed() {
			continue
		}
		if exposed := verdict.MetricOf(p.Metrics, run.ExposedCommTime); s.metric == run.CommTime && exposed != nil && !math.IsNaN(exposed.Delta) {
			continue // what is hidden costs nothing
		}
		if s.metric == run.ExposedCommTime && whole || told.explains(c) {
			continue
		}
		if within := said[run.InputWaitTime]; s.metric == run.IdleTime && within*c.Delta > 0 && math.Abs(within) >= math.Abs(c.Delta)/2 {
			continue
		}
		said[s.metric] = c.Delta
		f := p.about(s, c)
		because := func(why []Clause, advice Advice) {
			if len(why) > 0 {
				f.add(why...)
				f.Advice = advice
			}
		}
		switch s.metric {
		case run.ExposedCommTime:
			why, advice := Arrivals(p, told)
			if len(why) == 0 {
				why, advice = Inseparable(p)
			}
			because(why, advice)
			f.pushed = pushedOut(p, told)
		case run.IdleTime:
			why, advice, reasons := p.IdleWhy(c)
			because(why, advice)
			f.Reasons = reasons
		case run.ComputeTime:
			because(p.ComputeWhy(c))
		case run.ExposedMemoryTime:
			because(memoryWhy(p, c))
		case run.InputWaitTime:
			f.Advice = adviceOfIdle("input")
			if idle := p.idleInput(c); idle != nil {
				f.leftIdle(idle)
				said[s.metric] = idle.Delta
				break
			}
			f.add(p.idleOfInput(c)...)
		}
		if s.metric != run.InputWaitTime || f.Effect == c.Delta {
			f.tellMean(c)
		}
		if f.Class == "better" {
			f.Advice = Advice{}
		}
		out = append(out, f)
	}
	return append(out, p.idleCauses(said[run.IdleTime], told)...)
}

// about is the sentence about a change with what it stands on.
func (p *Causes) about(s subject, c *verdict.Comparison) Finding {
	s = s.of(c)
	f := s.finding(c)
	f.onMedians(c)
	f.Evidence = sampleOf(c)
	return f
}

// tellMean adds what the mean says where it tells another story: the waterfall shows it.
// A change of the median against that of the mean is for the reader to judge.
func (f *Finding) tellMean(c *verdict.Comparison) {
	if !c.MeanApart.Is() {
		return
	}
	f.add(ClauseMean.clause())
	if c.MeanOpposes() && (f.Class == "better" || f.Class == "worse") {
		f.Class = "look"
	}
}

// finding is the one about a change.
func (s subject) finding(c *verdict.Comparison) Finding {
	f := NewFinding(s.kind)
	f.of(c)
	f.Metric, f.Class, f.Section = s.metric, "worse", s.section
	if (c.Delta < 0) == (c.Metric.Better == run.Lower) {
		f.Class = "better"
	}
	if c.Metric.Unit == "s" {
		f.Effect = c.Delta
	}
	return f
}

// Reason is one part of what a finding explains itself with, in s a step. Reasons of one
// finding are of one partition of its whole, as the waterfall has it: they never add up to
// more than the whole changed by.
type Reason struct {
	Metric, Part string   // where it is measured; Part "other": all causes that are not named
	Base, Cand   float64  // means over runs, used steps and ranks
	Places       []string // where in the program the host is, the most first; nil: not recorded, or not asked
	Most         bool     // of its change is in Places
}
