// Package history says what the runs of one job on main show over time: levels, changes with the commits between which
// they came, creep, and what people accepted.
package history

import (
	"time"

	"perfdiff/analyze/run"
	"perfdiff/diff/verdict"
)

// Job is the history of one job.
type Job struct {
	Name    string        `report:"job"`      // where a store holds several, else ""
	Store   string        `report:"-"`        // its directory, as commands to paste name it; "" unknown
	Runs    []Run         `report:"runs"`     // in the order of saving
	Metrics []Metric      `report:"metrics"`  // those that gate first, the step time and its mean before all others
	Events  []Event       `report:"events"`   // in the order of saving
	Quiet   time.Duration `report:"quiet,ns"` // since the newest run was saved; 0 unknown
}

// Run is one run of main.
type Run struct {
	Name   string          `report:"name"`   // in the store
	Number int64           `report:"number"` // of saving, from 1 on
	Saved  int64           `report:"saved"`  // UTC nanoseconds; 0 unknown
	Began  int64           `report:"began"`  // of its capture, UTC nanoseconds; 0 unknown
	From   run.Origin      `report:"origin"`
	Branch string          `report:"branch"` // "" unknown
	Hosts  []string        `report:"hosts"`  // nil unknown
	GPU    string          `report:"gpu"`
	Driver string          `report:"driver"`
	Why    verdict.LeftOut `report:"left_out,said"` // why it does not count; none: it does
	Gone   bool            `report:"gone"`          // its commit is not on main any more
}

// Metric is one number over the runs of a job.
type Metric struct {
	Metric   run.Metric `report:"."`
	Gating   bool       `report:"gating"`
	Values   []float64  `report:"values"` // of each run, in the metric's unit, also where it does not count; NaN: it has none
	Levels   []Level    `report:"levels"`
	Changes  []Change   `report:"changes"`
	SD       float64    `report:"noise"`       // what runs of one level differ by, a standard deviation: a share of the level where Relative
	Lag1     float64    `report:"correlation"` // correlation of neighbouring runs
	Creep    *Creep     `report:"creep"`       // nil: none
	Relative bool       `report:"relative"`    // sizes are shares of the level before, else in the metric's unit
}

// Level is a stretch of runs without a change.
type Level struct {
	From  int     `report:"from"` // of Runs; To is the first behind it
	To    int     `report:"to"`
	Value float64 `report:"value"` // in the metric's unit
	Lo    float64 `report:"lo"`    // two standard deviations of a run about it
	Hi    float64 `report:"hi"`
}

// Change is a change of level. Runs are indices of Job.Runs.
type Change struct {
	At       int     `report:"at"`    // the first run of the new level
	First    int     `report:"first"` // with 95 %, the change came with one of the runs First to Last
	Last     int     `report:"last"`
	Seen     int     `report:"seen"`    // the run at which it was told
	Size     float64 `report:"size"`    // a share of the level before where the metric is Relative, else in its unit
	Gradual  bool    `report:"gradual"` // it came over several runs, and no commit is named
	Worse    bool    `report:"worse"`
	Told     bool    `report:"told"`    // it is for the worse, and large enough for main to fail by it once
	Commits  int     `report:"commits"` // that lie between; 0 unknown
	Accepted *Event  `report:"accepted"`
	Moved    []Moved `report:"moved"` // the parts of the step that changed with it, largest first
}

// Moved is a part of the step on both levels of a change.
type Moved struct {
	Name   string  `report:"name"`
	Before float64 `report:"before"` // s
	After  float64 `report:"after"`
}

// Creep is what a metric drifted by in no single step.
type Creep struct {
	Ago  int     `report:"runs_ago"` // from the level of so many runs ago
	From int     `report:"from"`     // of Runs
	Size float64 `report:"size"`     // without what was told of
	// Reached is Size by the newest five runs alone, where Size is by twenty.
	Reached float64 `report:"reached"`
	Told    float64 `report:"told"` // changes that were told of in between and are not in Size
}

// Event is what people decided about runs of main.
type Event struct {
	Kind   string  `report:"kind"` // accept, exclude or note
	Commit string  `report:"commit"`
	Metric string  `report:"metric"`
	UpTo   float64 `report:"up_to"` // a share
	Reason string  `report:"reason"`
	By     string  `report:"by"`
	At     int64   `report:"at"`    // UTC nanoseconds
	Until  int64   `report:"until"` // UTC nanoseconds; 0: for good
}

// Names lists the metrics that are followed.
func (j *Job) Names() (out []string) {
	for i := range j.Metrics {
		out = append(out, j.Metrics[i].Metric.Name)
	}
	return out
}
