package render

import (
	"slices"

	"perfdiff/analyze/source/ncu"
	"perfdiff/diff/compute"
	"perfdiff/render/words"
)

// ReplayDocument is a comparison of kernels that Nsight Compute replayed, as JSON has it. Units are
// those of the field "unit": s, B, B/s, Hz, ratio (1 is 100 %), and the profiler's own beyond those.
type ReplayDocument struct {
	SchemaVersion string             `json:"schema_version"`
	Tool          string             `json:"tool"`
	State         string             `json:"state"` // "passed", "failed", "not judged"
	Headline      string             `json:"headline"`
	Basis         string             `json:"basis"`
	Incomplete    bool               `json:"incomplete"` // a part of a side could not be read
	Void          string             `json:"void"`       // why nothing is judged; "": something may be
	Alpha         Number             `json:"alpha"`      // two-sided error of the intervals
	Threshold     Number             `json:"threshold"`  // smallest change of a time that matters, a fraction
	Floor         Number             `json:"floor"`      // standard deviation between recordings that is assumed, a fraction
	Baseline      ReplaySide         `json:"baseline"`
	Candidate     ReplaySide         `json:"candidate"`
	Differences   []ReplayDifference `json:"differences"`
	Unknown       []string           `json:"unknown"` // facts that a side does not tell
	Kernels       []ReplayKernel     `json:"kernels"` // by how much time their change is of
	Alone         []ReplayAlone      `json:"alone"`   // kernels of one side only
	NotCompared   []ReplayMismatch   `json:"not_compared"`
	Warnings      []ReplayWarning    `json:"warnings"`
}

// ReplaySide is what was read of a side.
type ReplaySide struct {
	Label    string            `json:"label"`
	Launches int               `json:"launches"`
	Facts    map[string]string `json:"facts"` // of all files; absent is not recorded
	Files    []ReplayFile      `json:"files"`
}

// ReplayFile is a file of a side.
type ReplayFile struct {
	Name     string            `json:"name"`
	Page     string            `json:"page"` // "raw" or "details"
	Launches int               `json:"launches"`
	Error    string            `json:"error"` // "": it was read
	Facts    map[string]string `json:"facts"`
}

// ReplayDifference is a fact in which the sides differ.
type ReplayDifference struct {
	Fact      string `json:"fact"`
	Baseline  string `json:"baseline"` // clocks in Hz
	Candidate string `json:"candidate"`
	Class     string `json:"class"` // "invalidates", "look", "harmless"
	Why       string `json:"why"`
	Effect    string `json:"effect"` // the same for people
}

// ReplayKernel is a kernel of both sides.
type ReplayKernel struct {
	Name        string          `json:"name"` // canonical
	Grid        string          `json:"grid"`
	Block       string          `json:"block"`
	Launches    [2]int          `json:"launches"` // baseline, candidate
	Verdict     string          `json:"verdict"`
	Reason      string          `json:"reason"`
	Estimate    Number          `json:"estimate"` // change of the time, a fraction
	Lo          Number          `json:"lo"`       // its interval; null: there is none
	Hi          Number          `json:"hi"`
	Shown       Number          `json:"shown"`      // size of the smallest slowdown that four of five comparisons like this one show, a fraction; null: not judged
	Q           Number          `json:"q"`          // p-value adjusted over all kernels
	Says        []string        `json:"says"`       // sentences on the change
	Causes      []ReplayCause   `json:"causes"`     // what the change coincides with, the largest first
	Unexplained Number          `json:"open_share"` // of the change, that these leave; null: nothing was told apart
	Quantities  []ReplayMeasure `json:"quantities"`
	Stalls      []ReplayMeasure `json:"stalls"`
	Metrics     []ReplayMeasure `json:"metrics"` // all others that both sides have
	Roofline    ReplayRooflines `json:"roofline"`
	Missing     []ReplayAbsent  `json:"missing"`
}

// ReplayRooflines are those of both sides, one for each precision in which a kernel works.
type ReplayRooflines struct {
	Baseline  []ReplayRoofline `json:"baseline"`
	Candidate []ReplayRoofline `json:"candidate"`
}

// ReplayRoofline is where a kernel stands under the roofs of its device.
type ReplayRoofline struct {
	Precision   string `json:"precision"`
	Work        Number `json:"work"`         // FLOP/s
	Traffic     Number `json:"traffic"`      // B/s of device memory
	PeakWork    Number `json:"peak_work"`    // FLOP/s
	PeakTraffic Number `json:"peak_traffic"` // B/s
	Intensity   Number `json:"intensity"`    // FLOP/B
	Ridge       Number `json:"ridge"`        // FLOP/B at which the roofs meet
}

// ReplayCause is a factor of a time.
type ReplayCause struct {
	Kind      string `json:"kind"`
	Stall     string `json:"stall"`
	Unit      string `json:"unit"`
	Baseline  Number `json:"baseline"`
	Candidate Number `json:"candidate"`
	Share     Number `json:"share"` // of the change of the log of the time; null: it has none
}

// ReplayMeasure is a metric on both sides.
type ReplayMeasure struct {
	ID        string       `json:"id"`
	Section   string       `json:"section"`
	Name      string       `json:"name"`
	Unit      string       `json:"unit"`
	Better    int          `json:"better"` // -1: less is better, 1: more, 0: neither by itself
	Baseline  ReplaySample `json:"baseline"`
	Candidate ReplaySample `json:"candidate"`
}

