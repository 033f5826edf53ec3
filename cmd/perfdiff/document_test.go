package main

import (
	"bytes"
	"math"
	"strconv"

	"perfdiff/diff"
)

// What tests read of the JSON reports, by the names of their members: a program that reads a report
// has types like these. Names of members are told from each other without their case, so that only
// those of several words are written beside the fields.

// Number is a value, NaN where it is null.
type Number float64

func (n *Number) UnmarshalJSON(text []byte) error {
	if string(bytes.TrimSpace(text)) == "null" {
		*n = Number(math.NaN())
		return nil
	}
	v, err := strconv.ParseFloat(string(text), 64)
	*n = Number(v)
	return err
}

// Numbers is a list of values.
type Numbers []Number

type PickedStep struct {
	Why                            []diff.PickKind
	Side, Run, File, Command, Note string
	Rank                           int
	Step                           int64
	Time                           Number `json:"step_time"`
	Start, End                     *int64
}

type Document struct {
	SchemaVersion           string `json:"schema_version"`
	About                   *struct{ Command string }
	Policy                  Policy
	Verdict                 Outcome
	Findings                []Finding
	Baseline, Candidate     Side
	Suspects                []struct{ Text string }
	Loads                   []LoadGroup
	Groups                  []Group
	Pairs                   []Pair
	Pipeline                *Both[Pipeline]
	Path                    struct{ Parts []any }
	Waterfall               Waterfall
	Metrics, Parts, Capture []Comparison
	Per                     string
	Calls                   []Call
	Kernels                 []struct{ Name string }
	Summaries               []Summary
	Longest                 Both[[]LongGap] `json:"longest_gaps"`
	Timeline                Both[[]Excerpt]
	Views                   []View
	Ranks                   []Rank
	Gaps, Differences       []any
	Reads                   struct{ Source string }
	Warnings                []Warning
	Descriptions            []Metric
}

type Both[T any] struct {
	Baseline, Candidate T
}

type Policy struct {
	Line   string
	Gating []string
}

type Outcome struct {
	Verdict, Word, Reason, Headline, Say, Basis string
	Judged                                      bool
	Gate                                        Gate
}

type Finding struct {
	Kind, Metric, Unit, Class, Number, Text, Evidence, Advice, Section string
	Ranks                                                              []int
	Delta, Low, High, Effect                                           Number
	NumberIn                                                           string `json:"number_unit"`
	Reasons                                                            []Reason
	Details                                                            Details
}

type Reason struct {
	Part   string
	Mean   Both[Number]
	Places []string
}

type Comparison struct {
	Metric, Part, Unit, Source, Verdict, Reason, Why string
	Median, Mean                                     Both[Number]
	Change                                           Change
	Ranks                                            Both[int]
	NotRecorded                                      Both[string] `json:"not_recorded"`
	Notes                                            []string
}

type Change struct {
	Estimate, Low, High, Floor, Hosts Number
	History                           int
	Places                            string
}

type Warning struct {
	Side, Text string
	Unrelated  bool
}

type Metric struct {
	Name, Unit string
}

type Waterfall struct {
	Parts []Part
	Delta Number
}

type Part struct {
	PartChange
	Within []PartChange
}

type PartChange struct {
	Kind, Name, Metric, Part string
	Mean                     Both[Number]
	Delta                    Number
}

type LongGap struct {
	Length Number
	Causes map[string]Number
	Places []struct{ Time Number }
}

type Advice struct {
}

type Details struct {
	Reads *Both[ReadSide]
	Work  *OperatorWork
}

type OperatorWork struct {
	Change       Number
	OtherRate    bool `json:"other_rate"`
	ExplainsStep bool `json:"explains_step"`
}

type Gate struct {
	State string
}

type Portrait struct {
	Step           Number
	Mean           Number `json:"mean_step"`
	Parts, Kernels []struct{ Time Number }
	Metrics        []any
	Launched       []PortraitLaunch
	Steps          []any
	Ranks          []PortraitRank
}

type PortraitLaunch struct {
	Level string
	Time  Number
}

type PortraitRank struct {
	Rank int
	RankSide
}

type ReadSide struct {
	Burst   Number `json:"burst_rate"`
	Readers Number
}

type ReplayDocument struct {
	State               string
	Incomplete          bool
	Threshold           Number
	Baseline, Candidate ReplaySide
	Kernels             []ReplayKernel
}

type ReplaySide struct {
	Launches int
	Files    []struct{ Page string }
}

type ReplayKernel struct {
	Name, Verdict string
	Estimate, Lo  Number
	Causes        []ReplayCause
	Quantities    []ReplayMeasure
	Roofline      struct{ Baseline, Candidate []any }
}

type ReplayCause struct {
	Kind, Stall string
	Share       Number
}

type ReplayMeasure struct {
	ID                  string
	Baseline, Candidate ReplaySample
}

type ReplaySample struct {
	Launches int
	Median   Number
}

type Side struct {
	Label string
	Runs  []string
	Steps Steps
}

type Steps struct {
	Kept int
}

type Rank struct {
	Rank                int
	Baseline, Candidate *RankSide
}

type RankSide struct {
	Steps     []int64
	Dropped   []string
	Values    map[string]Numbers
	Breakdown Breakdown
}

type Breakdown struct {
	Step        Number
	ExposedComm Number `json:"exposed_comm"`
}

type Excerpt struct {
	Ranks []struct{ Start []int64 }
}

type Track struct {
	Host bool
}

type View struct {
	Kind, Side string
	Step       [2]int
	Rank       int
	Beside     []int
}

type Summary struct {
	Table string
	Rows  []struct{ Baseline, Candidate StatSide }
}

type StatSide struct {
	Share Number
	Count int64
}

type Brief struct {
	Verdict               BriefVerdict
	Findings              []BriefFinding
	Differences, Warnings []any
	LeftOut               BriefLeftOut `json:"left_out"`
}

type BriefVerdict struct {
	Verdict, Headline, Gate string
	Judged                  bool
}

type BriefFinding struct {
	Kind, Metric, Unit, Text, Evidence, Section string
	Delta, Low, High                            Number
	OfRanks                                     int `json:"ranks_in_all"`
}

type BriefLeftOut struct {
	Findings, Differences, Warnings, Texts int
	Note                                   string
}

type Group struct {
	Label, Dimension string
	Uses             []GroupUse
	Sides            Both[GroupLoad]
}

type GroupUse struct {
	Collective, Size string
	Calls            Both[Number]
}

type GroupLoad struct {
	Calls, Wait, Transfer, Bandwidth, Algorithm Number
}

type Pair struct {
	Ranks [2]int
	Sides Both[GroupLoad]
}

type Pipeline struct {
	Stages, Chunks int
	MicroBatches   int `json:"micro_batches"`
	Schedule       string
}

type LoadGroup struct {
	Name, Class string
	Change      Number
	Sides       Both[LoadSide]
}

type LoadSide struct {
	Steps, Compared int
	Size            Number
	OfPeak          *Number `json:"of_peak_flops"`
	OfMemory        *Number `json:"of_bandwidth"`
}

type Call struct {
	Table, Name         string
	Baseline, Candidate StatSide
	Change, Effect      Number
	Beyond              bool `json:"beyond_noise"`
}

type SeveralDocument struct {
	Result, Tag, Headline string
	Candidates            []SeveralCandidate
}

type SeveralCandidate struct {
	Label  string
	Given  int
	Change Number
	Report *Document
}
