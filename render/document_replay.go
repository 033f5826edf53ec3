package render

import (
	"slices"

	"perfdiff/analyze/source/ncu"
	"perfdiff/diff/compute"
	"perfdiff/render/words"
)

// ReplayDocument is a comparison of kernels that Nsight Compute replayed, as JSON. Values are in the unit of the field
// "unit": s, B, B/s, Hz, ratio (1 is 100 %), or another one of the profiler.
type ReplayDocument struct {
	SchemaVersion string             `report:"schema_version"`
	Tool          string             `report:"tool"`
	State         string             `report:"state"` // "passed", "failed", "not judged"
	Headline      string             `report:"headline"`
	Basis         string             `report:"basis"`
	Incomplete    bool               `report:"incomplete"` // a part of a side could not be read
	Void          string             `report:"void"`       // why nothing is judged; "": something may be
	Alpha         float64            `report:"alpha"`      // two-sided error of the intervals
	Threshold     float64            `report:"threshold"`  // smallest change of a time that matters, a fraction
	Floor         float64            `report:"floor"`      // standard deviation between recordings that is assumed, a fraction
	Baseline      ReplaySide         `report:"baseline"`
	Candidate     ReplaySide         `report:"candidate"`
	Differences   []ReplayDifference `report:"differences"`
	Unknown       []string           `report:"unknown"` // facts that a side does not tell
	Kernels       []ReplayKernel     `report:"kernels"` // by how much time their change is of
	Alone         []ReplayAlone      `report:"alone"`   // kernels of one side only
	NotCompared   []ReplayMismatch   `report:"not_compared"`
	Warnings      []ReplayWarning    `report:"warnings"`
}

// ReplaySide says what was read for a side.
type ReplaySide struct {
	Label    string            `report:"label"`
	Launches int               `report:"launches"`
	Facts    map[string]string `report:"facts"` // of all files; absent is not recorded
	Files    []ReplayFile      `report:"files"`
}

// ReplayFile is a file of a side.
type ReplayFile struct {
	Name     string            `report:"name"`
	Page     string            `report:"page"` // "raw" or "details"
	Launches int               `report:"launches"`
	Error    string            `report:"error"` // "": it was read
	Facts    map[string]string `report:"facts"`
}

// ReplayDifference is a fact in which the sides differ.
type ReplayDifference struct {
	Fact      string `report:"fact"`
	Baseline  string `report:"baseline"` // clocks in Hz
	Candidate string `report:"candidate"`
	Class     string `report:"class"` // "invalidates", "look", "harmless"
	Why       string `report:"why"`
	Effect    string `report:"effect"` // the same for people
}

// ReplayKernel is a kernel of both sides.
type ReplayKernel struct {
	Name        string          `report:"name"` // canonical
	Grid        string          `report:"grid"`
	Block       string          `report:"block"`
	Launches    [2]int          `report:"launches,list"` // baseline, candidate
	Verdict     string          `report:"verdict"`
	Reason      string          `report:"reason"`
	Estimate    float64         `report:"estimate"` // change of the time, a fraction
	Lo          float64         `report:"lo"`       // its interval; null: there is none
	Hi          float64         `report:"hi"`
	Shown       float64         `report:"shown"`      // size of the smallest slowdown that four of five comparisons like this one show, a fraction; null: not judged
	Q           float64         `report:"q"`          // p-value adjusted over all kernels
	Says        []string        `report:"says"`       // sentences on the change
	Causes      []ReplayCause   `report:"causes"`     // what the change coincides with, the largest first
	Unexplained float64         `report:"open_share"` // of the change, that these leave; null: nothing was told apart
	Quantities  []ReplayMeasure `report:"quantities"`
	Stalls      []ReplayMeasure `report:"stalls"`
	Metrics     []ReplayMeasure `report:"metrics"` // all others that both sides have
	Roofline    ReplayRooflines `report:"roofline"`
	Missing     []ReplayAbsent  `report:"missing"`
}

// ReplayRooflines holds the rooflines of both sides, one for each precision in which a kernel works.
type ReplayRooflines struct {
	Baseline  []ReplayRoofline `report:"baseline"`
	Candidate []ReplayRoofline `report:"candidate"`
}

// ReplayRoofline says where a kernel is under the roofs of its device.
type ReplayRoofline struct {
	Precision   string  `report:"precision"`
	Work        float64 `report:"work"`         // FLOP/s
	Traffic     float64 `report:"traffic"`      // B/s of device memory
	PeakWork    float64 `report:"peak_work"`    // FLOP/s
	PeakTraffic float64 `report:"peak_traffic"` // B/s
	Intensity   float64 `report:"intensity"`    // FLOP/B
	Ridge       float64 `report:"ridge"`        // FLOP/B at which the roofs meet
}

// ReplayCause is a factor of a time.
type ReplayCause struct {
	Kind      string  `report:"kind"`
	Stall     string  `report:"stall"`
	Unit      string  `report:"unit"`
	Baseline  float64 `report:"baseline"`
	Candidate float64 `report:"candidate"`
	Share     float64 `report:"share"` // of the change of the log of the time; null: it has none
}

