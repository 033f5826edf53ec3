package render

import (
	"cmp"
	"slices"
	"strings"

	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/diff/cause"
	"perfdiff/diff/sides"
	"perfdiff/diff/verdict"
	"perfdiff/render/words"
)

// Portrait is the report on one run set as JSON, compared with nothing. Units and the meaning of schema_version are
// those of diff.Report. A value that was not recorded is null.
type Portrait struct {
	SchemaVersion string              `report:"schema_version"` // "3.0"
	Tool          string              `report:"tool"`           // what wrote it: "perfdiff 1.2.3"
	Headline      string              `report:"headline"`       // what a step takes, and what most of that is
	Basis         string              `report:"basis"`          // of how much that holds, what stands out, and what to look at first
	Policy        string              `report:"policy"`         // where the policy comes from and what differs from the default; "": nothing
	Set           *diff.Side          `report:"run_set"`        // what it is made of
	Step          float64             `report:"step"`           // s, the median step; null: there is none
	Mean          float64             `report:"mean_step"`      // s; null: not known
	Notes         []PortraitNote      `report:"notes"`          // what stands out, the largest first
	Parts         []PortraitPart      `report:"parts"`          // of the mean step; they add up to it
	Metrics       []PortraitMetric    `report:"metrics"`        // the main metrics, recorded or not
	Details       []PortraitMetric    `report:"details"`        // the other metrics, and metrics by part
	Per           string              `report:"per"`            // "step" or "second": what times and counts of kernels and gaps are divided by
	Kernels       []PortraitKernel    `report:"kernels"`        // the longest first
	Launched      []PortraitLaunch    `report:"launched"`       // where kernels of a mean step are launched; []: no phase, operator or module is named
	Groups        []PortraitGroup     `report:"groups"`         // ranks that communicate with each other
	Pairs         []PortraitPair      `report:"pairs"`          // ranks that send to each other
	Pipeline      *cause.Pipeline     `report:"pipeline"`       // null: there is none
	Path          []PortraitTime      `report:"path"`           // the critical path through a mean step
	Bounds        []PortraitTime      `report:"bounds"`         // what the mean step could be
	RankWaits     []cause.RankWait    `report:"rank_waits"`     // how long ranks wait for each rank; []: arrivals are not known
	HostWaits     []cause.RankWait    `report:"host_waits"`     // likewise for the ranks of each host, where there are several; rank is -1
	Gaps          []PortraitGap       `report:"gaps"`           // by their length
	Longest       []cause.LongGap     `report:"longest_gaps"`   // the longest first
	Loads         []PortraitLoad      `report:"loads"`          // steps of an inference engine by their load
	Steps         []PortraitStep      `report:"steps"`          // every step number, in order
	Ranks         []PortraitRank      `report:"ranks"`          // in order of number
	Bin           float64             `report:"activity_bin"`   // s, of activity
	Activity      []diff.RankActivity `report:"activity"`       // what the devices did over time
	Timeline      []diff.Excerpt      `report:"timeline"`       // single steps: a typical one and the longest
	Summaries     []PortraitSummary   `report:"summaries"`      // the tables that nsys stats makes
	Warnings      []diff.Warning      `report:"warnings"`
	Descriptions  []run.Metric        `report:"descriptions"` // of every metric above
}

// PortraitNote is something that stands out.
type PortraitNote struct {
	Kind  string  `report:"kind"`  // "exposed", "idle", "straggler", "bubble", "spikes", "level", "drift" or "bound"
	Size  float64 `report:"size"`  // s a step; of "drift" and "level" a fraction of the step
	Share float64 `report:"share"` // of the mean step; null of what is no part of it
	Rank  *int    `report:"rank,omitempty"`
	Text  string  `report:"text"` // what stands out, behind its size: "of a step the device has nothing to do."
}

// PortraitTime is a part of something, or a time that could be reached, in s a step.
type PortraitTime struct {
	Name   string  `report:"name"`
	Method string  `report:"method,omitempty"` // of a bound: what would cost nothing
	Time   float64 `report:"time"`             // null: not known
}

// PortraitPart is a part of the mean step, and what it is made of.
type PortraitPart struct {
	Kind   string         `report:"kind"` // as in Report.Waterfall
	Name   string         `report:"name"`
	Time   float64        `report:"time"`   // s
	Share  float64        `report:"share"`  // of the mean step
	Within []PortraitTime `report:"within"` // they add up to it
}

