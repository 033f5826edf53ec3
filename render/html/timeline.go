package html

import (
	"encoding/binary"
	"fmt"
	"html/template"
	"math"
	"slices"
	"strconv"
	"strings"

	"perfdiff/analyze/run"
	"perfdiff/analyze/source/remedy"
	"perfdiff/diff"
	"perfdiff/diff/cause"
	"perfdiff/render/number"
	"perfdiff/render/picture"
	"perfdiff/render/plot"
	"perfdiff/render/words"
)

// timeData is the timeline: the steps of each side, and the views that choose among them.
type timeData struct {
	Unit  string   `json:"unit"`
	Tick  float64  `json:"tick"`  // of all times of bars, in the unit
	Names []string `json:"names"` // of bars
	// Parts names the colours of bars.
	Parts map[string]string `json:"parts"`
	// Kernels are those of which the table of kernels has a row: what the page calls it, by the
	// index of the name.
	Kernels map[int]string `json:"kernels"`
	Tracks  []timeTrack    `json:"tracks"` // of bars
	Views   []timeView     `json:"views"`
	Steps   [2][]timeStep  `json:"steps"`
}

// timeTrack is a stream or a thread.
type timeTrack struct {
	Name string `json:"name"`
	Host bool   `json:"host"`
}

// timeView is one choice of the reader: a step of each side, -1 for a side without one.
type timeView struct {
	Steps [2]int `json:"steps"`
	Ranks []int  `json:"ranks"` // that are drawn, from above; none: those that arrive last and one that waits
}

type timeStep struct {
	Number int64      `json:"number"`
	Title  string     `json:"title"`
	Ranks  []timeRank `json:"ranks"`
}

// timeRank holds one rank's bars: columns of n values from an offset into the matrices on. First a byte each for lane
// and track (1 + index, 0 none), then numbers of columnBytes bytes, byte plane by byte plane, the lowest first: name,
// start (from that of the bar before), length, ahead (0 not known), and 1 + wait (0 not known).
type timeRank struct {
	Rank   int     `json:"rank"`
	Row    int     `json:"row"` // index into the page's ranks; -1: none
	Length float64 `json:"length"`
	At     int     `json:"at"`
	N      int     `json:"n"`
	Least  int64   `json:"least"` // ticks: shorter bars are not all here; 0 all are
}

// columnBytes are the bytes of each number of a bar.
var columnBytes = [...]int{2, 4, 4, 4, 4}

// maxTicks is the resolution of times: a step has at most so many ticks.
const maxTicks = 4_000_000

// maxNameRunes bounds the names of bars: people read no longer ones, and a file may hold one of a
// megabyte.
const maxNameRunes = 300

func (s *sheet) timelineSection() section {
	sec := section{ID: "timeline", Nav: "Timeline", Title: "What does a step look like?"}
	if len(s.r.Views) == 0 {
		sec.Reading = "Not known: no step with GPU work was recorded."
		sec.Blocks = []block{{Empty: lacks(remedy.Kernels)}}
		if len(s.r.Kernels) > 0 {
			sec.Blocks[0].Empty = &empty{What: "No timeline of a step in these captures.", How: "Mark the steps."}
		}
		return sec
	}
	w := s.newTimeWriter()
	for side, list := range s.r.Timeline {
		for i := range list {
			w.out.Steps[side] = append(w.out.Steps[side], w.step(side, i, &list[i]))
		}
	}
	b := &timelineBlock{Legend: w.legend(), Still: template.HTML(picture.Step(s.r, s.ms, plot.PageInk, partColour))}
	for i, v := range s.r.Views {
		w.out.Views = append(w.out.Views, timeView{v.Step, ranksOfView(&v)})
		b.Views = append(b.Views, choice{strconv.Itoa(i), s.viewName(&v)})
	}
	for name, at := range w.names {
		if id := s.shownKernel(run.KernelTable, name); id != "" {
			w.out.Kernels[at] = id
		}
	}
	s.data.Timeline = w.out
	sec.Reading = s.timelineReading()
	sec.Blocks = []block{{Timeline: b, Values: s.longestBars(), Note: fmt.Sprintf(timelineNote, w.typical)}}
	return sec
}

