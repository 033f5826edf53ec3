package html

import (
	"fmt"
	"math"
	"strconv"

	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/render/number"
)

// mapData are the maps of ranks by steps. A map is a matrix of float32 in the metric's unit,
// with a row for each rank and a column for each step or group of steps; NaN where there is no
// value. Base and Cand are the offsets of the matrices.
type mapData struct {
	Columns int       `json:"columns"`
	First   []int     `json:"first"` // index of each column's first step
	Metrics []mapView `json:"metrics"`
}

type mapView struct {
	Key  string `json:"key"` // of the metric, as the panels of distributions have it
	Name string `json:"name"`
	Unit string `json:"unit"`
	Base int    `json:"base"`
	Cand int    `json:"cand"`
}

// maxCells bounds the size of the maps together: cells of all metrics and both sides, four
// bytes each.
const maxCells = 130_000

// partMetrics are the parts of the step that maps can show in addition to the quantities.
var partMetrics = []partMetric{
	{run.ComputeTime, "Compute"}, {run.ExposedCommTime, "Exposed communication"},
	{run.CommTime, "Communication"}, {run.InputWaitTime, "Waiting for input (host)"}, {run.IdleTime, "Idle"},
}

type partMetric struct{ metric, name string }

// candidateMap is a metric that may get a map, with the matrices of both sides.
type candidateMap struct {
	key, name  string
	base, cand []float32
	scale      number.Scale
	spread     float64 // s, between the means of ranks; 0 of what is no time
	what       string  // the rank that differs most
}

func (s *sheet) rankMapSection() section {
	sec := section{ID: "rank-steps", Nav: "Ranks \u00d7 steps", Title: "Which rank, at which step?"}
	if len(s.r.Ranks) < 2 || len(s.r.Steps) < 2 {
		return section{}
	}
	known := s.knownQuantities()
	cols := mapColumns(len(s.r.Steps), len(s.r.Ranks)*max(1, len(known)))
	maps := s.mapsByInterest(known, cols)
	if len(maps) == 0 {
		return section{}
	}
	s.data.Map = &mapData{Columns: len(cols), First: cols}
	sw := &choices{Name: "metric", Label: "Metric"}
	for _, m := range maps {
		s.data.Map.Metrics = append(s.data.Map.Metrics, mapView{m.key, m.name, m.scale.Name, s.data.addFloats(m.base), s.data.addFloats(m.cand)})
		sw.Options = append(sw.Options, choice{m.key, m.name})
	}
	sec.Reading = fmt.Sprintf("%s differs most between ranks: %s.", maps[0].name, maps[0].what)
	if maps[0].key == ownTimeKey {
		sec.Reading = fmt.Sprintf("Own time, the step without waiting for other ranks, goes %s.", maps[0].what)
	}
	sec.Reading += ofFirstRuns(s.r)
	note := "Click a cell to select its rank and step everywhere. No verdict stands behind a cell: the difference has the colours of the sides, grey where the baseline takes longer, blue where the candidate does, none where they are equal."
	if len(s.data.LeftOut) > 0 && len(cols) == len(s.r.Steps) {
		note += " Hatched steps are left out of every number."
	}
	if len(maps) == 1 {
		note += " For other metrics the page has no room with so many ranks and steps."
	}
	if each := (len(s.r.Steps) + len(cols) - 1) / len(cols); each > 1 {
		note += fmt.Sprintf(joinedNote, each)
	}
	sec.Blocks = []block{{
		Switch: sw, Ramps: []string{"ramp-rs", "ramp-rd"},
		Charts: []chart{
			{ID: "map-b", Label: "Map of ranks and steps, baseline", Heading: "Baseline", Side: "b"},
			{ID: "map-c", Label: "Map of ranks and steps, candidate", Heading: "Candidate", Side: "c"},
			{ID: "map-d", Label: "Map of the difference", Heading: "Candidate less baseline"},
		},
		Note: note, Values: s.mapTable(maps).cutRows(),
	}}
	return sec
}

// ofFirstRuns says that values of single ranks are those of the first run, with a space in front; "" where there are
// no others.
func ofFirstRuns(r *diff.Report) string {
	if max(len(r.Base.Runs), len(r.Cand.Runs)) < 2 {
		return ""
	}
	return " Of several runs the first is shown."
}

// joinedNote says what a column of several steps shows.
const joinedNote = " Each column is the median of %d steps, or the one of them that is off it by a quarter or more."

// mapColumns returns the first steps of the columns, as indices, of maps with so many rows together.
func mapColumns(steps, rows int) []int {
	most := max(12, min(maxColumns, maxCells/2/max(1, rows)))
	each := (steps + most - 1) / most
	var out []int
	for i := 0; i < steps; i += each {
		out = append(out, i)
	}
	return out
}

