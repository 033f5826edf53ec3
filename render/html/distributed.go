package html

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/diff/cause"
	"perfdiff/render/number"
	"perfdiff/render/words"
)

// quantity is a value whose distribution people ask for. Each is shown in the same three forms, made by the same code:
// a map of ranks and steps, both sides' curves with the change at each quantile, and a box for each rank.
type quantity struct {
	key  string // of its values in a rank, as in JSON: "step_time", "collective_duration/AllReduce"
	name string // "Step time"
	what string // the name of an axis: "step time"
	unit string
	each string // what one value is of: "step", "call"
	more string // how to read the curve: "The further left, the faster."
	nth  int    // among all

	base, cand []float64 // sorted, in unit
	quantiles  []cause.QuantilePoint
	scale      number.Scale
	boxes      []rankBox
	ofRank     string // what the boxes are of: "Own time"; "" what the name says
	collective string // whose calls are kept by length; "": values are of steps
}

// maxDurations is how many collectives have a distribution: the ones with the most time.
const maxDurations = 3

// quantities returns all of them, known or not, with their values. The step time comes first.
func (s *sheet) quantities() []quantity {
	if s.ofQuantities != nil {
		return s.ofQuantities
	}
	const less, more = "The further left, the shorter. Steep means even.", "The further right, the more. Steep means even."
	out := []quantity{
		{key: run.StepTime, name: "Step time", what: "step time", unit: "s", each: "step", more: "The further left, the faster. Steep means even."},
		{key: run.IOReadThroughput, name: "I/O throughput", what: "read throughput", unit: "B/s", each: "step", more: more},
	}
	if s.anyMetric(run.IORankReadThroughput) != nil { // beside counters, which few ranks have, and which are of a node
		out[1].key, out[1].what = run.IORankReadThroughput, "read throughput of a rank, by its own file accesses"
	}
	for _, c := range s.longestCollectives() {
		out = append(out, quantity{key: run.CollectiveDuration + "/" + c, name: shorten(c), what: "duration of a call of " + shorten(c), unit: "s", each: "call", more: less})
	}
	if len(out) == 2 {
		out = append(out, quantity{key: run.CollectiveDuration, name: "NCCL duration", unit: "s", each: "call"})
	}
	out = append(out,
		quantity{key: run.Overlap, name: "Overlap", what: "share of communication that compute hides", unit: "ratio", each: "step", more: more},
		quantity{key: run.GapTime, name: "Gap time", what: "gaps of a step together", unit: "s", each: "step", more: less})
	for i := range out {
		out[i].nth = i
		s.measure(&out[i])
	}
	s.ofQuantities = out
	return out
}

// longestCollectives returns the collectives with the most time, by name.
func (s *sheet) longestCollectives() (out []string) {
	times := s.partsOfMetric(run.CommTime)
	if len(times) == 0 {
		times = s.partsOfMetric(run.CollectiveDuration)
	}
	for _, c := range times[:min(len(times), maxDurations)] {
		out = append(out, c.Part)
	}
	return out
}

// knownQuantities returns those that have values on both sides.
func (s *sheet) knownQuantities() (out []*quantity) {
	all := s.quantities()
	for i := range all {
		if all[i].known() {
			out = append(out, &all[i])
		}
	}
	return out
}

func (q *quantity) known() bool { return len(q.base) >= 2 && len(q.cand) >= 2 }

// measure takes the values of a quantity out of the report: of a step the median over ranks,
// of a call each.
func (s *sheet) measure(q *quantity) {
	q.scale = s.scaleOfValues(q.key, q.unit)
	if q.key == run.StepTime {
		q.base, q.cand = s.usedMedians(func(p *cause.StepPoint) float64 { return p.Base.Median }), s.usedMedians(func(p *cause.StepPoint) float64 { return p.Cand.Median })
		q.quantiles = s.r.Quantiles
		for i, r := range s.r.Ranks {
			q.boxes = append(q.boxes, rankBox{s.data.Ranks[i], i, r.Base.Box, r.Cand.Box})
		}
		s.ownBoxes(q)
		return
	}
	var base, cand []*diff.RankSide
	for i := range s.r.Ranks {
		base, cand = append(base, &s.r.Ranks[i].Base), append(cand, &s.r.Ranks[i].Cand)
	}
	if collective, ok := strings.CutPrefix(q.key, run.CollectiveDuration+"/"); ok {
		q.collective = collective
		if len(callsOver(base, collective)) < 2 || len(callsOver(cand, collective)) < 2 {
			q.collective, q.each, q.what = "", "step", "median call of "+shorten(collective)+" per step"
		}
	}
	q.base, q.cand = q.valuesOver(base), q.valuesOver(cand)
	if !q.known() {
		return
	}
	q.quantiles = quantilesOf(q.base, q.cand)
	for i := range s.r.Ranks {
		q.boxes = append(q.boxes, rankBox{s.data.Ranks[i], i, boxOf(q.valuesOf(base[i])), boxOf(q.valuesOf(cand[i]))})
	}
}

// ownBoxes shows of the step what each rank takes for it itself, where that is known of all: ranks that wait for each
// other all take the same time for a step.
func (s *sheet) ownBoxes(q *quantity) {
	own := slices.Clone(q.boxes)
	for i := range own {
		r := &s.r.Ranks[i]
		base, cand := keptValues(&r.Base, r.Base.OwnTime), keptValues(&r.Cand, r.Cand.OwnTime)
		if len(base) == 0 || len(cand) == 0 {
			return
		}
		own[i].base, own[i].cand = boxOf(base), boxOf(cand)
	}
	q.boxes, q.ofRank = own, "Own time"
}