// timelineNote says what a timeline shows, given how many bars of a step it has at most, and its keys.
const timelineNote = "Steps are aligned at their own start, on one time axis. Shown are the rank that arrives last and one that waits; select another rank to see it alone. " +
	"A bar that is pointed at is joined to the same one of the other side, and a picked one has an arrow from its launch. " +
	"Beside typical steps, the longest and the largest spikes are there, and steps in which a rank that a finding names is furthest behind. Where a side has no timeline of a step, its typical one stands beside it. " +
	"A typical step has at most %d bars a side, which its ranks share; shorter ones are left out, on all strips alike. " +
	"Keys: w and s zoom, a and d or the arrows move, Enter picks the bar in the middle, n and p the next and the previous one or hit, \u2191 and \u2193 one of the next lane; 0, Esc or a double click show the whole step. Two fingers zoom too; the wheel alone scrolls the page."

// timelineBlock is the timeline with its controls.
type timelineBlock struct {
	Views  []choice
	Legend []legend
	Still  template.HTML // the typical step as a picture, for paper and where no script runs
}

// partColour returns the colour of a part of the step in the page's style. What is no part stands in
// a summary that somebody made.
func partColour(key string) string {
	if !slices.Contains([]string{"compute", "transfer", "wait", "memory"}, key) && !slices.Contains(run.IdleCauses, key) {
		key = "unknown"
	}
	return "var(--k-" + key + ")"
}

// viewName returns the name by which a reader chooses a view.
func (s *sheet) viewName(v *diff.View) string {
	of := func(side int) string {
		e := &s.r.Timeline[side][v.Step[side]]
		text := strconv.FormatInt(e.Step, 10)
		if len(e.Ranks) > 0 {
			text += " (" + s.takes(side, e) + ")"
		}
		return text
	}
	side := slices.Index([]string{"baseline", "candidate"}, v.Side)
	switch {
	case v.Kind == diff.ViewCulprit && v.Step != s.r.Views[0].Step:
		return fmt.Sprintf("Rank %d, which a finding names, furthest behind in step %s", v.Rank, of(max(0, side)))
	case v.Kind == diff.ViewCulprit:
		return fmt.Sprintf("Rank %d, which a finding names", v.Rank)
	case v.Kind == diff.ViewTypical && (v.Step[0] < 0 || v.Step[1] < 0):
		return "Typical: step " + of(max(0, slices.IndexFunc(v.Step[:], func(i int) bool { return i >= 0 })))
	case v.Kind == diff.ViewTypical:
		return "Typical: " + s.bothSteps(v, of)
	}
	kind := map[diff.ViewKind]string{diff.ViewWorst: "Longest", diff.ViewSpike: "Spike"}[v.Kind]
	if side < 0 {
		return kind + " of both: " + s.bothSteps(v, of)
	}
	return kind + " of the " + v.Side + ": step " + of(side)
}

// bothSteps names the steps of both sides.
func (s *sheet) bothSteps(v *diff.View, of func(side int) string) string {
	if a := s.r.Timeline[0][v.Step[0]].Step; a == s.r.Timeline[1][v.Step[1]].Step {
		return fmt.Sprintf("step %d", a)
	}
	return "steps " + of(0) + " and " + of(1)
}

// timelineReading says how long the typical and the longest steps take.
func (s *sheet) timelineReading() string {
	var text []string
	for side, name := range []string{"baseline", "candidate"} {
		typical, worst := s.r.Views[0].Step[side], slices.IndexFunc(s.r.Timeline[side], func(e diff.Excerpt) bool { return e.Worst })
		if typical < 0 || len(s.r.Timeline[side][typical].Ranks) == 0 {
			continue
		}
		e := &s.r.Timeline[side][typical]
		text = append(text, fmt.Sprintf("a typical step (%d) of the %s takes %s", e.Step, name, s.takes(side, e)))
		if worst >= 0 && worst != typical && len(s.r.Timeline[side][worst].Ranks) > 0 {
			e = &s.r.Timeline[side][worst]
			text[len(text)-1] += fmt.Sprintf(" and the longest (%d) %s", e.Step, s.takes(side, e))
		}
	}
	return number.Capital(strings.Join(text, "; ")) + "." + s.spikesLeftOut()
}

