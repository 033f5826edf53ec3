package render

import "perfdiff/diff"

// Store is what a store of past runs says beside the level that is the baseline.
type Store struct {
	Runs   int         `json:"runs"`   // of it that are used
	Unlike string      `json:"unlike"` // why none of them is like the candidate; "" some are
	All    []PastRun   `json:"all"`    // all of it; why: it is left out
	Trend  []StorePast `json:"trend"`  // the step time of those that are used, in order
	Anchor *Anchor     `json:"anchor"` // the second comparison; null: there is none
}

// StorePast is one run of a store.
type StorePast struct {
	Name   string `json:"name"`
	Began  int64  `json:"began"`  // UTC nanoseconds; 0 unknown
	Step   Number `json:"step"`   // s
	Origin Origin `json:"origin"` // what people say of where it comes from
	Level  int    `json:"level"`  // on which it stands, from 0 on
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
	out := &Store{Runs: h.Runs, Unlike: h.Unlike, Trend: []StorePast{},
		All: each(h.Trend.Runs, func(r *diff.PastRun) PastRun { return PastRun{r.Name, r.Began, r.Why, r.Level} })}
	level := 0
	for i, p := range h.Trend.Points {
		for level+1 < len(h.Trend.Levels) && h.Trend.Levels[level+1].From <= i {
			level++
		}
		out.Trend = append(out.Trend, StorePast{p.Name, p.Began, Number(p.Value), Origin(p.From), level})
	}
	if a := h.Anchor; a != nil {
		out.Anchor = &Anchor{At: a.At, Alpha: Number(a.Alpha), Baseline: sideDocument(&a.Side), Headline: a.Headline,
			Step: comparisonDocument(&a.Step), Gate: Gate{string(a.Gate.State), listed(a.Gate.Causes)}}
	}
	return out
}
