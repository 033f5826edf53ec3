package cause

import "math"

// StepPoint is one step number over ranks, in seconds of step_time.
type StepPoint struct {
	Number     int64
	Omission   Omission // why it is left out; zero: it is used
	Base, Cand StepSide
}

// Omission is why a step does not enter: the reason of each side that leaves it out, as the
// analysis says it, or where it is missing.
type Omission struct {
	Base, Cand string // "" of a side that keeps it; the same where both say it,
	// or where the other has no such step
	Missing Missing
}

// Missing says where a step is missing that both sides keep where they have it.
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
	Median, Min, Max float64 // s; NaN if the side has no such step
	Ranks            int
	PerRun           []float64 // median over ranks of each run; NaN where absent
}

// Kernel is one canonical kernel name on both sides, per step and rank; without steps per
// second and rank, see Report.Per.
type Kernel struct {
	Name                 string
	Class                string  // "compute", "communication"
	Family               string  // of a compute kernel: "GEMM"
	BaseShape, CandShape string  // how most of its launches are; "" not recorded
	LaunchChange         string  // in what these differ: "grid 528 → 264"; "" in nothing
	BaseFLOPs, CandFLOPs float64 // of a call, by the sizes of its operator's arguments; NaN not known
	BaseTime, CandTime   float64 // s per step, mean over ranks and used steps
	BaseCalls, CandCalls float64 // launches per step
	Delta                float64 // s per step
	Calls, Slower        float64 // of Delta: by more calls, by slower calls (midpoint split)
	// Change is that of the time, without steps of the median call, as a fraction, without the shift that most
	// kernels share; Q is the share of false claims when all kernels of at most
	// this are called changed. NaN where a side or a run lacks the kernel.
	Change, Q   float64
	BeyondNoise bool    // Change is at least 3 % and Q at most 0.05
	Share       float64 // of the baseline's kernel time
	Others      int     // > 0: this row stands for so many others
}

// OwnChange is by how much the kernel itself changed, as a fraction, where most kernels share a
// shift; NaN of it is none. One that stands out since all others moved took as long as before.
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
	From, To   float64 // s
	Base, Cand float64
}