// ReplaySample is what launches measured; null is not recorded.
type ReplaySample struct {
	Launches int    `json:"launches"`
	Median   Number `json:"median"`
	Lower    Number `json:"lower"` // quartiles
	Upper    Number `json:"upper"`
	Least    Number `json:"min"`
	Most     Number `json:"max"`
}

// ReplayAbsent is a quantity that a side does not have.
type ReplayAbsent struct {
	Quantity  string `json:"quantity"`
	Section   string `json:"section"` // ncu --section
	Baseline  bool   `json:"baseline"`
	Candidate bool   `json:"candidate"`
}

// ReplayAlone is a kernel of one side.
type ReplayAlone struct {
	Side       string `json:"side"`
	Name       string `json:"name"`
	Grid       string `json:"grid"`
	Block      string `json:"block"`
	Launches   int    `json:"launches"`
	OtherSizes bool   `json:"other_sizes"` // the other side launched it with other sizes
}

// ReplayMismatch is a metric whose units are of other kinds.
type ReplayMismatch struct {
	Section   string `json:"section"`
	Name      string `json:"name"`
	Baseline  string `json:"baseline"` // units
	Candidate string `json:"candidate"`
}

// ReplayWarning is what is to be known of a file.
type ReplayWarning struct {
	Side string `json:"side"`
	File string `json:"file"`
	Text string `json:"text"`
}

func replayDocument(r *compute.Report, tool string) *ReplayDocument {
	out := &ReplayDocument{
		SchemaVersion: compute.SchemaVersion, Tool: tool, State: words.ReplayState(r), Headline: words.ReplayHeadline(r), Basis: words.ReplayBasis, Void: string(r.Void), Incomplete: r.Incomplete,
		Alpha: Number(r.Alpha), Threshold: Number(r.Threshold), Floor: Number(r.Floor),
		Baseline: replaySide(&r.Sides[0]), Candidate: replaySide(&r.Sides[1]), Unknown: neverNil(r.Unknown),
		Kernels: documentsOf(r.Kernels, replayKernel), Alone: []ReplayAlone{},
		Differences: documentsOf(r.Differences, func(d *compute.Difference) ReplayDifference {
			_, _, _, effect := words.ReplayDifference(d)
			return ReplayDifference{d.Fact, d.Values[0], d.Values[1], d.Class, string(d.Why), effect}
		}),
		NotCompared: documentsOf(r.NotCompared, func(m *compute.Mismatch) ReplayMismatch {
			return ReplayMismatch{m.Section, m.Name, m.Units[0], m.Units[1]}
		}),
		Warnings: documentsOf(r.Warnings, func(w *compute.Warning) ReplayWarning {
			return ReplayWarning{[]string{baseline, candidate}[w.Side], w.File, w.Text}
		}),
	}
	for side, name := range []string{baseline, candidate} {
		for _, l := range r.Alone[side] {
			out.Alone = append(out.Alone, ReplayAlone{name, l.Name, l.Grid, l.Block, l.Launches, l.OtherSizes})
		}
	}
	return out
}

func replaySide(s *compute.Side) ReplaySide {
	return ReplaySide{s.Label, s.Launches, neverNilMap(s.Facts), documentsOf(s.Files, func(f *ncu.File) ReplayFile {
		return ReplayFile{f.Name, f.Page, f.Launches, f.Err, neverNilMap(f.Facts)}
	})}
}

func neverNilMap(m map[string]string) map[string]string {
	if m == nil {
		return map[string]string{}
	}
	return m
}

func replayKernel(k *compute.Kernel) ReplayKernel {
	says := slices.Clone(replayLines(k))
	for i, s := range says {
		says[i] = spaces.Replace(s)
	}
	return ReplayKernel{
		Name: k.Name, Grid: k.Grid, Block: k.Block, Launches: k.Launches, Verdict: k.Time.Verdict.String(), Reason: string(k.Time.Reason),
		Estimate: Number(k.Time.Estimate), Lo: Number(k.Time.Lo), Hi: Number(k.Time.Hi), Shown: Number(k.Time.Shown), Q: Number(k.Time.Q), Says: neverNil(says),
		Unexplained: Number(k.Unexplained), Quantities: documentsOf(k.Quantities, replayMeasure), Stalls: documentsOf(k.Stalls, replayMeasure), Metrics: documentsOf(k.Others, replayMeasure),
		Causes: documentsOf(k.Causes, func(c *compute.Cause) ReplayCause {
			return ReplayCause{string(c.Kind), c.Stall, c.Unit, Number(c.Base), Number(c.Cand), Number(c.Share)}
		}),
		Roofline: ReplayRooflines{documentsOf(k.Rooflines[0], replayRoofline), documentsOf(k.Rooflines[1], replayRoofline)},
		Missing: documentsOf(k.Missing, func(m *compute.Missing) ReplayAbsent {
			return ReplayAbsent{m.Quantity, m.Section, m.Base, m.Cand}
		}),
	}
}

func replayRoofline(x *ncu.Roofline) ReplayRoofline {
	return ReplayRoofline{string(x.Precision), Number(x.Work), Number(x.Traffic), Number(x.PeakWork), Number(x.PeakTraffic), Number(x.Intensity()), Number(x.Ridge())}
}

func replayMeasure(m *compute.Measure) ReplayMeasure {
	sample := func(s *compute.Sample) ReplaySample {
		return ReplaySample{s.N, Number(s.Median), Number(s.Lower), Number(s.Upper), Number(s.Least), Number(s.Most)}
	}
	return ReplayMeasure{m.ID, m.Section, m.Name, m.Unit, m.Better, sample(&m.Base), sample(&m.Cand)}
}
