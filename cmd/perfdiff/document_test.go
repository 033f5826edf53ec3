package main

import (
	"bytes"
	"math"
	"strconv"

	"perfdiff/diff"
)

// What tests read of the JSON reports, by the names of their members: a program that reads a report
// has types like these.

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
	Why     []diff.PickKind `json:"why"`
	Side    string          `json:"side"`
	Run     string          `json:"run"`
	Rank    int             `json:"rank"`
	File    string          `json:"file"`
	Step    int64           `json:"step"`
	Time    Number          `json:"step_time"`
	Start   *int64          `json:"start"`
	End     *int64          `json:"end"`
	Command string          `json:"command"`
	Note    string          `json:"note"`
}

type Document struct {
	SchemaVersion string          `json:"schema_version"`
	About         *About          `json:"about,omitempty"`
	Policy        Policy          `json:"policy"`
	Verdict       Outcome         `json:"verdict"`
	Findings      []Finding       `json:"findings"`
	Baseline      Side            `json:"baseline"`
	Candidate     Side            `json:"candidate"`
	Suspects      []Suspect       `json:"suspects,omitempty"`
	Loads         []LoadGroup     `json:"loads"`
	Groups        []Group         `json:"groups"`
	Pairs         []Pair          `json:"pairs,omitempty"`
	Pipeline      *Both[Pipeline] `json:"pipeline,omitempty"`
	Path          Path            `json:"path"`
	Waterfall     Waterfall       `json:"waterfall"`
	Metrics       []Comparison    `json:"metrics"`
	Parts         []Comparison    `json:"parts"`
	Per           string          `json:"per"`
	Capture       []Comparison    `json:"capture"`
	Calls         []Call          `json:"calls"`
	Kernels       []Kernel        `json:"kernels"`
	Summaries     []Summary       `json:"summaries"`
	Longest       Both[[]LongGap] `json:"longest_gaps"`
	Timeline      Both[[]Excerpt] `json:"timeline"`
	Views         []View          `json:"views"`
	Ranks         []Rank          `json:"ranks"`
	Gaps          []Gap           `json:"gaps"`
	Reads         Reads           `json:"reads"`
	Differences   []Difference    `json:"differences"`
	Warnings      []Warning       `json:"warnings"`
	Descriptions  []Metric        `json:"descriptions"`
}

type Both[T any] struct {
	Baseline  T `json:"baseline"`
	Candidate T `json:"candidate"`
}

type Policy struct {
	Line   string   `json:"line"`
	Gating []string `json:"gating"`
}

type Outcome struct {
	Verdict  string `json:"verdict"`
	Word     string `json:"word"`
	Reason   string `json:"reason"`
	Headline string `json:"headline"`
	Basis    string `json:"basis"`
	Judged   bool   `json:"judged"`
	Gate     Gate   `json:"gate"`
}

type Finding struct {
	Kind     string   `json:"kind"`
	Metric   string   `json:"metric"`
	Ranks    []int    `json:"ranks"`
	Delta    Number   `json:"delta"`
	Low      Number   `json:"low"`
	High     Number   `json:"high"`
	Unit     string   `json:"unit"`
	Class    string   `json:"class"`
	Number   string   `json:"number"`
	NumberIn string   `json:"number_unit"`
	Text     string   `json:"text"`
	Evidence string   `json:"evidence"`
	Advice   string   `json:"advice"`
	Section  string   `json:"section"`
	Effect   Number   `json:"effect"`
	Reasons  []Reason `json:"reasons"`
	Details  Details  `json:"details"`
}

type Reason struct {
	Part   string       `json:"part"`
	Mean   Both[Number] `json:"mean"`
	Places []string     `json:"places"`
}

type Comparison struct {
	Metric      string       `json:"metric"`
	Part        string       `json:"part"`
	Unit        string       `json:"unit"`
	Source      string       `json:"source"`
	Median      Both[Number] `json:"median"`
	Mean        Both[Number] `json:"mean"`
	Change      Change       `json:"change"`
	Verdict     string       `json:"verdict"`
	Reason      string       `json:"reason"`
	Why         string       `json:"why"`
	Ranks       Both[int]    `json:"ranks"`
	NotRecorded Both[string] `json:"not_recorded"`
	Notes       []string     `json:"notes"`
}

type Change struct {
	Estimate Number `json:"estimate"`
	Low      Number `json:"low"`
	High     Number `json:"high"`
	History  int    `json:"history"`
	Floor    Number `json:"floor"`
	Hosts    Number `json:"hosts"`
	Places   string `json:"places"`
}

