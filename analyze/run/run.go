// Package run is what was measured: a Set of runs, a Run of ranks, and for
// every Rank one value per step and metric. It holds no spans, so that a set
// of hundreds of ranks fits in memory and can be saved.
package run

import (
	"cmp"
	"iter"
	"slices"

	"perfdiff/analyze/source/remedy"
	"perfdiff/analyze/trace"
)

// Set is one side of a comparison.
type Set struct {
	Label    string // how people call it: the base name of what was given
	Runs     []Run  // in order of name
	Metrics  []Metric
	Files    []File // every file met, read or not, in order of name
	Warnings []trace.Warning
	Digest   string  // hex digest over the content of all files read
	NotAsked []int   // ranks of the job that were not asked for, in order: they are not missing
	Doubts   []Doubt `json:",omitempty"`
	// OtherDirs are names of directories that were found beside those of the set and hold
	// nothing of it.
	OtherDirs []string `json:"-"`
	Kept      *Kept    `json:",omitempty"` // what a store noted of it; nil: it was not saved in one
	Place     int      `json:"-"`          // among the sets of a store, in the order of saving, from 1 on; 0: it was not read from one
}

// Run is one execution of the job.
type Run struct {
	Name  string // directory or file base name
	Ranks []Rank // in order of rank number, -1 first
	// Excerpts are the typical and the worst step as timelines, where there are any.
	Excerpts []Excerpt
	Clocks   Clocks
	Communication
	Results []Result `json:",omitempty"` // what it printed, in the order of its files
	Folded  bool     `json:",omitempty"` // names of hosts were replaced by numbers, which mean other hosts in another set
	Apart   bool     `json:"-"`          // that was done before, apart from all other sets: nothing tells whether hosts are the same
	Origin  Origin   `json:",omitzero"`  // what people say of where it comes from
}

// Clocks is how the clocks of hosts agree, from the ends of collectives, and how many
// communication kernels were matched over ranks.
type Clocks struct {
	Hosts      []HostClock `report:"hosts"`                    // in order of name
	NotAligned []string    `json:"Apart" report:"not_aligned"` // hosts, in order, of which only the wall clock is known: who arrives first there is not
	Residual   int64       `report:"residual,ns"`              // ns: median distance of an end from the others' once clocks are aligned
	// HostResidual is that distance between ranks of one host, whose clock they
	// share; 0 also where no host has several.
	HostResidual int64 `report:"host_residual,ns"`
	Used         int   `report:"used"`           // collectives that clocks were aligned by; 0: they are not aligned
	Matched      int   `report:"matched"`        // kernels that were matched with all others of their collective
	Kernels      int   `report:"kernels"`        // communication kernels in all
	PointToPoint int   `report:"point_to_point"` // point-to-point kernels whose peer's were not captured: not separable
	Unsplit      int   `report:"unsplit"`        // kernels that were matched, and in which waiting cannot be told from transfer
	// Inseparable says why waiting and transfer cannot be told apart, in all of
	// the run's communication or in a part; "" where they can.
	Inseparable string `json:"Unseparable" report:"inseparable"`
	// Reasons are what Inseparable says, as data; nil also in summaries of earlier versions,
	// which hold the sentence alone.
	Reasons []Inseparable `json:"Whys,omitzero"`
}

// HostClock compares the clock of one host with the median one.
type HostClock struct {
	Host   string  `report:"host"`
	Offset int64   `report:"offset,ns"` // ns ahead, in the middle of the run
	Drift  float64 `report:"drift,ns"`  // ns a second by which it gets ahead; 0 where the run is too short to tell
}

// FormatIgnored is the format of files in a run set that are no profiles. They are listed, and not an error.
const FormatIgnored = "ignored"

// File is one file of a run set and what was read from it.
type File struct {
	Name   string `report:"name"`   // relative to the run set, with forward slashes
	Format string `report:"format"` // "nsys sqlite", "kineto json"; "" if not recognised
	Bytes  int64  `report:"bytes"`
	Digest string `report:"digest"` // hex digest of the content, "" if it could not be read or holds no activity
	Ranks  []int  `report:"ranks"`  // the ranks it held
	Err    string `report:"error"`  // why it was left out; "" if it was read
	// Profiler is what recorded it, by its format; "" none did, or it was not recognised.
	Profiler trace.Profiler `json:"-"`
	// Opener is what shows it at a time, likewise.
	Opener trace.Opener `json:"-"`
}

