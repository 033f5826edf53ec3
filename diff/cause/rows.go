package cause

import "math"

// StepPoint is one step number over ranks, in seconds of step_time.
type StepPoint struct {
	Number   int64    `report:"number"`
	Omission Omission `report:"dropped,said"` // why it is left out; zero: it is used
	Base     StepSide `report:"baseline"`
	Cand     StepSide `report:"candidate"`
}

// Omission is why a step does not enter: the reason of each side that leaves it out, as the
// analysis says it, or where it is missing.
type Omission struct {
	Base, Cand string // "" of a side that keeps it; the same where both say it,
	// or where the other has no such step
	Missing Missing
}

// Missing says on which side a step is missing although both sides keep the step where they have it.
type Missing string

// The places.
const (
	MissingInBase Missing = "baseline"
	MissingInCand Missing = "candidate"
	MissingInRuns Missing = "runs" // some of either side
)

// Omitted reports whether the step is left out.
func (l *Omission) Omitted() bool { return *l != Omission{} }

// StepSide is one step on one side over its ranks (and runs).
type StepSide struct {
	Median float64   `report:"median"` // s; NaN if the side has no such step
	Min    float64   `report:"min"`
	Max    float64   `report:"max"`
	Ranks  int       `report:"ranks"`
	PerRun []float64 `report:"per_run"` // median over ranks of each run; NaN where absent
}

// Kernel is one canonical kernel name on both sides, per step and rank; without steps per
// second and rank, see Report.Per.
type Kernel struct {
	Name         string  `report:"name"`
	Class        string  `report:"class"`           // "compute", "communication"
	Family       string  `report:"family"`          // of a compute kernel: "GEMM"
	BaseShape    string  `report:"launch.baseline"` // how most of its launches are; "" not recorded
	CandShape    string  `report:"launch.candidate"`
	LaunchChange string  `report:"launch_change"`          // in what these differ: "grid 528 → 264"; "" in nothing
	BaseFLOPs    float64 `report:"flops.baseline,omitnan"` // of a call, by the sizes of its operator's arguments; NaN not known
	CandFLOPs    float64 `report:"flops.candidate,omitnan"`
	BaseTime     float64 `report:"time.baseline"` // s per step, mean over ranks and used steps
	CandTime     float64 `report:"time.candidate"`
	BaseCalls    float64 `report:"calls.baseline"` // launches per step
	CandCalls    float64 `report:"calls.candidate"`
	Delta        float64 `report:"delta"`    // s per step
	Calls        float64 `report:"by_calls"` // of Delta: by more calls, by slower calls (midpoint split)
	Slower       float64 `report:"by_slower"`
	// Change is that of the time, without steps of the median call, as a fraction, without the shift that most
	// kernels share; Q is the share of false claims when all kernels of at most
	// this are called changed. NaN where a side or a run lacks the kernel.
	Change      float64 `report:"change"`
	Q           float64 `report:"q"`
	BeyondNoise bool    `report:"beyond_noise"`   // Change is at least 3 % and Q at most 0.05
	Share       float64 `report:"baseline_share"` // of the baseline's kernel time
	Others      int     `report:"others"`         // > 0: this row stands for so many others
}

// OwnChange returns by how much the kernel changed besides the shift that most kernels share, as a fraction; a NaN
// shift counts as none. A kernel that stands out only because all others moved took as long as before.
func (k *Kernel) OwnChange(shift float64) float64 {
	if math.IsNaN(shift) {
		return k.Change
	}
	return float64((1+k.Change)*(1+shift)) - 1
}

// MovedWithAll reports whether a kernel stands out by the shift that most kernels share alone: it took
// as long as before, while the others moved.
func (k *Kernel) MovedWithAll(shift float64) bool {
	own := k.OwnChange(shift)
	return math.Abs(shift) >= LeastChange && (own*k.Change <= 0 || math.Abs(own) < LeastChange)
}

// GapBin is one bin of the gap histogram: gaps per rank and step, without steps per rank
// and second.
type GapBin struct {
	From float64 `report:"from"` // s
	To   float64 `report:"to"`
	Base float64 `report:"count.baseline"`
	Cand float64 `report:"count.candidate"`
}
