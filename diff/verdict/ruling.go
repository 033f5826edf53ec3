package verdict

import (
	"math"

	"perfdiff/analyze/run"
	"perfdiff/diff/stat"
)

// Ruling is what the history of main says of one metric of a candidate: the effect against main's level, which is tested
// in place of the pair's own, and whether it fails. Package diff/history makes it.
type Ruling struct {
	stat.Effect `report:"-"` // against the level, on the scale of the test
	Level       float64      `report:"level"` // of main, in the metric's unit
	Value       float64      `report:"value"` // of the candidate, the mean over its runs
	// Own is the change from the runs that are shown of the level, a fraction: levels of the median and of the mean may
	// begin with other runs.
	Own       float64     `report:"-"`
	Runs      int         `report:"runs"`       // of main, that the level is the mean of
	SD        float64     `report:"noise"`      // what runs of main differ by, a deviation on the scale of the test
	Asks      bool        `report:"asks"`       // it looks slower, and more runs of the candidate would tell
	Fails     bool        `report:"fails"`      // beyond chance, wherever main may stand
	MainAgain bool        `report:"main_again"` // main's newest run decides, and should be repeated
	Why       string      `report:"reason"`     // why it does not though it is beyond the level: a Reason; "" else
	Starts    []MainStart `report:"main_may_stand"`
}

// OnMain returns main's level as a baseline of these runs, with what main's history says of the candidate.
func OnMain(base *run.Set, runs []PastRun, rulings map[run.Key]*Ruling) *CurrentLevel {
	return &CurrentLevel{Base: base, Runs: runs, rulings: rulings}
}

// ruling returns what main's history says of a series; nil: nothing.
func (l *CurrentLevel) ruling(key run.Key) *Ruling {
	if l == nil {
		return nil
	}
	return l.rulings[key]
}

// MainStart is a level on which main may stand since its newest runs.
type MainStart struct {
	Runs  int     `report:"runs"`   // so many of main's newest
	Share float64 `report:"chance"` // that it does
	Size  float64 `report:"change"` // from the level, a fraction or in the unit, as the comparison's estimate
}

// ruled puts what the history of main says in the place of a pair's own effect.
func (c *Comparison) ruled(r *Ruling) (e stat.Effect, between func(sd float64) stat.Effect) {
	r.Own = c.Delta / c.Base
	c.Main, c.History = r, r.Runs
	c.Base, c.Cand, c.Delta = r.Level, r.Value, r.Value-r.Level
	c.Floor = r.SD
	return r.Effect, func(sd float64) stat.Effect {
		e := r.Effect
		e.SE *= sd / math.Max(r.SD, math.SmallestNonzeroFloat64)
		return e
	}
}