// Rank is one process and its device, measured.
type Rank struct {
	Rank        int    // number in the job; -1: not known
	RankFrom    string // where the number came from
	Host        string
	Device      int
	Captured    int64          // ns from the start of the capture to its end; of several their sum, 0 unknown
	Work        []KernelWork   // the kernels with the most time, over the whole capture, by name
	Stats       []Stat         // of kept steps, in order of table and name
	Calls       []Calls        `json:",omitempty"` // of collectives in kept steps, in order of name; nil also in summaries of earlier versions
	Projected   int            // steps in which ranges were projected onto the device
	Launched    *Launched      `json:",omitempty"` // where kernels of kept steps were launched; nil: not known, and in summaries of earlier versions
	Began       int64          // UTC ns at which the capture began; 0: unknown
	WorldSize   int            // ranks in the job as the file says; 0: unknown
	Comms       []Communicator `json:",omitempty"` // that it takes part in, by id; only those whose ids no other run can have
	Files       []string
	Facts       []trace.Fact
	Recorded    trace.Recorded
	Lost        []LostMetric `json:",omitempty"` // metrics that count as not recorded, because a file does not hold all they are made of
	Receipts    []Receipt    // how steps were found, one per capture file
	Steps       []trace.Step // of all captures, in order of Number; dropped ones too
	Series      []Series     // in order of metric list, then part
	Activity    Activity     `json:"Course"`
	Gaps        Histogram    // gaps of kept steps
	Reads       *Reads       `json:",omitempty"` // single reads of kept steps; nil: none was recorded
	Longest     []Gap        // of kept steps, the longest first
	Places      []HostPlace  // where the host is in gaps of other host work, added up over PlacedSteps, the longest first
	PlacedSteps int          `json:"Placed"`     // number of these steps; 0: neither operators nor functions were recorded
	MemoryPeak  *MemoryPeak  `json:",omitempty"` // of kept steps; nil: not recorded
	Waits       []Wait       // in collectives of kept steps, by rank; nil: not separable
	Spans       SpanCount
	Whole       *WholeCapture `json:",omitempty"` // nil: a summary that an earlier perfdiff saved
}

// Receipt says how the steps of one capture were found.
type Receipt struct {
	File    string `report:"file"`
	Marker  string `report:"marker"` // "ProfilerStep#N", `range "step N"`, `launch of "sgd"`, "none"
	By      Marker // the same, to be compared; the zero value in summaries of earlier versions
	Found   int    `report:"found"`
	Kept    int    `report:"kept"`
	Dropped []Drop `report:"dropped"`
	Second  string `report:"second_anchor"` // what a second anchor says: "agrees: 3 AllReduce a step", "none"
	Hint    string `report:"hint"`          // what to annotate, when nothing was found
	// Candidates are what may mark steps, the best first; nil where the marker was not in
	// question.
	Candidates []Candidate
}

// Drop is one reason and the steps that were left out for it.
type Drop struct {
	Steps  []int64 `report:"steps"`
	Reason string  `report:"reason"`
}

// Better is the direction in which a metric is good.
type Better int8

// The directions. Neither is shown and never judged.
const (
	Neither Better = 0
	Lower   Better = -1
	Higher  Better = +1
)

