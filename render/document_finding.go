package render

import (
	"cmp"
	"slices"

	"perfdiff/diff/cause"
	"perfdiff/diff/verdict"
	"perfdiff/render/words"
)

// Clause is one thing that is said behind the sentence of a finding.
type Clause struct {
	Kind    string       `json:"kind"`    // "cause-transfer", "besides-clock", "step-by-less", …
	Side    string       `json:"side"`    // whose it is; "": of both
	Names   []string     `json:"names"`   // kernels, places, ranges, parts
	Most    bool         `json:"most"`    // of places: most of it is there
	Ranks   []int        `json:"ranks"`   // that it is about; []: all, or none in particular
	Value   Both[Number] `json:"value"`   // of both sides, s a step; null: it has none
	Delta   Number       `json:"delta"`   // of s a step, or a fraction, as the kind says
	Share   Number       `json:"share"`   // a fraction
	Kernels []KernelPart `json:"kernels"` // that it is about, the largest change first
}

func clauseDocument(c *cause.Clause) Clause {
	return Clause{string(c.Kind), c.Side, neverNil(words.Names(c)), c.Most, neverNil(slices.Clone(c.Ranks)),
		bothNumbers(c.Base, c.Cand), Number(c.Delta), Number(c.Share), documentsOf(c.Kernels, kernelPartDocument)}
}

// KernelPart is what one kernel, or some in others' place, has in a change of compute.
type KernelPart struct {
	Kind   string       `json:"kind"`   // "kernel", "replaced", "others", "all"
	Gone   []string     `json:"gone"`   // kernels that the candidate does not run
	Came   []string     `json:"came"`   // those in their place
	Kernel *Kernel      `json:"kernel"` // the one that changed; null: not one
	Shift  Number       `json:"shift"`  // of all kernels, a fraction
	Time   Both[Number] `json:"time"`   // s a step
	Delta  Number       `json:"delta"`  // s a step
}

func kernelPartDocument(x *cause.KernelPart) KernelPart {
	return KernelPart{x.Kind, neverNil(slices.Clone(x.Gone)), neverNil(slices.Clone(x.Came)), optional(x.Kernel, kernelDocument),
		Number(x.Shift), bothNumbers(x.Base, x.Cand), Number(x.Delta)}
}

// Evidence is on what a finding stands.
type Evidence struct {
	Kind   string `json:"kind"`   // "sample", "spikes", "calls", …
	Metric string `json:"metric"` // of the comparison that it stands on; "": on none
	Part   string `json:"part"`
	Counts []int  `json:"counts"` // as the kind says
	Peers  []Peer `json:"peers"`  // what stands beside it and was tested with it
}

// Peer is what stands beside a finding.
type Peer struct {
	Part   string `json:"part"`
	Change Number `json:"change"` // a fraction
}

func evidenceDocument(e *cause.Evidence) Evidence {
	return Evidence{string(e.Kind), e.Of.Metric, e.Of.Part, e.Counts[:],
		documentsOf(e.Peers, func(p *cause.Peer) Peer { return Peer{p.Part, Number(p.Change)} })}
}

// Advice is what to do, or to record, next.
type Advice struct {
	Kind   string `json:"kind"`   // "network", "record", …; "": nothing
	Metric string `json:"metric"` // what it is about
	Part   string `json:"part"`
	Name   string `json:"name"` // a range, a table, what is not recorded
}

func adviceDocument(a *cause.Advice) Advice {
	return Advice{string(a.Kind), a.Of.Metric, a.Of.Part, cmp.Or(a.Name, words.Need(a.Need))}
}

// Details are what single kinds of findings hold beside their numbers. What a finding does
// not have is left out.
type Details struct {
	Late        *LateChange     `json:"late,omitempty"`         // of straggler and late-ranks
	Level       *LevelDetails   `json:"level,omitempty"`        // of level-change
	Spikes      *SpikeDetails   `json:"spikes,omitempty"`       // of spike and shared-spike
	Lines       *Both[StepLine] `json:"lines,omitempty"`        // of drift: how the steps of either side go
	WarmUp      *Both[Number]   `json:"warm_up,omitempty"`      // of warm-up: s that it costs once
	Clocks      *Both[Number]   `json:"clocks,omitempty"`       // of kernel-shift: Hz, as sampled
	Copies      *CopyChange     `json:"copies,omitempty"`       // of pageable-copies
	Reads       *Both[ReadSide] `json:"reads,omitempty"`        // of read-throughput and read-bursts: how either side reads
	Kernel      *Kernel         `json:"kernel,omitempty"`       // of kernel-alone
	Call        *Call           `json:"call,omitempty"`         // of call and other-kernel
	Calls       *[2]CallLengths `json:"calls,omitempty"`        // of collective-spread and collective-tail: of the baseline, of the candidate
	Pipeline    *Both[Pipeline] `json:"pipeline,omitempty"`     // of pipeline-bubble
	Rate        *WorkRate       `json:"work_rate,omitempty"`    // of work-rate
	Work        *OperatorWork   `json:"work,omitempty"`         // of work-shrank and work-grew
	NotCompared *NotCompared    `json:"not_compared,omitempty"` // of kinds-of-work
	Mix         []MixChange     `json:"mix,omitempty"`          // of load-mix
	Fact        *Difference     `json:"fact,omitempty"`         // of library and not-comparable
	Side        string          `json:"side,omitempty"`         // of graph-replays and other-kernel: the one that replays, or runs it
	Unsure      bool            `json:"unsure,omitempty"`       // of compute-unchanged: it moved by more than what matters
}