type Kernel struct {
	Name string `json:"name"`
}

type Gap struct {
}

type Difference struct {
}

type Warning struct {
	Side      string `json:"side"`
	Text      string `json:"text"`
	Unrelated bool   `json:"unrelated"`
}

type Metric struct {
	Name string `json:"name"`
	Unit string `json:"unit"`
}

type About struct {
	Command string `json:"command,omitempty"`
}

type Waterfall struct {
	Parts []Part `json:"parts"`
	Delta Number `json:"delta"`
}

type Part struct {
	PartChange
	Within []PartChange `json:"within"`
}

type PartChange struct {
	Kind   string       `json:"kind"`
	Name   string       `json:"name"`
	Metric string       `json:"metric"`
	Part   string       `json:"part"`
	Mean   Both[Number] `json:"mean"`
	Delta  Number       `json:"delta"`
}

type LongGap struct {
	Length Number            `json:"length"`
	Causes map[string]Number `json:"causes"`
	Places []Place           `json:"places"`
}

type Place struct {
	Time Number `json:"time"`
}

type Level struct {
}

type Evidence struct {
}

type Advice struct {
}

type Details struct {
	Reads *Both[ReadSide] `json:"reads,omitempty"`
	Work  *OperatorWork   `json:"work,omitempty"`
}

type OperatorWork struct {
	Change       Number `json:"change"`
	OtherRate    bool   `json:"other_rate"`
	ExplainsStep bool   `json:"explains_step"`
}

type Gate struct {
	State string `json:"state"`
}

type Launched struct {
}

type Portrait struct {
	Step     Number           `json:"step"`
	Mean     Number           `json:"mean_step"`
	Parts    []PortraitPart   `json:"parts"`
	Metrics  []PortraitMetric `json:"metrics"`
	Kernels  []PortraitKernel `json:"kernels"`
	Launched []PortraitLaunch `json:"launched"`
	Steps    []PortraitStep   `json:"steps"`
	Ranks    []PortraitRank   `json:"ranks"`
}

type PortraitPart struct {
	Time Number `json:"time"`
}

type PortraitMetric struct {
}

type PortraitKernel struct {
	Time Number `json:"time"`
}

type PortraitLaunch struct {
	Level string `json:"level"`
	Time  Number `json:"time"`
}

type PortraitStep struct {
	StepTimes
}

type PortraitRank struct {
	Rank int `json:"rank"`
	RankSide
}

type Reads struct {
	Source string `json:"source"`
}

type ReadSide struct {
	Burst   Number `json:"burst_rate"`
	Readers Number `json:"readers"`
}

type ReplayDocument struct {
	State      string         `json:"state"`
	Incomplete bool           `json:"incomplete"`
	Threshold  Number         `json:"threshold"`
	Baseline   ReplaySide     `json:"baseline"`
	Candidate  ReplaySide     `json:"candidate"`
	Kernels    []ReplayKernel `json:"kernels"`
}

type ReplaySide struct {
	Launches int          `json:"launches"`
	Files    []ReplayFile `json:"files"`
}

type ReplayFile struct {
	Page string `json:"page"`
}

type ReplayKernel struct {
	Name       string          `json:"name"`
	Verdict    string          `json:"verdict"`
	Estimate   Number          `json:"estimate"`
	Lo         Number          `json:"lo"`
	Causes     []ReplayCause   `json:"causes"`
	Quantities []ReplayMeasure `json:"quantities"`
	Roofline   ReplayRooflines `json:"roofline"`
}

type ReplayRooflines struct {
	Baseline  []ReplayRoofline `json:"baseline"`
	Candidate []ReplayRoofline `json:"candidate"`
}

type ReplayRoofline struct {
}

type ReplayCause struct {
	Kind  string `json:"kind"`
	Stall string `json:"stall"`
	Share Number `json:"share"`
}

type ReplayMeasure struct {
	ID        string       `json:"id"`
	Baseline  ReplaySample `json:"baseline"`
	Candidate ReplaySample `json:"candidate"`
}

type ReplaySample struct {
	Launches int    `json:"launches"`
	Median   Number `json:"median"`
}

type Side struct {
	Label string   `json:"label"`
	Runs  []string `json:"runs"`
	Steps Steps    `json:"steps"`
}

type File struct {
}

type Steps struct {
	Kept int `json:"kept"`
}

type StepTimes struct {
}

type Rank struct {
	Rank      int       `json:"rank"`
	Baseline  *RankSide `json:"baseline"`
	Candidate *RankSide `json:"candidate"`
}

