package render

import (
	"cmp"
	"io"
	"slices"
	"strings"

	"perfdiff/diff"
	"perfdiff/diff/cause"
	"perfdiff/diff/verdict"
	"perfdiff/render/words"
)

// Portrait is the report on one run set as JSON, compared with nothing. Units are those of Document,
// and so is the meaning of schema_version. A value that was not recorded is null.
type Portrait struct {
	SchemaVersion string            `json:"schema_version"` // "2.0"
	Tool          string            `json:"tool"`           // what wrote it: "perfdiff 1.2.3"
	Headline      string            `json:"headline"`       // what a step takes, as a sentence
	Basis         string            `json:"basis"`          // of how much that holds
	Policy        string            `json:"policy"`         // where the policy comes from and what differs from the default; "": nothing
	Set           Side              `json:"run_set"`        // what it is made of
	Step          Number            `json:"step"`           // s, the median step; null: there is none
	Mean          Number            `json:"mean_step"`      // s; null: not known
	Notes         []PortraitNote    `json:"notes"`          // what stands out, the largest first
	Parts         []PortraitPart    `json:"parts"`          // of the mean step; they add up to it
	Metrics       []PortraitMetric  `json:"metrics"`        // the main metrics, recorded or not
	Details       []PortraitMetric  `json:"details"`        // the other metrics, and metrics by part
	Per           string            `json:"per"`            // "step" or "second": what times and counts of kernels and gaps are divided by
	Kernels       []PortraitKernel  `json:"kernels"`        // the longest first
	Launched      []PortraitLaunch  `json:"launched"`       // where kernels of a mean step are launched; []: no phase, operator or module is named
	Groups        []PortraitGroup   `json:"groups"`         // ranks that communicate with each other
	Pairs         []PortraitPair    `json:"pairs"`          // ranks that send to each other
	Pipeline      *Pipeline         `json:"pipeline"`       // null: there is none
	Path          []PortraitTime    `json:"path"`           // the critical path through a mean step
	Bounds        []PortraitTime    `json:"bounds"`         // what the mean step could be
	RankWaits     []RankWait        `json:"rank_waits"`     // how long ranks wait for each rank; []: arrivals are not known
	HostWaits     []RankWait        `json:"host_waits"`     // likewise for the ranks of each host, where there are several; rank is -1
	Gaps          []PortraitGap     `json:"gaps"`           // by their length
	Longest       []LongGap         `json:"longest_gaps"`   // the longest first
	Loads         []PortraitLoad    `json:"loads"`          // steps of an inference engine by their load
	Steps         []PortraitStep    `json:"steps"`          // every step number, in order
	Ranks         []PortraitRank    `json:"ranks"`          // in order of number
	Bin           Number            `json:"activity_bin"`   // s, of activity
	Activity      []RankActivity    `json:"activity"`       // what the devices did over time
	Timeline      []Excerpt         `json:"timeline"`       // single steps: a typical one and the longest
	Summaries     []PortraitSummary `json:"summaries"`      // the tables that nsys stats makes
	Warnings      []Warning         `json:"warnings"`
	Descriptions  []Metric          `json:"descriptions"` // of every metric above
}

// PortraitNote is something that stands out.
type PortraitNote struct {
	Kind  string `json:"kind"`  // "exposed", "idle", "straggler", "bubble", "spikes", "level", "drift" or "bound"
	Size  Number `json:"size"`  // s a step; of "drift" and "level" a fraction of the step
	Share Number `json:"share"` // of the mean step; null of what is no part of it
	Rank  *int   `json:"rank,omitempty"`
	Text  string `json:"text"` // what stands out, behind its size: "of a step the device has nothing to do."
}

// PortraitTime is a part of something, or what it could be, in s a step.
type PortraitTime struct {
	Name   string `json:"name"`
	Method string `json:"method,omitempty"` // of a bound: what would cost nothing
	Time   Number `json:"time"`             // null: not known
}

// PortraitPart is a part of the mean step, and what it is made of.
type PortraitPart struct {
	Kind   string         `json:"kind"` // as in Document.Waterfall
	Name   string         `json:"name"`
	Time   Number         `json:"time"`   // s
	Share  Number         `json:"share"`  // of the mean step
	Within []PortraitTime `json:"within"` // they add up to it
}

// PortraitMetric is the value of one metric, or of one part of it.
type PortraitMetric struct {
	Metric      string `json:"metric"` // see descriptions
	Part        string `json:"part"`   // "" for the metric itself
	Unit        string `json:"unit"`
	Better      string `json:"better"`       // "lower", "higher" or "neither"
	Source      string `json:"source"`       // what was measured, where a metric has several sources
	Median      Number `json:"median"`       // over steps of the median over ranks
	Mean        Number `json:"mean"`         // over steps of the mean over ranks
	NotRecorded string `json:"not_recorded"` // what to record; "" where it was recorded
}

