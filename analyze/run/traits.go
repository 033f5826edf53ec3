package run

// Traits are what is to be known of a metric to judge and to show it, beside what it
// measures. They are set where the metric is defined and never saved: the metrics of a
// summary get those of the perfdiff that reads it, so that both sides have the same, and
// those of metrics that it does not know are zero.
type Traits struct {
	// Subject is what people call it at the start of a sentence: "Idle time"; "": its name.
	Subject string
	// Section is that of the page whose question the metric answers, where its values stand
	// and to which findings about it lead; "" none.
	Section string
	// PartOfStep: its time is a part of the step's, so that a change of it matters by its
	// share of the step. PartsOfStep: so is the time of each of its parts, which are judged
	// one by one.
	PartOfStep, PartsOfStep bool
	// OfRun: a run has one number of it, made of all of its steps together; it is no median
	// over them.
	OfRun bool
	// ByOrder: it is of how a run goes on from step to step.
	DependsOnOrder bool
	// Devices: it is of what several devices do together. A job on one has none.
	AcrossDevices bool
	// Spoken: findings speak of it, or of its parts, though it is no main metric.
	InFindings bool
	// Finding is the kind of the findings that say that it changed: "input-wait"; "" none does.
	// FindingOrder is its place among the metrics that are gone through for findings, from 1 on:
	// parts of the step are one list, and what goes with their changes is another; 0: it is in
	// neither.
	Finding      string
	FindingOrder int
	// OneSided: a finding says so where only one side recorded it.
	OneSided bool
	// RankWork is what a rank does in its time, or in that of its parts.
	RankWork []RankWork
	// GateOrder is its place in the list of metrics that gate where no policy names others, from
	// 1 on; 0: it gates only where a policy says so.
	GateOrder int
	Depth     Depth
	Noise     NoiseKind
	// Derivation is what its values are made of. Summaries are written by it, and those that
	// exist can only be read by what it was: for a metric that has it, it never changes.
	Derivation Derivation
	// Formula is how its value is made of what was recorded, and whose definition or what
	// specification that is, where it is another's.
	Formula string
}

// Derivation says of which other metrics a metric's values are made, part by part: a bandwidth
// is bytes over time. The zero value is of none.
type Derivation struct {
	By       DerivedBy
	Of, With string // the other metrics; With "" where one is all
}

// DerivedBy is how values are made of others.
type DerivedBy int

// The ways of making.
const (
	NotDerived DerivedBy = iota
	ByFactor             // Of times one number, which is the same in all steps
	ByProduct            // Of times With
	ByRatio              // Of over With
	ByRest               // what Of leaves of With, as a share of With
)

// RankWork is something that a rank spends time on while others may wait for it.
type RankWork struct {
	Part  string // of the metric; "": the metric itself
	Group string // what the table of who waits for whom counts it as: "compute", "input", "host"; "" nothing
	Late  bool   // findings name it as what a late rank does longer than others
}

// The sections of the page that metrics belong to.
const (
	SectionSteps       = "steps"
	SectionBreakdown   = "breakdown"
	SectionUtilization = "utilization"
	SectionCollectives = "collectives"
	SectionGaps        = "gaps"
	SectionIO          = "io"
	SectionKernels     = "kernels"
)

// Depth is how far into a step a metric looks. Where one side recorded a graph replay as
// one row and the other kernel by kernel, what looks into it is not the same on both.
type Depth int

// The depths, the deepest first.
const (
	DepthSingle Depth = iota // at single kernels, copies, gaps or calls
	DepthKinds               // at kinds of work
	DepthIdle                // at whether the device does anything
	DepthStep                // at the step as a whole
)

// NoiseKind is what a part of the step is made of, on which it depends how much repeats of a
// job differ in it.
type NoiseKind int

// The natures.
const (
	NoiseOfTiming NoiseKind = iota // what happens to come together: waits, gaps, copies
	NoiseOfWork                    // the same work on the same devices
	NoiseOfLinks                   // what goes over links that others use as well
)
