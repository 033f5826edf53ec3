package render

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"perfdiff/analyze/run"
	"perfdiff/diff"
)

// Perfetto writes the steps that the timeline of the page shows as one trace in Chrome's trace event format, which
// ui.perfetto.dev and chrome://tracing open: a process for each side and rank, a thread for each stream, thread and
// cause of idle time, and an arrow from each launch to what it launched. The typical steps, the longest ones and
// spikes follow one after another; the steps of both sides begin at the same time, so that they lie above each other.
// It reports whether any step was kept as a timeline; where none was the trace is empty.
//
// Perfetto's own form would be smaller, and readable by fewer tools. Times are in us with all digits of ns.
func Perfetto(w io.Writer, r *diff.Report) (kept bool, err error) {
	t := &traceEvents{out: &errorWriter{w: w}}
	t.out.write([]byte("{\"displayTimeUnit\": \"ns\", \"otherData\": {\"written_by\": " + string(t.text(r.Tool)) + "}, \"traceEvents\": ["))
	rows := traceRowsOf(r)
	for i := range rows.list {
		p := &rows.list[i]
		t.nameProcess(p)
	}
	at := int64(0)
	for _, s := range traceSlots(r) {
		at += s.lead
		for side, e := range s.excerpts {
			if e == nil {
				continue
			}
			for k := range e.Ranks {
				t.strip(rows.of(side, e.Ranks[k].Rank), &s, e, &e.Ranks[k], at)
			}
		}
		at += s.length + s.length/10
		kept = true
	}
	for i := range rows.list {
		t.nameThreads(&rows.list[i])
	}
	t.out.write([]byte("\n]}\n"))
	return kept, t.out.err
}

// traceSlot is a pair of steps that stand above each other.
type traceSlot struct {
	kind     diff.ViewKind
	excerpts [2]*diff.Excerpt // nil: the side has none
	lead     int64            // ns from the first launch to the start of the steps
	length   int64            // ns of the longest one
}

// traceSlots returns the pairs of steps of all views, each once: the view of a rank at fault shows the typical steps
// again.
func traceSlots(r *diff.Report) (out []traceSlot) {
	var seen [][2]int
	for _, v := range r.Views {
		if slices.Contains(seen, v.Step) {
			continue
		}
		seen = append(seen, v.Step)
		s := traceSlot{kind: v.Kind}
		for side, at := range v.Step {
			if at < 0 {
				continue
			}
			e := &r.Timeline[side][at]
			s.excerpts[side] = e
			for i := range e.Ranks {
				s.length = max(s.length, e.Ranks[i].Length)
				for _, x := range e.Ranks[i].Spans {
					s.length, s.lead = max(s.length, x.End), max(s.lead, x.Ahead-x.Start, -x.Start)
				}
			}
		}
		out = append(out, s)
	}
	return out
}

// traceProcess is one rank of one side.
type traceProcess struct {
	side, rank int
	id, place  int // from 1; where it stands from the top
	threads    []traceThread
}

// traceThread is a row of bars, which are nested or follow each other.
type traceThread struct {
	name  string
	order int
}

// traceRows are the processes of a trace: of each rank both sides, one below the other.
type traceRows struct{ list []traceProcess }

func traceRowsOf(r *diff.Report) *traceRows {
	rows := &traceRows{}
	var ranks []int
	var of [2][]int
	for side, list := range r.Timeline {
		for i := range list {
			for k := range list[i].Ranks {
				rank := list[i].Ranks[k].Rank
				ranks, of[side] = append(ranks, rank), append(of[side], rank)
			}
		}
	}
	slices.Sort(ranks)
	for _, rank := range slices.Compact(ranks) {
		for side := range sideNames {
			if slices.Contains(of[side], rank) {
				n := len(rows.list)
				rows.list = append(rows.list, traceProcess{side: side, rank: rank, id: n + 1, place: n})
			}
		}
	}
	return rows
}

func (t *traceRows) of(side, rank int) *traceProcess {
	for i := range t.list {
		if p := &t.list[i]; p.side == side && p.rank == rank {
			return p
		}
	}
	return nil
}

// thread returns the number of the row with a name, from 1, and makes the row if there is none.
func (p *traceProcess) thread(name string, order int) int {
	i := slices.IndexFunc(p.threads, func(t traceThread) bool { return t.name == name })
	if i < 0 {
		i = len(p.threads)
		p.threads = append(p.threads, traceThread{name, order})
	}
	return i + 1
}

