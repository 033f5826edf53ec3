package render

import (
	"slices"
	"strconv"

	"perfdiff/analyze/run"
	"perfdiff/diff/cause"
	"perfdiff/render/words"
)

// Waterfall is the change of the mean step as the sum of the changes of its
// parts, in seconds a step.
type Waterfall struct {
	Parts    []Part       `json:"parts"` // [] where the sides have no breakdown
	Mean     Both[Number] `json:"mean"`  // the sums of the parts
	Delta    Number       `json:"delta"`
	Median   Both[Number] `json:"median"`   // of the verdict
	Residual Number       `json:"residual"` // change of the median less that of the mean
}

// Part is one row of it.
type Part struct {
	PartChange
	Within []PartChange `json:"within"` // what it is made of; they add up to it
}

// PartChange is a part of the step on both sides.
type PartChange struct {
	Kind   string       `json:"kind"` // "compute", "transfer", "wait", "comm", "memory", "idle", or a cause of idle time
	Name   string       `json:"name"`
	Metric string       `json:"metric"` // where its values are
	Part   string       `json:"part"`
	Mean   Both[Number] `json:"mean"`
	Delta  Number       `json:"delta"`
	Low    Number       `json:"low"` // interval of delta; null: none
	High   Number       `json:"high"`
	Below  bool         `json:"below_noise"` // less than what runs are taken to differ by, on both sides: no interval
}

func waterfallDocument(w *cause.Waterfall) Waterfall {
	return Waterfall{
		Parts: documentsOf(w.Parts, partDocument), Mean: bothNumbers(w.Base, w.Cand), Delta: Number(w.Delta),
		Median: bothNumbers(w.MedianBase, w.MedianCand), Residual: Number(w.Residual),
	}
}

func partDocument(p *cause.Part) Part {
	return Part{changeDocument(&p.PartChange), documentsOf(p.Within, changeDocument)}
}

func changeDocument(p *cause.PartChange) PartChange {
	return PartChange{
		Kind: p.Kind, Name: words.StepPart(p.StepPart), Metric: p.Metric, Part: p.Part, Mean: bothNumbers(p.Base, p.Cand),
		Delta: Number(p.Delta), Low: Number(p.Lo), High: Number(p.Hi), Below: p.BelowNoise,
	}
}

// LongGap is one of the longest gaps of a side.
type LongGap struct {
	Rank      int               `json:"rank"`
	Step      int64             `json:"step"`
	At        Number            `json:"at"` // s from the start of the step
	Length    Number            `json:"length"`
	After     string            `json:"after"`      // what ran before it
	Before    string            `json:"before"`     // what ends it
	WaitedFor string            `json:"waited_for"` // what the device waited for: "launch", "input", "dependency", "unknown"
	Causes    map[string]Number `json:"causes"`     // s by cause; they add up to length
	Places    []Place           `json:"places"`     // where in the program the host is in its other work, the longest first
}

// Place is where in the program the host is while the device is idle.
type Place struct {
	Operator string `json:"operator"` // of the framework, the outermost
	Function string `json:"function"` // outside of operators
	Module   string `json:"module"`
	Time     Number `json:"time"` // s
}

func longGapDocument(g *cause.LongGap) LongGap {
	out := LongGap{Rank: g.Rank, Step: g.Step, At: nanoseconds(g.At), Length: nanoseconds(g.Length), After: g.After, Before: g.Before, WaitedFor: g.WaitedFor, Causes: map[string]Number{}}
	for _, c := range g.Causes {
		out.Causes[c.Name] = nanoseconds(c.Time)
	}
	out.Places = documentsOf(g.Places, func(p *run.HostPlace) Place { return Place{p.Operator, p.Function, p.Module, nanoseconds(p.Time)} })
	return out
}

func nanoseconds(ns int64) Number { return Number(float64(ns) / 1e9) }

// RankWait is one rank, and how long others wait for it in collectives. All times are in s a
// step.
type RankWait struct {
	Rank       int               `json:"rank"`
	Host       string            `json:"host"`
	LastShare  Number            `json:"last_share"`  // share of all collectives at which it arrives last
	CausedWait Number            `json:"caused_wait"` // time that all other ranks together wait for it
	WaitsFor   map[string]Number `json:"waits_for"`   // time that it waits itself, by the rank that arrives last
	LongerBy   map[string]Number `json:"longer_by"`   // time by which it is longer than the median rank: "compute", "input", "host"
}

func rankWaitDocument(b *cause.RankWait) RankWait {
	out := RankWait{Rank: b.Rank, Host: b.Host, LastShare: Number(b.LastShare), CausedWait: Number(b.CausedWait), WaitsFor: map[string]Number{}, LongerBy: map[string]Number{}}
	for rank, v := range b.WaitsFor {
		out.WaitsFor[strconv.Itoa(rank)] = Number(v)
	}
	for what, v := range b.LongerBy {
		out.LongerBy[what] = Number(v)
	}
	return out
}

// Bound is the mean step if one thing cost nothing, in seconds.
type Bound struct {
	Name   string       `json:"name"`
	Method string       `json:"method"`
	Step   Both[Number] `json:"step"` // null: not known
}

func boundDocument(b *cause.Bound) Bound {
	name, method := words.Bound(b)
	return Bound{name, method, bothNumbers(b.Base, b.Cand)}
}

// Quantile is one of the step times.
type Quantile struct {
	Percent int          `json:"percent"`
	Step    Both[Number] `json:"step"` // s
}

func quantileDocument(q *cause.QuantilePoint) Quantile {
	return Quantile{q.Percent, bothNumbers(q.Base, q.Cand)}
}