// Metric describes a measured series. It travels with the values, so that no
// later stage looks anything up.
type Metric struct {
	Name   string `report:"name"` // snake_case, without the unit
	Unit   string `report:"unit"` // "s", "B", "B/s", "1" (a count), "ratio" (0 to 1)
	Better Better `report:"better,said"`
	Doc    string `report:"doc"`   // one sentence
	Needs  string `report:"needs"` // what a capture must record to answer it
	// Remedy says what Needs says in the words of each profiler. It is in no summary: metric.AddTraits
	// gives it back. The zero value: the metric is not known.
	Remedy remedy.Text `json:"-"`
	Part   string      `report:"part"` // what its parts are: "collective", "kernel", "direction"; "" none
	// Joint metrics have one value for all ranks of a run: sides that captured
	// different ranks cannot be compared by them.
	Joint bool `report:"joint"`
	// Main metrics are those of the first table, and those that can gate; the others are detail.
	Main bool `report:"main"`
	// OfResult: it is none of perfdiff's, but of a number that runs printed: see Run.Results.
	OfResult bool `report:"-" json:",omitempty"`
	Traits   `json:"-"`
}

// Key names one series.
type Key struct {
	Metric string `report:"metric"`
	Part   string `report:"part"` // "" for the metric itself
}

// Series is one value per step of Rank.Steps, NaN where a step cannot answer.
type Series struct {
	Key
	Values []float64
	// Source is where the value comes from when a metric has several sources. A rank can
	// have a series of each: which one is compared is known when two sides are lined up.
	Source string
	// Proxy: the source stands in for what the metric means. It is shown and
	// not judged.
	Proxy bool
}

// EachRank yields every rank of every run, in order.
func (set *Set) EachRank() iter.Seq[*Rank] {
	return func(yield func(*Rank) bool) {
		for i := range set.Runs {
			for j := range set.Runs[i].Ranks {
				if !yield(&set.Runs[i].Ranks[j]) {
					return
				}
			}
		}
	}
}

// Values returns the series called key of r, nil if it was not recorded.
func (r *Rank) Values(key Key) []float64 {
	for i := range r.Series {
		if r.Series[i].Key == key {
			return r.Series[i].Values
		}
	}
	return nil
}

// Fact returns what the files of a rank say about the machine or software, "" where they do not.
func (r *Rank) Fact(key string) string {
	for _, f := range r.Facts {
		if f.Key == key {
			return f.Value
		}
	}
	return ""
}

// Kept returns the indices of the steps that were not dropped.
func (r *Rank) Kept() []int {
	kept := make([]int, 0, len(r.Steps))
	for i, s := range r.Steps {
		if s.Dropped == "" {
			kept = append(kept, i)
		}
	}
	return kept
}

// Activity is what the device did over time, in equal bins over the steps of a rank. Bin is a
// power of two times 2^16 ns, so that two ranks are brought to one length of bin exactly, by
// averaging neighbours.
type Activity struct {
	Start int64 // device clock, ns
	Bin   int64 // ns
	// Share of each bin, in 1/200 (half percents): any device work, compute,
	// communication, and both of these at once.
	Busy, Compute, Comm, Overlap []uint8
	// Bytes read and written in each bin, and those that the node's network
	// ports received and sent; nil: not recorded.
	Read, Write, Receive, Send []float32
	ReadSource                 string // of Read and Write, see Moved
	NetSource                  string // of Receive and Send
	// NodeRead and NodeWrite are the same of the storage counters of the node.
	NodeRead, NodeWrite []float32 `json:",omitempty"`
}

// Gap is one stretch in which the device does nothing, and what explains it.
type Gap struct {
	Step      int64       `report:"step"`                    // number
	At        int64       `report:"at,ns"`                   // ns from the start of the step
	Length    int64       `report:"length,ns"`               // ns
	After     string      `report:"after"`                   // what ran before it, by canonical name; "" nothing known
	Before    string      `report:"before"`                  // what ends it
	WaitedFor string      `json:"Bound" report:"waited_for"` // what the device waited for, as the parts of gap_bound_time
	Causes    []Cause     `report:"causes,said"`             // ns by cause, those above 0 in order of priority; they add up to Length
	Places    []HostPlace `report:"places"`                  // where most of its other host work is, the longest first; nil not recorded
}

// Cause is how much of a gap is due to one cause.
type Cause struct {
	Name string
	Time int64 // ns
}

// IdleCauses are the causes of idle time, as the parts of idle_time are called. They are in
// order of priority: where two hold at once, the first counts.
var IdleCauses = []string{"input", "allocator", "synchronizing", "launching", "dependency", "host", "unknown"}