// traceEvents writes events.
type traceEvents struct {
	out   *errorWriter
	some  bool // one is written
	flows int
}

// text returns s in JSON.
func (t *traceEvents) text(s string) []byte {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false) // names of kernels are full of < and >
	if err := e.Encode(s); err != nil && t.out.err == nil {
		t.out.err = err
	}
	return replaceInvisible(bytes.TrimSuffix(out.Bytes(), []byte("\n")), jsonEscape)
}

func (t *traceEvents) event(format string, args ...any) {
	between := ",\n"
	if !t.some {
		between = "\n"
	}
	t.some = true
	t.out.write(fmt.Appendf([]byte(between), format, args...))
}

func (t *traceEvents) nameProcess(p *traceProcess) {
	name := fmt.Sprintf("%s rank %d", sideNames[p.side], p.rank)
	if p.rank < 0 {
		name = sideNames[p.side] + ", number of the rank not known"
	}
	t.event(`{"ph": "M", "pid": %d, "name": "process_name", "args": {"name": %s}}`, p.id, t.text(name))
	t.event(`{"ph": "M", "pid": %d, "name": "process_sort_index", "args": {"sort_index": %d}}`, p.id, p.place)
}

func (t *traceEvents) nameThreads(p *traceProcess) {
	for i, x := range p.threads {
		t.event(`{"ph": "M", "pid": %d, "tid": %d, "name": "thread_name", "args": {"name": %s}}`, p.id, i+1, t.text(x.name))
		t.event(`{"ph": "M", "pid": %d, "tid": %d, "name": "thread_sort_index", "args": {"sort_index": %d}}`, p.id, i+1, x.order)
	}
}

// microseconds writes ns as us with all digits.
func microseconds(ns int64) string {
	sign := ""
	if ns < 0 {
		sign, ns = "-", -ns
	}
	return fmt.Sprintf("%s%d.%03d", sign, ns/1000, ns%1000)
}

// strip writes the step of one rank, which begins at a time in ns.
func (t *traceEvents) strip(p *traceProcess, s *traceSlot, e *diff.Excerpt, strip *run.Strip, at int64) {
	t.event(`{"ph": "X", "pid": %d, "tid": %d, "ts": %s, "dur": %s, "cat": "step", "name": "step %d", "args": {"run": %s, "step": %d, "shown_as": %s, "compared": %t, "shortest_bars_left_out": %d}}`,
		p.id, p.thread("step", 0), microseconds(at), microseconds(strip.Length), e.Step, t.text(e.Run), e.Step, t.text(string(s.kind)), e.Used, strip.Omitted)
	rows := map[string][]int{}
	for i := range strip.Spans {
		name := rowName(strip, &strip.Spans[i])
		rows[name] = append(rows[name], i)
	}
	var launches []int
	for _, row := range rowOrder(strip, rows) {
		for k, lane := range nested(strip, rows[row]) {
			thread := p.thread(laneName(row, k), rowPlace(strip, &strip.Spans[lane[0]]))
			for _, i := range lane {
				t.bar(p, thread, strip, &strip.Spans[i], at)
				if strip.Spans[i].Ahead > 0 {
					launches = append(launches, i, thread)
				}
			}
		}
	}
	t.launches(p, strip, launches, at)
}

// launchRow is the row of launches. On which thread each was is not kept.
const launchRow = "launches"

// launches writes a mark of 1 ns, the shortest that there is, for each launch and an arrow from
// it. all are spans and their threads, in turn.
func (t *traceEvents) launches(p *traceProcess, strip *run.Strip, all []int, at int64) {
	for i := 0; i < len(all); i += 2 {
		x, thread := &strip.Spans[all[i]], all[i+1]
		row, when := p.thread(launchRow, 2), microseconds(at+x.Start-x.Ahead)
		t.flows++
		t.event(`{"ph": "X", "pid": %d, "tid": %d, "ts": %s, "dur": 0.001, "cat": "launch", "name": %s}`, p.id, row, when, t.text(strip.Names[x.Name]))
		t.event(`{"ph": "s", "pid": %d, "tid": %d, "ts": %s, "cat": "launch", "name": "launch", "id": %d}`, p.id, row, when, t.flows)
		t.event(`{"ph": "f", "bp": "e", "pid": %d, "tid": %d, "ts": %s, "cat": "launch", "name": "launch", "id": %d}`, p.id, thread, microseconds(at+x.Start), t.flows)
	}
}

