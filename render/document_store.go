package render

import (
	"perfdiff/diff"
	"perfdiff/diff/verdict"
	"perfdiff/render/words"
)

// Store is what perfdiff gate found in its store, beside the level that is the baseline.
type Store struct {
	Runs          int          `json:"runs"`            // number of its runs that are used
	NoMatchReason string       `json:"no_match_reason"` // why no run is of the candidate's configuration; "" if some are
	NoMatch       []PastRun    `json:"no_match"`        // the runs with why none is; []: some are
	All           []PastRun    `json:"all"`             // every run in it; why says that it is left out
	Trend         []StorePast  `json:"trend"`           // step time of the used runs, in order
	ByTime        bool         `json:"by_time"`         // they are in order of time; else of name, since not all say when they began
	Levels        []StoreLevel `json:"levels"`          // stretches of runs on one level; []: fewer runs than min_runs
	MinRuns       int          `json:"min_runs"`        // runs that finding levels takes
	Anchor        *Anchor      `json:"anchor"`          // the comparison with an older level; null: none was made
}

// StorePast is one run of a store.
type StorePast struct {
	Name   string `json:"name"`
	Began  int64  `json:"began"`  // UTC nanoseconds; 0 unknown
	Step   Number `json:"step"`   // s
	Origin Origin `json:"origin"` // what people say of where it comes from
}

// StoreLevel is a stretch of runs without a change of level.
type StoreLevel struct {
	From   int    `json:"from"`   // index into trend
	To     int    `json:"to"`     // the first behind it
	Step   Number `json:"step"`   // s
	Change string `json:"change"` // from the level before, as people read it; "" of the first
}

// Anchor is the comparison with an older level of the store. The two comparisons share one
// error rate.
type Anchor struct {
	At       string     `json:"at"`       // what it is: "the level of 20 runs ago"
	Alpha    Number     `json:"alpha"`    // its share of the error rate
	Baseline Side       `json:"baseline"` // its runs
	Headline string     `json:"headline"`
	Step     Comparison `json:"step"` // of the step time
	Gate     Gate       `json:"gate"` // its own result for a build
}

func storeDocument(h *diff.StoreFindings) *Store {
	if h == nil {
		return nil
	}
	out := &Store{
		Runs: h.Runs, NoMatchReason: words.Unlike(h.NoMatch), ByTime: h.Trend.Ordered, MinRuns: h.Trend.Least,
		All: documentsOf(h.Trend.Runs, pastDocument), NoMatch: documentsOf(h.NoMatch, pastDocument),
		Trend: documentsOf(h.Trend.Points, func(p *verdict.TrendPoint) StorePast {
			return StorePast{p.Name, p.Began, Number(p.Value), Origin(p.From)}
		}),
		Levels: documentsOf(h.Trend.Levels, func(l *verdict.Stretch) StoreLevel {
			return StoreLevel{l.From, l.To, Number(l.Value), words.Shift(&h.Trend.Metric, l.Change)}
		}),
	}
	if a := h.Anchor; a != nil {
		out.Anchor = &Anchor{
			At: words.AnchorAt(&a.At), Alpha: Number(a.Alpha), Baseline: sideDocument(&a.Side), Headline: words.Headline(&a.Headline),
			Step: comparisonDocument(&a.Step), Gate: gateDocument(&a.Gate),
		}
	}
	return out
}