// mapsByInterest returns the maps of the quantities and, where the page has room, of the parts of
// the step. The one in which ranks differ by the longest time comes first.
func (s *sheet) mapsByInterest(known []*quantity, cols []int) []candidateMap {
	room := max(1, maxCells/(2*len(cols)*len(s.r.Ranks)))
	var out []candidateMap
	add := func(key, name, unit string) {
		if len(out) == room {
			return
		}
		if m := s.mapOf(key, name, unit, cols); m != nil {
			out = append(out, *m)
		}
	}
	add(ownTimeKey, "Own time", "s")
	for _, q := range known {
		add(q.key, q.name, q.unit)
	}
	for _, m := range partMetrics {
		add(m.metric, m.name, "s")
	}
	for _, l := range s.levels() {
		add(l.key, l.name, l.c.Metric.Unit)
	}
	if len(out) > 0 && out[0].key == ownTimeKey { // however much others differ: who waits is not who is late
		return out
	}
	best := 0
	for i := range out {
		if out[i].spread > out[best].spread*1.02 {
			best = i
		}
	}
	if best > 0 {
		first := out[best]
		copy(out[1:best+1], out[:best])
		out[0] = first
	}
	return out
}

func (s *sheet) mapOf(key, name, unit string, cols []int) *candidateMap {
	index := map[int64]int{}
	for i, p := range s.r.Steps {
		index[p.Number] = i
	}
	m := &candidateMap{key: key, name: name, scale: s.scaleOfValues(key, unit)}
	any := false
	var means [2][]float64
	for i := range s.r.Ranks {
		rows, mean := s.mapCells([2]*diff.RankSide{&s.r.Ranks[i].Base, &s.r.Ranks[i].Cand}, key, index, cols)
		for k, row := range rows {
			for j := range row {
				row[j] = float32(float64(row[j]) * m.scale.Factor)
			}
			means[k] = append(means[k], mean[k])
			any = any || !math.IsNaN(mean[k])
			if k == 0 {
				m.base = append(m.base, row...)
			} else {
				m.cand = append(m.cand, row...)
			}
		}
	}
	if !any {
		return nil
	}
	m.spread, m.what = s.largestSpread(means, unit, m.scale)
	return m
}

// largestSpread finds the side on which the means of ranks differ most.
func (s *sheet) largestSpread(means [2][]float64, unit string, sc number.Scale) (spread float64, what string) {
	for k, side := range []string{"baseline", "candidate"} {
		lo, hi := -1, -1
		for i, v := range means[k] {
			if math.IsNaN(v) {
				continue
			}
			if lo < 0 || v < means[k][lo] {
				lo = i
			}
			if hi < 0 || v > means[k][hi] {
				hi = i
			}
		}
		if lo >= 0 && means[k][hi]-means[k][lo] >= spread {
			spread = means[k][hi] - means[k][lo]
			what = fmt.Sprintf("in the %s from %s (rank %s) to %s (rank %s) per step", side,
				sc.Format(means[k][lo]), s.data.Ranks[lo], sc.With(means[k][hi]), s.data.Ranks[hi])
		}
	}
	if unit != "s" { // rates and shares are not larger or smaller than times
		return 0, what
	}
	return spread, what
}

// ownTimeKey is the key of diff.RankSide.OwnTime on the page.
const ownTimeKey = "own_time"

// valuesOf returns the values of a rank's steps; nil for what it lacks.
func valuesOf(side *diff.RankSide, metric string) []float64 {
	if metric == ownTimeKey {
		return side.OwnTime
	}
	return side.Values[metric]
}

// maxMeans bounds the table below the maps: rows times metrics. Chosen for the size of the page.
const maxMeans = 320

// mapTable returns the means of ranks that the maps show step by step.
func (s *sheet) mapTable(maps []candidateMap) *table {
	if s.tooManyRanks() {
		return s.mapSpread(maps)
	}
	maps = maps[:min(len(maps), max(1, maxMeans/len(s.r.Ranks)))]
	t := &table{Label: "Means of each rank over the steps shown", Heads: []head{{Text: "Rank", Left: true}}}
	for _, m := range maps {
		t.Heads = append(t.Heads, head{Text: m.name, Unit: "base, " + m.scale.Name}, head{Text: "\u00a0", Unit: "cand., " + m.scale.Name})
	}
	for i := range s.r.Ranks {
		cells := []cell{headCell(s.data.Ranks[i])}
		for _, m := range maps {
			for _, matrix := range [][]float32{m.base, m.cand} {
				cells = append(cells, numberCell(s.meanOfRow(matrix, i)))
			}
		}
		t.Rows = append(t.Rows, row{Cells: cells, Rank: strconv.Itoa(i)})
	}
	return t
}

// meanOfRow returns the mean of a rank's row of a matrix, without the steps that are left out.
func (s *sheet) meanOfRow(matrix []float32, i int) float64 {
	cols := s.data.Map.Columns
	var v []float64
	for k, x := range matrix[i*cols : (i+1)*cols] {
		if !math.IsNaN(float64(x)) && !s.r.Steps[s.data.Map.First[k]].Omission.Omitted() {
			v = append(v, float64(x))
		}
	}
	return mean(v)
}

// mapSpread returns how the means of ranks are spread.
func (s *sheet) mapSpread(maps []candidateMap) *table {
	var list []overRanks
	for _, m := range maps {
		for k, matrix := range [][]float32{m.base, m.cand} {
			of := overRanks{m.name, rankSides[k].name, m.scale.Name, make([]float64, len(s.r.Ranks))}
			for i := range of.values {
				of.values[i] = s.meanOfRow(matrix, i)
			}
			list = append(list, of)
		}
	}
	return s.spreadTable("Means of ranks over the steps shown", list)
}