// usedMedians returns the values of the steps that are not left out, in order of size.
func (s *sheet) usedMedians(value func(*cause.StepPoint) float64) []float64 {
	var out []float64
	for i := range s.r.Steps {
		if p := &s.r.Steps[i]; !p.Omission.Omitted() {
			out = append(out, value(p))
		}
	}
	out = existing(out)
	slices.Sort(out)
	return out
}

// valuesOver returns the values of a side, in order of size: of each step the median over ranks.
func (q *quantity) valuesOver(ranks []*diff.RankSide) []float64 {
	if q.collective != "" {
		return callsOver(ranks, q.collective)
	}
	bySteps := map[int64][]float64{}
	for _, r := range ranks {
		v := r.Values[q.key]
		for i, n := range r.Steps {
			if i < len(v) && v[i] == v[i] && !r.Omissions[i].Omitted() {
				bySteps[n] = append(bySteps[n], v[i])
			}
		}
	}
	var out []float64
	for _, v := range bySteps {
		out = append(out, interpolatedQuantile(v, 0.5))
	}
	slices.Sort(out)
	return out
}

// valuesOf returns the values of one rank in the steps that are not left out.
func (q *quantity) valuesOf(r *diff.RankSide) []float64 {
	if q.collective != "" {
		return callsOver([]*diff.RankSide{r}, q.collective)
	}
	return keptValues(r, r.Values[q.key])
}

// keptValues returns those of a rank's values that are of steps that are not left out.
func keptValues(r *diff.RankSide, values []float64) (out []float64) {
	for i, v := range values {
		if i < len(r.Omissions) && v == v && !r.Omissions[i].Omitted() {
			out = append(out, v)
		}
	}
	return out
}

// maxCallValues is how many values stand for the calls of a collective.
const maxCallValues = 400

// callsOver returns the durations of calls on several ranks, in s and sorted; if there are many, maxCallValues of
// them, one for each of equal shares.
func callsOver(ranks []*diff.RankSide, collective string) []float64 {
	var list []run.Calls
	for _, r := range ranks {
		for _, c := range r.Calls {
			if c.Name == collective {
				list = append(list, c)
			}
		}
	}
	all := run.JoinCalls(list, nil)
	if len(all) == 0 {
		return nil
	}
	c, n := &all[0], int(min(all[0].Count, maxCallValues))
	out := make([]float64, n)
	for i := range out {
		out[i] = float64(c.Quantile(float64(i)/float64(max(1, n-1)))) * 1e-9
	}
	out[0], out[n-1] = float64(c.Min)*1e-9, float64(c.Max)*1e-9
	return out
}

// quantilesOf returns, for other values, the quantiles that a report states for step times.
func quantilesOf(base, cand []float64) (out []cause.QuantilePoint) {
	for _, p := range cause.Percents() {
		at := float64(p) / 100
		out = append(out, cause.QuantilePoint{Percent: p, Base: interpolatedQuantile(base, at), Cand: interpolatedQuantile(cand, at)})
	}
	return out
}

// boxOf returns the least, the quartiles and the largest of v.
func boxOf(v []float64) (out [5]float64) {
	for i := range out {
		out[i] = interpolatedQuantile(v, float64(i)/4)
	}
	return out
}

// scaleOfValues returns the scale for the values of a metric: for the step time and its parts the page's, so that they
// can be compared.
func (s *sheet) scaleOfValues(key, unit string) number.Scale {
	if key == run.StepTime || slices.ContainsFunc(partMetrics, func(p partMetric) bool { return p.metric == key }) {
		return s.ms
	}
	largest := 0.0
	for i := range s.r.Ranks {
		for _, r := range []*diff.RankSide{&s.r.Ranks[i].Base, &s.r.Ranks[i].Cand} {
			largest = max(largest, largestMagnitude(existing(r.Values[key])...))
		}
	}
	return number.ScaleOf(unit, largest)
}

// chartID returns the id of a quantity's chart; the step time's have no number after the name.
func (q *quantity) chartID(name string) string {
	if q.nth == 0 {
		return name
	}
	return name + "-" + strconv.Itoa(q.nth)
}

// points returns how many a curve has at most: fewer where there are several.
func (q *quantity) points() int {
	if q.nth == 0 {
		return 400
	}
	return 100
}

// keyOfSteps returns the key of the map with the same values; "" for calls, of which a map only has the median of a
// step.
func (q *quantity) keyOfSteps() string {
	if q.collective != "" {
		return ""
	}
	return q.key
}

// changeUnit returns the unit of a difference: of shares it is percentage points.
func (q *quantity) changeUnit() string {
	if q.unit == "ratio" {
		return words.Points
	}
	return q.scale.Name
}

// reading says where the middle of both sides is, and how wide it is.
func (q *quantity) reading() string {
	at := func(v []float64, p float64) string { return q.scale.Format(interpolatedQuantile(v, p)) }
	of := func(v []float64) string {
		return at(v, 0.5) + " (" + at(v, 0.25) + " to " + q.scale.With(interpolatedQuantile(v, 0.75)) + ")"
	}
	return fmt.Sprintf("Median and middle half of the %ss: %s in the baseline, %s in the candidate.", q.each, of(q.base), of(q.cand))
}

func (q *quantity) boxReading() string {
	text := fmt.Sprintf("Box: half of the %ss. Line: median. Ends: least and most.", q.each)
	if q.ofRank != "" {
		text = "The step without waiting for other ranks. " + text
	}
	return text
}

// scaled returns values as they are written.
func scaled(v []float64, sc number.Scale) []float64 {
	out := make([]float64, len(v))
	for i, x := range v {
		out[i] = x * sc.Factor
	}
	return out
}