func detailsDocument(f *cause.Finding) Details {
	out := Details{
		Late: optional(f.Late, lateDocument), Level: optional(f.Level, levelDetailsDocument), Spikes: optional(f.Spikes, spikesDocument),
		Copies: optional(f.Copies, copyChangeDocument),
		Reads:  optional(f.Reads, readDetailsDocument), Kernel: optional(f.Kernel, kernelDocument), Call: optional(f.Call, callDocument), Calls: optional(f.Calls, lengthsDocument), Rate: optional(f.Rate, rateDocument), Work: optional(f.Work, workDocument), Pipeline: optional(f.Pipeline, pipelinesDocument),
		NotCompared: optional(f.NotCompared, notComparedDocument), Mix: documentsOf(f.Mix, mixDocument), Fact: optional(f.Fact, differenceDocument),
		Side: f.Side, Unsure: f.Unsure,
	}
	if c := f.Lines; c != nil {
		out.Lines = &Both[StepLine]{lineOf(&c[0]), lineOf(&c[1])}
	}
	if c := f.Clocks; c != nil {
		clocks := bothNumbers(c.Base, c.Cand)
		out.Clocks = &clocks
	}
	if w := f.WarmUp; w != nil {
		costs := bothNumbers(w.Base, w.Cand)
		out.WarmUp = &costs
	}
	return out
}

// optional is of(v), null in JSON where there is no v.
func optional[T, D any](v *T, of func(*T) D) *D {
	if v == nil {
		return nil
	}
	out := of(v)
	return &out
}

// LateChange is what a finding about late ranks says of both sides.
type LateChange struct {
	Candidate   *Late  `json:"candidate"`     // the candidate's; null: it is about the baseline's alone
	Baseline    *Late  `json:"baseline"`      // the baseline's; null: it is about the candidate's alone
	OnOtherSide Number `json:"on_other_side"` // s a step: what the same ones take longer on the other side; null: nothing worth a word
	LessLate    bool   `json:"less_late"`     // the baseline's late ranks are late in the candidate too, and less
}

// Late is who arrives last on a side, and with what.
type Late struct {
	Kind     string     `json:"kind"`  // "rank", "ranks", "node", "rotating"
	Ranks    []int      `json:"ranks"` // [] of rotating
	Host     string     `json:"host"`
	Share    Number     `json:"share"`     // of all collectives, at which they arrive last
	ByTime   bool       `json:"by_time"`   // the share is of all waiting
	LongerIn []LatePart `json:"longer_in"` // what they do longer than the others; []: unknown
}

// LatePart is something that late ranks do longer.
type LatePart struct {
	Metric string `json:"metric"`
	Part   string `json:"part"`
	Longer Number `json:"longer"` // s a step
}

func lateDocument(x *cause.LateChange) LateChange {
	of := func(l *cause.Late) Late {
		out := Late{Kind: l.Kind, Ranks: neverNil(slices.Clone(l.Ranks)), Host: l.Host, Share: Number(l.Share), ByTime: l.ByTime, LongerIn: []LatePart{}}
		for i, key := range l.LongerIn {
			out.LongerIn = append(out.LongerIn, LatePart{key.Metric, key.Part, Number(l.LongerBy[i])})
		}
		return out
	}
	return LateChange{optional(x.Cand, of), optional(x.Base, of), Number(x.OnOtherSide), x.LessLate}
}

// LevelDetails is what a finding about a change of level says of both sides.
type LevelDetails struct {
	Larger    SideLevel  `json:"larger"`     // that of the side with the larger change
	Other     *SideLevel `json:"other"`      // of the other side; null: its runs stay on one level
	OtherLine StepLine   `json:"other_line"` // how the steps of the other side go
}

// SideLevel is the change of level of a side: of the run in the middle.
type SideLevel struct {
	Side   string `json:"side"`
	Run    string `json:"run"`
	Runs   int    `json:"runs"`    // with a change of level
	OfRuns int    `json:"of_runs"` // runs of the side
	Level  *Level `json:"level"`
}

