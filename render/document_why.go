package render

import (
	"slices"
	"strconv"

	"perfdiff/analyze/run"
	"perfdiff/diff"
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
}

func waterfallDocument(w *diff.Waterfall) Waterfall {
	return Waterfall{
		Parts: each(w.Parts, partDocument), Mean: both(w.Base, w.Cand), Delta: Number(w.Delta),
		Median: both(w.MedianBase, w.MedianCand), Residual: Number(w.Residual),
	}
}

func partDocument(p *diff.Part) Part {
	return Part{changeDocument(&p.PartChange), each(p.Within, changeDocument)}
}

func changeDocument(p *diff.PartChange) PartChange {
	return PartChange{
		Kind: p.Kind, Name: p.Name, Metric: p.Metric, Part: p.Part, Mean: both(p.Base, p.Cand),
		Delta: Number(p.Delta), Low: Number(p.Lo), High: Number(p.Hi),
	}
}

// GapStory is one of the longest gaps of a side.
type GapStory struct {
	Rank   int               `json:"rank"`
	Step   int64             `json:"step"`
	At     Number            `json:"at"` // s from the start of the step
	Length Number            `json:"length"`
	After  string            `json:"after"`  // what ran before it
	Before string            `json:"before"` // what ends it
	Bound  string            `json:"bound"`  // what the device waited for: "launch", "input", "dependency", "unknown"
	Causes map[string]Number `json:"causes"` // s by cause; they add up to length
	Places []Place           `json:"places"` // where in the program the host is in its other work, the longest first
}

// Place is where in the program the host is while the device is idle.
type Place struct {
	Operator string `json:"operator"` // of the framework, the outermost
	Function string `json:"function"` // outside of operators
	Module   string `json:"module"`
	Time     Number `json:"time"` // s
}

func storyDocument(g *diff.GapStory) GapStory {
	out := GapStory{Rank: g.Rank, Step: g.Step, At: nanoseconds(g.At), Length: nanoseconds(g.Length), After: g.After, Before: g.Before, Bound: g.Bound, Causes: map[string]Number{}}
	for _, c := range g.Causes {
		out.Causes[c.Name] = nanoseconds(c.Time)
	}
	out.Places = each(g.Places, func(p *run.Place) Place { return Place{p.Operator, p.Function, p.Module, nanoseconds(p.Time)} })
	return out
}

func nanoseconds(ns int64) Number { return Number(float64(ns) / 1e9) }

// Blame is what one rank makes others wait.
type Blame struct {
	Rank    int               `json:"rank"`
	Host    string            `json:"host"`
	Last    Number            `json:"last"`     // share of all collectives at which it arrives last
	Causes  Number            `json:"causes"`   // s a step that all others together wait for it
	WaitFor map[string]Number `json:"wait_for"` // s a step that it waits, by the rank that is last
	More    map[string]Number `json:"more"`     // s a step longer than the median rank: "compute", "input", "host"
}

func blameDocument(b *diff.Blame) Blame {
	out := Blame{Rank: b.Rank, Host: b.Host, Last: Number(b.Last), Causes: Number(b.Causes), WaitFor: map[string]Number{}, More: map[string]Number{}}
	for rank, v := range b.WaitFor {
		out.WaitFor[strconv.Itoa(rank)] = Number(v)
	}
	for what, v := range b.More {
		out.More[what] = Number(v)
	}
	return out
}

// Bound is the mean step if one thing cost nothing, in seconds.
type Bound struct {
	Name   string       `json:"name"`
	Method string       `json:"method"`
	Step   Both[Number] `json:"step"` // null: not known
}

func boundDocument(b *diff.Bound) Bound { return Bound{b.Name, b.Method, both(b.Base, b.Cand)} }

// Quantile is one of the step times.
type Quantile struct {
	Percent int          `json:"percent"`
	Step    Both[Number] `json:"step"` // s
}

func quantileDocument(q *diff.QuantilePoint) Quantile {
	return Quantile{q.Percent, both(q.Base, q.Cand)}
}

