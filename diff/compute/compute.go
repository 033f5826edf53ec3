// Package compute compares kernels that Nsight Compute replayed one by one: their times, how near
// they come to the peaks of the device, what stalls their warps. It shares statistics and verdicts
// with the comparison of timelines, and no value: a kernel that is replayed with flushed caches and
// a clock of its own takes another time than in the job.
package compute

import (
	"perfdiff/analyze/source/ncu"
	"perfdiff/diff/policy"
	"perfdiff/diff/verdict"
)

// SchemaVersion is the version of the JSON form.
const SchemaVersion = "1"

// MinLaunches is how many launches of a kernel each side must have for a verdict on its time.
// Chosen, not measured: of fewer, what launches differ by is hardly known.
const MinLaunches = 5

// Report is the comparison of two sides.
type Report struct {
	Sides       [2]Side // baseline, candidate
	Alpha       float64 // two-sided error of the intervals
	Threshold   float64 // smallest change of a time that matters, a fraction
	Floor       float64 // what recordings are taken to differ by, a standard deviation
	Differences []Difference
	Unknown     []string  // facts that a side does not tell, of which a difference would matter
	Void        VoidKind  // why nothing is judged; "": something may be
	Kernels     []Kernel  // on both sides, by how much time the change is of
	Alone       [2][]Lone // launched with such sizes on one side only, by name
	NotCompared []Mismatch
	Warnings    []Warning
	Incomplete  bool // a part of a side could not be read: it has not passed
	State       State
}

// Side holds what was read for one side.
type Side struct {
	Label    string            `report:"label"`
	Launches int               `report:"launches"`
	Facts    map[string]string `report:"facts"` // of all its files, see ncu.Facts
	Files    []ncu.File        `report:"files"`
}

// Warning says something about one side.
type Warning struct {
	Side int // 0 baseline, 1 candidate
	ncu.Warning
}

// State is the result of a report for a build.
type State string

// The states. What was not judged has not passed.
const (
	Passed    State = "passed"
	Failed    State = "failed" // a kernel regressed
	NotJudged State = "not judged"
)

// VoidKind is why nothing is judged.
type VoidKind string

// The reasons for which nothing is judged.
const (
	VoidDevice    VoidKind = "other-device"
	VoidRecording VoidKind = "other-recording" // other clock, caches or replay
	VoidSame      VoidKind = "same-recording"
	VoidNothing   VoidKind = "nothing-in-common"
	VoidNumbers   VoidKind = "unclear-numbers" // see ncu.Set.Unclear
)

// Difference is a fact in which the sides differ.
type Difference struct {
	Fact   string // see ncu.Facts, and the two below
	Values [2]string
	Class  string // see package policy
	Why    policy.Effect
}

// MeasuredClock and MeasuredMemoryClock are the facts of clocks that were measured in the kernels that both
// sides have; their values are in Hz.
const (
	MeasuredClock       = "measured SM clock"
	MeasuredMemoryClock = "measured memory clock"
)

// The effects of differences in how kernels were recorded.
const (
	OtherClockSetting policy.Effect = "other-clock-setting"
	OtherCacheSetting policy.Effect = "other-cache-setting"
	OtherReplay       policy.Effect = "other-replay"
	OtherVersion      policy.Effect = "other-version"
	OtherMetrics      policy.Effect = "other-metrics"
	SeveralDevices    policy.Effect = "several-devices"
)

// Kernel is a kernel that both sides launched with the same sizes.
type Kernel struct {
	Name     string   `report:"name"` // canonical
	Grid     string   `report:"grid"` // "" not recorded
	Block    string   `report:"block"`
	Launches [2]int   `report:"launches,list"`
	Time     Change   `report:"."`
	_        struct{} `report:"says,said"`
	Causes   []Cause  `report:"causes"` // what the change of the time coincides with, the largest first
	// Unexplained is the share of the change of the log time that they leave; NaN: nothing is told apart.
	Unexplained float64   `report:"open_share"`
	Quantities  []Measure `report:"quantities"` // those that a side has, in the order of ncu.Quantities
	// Stalls are by reason, the largest change first; of "cycle" an issued instruction or of a share of the warps.
	Stalls    []Measure         `report:"stalls"`
	Others    []Measure         `report:"metrics"` // all else that both sides have, by section and name
	Rooflines [2][]ncu.Roofline `report:"roofline"`
	Missing   []Missing         `report:"missing"`
}