// PortraitMetric is the value of one metric, or of one part of it.
type PortraitMetric struct {
	Metric      string  `report:"metric"` // see descriptions
	Part        string  `report:"part"`   // "" for the metric itself
	Unit        string  `report:"unit"`
	Better      string  `report:"better"`       // "lower", "higher" or "neither"
	Source      string  `report:"source"`       // what was measured, where a metric has several sources
	Median      float64 `report:"median"`       // over steps of the median over ranks
	Mean        float64 `report:"mean"`         // over steps of the mean over ranks
	NotRecorded string  `report:"not_recorded"` // what to record; "" where it was recorded
}

// PortraitKernel is one kernel name. Times and counts are for a rank and step, or second.
type PortraitKernel struct {
	Name   string  `report:"name"`
	Class  string  `report:"class"`
	Family string  `report:"family"`
	Launch string  `report:"launch"` // how most of its launches are; "": not recorded
	FLOPs  float64 `report:"flops"`  // of a call; null: not known
	Time   float64 `report:"time"`   // s
	Calls  float64 `report:"calls"`
	Others int     `report:"others"` // above 0: the row sums up that many other kernels
}

// PortraitLaunch is a node of Launched for one run set.
type PortraitLaunch struct {
	In     int     `report:"in"`    // index of the node that it lies in; -1 of the first
	Level  string  `report:"level"` // as in LaunchedNode
	Name   string  `report:"name"`
	Time   float64 `report:"time"`
	Calls  float64 `report:"calls"`
	Others int     `report:"others"`
}

// PortraitGroup is a group of ranks that communicate with each other, and what they do in a step of one of them.
type PortraitGroup struct {
	Ranks           []int         `report:"ranks"`
	Label           string        `report:"label"` // of the ranks: "0-3"
	Purpose         string        `report:"purpose"`
	Dimension       string        `report:"dimension"` // of parallelism; "": unknown
	Uses            []PortraitUse `report:"uses"`
	cause.GroupLoad `report:"."`
}

// PortraitUse is one kind of call in a group.
type PortraitUse struct {
	Collective string  `report:"collective"`
	Type       string  `report:"type"`  // of data, as recorded; "": unknown
	Size       string  `report:"size"`  // class of the message: "1 to 16 MiB"; "": unknown
	Calls      float64 `report:"calls"` // of a rank in a step in which there are any
}

// PortraitPair is two ranks that send to each other.
type PortraitPair struct {
	Ranks           [2]int `report:"ranks,list"`
	Dimension       string `report:"dimension"`
	cause.GroupLoad `report:"."`
}

// PortraitGap is one bin of the histogram of gaps.
type PortraitGap struct {
	From  float64 `report:"from"`  // s
	To    float64 `report:"to"`    // s
	Count float64 `report:"count"` // gaps a rank and step or second
}

// PortraitLoad are steps of an engine with loads that are alike.
type PortraitLoad struct {
	Name           string `report:"name"`
	sides.LoadSide `report:"."`
}

// PortraitStep is one step number.
type PortraitStep struct {
	Number         int64  `report:"number"`
	Dropped        string `report:"dropped"` // why it is left out; "" when it is used
	cause.StepSide `report:"."`
}

// PortraitRank is one rank.
type PortraitRank struct {
	Rank          int `report:"rank"`
	diff.RankSide `report:"."`
}

// PortraitSummary is one of the tables that people know from nsys stats.
type PortraitSummary struct {
	Table string            `report:"table"`
	Rows  []PortraitStatRow `report:"rows"`
	More  int               `report:"more"` // names that have no row
}

// PortraitStatRow is one name in it.
type PortraitStatRow struct {
	Name           string `report:"name"`
	cause.StatSide `report:"."`
}