// spikesLeftOut says how many spikes have no timeline; "" where all have one.
func (s *sheet) spikesLeftOut() (text string) {
	for side, n := range s.r.SpikesLeftOut {
		switch {
		case n == 1:
			text += fmt.Sprintf(" One more spike of the %s has no timeline.", sideNames[side])
		case n > 1:
			text += fmt.Sprintf(" %s more spikes of the %s have no timeline.", number.Count(n), sideNames[side])
		}
	}
	return text
}

// takes returns how long a step of a side takes: the median rank's time, as in the other sections.
func (s *sheet) takes(side int, e *diff.Excerpt) string {
	for k := range s.r.Steps {
		x := [2]*cause.StepSide{&s.r.Steps[k].Base, &s.r.Steps[k].Cand}[side]
		if s.r.Steps[k].Number == e.Step && s.runCount() == 1 && !math.IsNaN(x.Median) {
			return s.ms.With(x.Median)
		}
	}
	return s.ms.With(float64(e.Ranks[0].Length)*1e-9) + " on rank " + strconv.Itoa(e.Ranks[0].Rank)
}

// rank writes the bars of a strip into the page's matrices.
func (w *timeWriter) rank(strip *run.Strip, bars []run.StripSpan) timeRank {
	ticks := func(ns int64) int64 { return (ns + w.tick/2) / w.tick }
	out := timeRank{Rank: strip.Rank, Row: -1, N: len(bars),
		Length: sixDigits(float64(strip.Length) * 1e-9 * w.s.ms.Factor)}
	out.Row = slices.IndexFunc(w.s.r.Ranks, func(r diff.RankRow) bool { return r.Rank == strip.Rank })
	if strip.Omitted > 0 || len(bars) < len(strip.Spans) {
		out.Least = leastShown(bars, ticks)
	}
	small := make([]byte, 2*len(bars))
	columns := make([][]int64, len(columnBytes))
	before := int64(0)
	for i, x := range bars {
		name := strip.Names[x.Name]
		if x.Lane == run.LaneGap {
			w.causes[name] = true
		}
		wait := int64(0)
		w.whole = w.whole || x.Lane == run.LaneComm && !x.Split
		if x.Split {
			wait, w.split = 1+ticks(x.Wait), true
		}
		w.has[x.Lane] = true
		start := ticks(x.Start)
		small[i], small[len(bars)+i] = byte(x.Lane), byte(w.track(strip, &x))
		for k, v := range [...]int64{int64(w.name(name)), start - before, max(1, ticks(x.End)-start), ticks(x.Ahead), wait} {
			columns[k] = append(columns[k], v)
		}
		before = start
	}
	out.At = w.s.data.addBytes(small)
	for k, column := range columns {
		w.s.data.addBytes(planes(column, columnBytes[k]))
	}
	return out
}

// leastShown returns the length, in ticks, from which on the longest bars of a strip are all of it. Of the shortest
// some may be missing, so that they do not count, unless most bars are as short.
func leastShown(bars []run.StripSpan, ticks func(int64) int64) int64 {
	least, longer := int64(math.MaxInt64), 0
	for _, x := range bars {
		least = min(least, x.End-x.Start)
	}
	for _, x := range bars {
		if x.End-x.Start > least {
			longer++
		}
	}
	if 2*longer < len(bars) {
		return ticks(least)
	}
	return ticks(least) + 1
}