// laneNames are the lanes as a reader knows them.
var laneNames = [...]string{run.LaneCompute: "compute", run.LaneComm: "communication", run.LaneMemory: "memory", run.LaneGap: "idle", run.LaneRange: "host range"}

func laneText(l run.Lane) string {
	if int(l) < len(laneNames) {
		return laneNames[l]
	}
	return "other"
}

func (t *traceEvents) bar(p *traceProcess, thread int, strip *run.Strip, x *run.StripSpan, at int64) {
	args := fmt.Sprintf(`"lane": %s`, t.text(laneText(x.Lane)))
	if x.Ahead > 0 {
		args += fmt.Sprintf(`, "launched_before_us": %s`, microseconds(x.Ahead))
	}
	if x.Split {
		args += fmt.Sprintf(`, "waiting_us": %s`, microseconds(x.Wait))
	}
	t.event(`{"ph": "X", "pid": %d, "tid": %d, "ts": %s, "dur": %s, "cat": %s, "name": %s, "args": {%s}}`,
		p.id, thread, microseconds(at+x.Start), microseconds(max(0, x.End-x.Start)), t.text(laneText(x.Lane)), t.text(strip.Names[x.Name]), args)
}

// rowName names the row of a bar: its stream or thread, or its lane if that is not kept.
func rowName(strip *run.Strip, x *run.StripSpan) string {
	if x.Lane == run.LaneGap {
		return "idle, by cause"
	}
	if x.Track < 1 || int(x.Track) > len(strip.Tracks) {
		return laneText(x.Lane)
	}
	switch t := &strip.Tracks[x.Track-1]; {
	case t.Others && t.Host:
		return "other threads"
	case t.Others:
		return "other streams"
	case t.Host && t.Steps:
		return fmt.Sprintf("thread %d (runs the steps)", t.ID)
	case t.Host:
		return fmt.Sprintf("thread %d", t.ID)
	default:
		return fmt.Sprintf("stream %d", t.ID)
	}
}

// rowPlace orders rows: the host, launches, the device, and why it is idle.
func rowPlace(strip *run.Strip, x *run.StripSpan) int {
	switch {
	case x.Lane == run.LaneRange:
		return 1
	case x.Lane == run.LaneGap:
		return math.MaxInt16
	default:
		return 3 + int(x.Track)
	}
}

// rowOrder returns the names of rows in order, so that threads have the same numbers each time.
func rowOrder(strip *run.Strip, rows map[string][]int) []string {
	names := make([]string, 0, len(rows))
	for name := range rows {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(rowPlace(strip, &strip.Spans[rows[a][0]])-rowPlace(strip, &strip.Spans[rows[b][0]]), strings.Compare(a, b))
	})
	return names
}

// laneName returns the name of a lane of a row; the first lane has the row's.
func laneName(row string, lane int) string {
	if lane == 0 {
		return row
	}
	return fmt.Sprintf("%s (%d)", row, lane+1)
}

// nested divides spans into lanes in which spans are nested or follow each other, as the format demands for a thread:
// spans in one row may overlap, such as those of several streams.
func nested(strip *run.Strip, spans []int) (lanes [][]int) {
	slices.SortStableFunc(spans, func(a, b int) int {
		x, y := &strip.Spans[a], &strip.Spans[b]
		return cmp.Or(cmp.Compare(x.Start, y.Start), cmp.Compare(y.End, x.End))
	})
	var open [][]int64 // ends of what is open, the innermost last, of each lane
	for _, i := range spans {
		x, at := &strip.Spans[i], -1
		for k := range open {
			for n := len(open[k]); n > 0 && open[k][n-1] <= x.Start; n-- {
				open[k] = open[k][:n-1]
			}
			if n := len(open[k]); n == 0 || x.End <= open[k][n-1] {
				at = k
				break
			}
		}
		if at < 0 {
			at, open, lanes = len(open), append(open, nil), append(lanes, nil)
		}
		open[at], lanes[at] = append(open[at], x.End), append(lanes[at], i)
	}
	return lanes
}

// errorWriter writes until the first error, and keeps it.
type errorWriter struct {
	w   io.Writer
	err error
}

func (f *errorWriter) write(parts ...[]byte) {
	for _, p := range parts {
		if f.err == nil {
			_, f.err = f.w.Write(p)
		}
	}
}