// PortraitKernel is one kernel name. Times and counts are for a rank and step, or second.
type PortraitKernel struct {
	Name   string `json:"name"`
	Class  string `json:"class"`
	Family string `json:"family"`
	Launch string `json:"launch"` // how most of its launches are; "": not recorded
	FLOPs  Number `json:"flops"`  // of a call; null: not known
	Time   Number `json:"time"`   // s
	Calls  Number `json:"calls"`
	Others int    `json:"others"` // above 0: the row sums up that many other kernels
}

// PortraitLaunch is a node of Launched for one run set.
type PortraitLaunch struct {
	In     int    `json:"in"`    // index of the node that it lies in; -1 of the first
	Level  string `json:"level"` // as in LaunchedNode
	Name   string `json:"name"`
	Time   Number `json:"time"`
	Calls  Number `json:"calls"`
	Others int    `json:"others"`
}

// PortraitGroup is ranks that communicate with each other, and what they do in a step of one of them.
type PortraitGroup struct {
	Ranks     []int         `json:"ranks"`
	Label     string        `json:"label"` // of the ranks: "0-3"
	Purpose   string        `json:"purpose"`
	Dimension string        `json:"dimension"` // of parallelism; "": unknown
	Uses      []PortraitUse `json:"uses"`
	GroupLoad
}

// PortraitUse is one kind of call in a group.
type PortraitUse struct {
	Collective string `json:"collective"`
	Type       string `json:"type"`  // of data, as recorded; "": unknown
	Size       string `json:"size"`  // class of the message: "1 to 16 MiB"; "": unknown
	Calls      Number `json:"calls"` // of a rank in a step in which there are any
}

// PortraitPair is two ranks that send to each other.
type PortraitPair struct {
	Ranks     [2]int `json:"ranks"`
	Dimension string `json:"dimension"`
	GroupLoad
}

// PortraitGap is one bin of the histogram of gaps.
type PortraitGap struct {
	From  Number `json:"from"`  // s
	To    Number `json:"to"`    // s
	Count Number `json:"count"` // gaps a rank and step or second
}

// PortraitLoad are steps of an engine with loads that are alike.
type PortraitLoad struct {
	Name string `json:"name"`
	LoadSide
}

// PortraitStep is one step number.
type PortraitStep struct {
	Number  int64  `json:"number"`
	Dropped string `json:"dropped"` // why it is left out; "" when it is used
	StepTimes
}

// PortraitRank is one rank.
type PortraitRank struct {
	Rank int `json:"rank"`
	RankSide
}

// PortraitSummary is one of the tables that people know from nsys stats.
type PortraitSummary struct {
	Table string            `json:"table"`
	Rows  []PortraitStatRow `json:"rows"`
	More  int               `json:"more"` // names that have no row
}

// PortraitStatRow is one name in it.
type PortraitStatRow struct {
	Name string `json:"name"`
	StatSide
}

// writePortraitJSON writes the report on one run set for programs.
func writePortraitJSON(w io.Writer, p *diff.Portrait) error {
	text, err := indentedJSON(portraitDocument(p), 0)
	if err != nil {
		return err
	}
	_, err = w.Write(append(text, '\n'))
	return err
}

