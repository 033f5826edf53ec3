package cause

import (
	"slices"

	"perfdiff/analyze/run"
	"perfdiff/diff/policy"
	"perfdiff/diff/sides"
	"perfdiff/diff/verdict"
)

// Finding is one thing to know about the change, in the metric's unit. How people read its
// numbers is for render/words.
type Finding struct {
	Kind   policy.Kind `report:"kind"`
	Metric string      `report:"metric"` // where it is measured; Part "" is the metric itself
	Part   string      `report:"part"`
	Ranks  []int       `report:"ranks"` // that it is about, in order; nil: all, or it is not known which
	Steps  []int64     `report:"steps"` // numbers of those that it is about; nil: all that are compared
	// Base and Cand are the two values, and Delta is the change that the finding is about: the
	// latter less the former, of the means that tables show, or where the kind says so as it was
	// tested. NaN: not known, or nothing that the kind has.
	Base  float64 `report:"value.baseline"`
	Cand  float64 `report:"value.candidate"`
	Delta float64 `report:"delta"`
	// Estimate, Lo and Hi are the change of the metric as it was tested; Relative says that they are
	// fractions of a baseline that is zero. Where Estimate is NaN Lo and Hi are the interval of Delta,
	// NaN where there is none. Shown is Delta, see Change.
	Estimate  float64 `report:"estimate"`
	Lo        float64 `report:"low"`
	Hi        float64 `report:"high"`
	Relative  bool    `report:"relative"`
	OfMeans   bool    `report:"of_means"`   // Base, Cand and Delta are of means, as the waterfall has them
	Unit      string  `report:"unit"`       // of all of them: "s", "B/s", "ratio", "1"; "" none has a number
	EachSpike float64 `report:"each_spike"` // s, what one of several adds, of spikes; else NaN

	Class    verdict.Class `report:"class"`
	Clauses  []Clause      `report:"because"`   // what is said behind the sentence, in order
	Evidence Evidence      `report:"stands_on"` // which ranks, steps and spans it stands on
	Advice   Advice        `report:"next"`      // what to do, or to record, next
	Section  string        `report:"section"`   // the section of the page that shows it: "steps", "io"
	Effect   float64       `report:"effect"`    // s per step, for ranking
	Reasons  []Reason      `report:"reasons"`   // what the sentence explains itself with; nil nothing

	Where    []SidePlace     `report:"where"` // a step of each side in which it is to be seen
	Profiles []KernelProfile `report:"ncu"`   // how the kernels that it blames are looked into

	// What single kinds hold beside their numbers; nil, or the zero value, of others.
	Late        *LateChange          `report:"details.late,omitempty"`         // of straggler and late-ranks
	Level       *LevelDetails        `report:"details.level,omitempty"`        // of level-change
	Spikes      *SpikeDetails        `report:"details.spikes,omitempty"`       // of spike and shared-spike
	Lines       *[2]Line             `report:"details.lines,omitempty"`        // of drift: how the steps of either side go
	WarmUp      *WarmUpCosts         `report:"details.warm_up,omitempty"`      // of warm-up
	Clocks      *verdict.ClockPair   `report:"details.clocks,omitempty"`       // of kernel-shift; nil: not sampled
	Copies      *CopyChange          `report:"details.copies,omitempty"`       // of pageable-copies
	Reads       *ReadDetails         `report:"details.reads,omitempty"`        // of read-throughput, where it is told, and of read-bursts
	Kernel      *Kernel              `report:"details.kernel,omitempty"`       // of kernel-alone
	Call        *Call                `report:"details.call,omitempty"`         // of call and other-kernel
	Calls       *[2]CallLengths      `report:"details.calls,omitempty,list"`   // of collective-spread and collective-tail
	Pipeline    *[2]Pipeline         `report:"details.pipeline,omitempty"`     // of pipeline-bubble: both sides
	Rate        *WorkRate            `report:"details.work_rate,omitempty"`    // of work-rate
	Work        *OperatorWork        `report:"details.work,omitempty"`         // of work-shrank and work-grew
	Others      *sides.OtherSteps    `report:"details.other_steps,omitempty"`  // of other-steps
	NotCompared *verdict.NotCompared `report:"details.not_compared,omitempty"` // of kinds-of-work
	Mix         []MixChange          `report:"details.mix,omitempty"`          // of load-mix, the largest classes first
	Fact        *verdict.Difference  `report:"details.fact,omitempty"`         // of library and not-comparable
	Side        string               `report:"details.side,omitempty"`         // of graph-replays: the one that replays; of other-kernel: the one that runs it
	Unsure      bool                 `report:"details.unsure,omitempty"`       // of compute-unchanged: it moved by more than what matters

	pushed   bool          // late ranks, of which another finding speaks, are its cause
	untested verdict.Class // better or worse, which no test between runs confirms
}

// add puts more at the end of the sentence.
func (f *Finding) add(more ...Clause) { f.Clauses = append(f.Clauses, more...) }

// Has reports whether a clause of a kind is said of it.
func (f *Finding) Has(kind ClauseKind) bool {
	return slices.ContainsFunc(f.Clauses, func(c Clause) bool { return c.Kind == kind })
}

// AllKernels reports whether most of it is what all kernels share.
func (f *Finding) AllKernels() bool {
	return slices.ContainsFunc(f.Clauses, func(c Clause) bool {
		return c.Kind == ClauseKernels && c.Kernels[0].Kind == KernelAll && c.Kernels[0].Delta/f.Effect >= onPart
	})
}

// changeFinding returns the finding about a change, with its evidence.
func changeFinding(p *Causes, s subject, c *verdict.Comparison) Finding {
	s = s.of(c)
	f := s.finding(c)
	f.tested(c)
	f.Evidence = sampleOf(c)
	return f
}

// addMean adds a clause on the median if it moved differently from the mean, which tables show. If the two moved
// in opposite directions the reader has to judge.
func (f *Finding) addMean(c *verdict.Comparison) {
	if !c.MeanApart.Is() {
		return
	}
	f.add(ClauseMean.clause())
	if c.MeanOpposes() && f.Class.Judges() {
		f.Class = verdict.ClassLook
	}
}

// finding returns the one about a change.
func (s subject) finding(c *verdict.Comparison) Finding {
	f := NewFinding(s.kind)
	f.of(c)
	f.Metric, f.Class, f.Section = s.metric, verdict.ClassWorse, s.section
	if (c.Delta < 0) == (c.Metric.Better == run.Lower) {
		f.Class = verdict.ClassBetter
	}
	if c.Metric.Unit == "s" {
		f.Effect = f.Delta
	}
	return f
}

// Reason is one part of the explanation of a finding, in s a step. The reasons of one finding come from one partition
// of its whole, as the waterfall has it: they never add up to more than the change of the whole.
type Reason struct {
	Metric string   `report:"metric"` // where it is measured; Part "other": all causes that are not named
	Part   string   `report:"part"`
	Base   float64  `report:"mean.baseline"` // means over runs, used steps and ranks
	Cand   float64  `report:"mean.candidate"`
	Places []string `report:"places"` // where in the program the host is, the most first; nil: not recorded, or not asked
	Most   bool     `report:"most"`   // of its change is in Places
}