// Stability is how steadily a run goes on: its warm-up, drift, change of level and spikes.
type Stability struct {
	Run        string  `json:"run"`
	WarmUp     int     `json:"warm_up"`      // steps of its warm-up
	WarmUpCost Number  `json:"warm_up_cost"` // s, what they take beyond as many usual steps
	Drift      Number  `json:"drift"`        // rise of the step time from the first to the last step, or from level to level, a fraction
	Level      *Level  `json:"level"`        // null: it stays on one level, or changes gradually
	Spikes     []int64 `json:"spikes"`       // numbers of the steps at which they begin
	Period     int     `json:"period"`       // steps from spike to spike; 0: they have none
	Excess     Number  `json:"excess"`       // s, what a spike adds to its step
	Cost       Number  `json:"cost"`         // s a step that spikes add, over all used steps
	Part       string  `json:"part"`         // part of the step that grows most in spikes
	Range      string  `json:"range"`        // range that occurs once for each spike and takes about as long
}

func stabilityDocument(c *cause.Stability) Stability {
	return Stability{c.Run, c.WarmUp, Number(c.WarmUpCost), Number(c.Drift), levelDocument(c.Level), neverNil(slices.Clone(c.Spikes)), c.Period, Number(c.Excess), Number(c.Cost), words.StepPart(c.Part), c.Range}
}

// Level is a change of level inside a run.
type Level struct {
	Step       int64  `json:"step"`   // number of the first step on the new level
	Steps      int    `json:"steps"`  // used steps from it on
	Before     Number `json:"before"` // s, median step on the level before
	After      Number `json:"after"`  // s, on the new one
	Change     Number `json:"change"` // of the step time, a fraction
	Low        Number `json:"low"`    // of its interval
	High       Number `json:"high"`   // of its interval
	Cost       Number `json:"cost"`   // s, what it adds to the run's mean step
	Part       string `json:"part"`   // part of the step that changed; "" if no recorded part made half of the change
	Metric     string `json:"metric"` // where the values of that part are
	MetricPart string `json:"metric_part"`
	PartBefore Number `json:"part_before"` // s a step, on these ranks
	PartAfter  Number `json:"part_after"`
	Ranks      []int  `json:"ranks"`       // ranks whose own work changed; []: it is shared by all
	AllRanks   bool   `json:"all_ranks"`   // ranks are all ranks
	AllKernels bool   `json:"all_kernels"` // of compute: all kernels changed by about the same share
	MoreCalls  bool   `json:"more_calls"`  // the number of launches changed
	Kernel     string `json:"kernel"`      // kernel that made most of the change; "" none
	// Clock is that of the devices of these ranks, Hz as sampled, before and from the step on; 0: it was not.
	Clock []Number `json:"clock"`
}

func levelDocument(l *cause.LevelChange) *Level {
	if l == nil {
		return nil
	}
	return &Level{
		Step: l.Step, Steps: l.Steps, Before: Number(l.Before), After: Number(l.After), Change: Number(l.Change), Low: Number(l.Lo), High: Number(l.Hi),
		Cost: Number(l.Cost), Part: words.StepPart(l.Part), Metric: l.Part.Metric, MetricPart: l.Part.Part, PartBefore: Number(l.PartBefore), PartAfter: Number(l.PartAfter), Ranks: neverNil(slices.Clone(l.Ranks)),
		AllRanks: l.All, AllKernels: l.AllKernels, MoreCalls: l.MoreCalls, Kernel: l.Kernel,
		Clock: []Number{Number(l.Clock[0]), Number(l.Clock[1])},
	}
}

// documentsOfBoth converts the lists of both sides.
func documentsOfBoth[T, D any](lists [2][]T, of func(*T) D) Both[[]D] {
	return Both[[]D]{documentsOf(lists[0], of), documentsOf(lists[1], of)}
}

// Clocks is how the clocks of a run's hosts agree, and how many communication kernels
// were matched over ranks.
type Clocks struct {
	Hosts        []HostClock `json:"hosts"`
	NotAligned   []string    `json:"not_aligned"`   // hosts of which only the wall clock is known
	Residual     Number      `json:"residual"`      // s: median distance of ends once clocks are aligned
	HostResidual Number      `json:"host_residual"` // s: the same between ranks of one host
	Used         int         `json:"used"`          // collectives that it stands on; 0: not aligned
	Matched      int         `json:"matched"`
	Kernels      int         `json:"kernels"`
	PointToPoint int         `json:"point_to_point"` // kernels without their peer's
	Unsplit      int         `json:"unsplit"`        // matched kernels that could not be split into wait and transfer
	Inseparable  string      `json:"inseparable"`    // why wait and transfer of some or all kernels cannot be told apart
}

// HostClock is the clock of one host beside the median one.
type HostClock struct {
	Host   string `json:"host"`
	Offset Number `json:"offset"` // s ahead, in the middle of the run
	Drift  Number `json:"drift"`  // s a second
}

func clocksDocument(c *run.Clocks) Clocks {
	return Clocks{
		Hosts: documentsOf(c.Hosts, func(h *run.HostClock) HostClock {
			return HostClock{h.Host, nanoseconds(h.Offset), Number(h.Drift * 1e-9)}
		}),
		NotAligned: neverNil(slices.Clone(c.NotAligned)), Residual: nanoseconds(c.Residual), HostResidual: nanoseconds(c.HostResidual),
		Used: c.Used, Matched: c.Matched, Kernels: c.Kernels, PointToPoint: c.PointToPoint, Unsplit: c.Unsplit, Inseparable: c.Inseparable,
	}
}
