package render

import "perfdiff/diff"

// Store is what a store of past runs says beside the level that is the baseline.
type Store struct {
	Runs    int          `json:"runs"`    // of it that are used
	Unlike  string       `json:"unlike"`  // why none of them is like the candidate; "" some are
	All     []PastRun    `json:"all"`     // all of it; why: it is left out
	Trend   []StorePast  `json:"trend"`   // the step time of those that are used, in order
	Ordered bool         `json:"ordered"` // by time; else by name, since not all say when they began
	Levels  []StoreLevel `json:"levels"`  // stretches of one level each; []: fewer runs than least
	Least   int          `json:"least"`   // runs from which on levels are told
	Anchor  *Anchor      `json:"anchor"`  // the second comparison; null: there is none
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

// Anchor is the comparison with what a store once was. It shares the error rate with the
// first one.
type Anchor struct {
	At       string     `json:"at"`       // what it is: "the level of 20 runs ago"
	Alpha    Number     `json:"alpha"`    // its share of the error rate
	Baseline Side       `json:"baseline"` // its runs
	Headline string     `json:"headline"`
	Step     Comparison `json:"step"` // of the step time
	Gate     Gate       `json:"gate"` // what it says to a build by itself
}

func storeDocument(h *diff.Held) *Store {
	if h == nil {
		return nil
	}
	out := &Store{
		Runs: h.Runs, Unlike: h.Unlike, Ordered: h.Trend.Ordered, Least: h.Trend.Least,
		All:    each(h.Trend.Runs, func(r *diff.PastRun) PastRun { return PastRun{r.Name, r.Began, r.Why, r.Level} }),
		Trend:  each(h.Trend.Points, func(p *diff.TrendPoint) StorePast { return StorePast{p.Name, p.Began, Number(p.Value), Origin(p.From)} }),
		Levels: each(h.Trend.Levels, func(l *diff.Stretch) StoreLevel { return StoreLevel{l.From, l.To, Number(l.Value), l.Change} }),
	}
	if a := h.Anchor; a != nil {
		out.Anchor = &Anchor{
			At: a.At, Alpha: Number(a.Alpha), Baseline: sideDocument(&a.Side), Headline: a.Headline,
			Step: comparisonDocument(&a.Step), Gate: Gate{string(a.Gate.State), listed(a.Gate.Causes)},
		}
	}
	return out
}
