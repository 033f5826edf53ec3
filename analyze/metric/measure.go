package metric

import (
	"cmp"
	"math"
	"slices"
	"sort"
	"strings"

	"perfdiff/analyze/interval"
	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// Measure measures the steps of a prepared capture, and can be called once. It returns one series for each metric and
// part, in the order of All and then of the part's name, with one value for each of steps, dropped ones too. NaN where
// a step has no answer.
func (r *Rank) Measure(steps []trace.Step) []run.Series {
	m := newMeasurer(r, steps, len(r.Trace.Device))
	m.measureDevice()
	r.forgetWindow()
	return m.series()
}

// forgetWindow forgets the sets of the last window, since what follows the windows takes memory as well.
func (r *Rank) forgetWindow() {
	r.Busy, r.Compute, r.Comm, r.Memory, r.Graphs, r.Hidden = nil, nil, nil, nil, nil, nil
	r.covered.room = nil
}

// measurer measures the steps of a rank in order of time.
type measurer struct {
	rank       *Rank
	steps      []trace.Step
	order      []int // the steps that are measured
	metrics    []Metric
	values     seriesBuilder
	ownPlaces  []seriesPlace // by metric: of its own values
	partPlaces [][]partPlace // by metric: of its first parts
	scratch    Step
	device     bool
	gaps       *gapMeasurer // nil: where the device is idle is not known
	work       deviceScan
	comm       *commCollector
	flops      *flopsOfSteps // nil: no sizes were recorded
	path       *pathMeasurer // nil: paths are not recorded
	spansSoFar int           // spans in the windows so far
}

// newMeasurer begins measuring a capture with that many spans of the device.
func newMeasurer(r *Rank, steps []trace.Step, spans int) *measurer {
	m := &measurer{rank: r, steps: steps, metrics: listedBySource(), values: seriesBuilder{n: len(steps)}, device: r.Trace.Recorded.Has(trace.HasDevice)}
	m.values.places = make(map[seriesKey]int, len(m.metrics))
	m.ownPlaces, m.partPlaces = make([]seriesPlace, len(m.metrics)), make([][]partPlace, len(m.metrics))
	for i := range steps {
		if steps[i].HasWindow() {
			m.values.measuredSteps = append(m.values.measuredSteps, i)
		}
	}
	m.order = inOrder(steps, m.values.measuredSteps)
	m.comm = newCommCollector(r, len(steps))
	r.comm = m.comm
	m.work = deviceScan{rank: r, families: newFamilySplit(r, steps, m.order), bin: launchBin{extent: r.extent, until: math.MinInt64}}
	m.flops = newFLOPs(r, steps, &m.work.families.numbers)
	if m.device && !r.lacks(deviceWork) {
		m.gaps = newGapMeasurer(r, steps, spans)
	}
	m.path = newPathMeasurer(r, steps, m.gaps)
	r.path = m.path
	return m
}

// measureStep measures steps[i].
func (m *measurer) measureStep(i int) {
	r, st := m.rank, m.steps[i]
	from := startingAt(r.Trace.Device, st.Start, spanStart)
	to := from + startingAt(r.Trace.Device[from:], st.End, spanStart)
	s := r.step(trace.Window{Step: st, Trace: r.Trace, Device: r.Trace.Device[from:to]}, &m.scratch)
	m.comm.step(i, s)
	if st.Dropped == "" {
		r.calls.add(s.comms, r.Trace.Messages)
	}
	k := 0
	emit := func(part string, v float64) { m.emit(k, part, i, v) } // one for all metrics
	for k = range m.metrics {
		if m.metrics[k].Measure != nil && r.Trace.Recorded.Has(m.metrics[k].Requires) {
			m.metrics[k].Measure(s, emit)
		}
	}
	var host interval.Set
	if m.path != nil {
		host = m.path.beginStep(s, from, to)
	}
	if m.gaps != nil {
		m.gaps.addStep(i, s, host)
	}
	if m.device {
		m.work.addStep(i, from, to, st.Dropped == "")
		m.flops.addStep(r, i, from, to)
	}
	if m.path != nil {
		if blocked := m.path.addStep(i, s, host); r.anyComm {
			m.values.put(run.BlockingCommTime, "", i, seconds(blocked))
		}
	}
}

// partPlace is the place of one part's values in the series.
type partPlace struct {
	part string
	at   seriesPlace
}

// maxPartPlaces is of how many parts of a metric the places are remembered here: to look
// through more takes longer than the map.
const maxPartPlaces = 8

// emit keeps a value of the metric with an index in the list, for steps[i].
func (m *measurer) emit(metric int, part string, i int, v float64) {
	at := &m.ownPlaces[metric]
	if part != "" {
		at = m.placeOf(metric, part)
	}
	x := &m.metrics[metric]
	m.values.putFrom(at, seriesKey{run.Key{Metric: x.Name, Part: part}, x.from}, i, v)
}

// placeOf returns the cell that remembers the place of a part's values.
func (m *measurer) placeOf(metric int, part string) *seriesPlace {
	list := m.partPlaces[metric]
	for k := range list {
		if list[k].part == part {
			return &list[k].at
		}
	}
	if len(list) == maxPartPlaces {
		return new(seriesPlace)
	}
	m.partPlaces[metric] = append(list, partPlace{part: part})
	return &m.partPlaces[metric][len(list)].at
}

// series returns the values of all steps.
func (m *measurer) series() []run.Series {
	m.measurePeriods()
	for k := range m.metrics {
		if x := &m.metrics[k]; x.Finish != nil && m.rank.Trace.Recorded.Has(x.Requires) {
			x.Finish(m, &m.values)
		}
	}
	return m.values.series(m.rank)
}

// period is the time of a step on the host. It is known also where the device's window is not.
type period struct {
	rank       *Rank
	start, end int64 // ns, of the host's clock
	room       interval.Set
}

// inside returns how many seconds of s lie in the period.
func (p *period) inside(s interval.Set) float64 {
	return seconds(s.Within(&p.room, p.start, p.end).Total())
}

// measurePeriods measures the steps on the host.
func (m *measurer) measurePeriods() {
	p, k, at := period{rank: m.rank}, 0, 0
	emit := func(part string, v float64) { m.emit(k, part, at, v) } // one for all metrics
	for i, st := range m.steps {
		if st.HostStart == trace.NoTime || st.HostEnd == trace.NoTime || st.HostEnd <= st.HostStart {
			continue
		}
		at, p.start, p.end = i, st.HostStart, st.HostEnd
		for k = range m.metrics {
			if m.metrics[k].OnHost != nil && m.rank.Trace.Recorded.Has(m.metrics[k].Requires) {
				m.metrics[k].OnHost(&p, emit)
			}
		}
	}
}

// inOrder returns which, indices of steps, in order of the steps' time.
func inOrder(steps []trace.Step, which []int) []int {
	out := slices.Clone(which)
	slices.SortStableFunc(out, func(a, b int) int { return cmp.Compare(steps[a].Start, steps[b].Start) })
	return out
}

// startingIn returns the elements that start in [lo, hi), of a list in order of start.
func startingIn[T any](list []T, lo, hi int64, start func(*T) int64) []T {
	list = list[startingAt(list, lo, start):]
	return list[:startingAt(list, hi, start)]
}

// startingAt returns the index of the first element that starts at a time or later, of a list in
// order of start.
func startingAt[T any](list []T, at int64, start func(*T) int64) int {
	return sort.Search(len(list), func(i int) bool { return start(&list[i]) >= at })
}

func spanStart(s *trace.Span) int64   { return s.Start }
func callStart(c *trace.Call) int64   { return c.Start }
func rangeStart(x *trace.Range) int64 { return x.Start }

// seriesBuilder gathers values by metric, part and source.
type seriesBuilder struct {
	n             int
	places        map[seriesKey]int
	keys          []seriesKey
	values        [][]float64 // by place, as keys
	measuredSteps []int       // steps that have a device window
	room          []float64   // for the next series
}

// seriesKey identifies a series: ranks can have one for each source of a metric.
type seriesKey struct {
	run.Key
	source string // "": the metric has one
}

// seriesPlace is 1 + the place of a series; 0 it is not known.
type seriesPlace int

// put keeps a value.
func (c *seriesBuilder) put(metric, part string, step int, v float64) {
	var at seriesPlace
	c.putAt(&at, metric, part, step, v)
}

// putAt keeps a value of the series at a place. If the place is not known, it is looked up and
// set.
func (c *seriesBuilder) putAt(at *seriesPlace, metric, part string, step int, v float64) {
	c.putFrom(at, seriesKey{Key: run.Key{Metric: metric, Part: part}}, step, v)
}

// putFrom is putAt of a metric with several sources.
func (c *seriesBuilder) putFrom(at *seriesPlace, key seriesKey, step int, v float64) {
	if *at == 0 {
		known, ok := c.places[key]
		if !ok {
			known = c.addFrom(key, c.unknownValues())
		}
		*at = seriesPlace(known) + 1
	}
	c.values[*at-1][step] = v
}

// add adds a series that is not there yet and returns its index.
func (c *seriesBuilder) add(key run.Key, values []float64) int {
	return c.addFrom(seriesKey{Key: key}, values)
}

func (c *seriesBuilder) addFrom(key seriesKey, values []float64) int {
	if c.places == nil {
		c.places = make(map[seriesKey]int)
	}
	c.places[key] = len(c.values)
	c.keys, c.values = append(c.keys, key), append(c.values, values)
	return len(c.values) - 1
}

// unknownValues returns as many NaN as a series has values.
func (c *seriesBuilder) unknownValues() []float64 {
	if len(c.room) < c.n {
		c.room = filled(max(c.n, min(16*c.n, 1024)), math.NaN())
	}
	out := c.room[:c.n:c.n]
	c.room = c.room[c.n:]
	return out
}

func filled(n int, v float64) []float64 {
	s := make([]float64, n)
	for i := range s {
		s[i] = v
	}
	return s
}

// series returns all series that were collected, in order. A part that did not occur in a measured step gets the
// metric's value for that.
func (c *seriesBuilder) series(r *Rank) []run.Series {
	metrics, place := All(), placeByName()
	out := make([]run.Series, 0, len(c.values))
	for at, key := range c.keys {
		m := &metrics[place[key.Metric]]
		if key.Part != "" && !math.IsNaN(m.Absent) {
			for _, i := range c.measuredSteps {
				if math.IsNaN(c.values[at][i]) {
					c.values[at][i] = m.Absent
				}
			}
		}
		s := run.Series{Key: key.Key, Values: c.values[at], Source: key.source}
		if m.Source != nil {
			s.Source = m.Source(r)
		}
		if r.mayRecord(key) {
			out = append(out, s)
		}
	}
	sortSeries(out)
	return out
}

// sortSeries puts series in the order of the metric list, then of the part and of the source.
func sortSeries(series []run.Series) {
	type listed struct{ place, at int32 }
	all, from, place := make([]listed, len(series)), slices.Clone(series), placeByName()
	for i := range from {
		all[i] = listed{int32(place[from[i].Metric]), int32(i)}
	}
	slices.SortFunc(all, func(a, b listed) int {
		if a.place != b.place {
			return cmp.Compare(a.place, b.place)
		}
		return cmp.Or(strings.Compare(from[a.at].Part, from[b.at].Part),
			cmp.Compare(sourcePlace(from[a.at].Source), sourcePlace(from[b.at].Source)))
	})
	for i := range all {
		series[i] = from[all[i].at]
	}
}

// Concat joins the series of two captures of a rank, which have n and m steps. What only one of them has is NaN in the
// other's steps.
func Concat(a []run.Series, n int, b []run.Series, m int) []run.Series {
	out := make([]run.Series, 0, max(len(a), len(b)))
	behind := map[seriesKey]int{}
	for i, s := range b {
		behind[keyOf(s)] = i
	}
	for _, s := range a {
		rest := filled(m, math.NaN())
		if i, ok := behind[keyOf(s)]; ok {
			rest = b[i].Values
			delete(behind, keyOf(s))
		}
		s.Values = append(slices.Clip(s.Values), rest...)
		out = append(out, s)
	}
	for _, s := range b {
		if _, only := behind[keyOf(s)]; only {
			s.Values = append(filled(n, math.NaN()), s.Values...)
			out = append(out, s)
		}
	}
	sortSeries(out)
	return out
}