type RankSide struct {
	Steps     []int64            `json:"steps"`
	Dropped   []string           `json:"dropped"`
	Values    map[string]Numbers `json:"values"`
	Breakdown Breakdown          `json:"breakdown"`
}

type Calls struct {
}

type Breakdown struct {
	Step        Number `json:"step"`
	ExposedComm Number `json:"exposed_comm"`
}

type Suspect struct {
	Text string `json:"text"`
}

type Excerpt struct {
	Ranks []Strip `json:"ranks"`
}

type Strip struct {
	Start []int64 `json:"start"`
}

type Track struct {
	Host bool `json:"host"`
}

type View struct {
	Kind   string `json:"kind"`
	Side   string `json:"side"`
	Step   [2]int `json:"step"`
	Rank   int    `json:"rank"`
	Beside []int  `json:"beside"`
}

type Summary struct {
	Table string    `json:"table"`
	Rows  []StatRow `json:"rows"`
}

type StatRow struct {
	Baseline  StatSide `json:"baseline"`
	Candidate StatSide `json:"candidate"`
}

type StatSide struct {
	Share Number `json:"share"`
	Count int64  `json:"count"`
}

type Brief struct {
	Verdict     BriefVerdict      `json:"verdict"`
	Findings    []BriefFinding    `json:"findings"`
	Differences []BriefDifference `json:"differences"`
	Warnings    []BriefWarning    `json:"warnings"`
	LeftOut     BriefLeftOut      `json:"left_out"`
}

type BriefVerdict struct {
	Verdict  string `json:"verdict"`
	Headline string `json:"headline"`
	Judged   bool   `json:"judged"`
	Gate     string `json:"gate"`
}

type BriefFinding struct {
	Kind     string `json:"kind"`
	Metric   string `json:"metric"`
	Delta    Number `json:"delta"`
	Low      Number `json:"low"`
	High     Number `json:"high"`
	Unit     string `json:"unit"`
	OfRanks  int    `json:"ranks_in_all"`
	Text     string `json:"text"`
	Evidence string `json:"evidence"`
	Section  string `json:"section"`
}

type BriefWarning struct {
}

type BriefLeftOut struct {
	Findings    int    `json:"findings"`
	Differences int    `json:"differences"`
	Warnings    int    `json:"warnings"`
	Texts       int    `json:"texts"`
	Note        string `json:"note,omitempty"`
}

type Group struct {
	Label     string          `json:"label"`
	Dimension string          `json:"dimension"`
	Uses      []GroupUse      `json:"uses"`
	Sides     Both[GroupLoad] `json:"sides"`
}

type GroupUse struct {
	Collective string       `json:"collective"`
	Size       string       `json:"size"`
	Calls      Both[Number] `json:"calls"`
}

type GroupLoad struct {
	Calls     Number `json:"calls"`
	Wait      Number `json:"wait"`
	Transfer  Number `json:"transfer"`
	Bandwidth Number `json:"bandwidth"`
	Algorithm Number `json:"algorithm"`
}

type Path struct {
	Parts []PathPart `json:"parts"`
}

type PathPart struct {
}

type Pair struct {
	Ranks [2]int          `json:"ranks"`
	Sides Both[GroupLoad] `json:"sides"`
}

type Pipeline struct {
	Stages       int    `json:"stages"`
	MicroBatches int    `json:"micro_batches"`
	Chunks       int    `json:"chunks"`
	Schedule     string `json:"schedule"`
}

type LoadGroup struct {
	Name   string         `json:"name"`
	Class  string         `json:"class"`
	Change Number         `json:"change"`
	Sides  Both[LoadSide] `json:"sides"`
}

type LoadSide struct {
	Steps    int     `json:"steps"`
	Compared int     `json:"compared"`
	Size     Number  `json:"size"`
	OfPeak   *Number `json:"of_peak_flops,omitempty"`
	OfMemory *Number `json:"of_bandwidth,omitempty"`
}

type Call struct {
	Table     string   `json:"table"`
	Name      string   `json:"name"`
	Baseline  StatSide `json:"baseline"`
	Candidate StatSide `json:"candidate"`
	Change    Number   `json:"change"`
	Beyond    bool     `json:"beyond_noise"`
	Effect    Number   `json:"effect"`
}

type SeveralDocument struct {
	Result     string             `json:"result"`
	Candidates []SeveralCandidate `json:"candidates"`
}

type SeveralCandidate struct {
	Label  string    `json:"label"`
	Given  int       `json:"given"`
	Change Number    `json:"change"`
	Report *Document `json:"report"`
}

type BriefDifference struct {
}