func portraitDocument(p *diff.Portrait) *Portrait {
	r, a := p.Report, words.AnswerOfRun(p, true)
	kernels := slices.Clone(r.Kernels)
	slices.SortStableFunc(kernels, func(a, b cause.Kernel) int {
		return cmp.Or(cmp.Compare(min(a.Others, 1), min(b.Others, 1)), cmp.Compare(b.CandTime, a.CandTime))
	})
	doc := &Portrait{
		SchemaVersion: r.SchemaVersion, Tool: r.Tool, Headline: a.Headline, Basis: a.Story, Policy: spaces.Replace(words.PolicyLine(&r.Policy)),
		Set: &p.Side, Step: p.Step, Mean: p.Mean, Per: r.Per,
		Notes: listOf(p.Notes, func(n *diff.Note) PortraitNote { return portraitNote(p, n) }),
		Parts: listOf(r.Waterfall.Parts, func(x *cause.Part) PortraitPart {
			return PortraitPart{x.Kind, words.StepPart(x.StepPart), x.Cand, p.PartShare(x.Cand), listOf(x.Within, func(x *cause.PartChange) PortraitTime {
				return PortraitTime{Name: words.StepPart(x.StepPart), Time: x.Cand}
			})}
		}),
		Metrics: listOf(r.Metrics, portraitMetric), Details: listOf(r.Parts, portraitMetric),
		Kernels: listOf(kernels, portraitKernel),
		Launched: listOf(r.Launched.Nodes, func(n *cause.LaunchedNode) PortraitLaunch {
			return PortraitLaunch{n.In, string(n.Level), n.Name, n.Cand.Time, n.Cand.Calls, n.Others}
		}),
		Bounds: listOf(r.Bounds, func(b *cause.Bound) PortraitTime {
			name, method := words.Bound(b)
			return PortraitTime{name, method, b.Cand}
		}),
		Path: listOf(r.Path.Parts, func(x *cause.PathPart) PortraitTime {
			return PortraitTime{Name: words.PathPartOf(x.Key), Time: x.Cand}
		}),
		RankWaits: r.RankWaits[1], HostWaits: r.HostWaits[1],
		Gaps:    listOf(r.Gaps, func(g *cause.GapBin) PortraitGap { return PortraitGap{g.From, g.To, g.Cand} }),
		Longest: r.Longest[1],
		Steps: listOf(r.Steps, func(x *cause.StepPoint) PortraitStep {
			return PortraitStep{x.Number, words.StepLeft(&x.Omission), x.Cand}
		}),
		Bin: r.Activity.Bin, Activity: r.Activity.Cand, Timeline: r.Timeline[1],
		Summaries: listOf(r.Summaries, portraitSummary), Warnings: p.Warnings, Descriptions: slices.Clone(r.Descriptions),
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
		if r.Ranks[i].Cand.Present {
			doc.Ranks = append(doc.Ranks, PortraitRank{r.Ranks[i].Rank, r.Ranks[i].Cand})
		}
	}
	for i := range r.Groups {
		if g := &r.Groups[i]; g.Cand.Calls > 0 {
			doc.Groups = append(doc.Groups, PortraitGroup{g.Ranks, g.Label, g.Purpose, g.Dimension, listOf(g.Uses, func(u *cause.GroupUse) PortraitUse {
				return PortraitUse{u.Collective, u.Type, u.Size, u.Cand}
			}), g.Cand})
		}
	}
	for i := range r.Pairs {
		doc.Pairs = append(doc.Pairs, PortraitPair{r.Pairs[i].Ranks, r.Pairs[i].Dimension, r.Pairs[i].Cand})
	}
	for i := range r.Loads {
		doc.Loads = append(doc.Loads, PortraitLoad{words.LoadGroup(&r.Loads[i]), r.Loads[i].Cand})
	}
	if r.Pipeline != nil && len(r.Pipeline[1].Loads) > 0 {
		doc.Pipeline = &r.Pipeline[1]
	}
}

func portraitNote(p *diff.Portrait, n *diff.Note) PortraitNote {
	size, unit, text := words.NoteText(p, n)
	out := PortraitNote{Kind: string(n.Kind), Size: n.Size, Share: n.Share, Text: spaces.Replace(size + " " + unit + " " + text)}
	if n.Rank != nil {
		out.Rank = &n.Rank.Rank
	}
	return out
}

func portraitMetric(c *verdict.Comparison) PortraitMetric {
	return PortraitMetric{c.Key.Metric, c.Part, c.Metric.Unit, betterWord(c.Metric.Better), words.Source(c), c.Cand, c.CandMean, words.Need(c.NotRecorded[1])}
}

func portraitKernel(k *cause.Kernel) PortraitKernel {
	return PortraitKernel{k.Name, k.Class, k.Family, k.CandShape, k.CandFLOPs, k.CandTime, k.CandCalls, k.Others}
}

func portraitSummary(s *cause.Summary) PortraitSummary {
	return PortraitSummary{string(s.Table), listOf(s.Rows, func(r *cause.StatRow) PortraitStatRow { return PortraitStatRow{r.Name, r.Cand} }), s.More}
}