// planes returns numbers modulo 2^(8 * size), byte plane by byte plane, the lowest bytes first.
func planes(v []int64, size int) []byte {
	out := make([]byte, size*len(v))
	var b [8]byte
	for i, x := range v {
		binary.LittleEndian.PutUint64(b[:], uint64(x))
		for k := range size {
			out[k*len(v)+i] = b[k]
		}
	}
	return out
}

// name returns the index of a name.
func (w *timeWriter) name(name string) int {
	at, ok := w.names[name]
	if !ok {
		at = len(w.names)
		if at > math.MaxUint16 { // which no step of a program has
			return 0
		}
		w.names[name] = at
		w.out.Names = append(w.out.Names, shortenTo(name, maxNameRunes))
	}
	return at
}

// track returns 1 + the index of a bar's track; 0 if it has none.
func (w *timeWriter) track(strip *run.Strip, x *run.StripSpan) int {
	if x.Track <= 0 {
		return 0
	}
	t := strip.Tracks[x.Track-1]
	key := timeTrack{trackName(t), t.Host}
	at, ok := w.tracks[key]
	if !ok {
		if len(w.tracks) >= math.MaxUint8 {
			return 0
		}
		w.out.Tracks = append(w.out.Tracks, key)
		at = len(w.out.Tracks)
		w.tracks[key] = at
	}
	return at
}

func trackName(t run.Track) string {
	switch {
	case t.Others && t.Host:
		return "other threads"
	case t.Others:
		return "other streams"
	case t.Steps:
		return "main thread"
	case t.Host && t.Name != "":
		return t.Name + " (tid " + strconv.Itoa(int(t.ID)) + ")"
	case t.Host:
		return "thread " + strconv.Itoa(int(t.ID))
	}
	return "stream " + strconv.Itoa(int(t.ID))
}

// legend names the colours that bars have.
func (w *timeWriter) legend() []legend {
	var key []legend
	w.out.Parts = map[string]string{}
	add := func(has bool, class, part string) {
		if has {
			w.out.Parts[class] = number.Capital(words.PartName(part))
			key = append(key, legend{class, w.out.Parts[class]})
		}
	}
	add(w.has[run.LaneCompute], "compute", "compute")
	add(w.has[run.LaneComm], "transfer", map[bool]string{true: "transfer", false: "comm"}[w.split && !w.whole])
	add(w.split, "wait", "wait")
	add(w.has[run.LaneMemory], "memory", "memory")
	for _, c := range run.IdleCauses {
		add(w.causes[c], c, c)
	}
	return key
}

// barsInTable is how many bars of a side the timeline's table has.
const barsInTable = 8

// laneNames say what a bar is, by its lane.
var laneNames = [...]string{run.LaneCompute: "Compute", run.LaneComm: "Communication", run.LaneMemory: "Copy", run.LaneGap: "Gap", run.LaneRange: "Host range"}

// longestBars lists the longest bars of the first view, on the rank that is drawn first, for readers who do not see
// the drawing.
func (s *sheet) longestBars() *table {
	t := &table{Label: "the longest bars of the typical step", Heads: []head{{Text: "Side", Left: true}, {Text: "What", Left: true}, {Text: "Name", Left: true}, {Text: "Starts at", Unit: s.ms.Name}, {Text: "Takes", Unit: s.ms.Name}}}
	for side, at := range s.r.Views[0].Step {
		if at < 0 || len(s.r.Timeline[side][at].Ranks) == 0 {
			continue
		}
		strip := &s.r.Timeline[side][at].Ranks[0]
		for _, x := range longestOf(strip.Spans, barsInTable) {
			t.Rows = append(t.Rows, row{Cells: []cell{
				{Text: fmt.Sprintf("%s, rank %d", []string{"Baseline", "Candidate"}[side], strip.Rank), Head: true, Left: true},
				{Text: laneNames[x.Lane], Left: true}, {Text: shorten(strip.Names[x.Name]), Left: true},
				{Text: s.ms.Format(float64(x.Start) * 1e-9)}, {Text: s.ms.Format(float64(x.End-x.Start) * 1e-9)},
			}})
		}
	}
	return t
}
