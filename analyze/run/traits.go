package run

// Traits holds what must be known about a metric to judge it and to show it, besides what it measures. They are set
// where the metric is defined and are not saved: the metrics of a summary get the traits of the perfdiff that reads
// it, so that both sides have the same. For a metric that it does not know they are zero.
type Traits struct {
	// Subject is what a sentence about it begins with: "Idle time"; "": its name.
	Subject string
	// Section is the section of the page in which its values stand, and to which findings about
	// it lead; "" none.
	Section string
	// PartOfStep: its time is a part of the step's, so that how much a change of it matters
	// depends on its share of the step. PartsOfStep: so is the time of each of its parts,
	// which are judged one by one.
	PartOfStep, PartsOfStep bool
	// OfRun: a run has one value, made of all of its steps together and not a median over them.
	OfRun bool
	// DependsOnOrder: it says how step times go on over a run, so that the order of steps counts.
	DependsOnOrder bool
	// AcrossDevices: it measures what several devices do together. A job on one has no value.
	AcrossDevices bool
	// MadeOfKernels: it is made of kernels, so that what lacks some of them does not hold it.
	MadeOfKernels bool
	// InFindings: findings speak of it, or of its parts, though it is no main metric.
	InFindings bool
	// Finding is the kind of the findings that say that it changed: "input-wait"; "" none does.
	// FindingOrder is its place among the metrics that are gone through for findings, from 1 on:
	// parts of the step are one list, and what goes with their changes is another; 0: it is in
	// neither.
	Finding      string
	FindingOrder int
	// OneSided: a finding says so where only one side recorded it.
	OneSided bool
	// WhereRecorded: though it is a main metric, reports speak of it only where a side recorded
	// it, or where it gates.
	WhereRecorded bool
	// TablesOnly: it repeats what other metrics say, so that tables have it, and summaries of text and
	// Markdown leave it out.
	TablesOnly bool
	// RankWork is what a rank does in its time, or in that of its parts.
	RankWork []RankWork
	// GateOrder is its place in the list of metrics that gate where no policy names others, from
	// 1 on; 0: it gates only where a policy says so.
	GateOrder int
	Depth     Depth
	Noise     NoiseKind
	// Derivation is how its values follow from other metrics. Summaries are written with its
	// help and can only be read with the same: for a metric that has one, it never changes.
	Derivation Derivation
	// Formula is how its value follows from what was recorded, and whose definition that is,
	// where it is not perfdiff's own.
	Formula string
}

// Derivation says from which other metrics the values of a metric follow, part by part: a
// bandwidth is bytes over time. The zero value says that they follow from none.
type Derivation struct {
	By       DerivedBy
	Of, With string // the other metrics; With "" where one is all
}

// DerivedBy is how values follow from others.
type DerivedBy int

// The ways in which values follow from others.
const (
	NotDerived DerivedBy = iota
	ByFactor             // Of times one number, which is the same in all steps
	ByProduct            // Of times With
	ByRatio              // Of over With
	ByRest               // what is left of With without Of, as a share of With
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
	SectionLevels      = "levels" // memory, clocks, power and temperature
	SectionCollectives = "collectives"
	SectionPath        = "path"
	SectionGaps        = "gaps"
	SectionIO          = "io"
	SectionNetwork     = "network"
	SectionKernels     = "kernels"
)

// Depth is how far into a step a metric looks. If one side recorded the replay of a graph as
// one row and the other kernel by kernel, metrics that look into replays do not measure the
// same on both.
type Depth int

// The depths, the deepest first.
const (
	DepthSingle Depth = iota // at single kernels, copies, gaps or calls
	DepthKinds               // at kinds of work
	DepthIdle                // at whether the device does anything
	DepthStep                // at the step as a whole
)

// NoiseKind says what makes a part of the step differ between repeats of a job, and so how much it differs.
type NoiseKind int

// The kinds of noise.
const (
	NoiseOfTiming NoiseKind = iota // what happens to fall together: waits, gaps, copies
	NoiseOfWork                    // the same work on the same devices: it differs least
	NoiseOfLinks                   // what goes over links that other jobs use as well
	NoiseOfMemory                  // what is held of the device's memory: the same requests get the same
)