// Change is the change of the time of a kernel.
type Change struct {
	Verdict  verdict.Verdict `report:"verdict"`
	Reason   Reason          `report:"reason"`
	Estimate float64         `report:"estimate"` // a fraction of the baseline; NaN: not recorded on a side
	Lo       float64         `report:"lo"`       // its interval; NaN: there is none
	Hi       float64         `report:"hi"`
	// Shown is the size of the smallest slowdown that four of five comparisons with this noise find, a fraction
	// (stat.Shown); NaN: not judged. That of many kernels at once is larger.
	Shown float64 `report:"shown"`
	Q     float64 `report:"q"` // adjusted p-value over all kernels that are judged; NaN: not judged
}

// Reason is why a kernel has the verdict that it has.
type Reason string

// The reasons.
const (
	Decided      Reason = "decided"
	FewLaunches  Reason = "few-launches"
	NoTime       Reason = "no-time" // the duration is not recorded on a side
	OtherClock   Reason = "other-clock"
	Void         Reason = "void" // see Report.Void
	WithinNoise  Reason = "within-noise"
	ManyCompared Reason = "many-compared" // beyond chance by itself, and not among so many kernels
)

// Measure is one metric on both sides.
type Measure struct {
	ID      string `report:"id"` // of a quantity, or the reason of a stall; "" of other metrics
	Section string `report:"section"`
	Name    string `report:"name"`
	Unit    string `report:"unit"`   // see ncu.Unit
	Better  int    `report:"better"` // -1: less is better, 1: more; 0: neither by itself
	Base    Sample `report:"baseline"`
	Cand    Sample `report:"candidate"`
}

// Sample holds what launches measured.
type Sample struct {
	N      int     `report:"launches"`
	Median float64 `report:"median"` // NaN of none
	Lower  float64 `report:"lower"`  // quartiles
	Upper  float64 `report:"upper"`
	Least  float64 `report:"min"`
	Most   float64 `report:"max"`
}

// CauseKind is a factor of the time of a kernel.
type CauseKind string

// The factors of a time: instructions x latency of one / warps that are active at once / clock.
const (
	CauseInstructions CauseKind = "instructions"
	CauseStall        CauseKind = "stall"   // Reason says which
	CauseLatency      CauseKind = "latency" // of an instruction, where stalls are not recorded
	CauseWarps        CauseKind = "active-warps"
	CauseClock        CauseKind = "clock"
	CauseShare        CauseKind = "stall-share" // stalls are recorded as shares of warps, which do not add up to a time
)

// Cause is a factor that changed together with the time.
type Cause struct {
	Kind  CauseKind `report:"kind"`
	Stall string    `report:"stall"` // of a stall, its reason: "long_scoreboard"
	Unit  string    `report:"unit"`
	Base  float64   `report:"baseline"`
	Cand  float64   `report:"candidate"`
	Share float64   `report:"share"` // of the change of the log of the time; negative: it goes the other way; NaN of CauseShare
}

// Missing is a quantity that a side does not have.
type Missing struct {
	Quantity string `report:"quantity"` // its name
	Section  string `report:"section"`  // with which it is collected
	Base     bool   `report:"baseline"` // the baseline does not have it
	Cand     bool   `report:"candidate"`
}

// Lone is a kernel that only one side has.
type Lone struct {
	Name       string `report:"name"`
	Grid       string `report:"grid"`
	Block      string `report:"block"`
	Launches   int    `report:"launches"`
	OtherSizes bool   `report:"other_sizes"` // the other side launched it with other sizes
}

// Mismatch is a metric whose units on the sides cannot be converted into each other.
type Mismatch struct {
	Section, Name string
	Units         [2]string
}
