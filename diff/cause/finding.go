package cause

import (
	"perfdiff/analyze/run"
	"perfdiff/diff/policy"
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
	// Estimate, Lo and Hi are the change of the metric as it was tested, which is the one that
	// is shown. Where Estimate is NaN Delta is shown, and Lo and Hi are its interval, NaN where
	// there is none. Relative says that the three are fractions of a baseline that is zero.
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
	Clocks      *verdict.ClockPair   // of kernel-shift; nil: not sampled
	Copies      *CopyChange          // of pageable-copies
	Reads       *ReadDetails         // of read-throughput, where it is told, and of read-bursts
	Kernel      *Kernel              // of kernel-alone
	Call        *Call                // of call and other-kernel
	Calls       *[2]CallLengths      // of collective-spread and collective-tail
	Pipeline    *[2]Pipeline         // of pipeline-bubble: both sides
	Rate        *WorkRate            // of work-rate
	Work        *OperatorWork        // of work-shrank and work-grew
	NotCompared *verdict.NotCompared // of kinds-of-work
	Mix         []MixChange          // of load-mix, the largest classes first
	Fact        *verdict.Difference  // of library and not-comparable
	Side        string               // of graph-replays: the one that replays; of other-kernel: the one that runs it
	Unsure      bool                 // of compute-unchanged: it moved by more than what matters

	pushed bool // late ranks, of which another finding speaks, are its cause
}

// add puts more at the end of the sentence.
func (f *Finding) add(more ...Clause) { f.Clauses = append(f.Clauses, more...) }

// changeFinding is the sentence about a change with what it stands on.
func changeFinding(p *Causes, s subject, c *verdict.Comparison) Finding {
	s = s.of(c)
	f := s.finding(c)
	f.tested(c)
	f.Evidence = sampleOf(c)
	return f
}

// addMean adds a clause on the mean where it moved otherwise than the median, as the waterfall shows.
// A change of the median against that of the mean is for the reader to judge.
func (f *Finding) addMean(c *verdict.Comparison) {
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