func portraitDocument(p *diff.Portrait) *Portrait {
	r := p.Report
	kernels := slices.Clone(r.Kernels)
	slices.SortStableFunc(kernels, func(a, b cause.Kernel) int {
		return cmp.Or(cmp.Compare(min(a.Others, 1), min(b.Others, 1)), cmp.Compare(b.CandTime, a.CandTime))
	})
	doc := &Portrait{
		SchemaVersion: r.SchemaVersion, Tool: r.Tool, Headline: words.Portrait(p), Basis: words.PortraitBasis(p), Policy: spaces.Replace(words.PolicyLine(&r.Policy)),
		Set: sideDocument(&p.Side), Step: Number(p.Step), Mean: Number(p.Mean), Per: r.Per,
		Notes: documentsOf(p.Notes, func(n *diff.Note) PortraitNote { return portraitNote(p, n) }),
		Parts: documentsOf(r.Waterfall.Parts, func(x *cause.Part) PortraitPart {
			return PortraitPart{x.Kind, words.StepPart(x.StepPart), Number(x.Cand), Number(p.PartShare(x.Cand)), documentsOf(x.Within, func(x *cause.PartChange) PortraitTime {
				return PortraitTime{Name: words.StepPart(x.StepPart), Time: Number(x.Cand)}
			})}
		}),
		Metrics: documentsOf(r.Metrics, portraitMetric), Details: documentsOf(r.Parts, portraitMetric),
		Kernels: documentsOf(kernels, portraitKernel),
		Launched: documentsOf(r.Launched.Nodes, func(n *cause.LaunchedNode) PortraitLaunch {
			return PortraitLaunch{n.In, string(n.Level), n.Name, Number(n.Cand.Time), Number(n.Cand.Calls), n.Others}
		}),
		Bounds: documentsOf(r.Bounds, func(b *cause.Bound) PortraitTime {
			name, method := words.Bound(b)
			return PortraitTime{name, method, Number(b.Cand)}
		}),
		Path: documentsOf(r.Path.Parts, func(x *cause.PathPart) PortraitTime {
			return PortraitTime{Name: words.PathPartOf(x.Key), Time: Number(x.Cand)}
		}),
		RankWaits: documentsOf(r.RankWaits[1], rankWaitDocument), HostWaits: documentsOf(r.HostWaits[1], rankWaitDocument),
		Gaps:    documentsOf(r.Gaps, func(g *cause.GapBin) PortraitGap { return PortraitGap{Number(g.From), Number(g.To), Number(g.Cand)} }),
		Longest: documentsOf(r.Longest[1], longGapDocument),
		Loads:   []PortraitLoad{}, Groups: []PortraitGroup{}, Pairs: []PortraitPair{}, Ranks: []PortraitRank{},
		Steps: documentsOf(r.Steps, func(x *cause.StepPoint) PortraitStep {
			return PortraitStep{x.Number, words.StepLeft(&x.Omission), stepTimesDocument(&x.Cand)}
		}),
		Bin: Number(r.Activity.Bin), Activity: documentsOf(r.Activity.Cand, activityDocument), Timeline: documentsOf(r.Timeline[1], excerptDocument),
		Summaries: documentsOf(r.Summaries, portraitSummary), Warnings: documentsOf(p.Warnings, warningDocument), Descriptions: describe(r.Descriptions, r.Profilers),
	}
	for i := range doc.Descriptions { // some ask for as much of each side
		doc.Descriptions[i].Needs = strings.TrimSuffix(doc.Descriptions[i].Needs, " on both sides")
	}
	doc.addRanks(r)
	return doc
}

// addRanks adds ranks, and what they do together.
func (doc *Portrait) addRanks(r *diff.Report) {
	for i := range r.Ranks {
		if side := rankSideDocument(&r.Ranks[i].Cand); side != nil {
			doc.Ranks = append(doc.Ranks, PortraitRank{r.Ranks[i].Rank, *side})
		}
	}
	for i := range r.Groups {
		if g := &r.Groups[i]; g.Cand.Calls > 0 {
			doc.Groups = append(doc.Groups, PortraitGroup{neverNil(g.Ranks), g.Label, g.Purpose, g.Dimension, documentsOf(g.Uses, func(u *cause.GroupUse) PortraitUse {
				return PortraitUse{u.Collective, u.Type, u.Size, Number(u.Cand)}
			}), groupLoad(&g.Cand)})
		}
	}
	for i := range r.Pairs {
		doc.Pairs = append(doc.Pairs, PortraitPair{r.Pairs[i].Ranks, r.Pairs[i].Dimension, groupLoad(&r.Pairs[i].Cand)})
	}
	for i := range r.Loads {
		load := loadDocument(&r.Loads[i])
		doc.Loads = append(doc.Loads, PortraitLoad{load.Name, load.Sides.Candidate})
	}
	if r.Pipeline != nil && len(r.Pipeline[1].Loads) > 0 {
		pipeline := pipelineDocument(&r.Pipeline[1])
		doc.Pipeline = &pipeline
	}
}

func portraitNote(p *diff.Portrait, n *diff.Note) PortraitNote {
	size, unit, text := words.NoteText(p, n)
	out := PortraitNote{Kind: string(n.Kind), Size: Number(n.Size), Share: Number(n.Share), Text: spaces.Replace(size + " " + unit + " " + text)}
	if n.Rank != nil {
		out.Rank = &n.Rank.Rank
	}
	return out
}

func portraitMetric(c *verdict.Comparison) PortraitMetric {
	return PortraitMetric{c.Key.Metric, c.Part, c.Metric.Unit, betterWord(c.Metric.Better), words.Source(c), Number(c.Cand), Number(c.CandMean), words.Need(c.NotRecorded[1])}
}

func portraitKernel(k *cause.Kernel) PortraitKernel {
	return PortraitKernel{k.Name, k.Class, k.Family, k.CandShape, Number(k.CandFLOPs), Number(k.CandTime), Number(k.CandCalls), k.Others}
}

func portraitSummary(s *cause.Summary) PortraitSummary {
	return PortraitSummary{string(s.Table), documentsOf(s.Rows, func(r *cause.StatRow) PortraitStatRow { return PortraitStatRow{r.Name, statDocument(&r.Cand)} }), s.More}
}