func levelDetailsDocument(x *cause.LevelDetails) LevelDetails {
	of := func(l *cause.SideLevel) SideLevel {
		return SideLevel{l.Side, l.Run, l.Runs, l.OfRuns, levelDocument(l.LevelChange)}
	}
	return LevelDetails{of(&x.Larger), optional(x.Other, of), lineOf(&x.OtherLine)}
}

// StepLine is how the steps of a side go over its runs.
type StepLine struct {
	Trend  int    `json:"trend"`  // 1: they grow, -1: they shrink, 0: neither
	Median Number `json:"median"` // s
	First  Number `json:"first"`  // s, where the line through them begins; null: level, or not known
	Last   Number `json:"last"`
}

func lineOf(c *cause.Line) StepLine {
	return StepLine{c.Trend, Number(c.Median), Number(c.First), Number(c.Last)}
}

// SpikeDetails is what a finding about spikes says beside what they cost.
type SpikeDetails struct {
	Side  string       `json:"side"`  // the one that it is about; "": both have them
	Worst Stability    `json:"worst"` // the run with the worst ones
	Other *Stability   `json:"other"` // the other side's worst; null: none to speak of
	Step  Both[Number] `json:"step"`  // s, of shared spikes: what such a step takes
}

func spikesDocument(x *cause.SpikeDetails) SpikeDetails {
	return SpikeDetails{x.Side, stabilityDocument(&x.Worst), optional(x.Other, stabilityDocument), bothNumbers(x.Base, x.Cand)}
}

// CallLengths are the calls of one collective on one side.
type CallLengths struct {
	Median    Number `json:"median"`             // s
	P95       Number `json:"p95"`                // s
	Deviation Number `json:"standard_deviation"` // s
	Long      Number `json:"long"`               // calls of twice the median or longer, in 100 steps
}

func lengthsDocument(of *[2]cause.CallLengths) [2]CallLengths {
	one := func(c *cause.CallLengths) CallLengths {
		return CallLengths{Number(c.Median), Number(c.P95), Number(c.Deviation), Number(c.Long)}
	}
	return [2]CallLengths{one(&of[0]), one(&of[1])}
}

// WorkRate is how much more work the candidate does in a second.
type WorkRate struct {
	Fixed   bool   `json:"fixed"`   // captures of one length, which a clock ended
	Length  Number `json:"length"`  // s, of the baseline's where fixed
	Rate    Number `json:"rate"`    // work a second over the baseline's, of the median kernel
	Low     Number `json:"low"`     // of the kernel whose rate changed least
	High    Number `json:"high"`    // of that whose rate changed most
	Kernels int    `json:"kernels"` // that both repeat
}

func rateDocument(w *cause.WorkRate) WorkRate {
	return WorkRate{w.Fixed, Number(w.Length), Number(w.Rate), Number(w.Lo), Number(w.Hi), w.Kernels}
}

// OperatorWork is how the work of a step and its rate differ between the sides.
type OperatorWork struct {
	Change       Number       `json:"change"` // of the FLOPs of a step, a fraction
	Other        bool         `json:"other"`  // they are other ones, by as much as matters
	Rate         Both[Number] `json:"rate"`   // FLOP/s
	OtherRate    bool         `json:"other_rate"`
	ExplainsStep bool         `json:"explains_step"` // most of the change of the step is that of its work
}

func workDocument(w *cause.OperatorWork) OperatorWork {
	return OperatorWork{Number(w.Change), w.Other, bothNumbers(w.BaseRate, w.CandRate), w.OtherRate, w.ExplainsStep}
}

// NotCompared is why kinds of work are not compared.
type NotCompared struct {
	NoCommunication  string `json:"no_communication"`   // the side on which no communication is recognised; ""
	ReplaysAsRows    string `json:"replays_as_rows"`    // the side that shows replays as one row each; ""
	ReplaysAsKernels string `json:"replays_as_kernels"` // the one that shows them kernel by kernel; ""
	BetweenKernels   Number `json:"between_kernels"`    // s a step between the kernels of replays
	IdleToBusy       Number `json:"idle_to_busy"`       // s a step that were idle without a row and are busy in one
}

func notComparedDocument(u *verdict.NotCompared) NotCompared {
	return NotCompared{u.NoCommunication, u.ReplaysAsRows, u.ReplaysAsKernels, Number(u.BetweenKernels), Number(u.IdleToBusy)}
}

// MixChange is one thing that differs in the mix of engine steps.
type MixChange struct {
	Kind  string       `json:"kind"`  // "share", "context", "size", "group"
	Class string       `json:"class"` // of the steps
	Unit  string       `json:"unit"`  // of contexts and sizes
	Value Both[Number] `json:"value"` // as the kind says
	Group *LoadGroup   `json:"group"` // that one side alone has; null: it is about a class
}

func mixDocument(x *cause.MixChange) MixChange {
	return MixChange{x.Kind, x.Class, words.MixUnit(x), bothNumbers(x.Base, x.Cand), optional(x.Group, loadDocument)}
}
