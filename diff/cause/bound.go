package cause

import (
	"math"

	"perfdiff/analyze/run"
	"perfdiff/diff/sides"
	"perfdiff/diff/stat"
)

// Bound is how long a step would take if one thing cost nothing: a lower bound, since other work may take its place.
// The method follows the what-if analyses of stragglers and of distributed training (the recorded time less the part,
// per step; for what ranks wait for each other, the median rank stands for all).
type Bound struct {
	If   Scenario `report:"name,said"`
	Base float64  `report:"step.baseline"` // s, mean step; NaN: not known
	Cand float64  `report:"step.candidate"`
}

// Scenario is one thing that costs nothing.
type Scenario string

// The scenarios.
const (
	AsRecorded  Scenario = "as-recorded" // everything costs what it did
	NoWait      Scenario = "no-wait"     // of a rank for another
	AllHidden   Scenario = "all-hidden"  // communication behind compute
	FreeInput   Scenario = "free-input"
	NoShortGaps Scenario = "no-short-gaps" // of 1 to 100 us
	NeverIdle   Scenario = "never-idle"
)

// scenarioSaving says how much of a step goes if one thing costs nothing.
type scenarioSaving struct {
	name Scenario
	less run.Key // zero: nothing
}

var scenarios = []scenarioSaving{
	{AsRecorded, run.Key{}},
	{NoWait, run.Key{Metric: run.ExposedWaitTime}},
	{AllHidden, run.Key{Metric: run.ExposedCommTime}},
	{FreeInput, run.Key{Metric: run.IdleTime, Part: "input"}},
	{NoShortGaps, run.Key{Metric: run.ShortGapTime}},
	{NeverIdle, run.Key{Metric: run.IdleTime}},
}

// steps returns how long each used step of a run takes in the scenario: the median over ranks, and the lower of the
// middle two in the scenario without waiting (where half of the ranks are late, the others show what could be); NaN
// not known.
func (s *scenarioSaving) steps(r *sides.Run) []float64 {
	var ranks []*sides.Rank
	var times, less [][]float64
	for _, k := range capturingRanks(r) {
		ranks, times, less = append(ranks, k), append(times, k.ValuesOf(sides.StepTime)), append(less, k.ValuesOf(s.less))
	}
	var room [sides.StepsAtOnce]float64
	values := func(i, first int, out []float64) {
		ranks[i].CopyValues(times[i], first, out)
		if s.less == (run.Key{}) {
			return
		}
		ranks[i].CopyValues(less[i], first, room[:len(out)])
		for j := range out {
			out[j] -= room[j]
		}
	}
	middle := stat.MedianInPlace
	if s.less.Metric == exposedWait.metric {
		middle = stat.LowerMedianInPlace
	}
	out := make([]float64, len(r.Used))
	sides.EachStep(len(out), len(ranks), values, func(j int, over []float64) { out[j] = middle(over) })
	return out
}

// boundsOf returns the mean steps that there could be.
func boundsOf(p *Causes) []Bound {
	base, cand := bounds(p.Base), bounds(p.Cand)
	out := make([]Bound, len(scenarios))
	for i, x := range scenarios {
		out[i] = Bound{x.name, base[i], cand[i]}
	}
	return out
}

// bounds returns a side's mean step in each scenario. A scenario is known if any step answers it; all are averaged
// over the steps that answer every known one.
func bounds(s *sides.Side) []float64 {
	var steps [][]float64
	known := make([]bool, len(scenarios))
	for _, r := range s.Runs {
		rows := make([][]float64, len(r.Used))
		for j := range rows {
			rows[j] = make([]float64, len(scenarios))
		}
		for i := range scenarios {
			for j, v := range scenarios[i].steps(r) {
				rows[j][i] = v
				known[i] = known[i] || !math.IsNaN(v)
			}
		}
		steps = append(steps, rows...)
	}
	sums, n := make([]float64, len(scenarios)), 0.0
	for _, row := range steps {
		if lacks(row, known) {
			continue
		}
		n++
		for i, v := range row {
			sums[i] += v
		}
	}
	for i := range sums {
		if sums[i] /= n; !known[i] { // 0/0: nothing is known
			sums[i] = math.NaN()
		}
	}
	return sums
}

// lacks reports whether a step lacks values that other steps have.
func lacks(row []float64, known []bool) bool {
	for i, v := range row {
		if known[i] && math.IsNaN(v) {
			return true
		}
	}
	return false
}