// KernelWork is what one kernel did in a whole capture, in steps or not.
type KernelWork struct {
	Kernel   string // canonical name
	Launches int
	Time     int64       // ns
	Shape    trace.Shape // of most launches
	Family   string      // of a compute kernel; "" of communication
	// Collective and Library say of a communication kernel what it does ("AllReduce",
	// "fused AllReduce") and whose it is ("NCCL/RCCL"); "" of a compute kernel, and in
	// summaries of earlier versions.
	Collective, Library string `json:",omitempty"`
	// FLOPs are those of the Counted operators whose work this kernel did, by the sizes of
	// their arguments; 0 where none is known.
	FLOPs   float64 `json:",omitempty"`
	Counted int     `json:",omitempty"`
	Before  int     `json:",omitempty"` // 1 + launches before the first kept step; 0: not known
}

// Wait is how long a rank waited in collectives for another to arrive.
type Wait struct {
	For  int   // rank that arrived last
	Time int64 // ns over all kept steps
}

// MemoryPeak says when a rank holds most memory of its device.
type MemoryPeak struct {
	Step   int64  // number
	At     int64  // ns from the start of its period on the host
	Bytes  int64  // allocated, where that is known, else reserved
	During string // the innermost operator or range that is open then; "" none is
}

// LargerPeak returns the peak with more bytes; either may be nil.
func LargerPeak(a, b *MemoryPeak) *MemoryPeak {
	if a == nil || b != nil && b.Bytes > a.Bytes {
		return b
	}
	return a
}

// MaxGaps is how many of its longest gaps a rank keeps.
const MaxGaps = 5

// LongestGaps returns the MaxGaps longest gaps of both lists, the longest first.
func LongestGaps(a, b []Gap) []Gap {
	all := slices.Concat(a, b)
	slices.SortStableFunc(all, func(x, y Gap) int { return longerGap(&x, &y) })
	return all[:min(MaxGaps, len(all))]
}

// AddGap does what LongestGaps does for a list that it made before and one more gap. The list's memory is
// used again.
func AddGap(list []Gap, gap Gap) []Gap {
	at := len(list)
	for at > 0 && longerGap(&gap, &list[at-1]) < 0 {
		at--
	}
	if at == MaxGaps {
		return list
	}
	list = slices.Insert(list, at, gap)
	return list[:min(MaxGaps, len(list))]
}

func longerGap(x, y *Gap) int {
	return cmp.Or(cmp.Compare(y.Length, x.Length), cmp.Compare(x.Step, y.Step), cmp.Compare(x.At, y.At))
}

// SpanCount is a receipt of what was read for a rank: how much of each kind, and how long it took, over the whole
// capture. Where nothing else can be compared, it says how much work was done in what time.
type SpanCount struct {
	Kernels, Copies, Sets, Graphs     int
	Ranges, Calls, OSCalls, FileCalls int
	KernelTime, CopyTime, GraphTime   int64 // ns, sums
	CommKernels                       int
	NoLaunch                          int   // device spans without their launch
	First, Last                       int64 // ns, of device work
	Active                            int64 // ns, from its start to its end, of each capture
}

// Plus adds up what was read of two captures of a rank.
func (c SpanCount) Plus(d SpanCount) SpanCount {
	return SpanCount{
		Kernels: c.Kernels + d.Kernels, Copies: c.Copies + d.Copies, Sets: c.Sets + d.Sets, Graphs: c.Graphs + d.Graphs,
		Ranges: c.Ranges + d.Ranges, Calls: c.Calls + d.Calls, OSCalls: c.OSCalls + d.OSCalls, FileCalls: c.FileCalls + d.FileCalls,
		KernelTime: c.KernelTime + d.KernelTime, CopyTime: c.CopyTime + d.CopyTime, GraphTime: c.GraphTime + d.GraphTime,
		CommKernels: c.CommKernels + d.CommKernels, NoLaunch: c.NoLaunch + d.NoLaunch,
		First: min(c.First, d.First), Last: max(c.Last, d.Last), Active: c.Active + d.Active,
	}
}