// ReplayMeasure is a metric on both sides.
type ReplayMeasure struct {
	ID        string       `report:"id"`
	Section   string       `report:"section"`
	Name      string       `report:"name"`
	Unit      string       `report:"unit"`
	Better    int          `report:"better"` // -1: less is better, 1: more, 0: neither by itself
	Baseline  ReplaySample `report:"baseline"`
	Candidate ReplaySample `report:"candidate"`
}

// ReplaySample holds what launches measured; null is not recorded.
type ReplaySample struct {
	Launches int     `report:"launches"`
	Median   float64 `report:"median"`
	Lower    float64 `report:"lower"` // quartiles
	Upper    float64 `report:"upper"`
	Least    float64 `report:"min"`
	Most     float64 `report:"max"`
}

// ReplayAbsent is a quantity that a side does not have.
type ReplayAbsent struct {
	Quantity  string `report:"quantity"`
	Section   string `report:"section"` // ncu --section
	Baseline  bool   `report:"baseline"`
	Candidate bool   `report:"candidate"`
}

// ReplayAlone is a kernel of one side.
type ReplayAlone struct {
	Side       string `report:"side"`
	Name       string `report:"name"`
	Grid       string `report:"grid"`
	Block      string `report:"block"`
	Launches   int    `report:"launches"`
	OtherSizes bool   `report:"other_sizes"` // the other side launched it with other sizes
}

// ReplayMismatch is a metric whose units on the two sides cannot be converted.
type ReplayMismatch struct {
	Section   string `report:"section"`
	Name      string `report:"name"`
	Baseline  string `report:"baseline"` // units
	Candidate string `report:"candidate"`
}

// ReplayWarning says something about a file.
type ReplayWarning struct {
	Side string `report:"side"`
	File string `report:"file"`
	Text string `report:"text"`
}

func replayDocument(r *compute.Report, tool string) *ReplayDocument {
	out := &ReplayDocument{
		SchemaVersion: compute.SchemaVersion, Tool: tool, State: words.ReplayState(r), Headline: words.ReplayHeadline(r), Basis: words.ReplayBasis, Void: string(r.Void), Incomplete: r.Incomplete,
		Alpha: r.Alpha, Threshold: r.Threshold, Floor: r.Floor,
		Baseline: replaySide(&r.Sides[0]), Candidate: replaySide(&r.Sides[1]), Unknown: (r.Unknown),
		Kernels: listOf(r.Kernels, replayKernel), Alone: []ReplayAlone{},
		Differences: listOf(r.Differences, func(d *compute.Difference) ReplayDifference {
			_, _, _, effect := words.ReplayDifference(d)
			return ReplayDifference{d.Fact, d.Values[0], d.Values[1], d.Class, string(d.Why), effect}
		}),
		NotCompared: listOf(r.NotCompared, func(m *compute.Mismatch) ReplayMismatch {
			return ReplayMismatch{m.Section, m.Name, m.Units[0], m.Units[1]}
		}),
		Warnings: listOf(r.Warnings, func(w *compute.Warning) ReplayWarning {
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
	return ReplaySide{s.Label, s.Launches, (s.Facts), listOf(s.Files, func(f *ncu.File) ReplayFile {
		return ReplayFile{f.Name, f.Page, f.Launches, f.Err, (f.Facts)}
	})}
}

func replayKernel(k *compute.Kernel) ReplayKernel {
	says := slices.Clone(replayLines(k))
	for i, s := range says {
		says[i] = spaces.Replace(s)
	}
	return ReplayKernel{
		Name: k.Name, Grid: k.Grid, Block: k.Block, Launches: k.Launches, Verdict: k.Time.Verdict.String(), Reason: string(k.Time.Reason),
		Estimate: k.Time.Estimate, Lo: k.Time.Lo, Hi: k.Time.Hi, Shown: k.Time.Shown, Q: k.Time.Q, Says: (says),
		Unexplained: k.Unexplained, Quantities: listOf(k.Quantities, replayMeasure), Stalls: listOf(k.Stalls, replayMeasure), Metrics: listOf(k.Others, replayMeasure),
		Causes: listOf(k.Causes, func(c *compute.Cause) ReplayCause {
			return ReplayCause{string(c.Kind), c.Stall, c.Unit, c.Base, c.Cand, c.Share}
		}),
		Roofline: ReplayRooflines{listOf(k.Rooflines[0], replayRoofline), listOf(k.Rooflines[1], replayRoofline)},
		Missing: listOf(k.Missing, func(m *compute.Missing) ReplayAbsent {
			return ReplayAbsent{m.Quantity, m.Section, m.Base, m.Cand}
		}),
	}
}

func replayRoofline(x *ncu.Roofline) ReplayRoofline {
	return ReplayRoofline{string(x.Precision), x.Work, x.Traffic, x.PeakWork, x.PeakTraffic, x.Intensity(), x.Ridge()}
}

func replayMeasure(m *compute.Measure) ReplayMeasure {
	sample := func(s *compute.Sample) ReplaySample {
		return ReplaySample{s.N, s.Median, s.Lower, s.Upper, s.Least, s.Most}
	}
	return ReplayMeasure{m.ID, m.Section, m.Name, m.Unit, m.Better, sample(&m.Base), sample(&m.Cand)}
}