// Conduct is how a run goes on.
type Conduct struct {
	Run        string  `json:"run"`
	WarmUp     int     `json:"warm_up"`      // steps of its own warm-up
	WarmUpCost Number  `json:"warm_up_cost"` // s, what they take beyond as many usual steps
	Drift      Number  `json:"drift"`        // rise of the step time from the first to the last step, or from level to level, a fraction
	Level      *Level  `json:"level"`        // null: it stays on one level, or grows along a line
	Spikes     []int64 `json:"spikes"`       // numbers of the steps at which they begin
	Period     int     `json:"period"`       // steps from spike to spike; 0: they have none
	Excess     Number  `json:"excess"`       // s, what a spike adds to its step
	Cost       Number  `json:"cost"`         // s a step, over all used steps
	Part       string  `json:"part"`         // of the step that grows most in spikes
	Range      string  `json:"range"`        // that occurs once for each spike and takes about as long
}

func conductDocument(c *diff.Conduct) Conduct {
	return Conduct{c.Run, c.WarmUp, Number(c.WarmUpCost), Number(c.Drift), levelDocument(c.Level), listed(slices.Clone(c.Spikes)), c.Period, Number(c.Excess), Number(c.Cost), c.Part, c.Range}
}

// Level is a change of level inside a run.
type Level struct {
	Step       int64  `json:"step"`   // number of the first step on the new level
	Steps      int    `json:"steps"`  // used steps from it on
	Before     Number `json:"before"` // s, median step on the level before
	After      Number `json:"after"`  // s, on the new one
	Change     Number `json:"change"` // of the step time, a fraction
	Lo         Number `json:"lo"`     // of its interval
	Hi         Number `json:"hi"`     // of its interval
	Cost       Number `json:"cost"`   // s, what it adds to the run's mean step
	Part       string `json:"part"`   // of the step that changed there; "" none that is recorded made half of it
	Metric     string `json:"metric"` // where the values of that part are
	MetricPart string `json:"metric_part"`
	PartBefore Number `json:"part_before"` // s a step, on these ranks
	PartAfter  Number `json:"part_after"`
	Ranks      []int  `json:"ranks"`       // whose own work it is; none: what ranks share
	AllRanks   bool   `json:"all_ranks"`   // these are all
	AllKernels bool   `json:"all_kernels"` // of compute: all kernels by about the same share
	MoreCalls  bool   `json:"more_calls"`  // in another number of launches
	Kernel     string `json:"kernel"`      // that made most of it; "" none
}

func levelDocument(l *diff.LevelChange) *Level {
	if l == nil {
		return nil
	}
	return &Level{
		Step: l.Step, Steps: l.Steps, Before: Number(l.Before), After: Number(l.After), Change: Number(l.Change), Lo: Number(l.Lo), Hi: Number(l.Hi),
		Cost: Number(l.Cost), Part: l.Part, Metric: l.Key.Metric, MetricPart: l.Key.Part, PartBefore: Number(l.PartBefore), PartAfter: Number(l.PartAfter), Ranks: listed(slices.Clone(l.Ranks)),
		AllRanks: l.All, AllKernels: l.AllKernels, MoreCalls: l.MoreCalls, Kernel: l.Kernel,
	}
}

// bothOf is a list for each side.
func bothOf[T, D any](lists [2][]T, of func(*T) D) Both[[]D] {
	return Both[[]D]{each(lists[0], of), each(lists[1], of)}
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
	Unsplit      int         `json:"unsplit"`        // kernels that were matched and not split into waiting and transfer
	Unseparable  string      `json:"unseparable"`    // why waiting and transfer of all or a part are not told apart
}

// HostClock is the clock of one host beside the median one.
type HostClock struct {
	Host   string `json:"host"`
	Offset Number `json:"offset"` // s ahead, in the middle of the run
	Drift  Number `json:"drift"`  // s a second
}

func clocksDocument(c *run.Clocks) Clocks {
	return Clocks{
		Hosts: each(c.Hosts, func(h *run.HostClock) HostClock {
			return HostClock{h.Host, nanoseconds(h.Offset), Number(h.Drift * 1e-9)}
		}),
		NotAligned: listed(slices.Clone(c.Apart)), Residual: nanoseconds(c.Residual), HostResidual: nanoseconds(c.HostResidual),
		Used: c.Used, Matched: c.Matched, Kernels: c.Kernels, PointToPoint: c.PointToPoint, Unsplit: c.Unsplit, Unseparable: c.Unseparable,
	}
}
