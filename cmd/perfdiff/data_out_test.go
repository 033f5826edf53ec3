package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"perfdiff/analyze/synth"
	"perfdiff/render"
	"perfdiff/testdata"
)

// TestDataOut writes what is for other programs, of every story, and holds it to the JSON report.
func TestDataOut(t *testing.T) {
	for _, name := range testdata.Names() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			at := func(name string) string { return filepath.Join(dir, name) }
			args := append([]string{"-q", "-o", at("r.json"), "--csv", at("a/csv"), "--parquet", at("pq"), "--perfetto", at("t.json"), "--brief", at("b.json")}, sides(writeStory(t, name, synth.Nsight))...)
			var out, errs bytes.Buffer
			if run(context.Background(), args, &out, &errs) == statusError {
				t.Skipf("nothing is compared: %s", errs.String())
			}
			var doc render.Document
			if err := json.Unmarshal([]byte(fileText(t, at("r.json"))), &doc); err != nil {
				t.Fatal(err)
			}
			checkBrief(t, fileText(t, at("b.json")), &doc)
			checkTrace(t, fileText(t, at("t.json")), &doc)
			checkSteps(t, fileText(t, at("a/csv/steps.csv")), &doc)
			for _, table := range render.TableNames() {
				if st, err := os.Stat(at("pq/" + table + ".parquet")); err != nil || st.Size() < 100 {
					t.Errorf("%s: %v", table, err)
				}
				shown, _ := mustRun(t, statusOK, "show", at("r.json"), "--table", table, "--format", "csv")
				if want := fileText(t, at("a/csv/"+table+".csv")); shown != want {
					t.Errorf("%s: show prints another table:\n%.300s\n%.300s", table, shown, want)
				}
			}
		})
	}
}

// checkBrief holds a brief to its size and to the report.
func checkBrief(t *testing.T, text string, doc *render.Document) {
	t.Helper()
	var b render.Brief
	if err := json.Unmarshal([]byte(text), &b); err != nil || len(text) > 8192 {
		t.Fatalf("brief of %d bytes: %v", len(text), err)
	}
	begins := func(short, long string) bool {
		head, cut := strings.CutSuffix(short, "…")
		return short == long || cut && strings.HasPrefix(long, head)
	}
	if b.Verdict.Verdict != doc.Verdict.Verdict || b.Verdict.Gate != doc.Verdict.Gate.State || b.Verdict.Judged != doc.Verdict.Judged || !begins(b.Verdict.Headline, doc.Verdict.Headline) {
		t.Errorf("brief: got %+v, report %+v", b.Verdict, doc.Verdict)
	}
	if len(b.Findings)+b.LeftOut.Findings != len(doc.Findings) || len(b.Warnings)+b.LeftOut.Warnings != len(doc.Warnings) || len(b.Differences)+b.LeftOut.Differences != len(doc.Differences) {
		t.Errorf("brief: %+v are left out of %d, %d, %d", b.LeftOut, len(doc.Findings), len(doc.Warnings), len(doc.Differences))
	}
	for i, f := range b.Findings {
		want := doc.Findings[i]
		if f.Kind != want.Kind || f.Metric != want.Metric || !same(f.Delta, want.Delta) || !same(f.Low, want.Low) || !same(f.High, want.High) || f.Unit != want.Unit ||
			!begins(f.Text, want.Text) || !begins(f.Evidence, want.Evidence) || f.Section != want.Section || f.OfRanks != len(want.Ranks) {
			t.Errorf("brief: finding %d: got %+v, report %+v", i, f, want)
		}
	}
	if left := b.LeftOut; (left.Findings+left.Differences+left.Warnings+left.Texts > 0) != (left.Note != "") {
		t.Errorf("brief: got %+v", left)
	}
}

func same(a, b render.Number) bool {
	return a == b || math.IsNaN(float64(a)) && math.IsNaN(float64(b))
}

// checkSteps holds each value of the table of steps to the report, bit for bit.
func checkSteps(t *testing.T, text string, doc *render.Document) {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil || len(rows) == 0 {
		t.Fatalf("steps: %v", err)
	}
	suffix := map[string]string{}
	for _, m := range doc.Descriptions {
		suffix[m.Name] = m.Unit
	}
	at := 1
	for _, rank := range doc.Ranks {
		for i, side := range []*render.RankSide{rank.Baseline, rank.Candidate} {
			if side == nil {
				continue
			}
			for k, step := range side.Steps {
				row := rows[at]
				at++
				want := []string{[]string{"baseline", "candidate"}[i], strconv.Itoa(rank.Rank), strconv.FormatInt(step, 10), side.Dropped[k]}
				if !reflect.DeepEqual(row[:4], want) {
					t.Fatalf("steps: row %d: got %q, want %q", at, row[:4], want)
				}
				some := 0
				for key, values := range side.Values {
					metric, part, _ := strings.Cut(key, "/")
					column := slices.IndexFunc(rows[0], func(c string) bool {
						head, tail, _ := strings.Cut(c, "/")
						return tail == part && (head == metric || strings.HasPrefix(head, metric+"_") && suffix[head] == "" && suffixOf(suffix[metric]) == head[len(metric):])
					})
					if column < 0 {
						t.Fatalf("steps: no column of %s", key)
					}
					got, err := strconv.ParseFloat(row[column], 64)
					if row[column] == "" {
						got, err = math.NaN(), nil
					} else {
						some++
					}
					if err != nil || !same(render.Number(got), values[k]) {
						t.Fatalf("steps: row %d, %s: got %q, want %v", at, key, row[column], values[k])
					}
				}
				for _, field := range row[4:] {
					if field != "" {
						some--
					}
				}
				if some != 0 {
					t.Fatalf("steps: row %d has values that the report has not", at)
				}
			}
		}
	}
	if at != len(rows) {
		t.Errorf("steps: %d rows, want %d", len(rows)-1, at-1)
	}
}

// suffixOf is how the names of columns end for a unit.
func suffixOf(unit string) string {
	return map[string]string{"s": "_s", "B": "_bytes", "B/s": "_bytes_per_s", "FLOP": "_flop", "FLOP/s": "_flop_per_s", "Hz": "_hz", "W": "_watts", "°C": "_celsius", "ratio": "_ratio"}[unit]
}

// traceEvent is an event of Chrome's trace event format.
type traceEvent struct {
	Ph   string
	Pid  *int
	Tid  *int
	Ts   *json.Number
	Dur  *json.Number
	Name *string
	ID   int
	Bp   string
	Args map[string]any
}

// nanoseconds reads us with all digits.
func nanoseconds(t *testing.T, n *json.Number) int64 {
	t.Helper()
	if n == nil {
		t.Fatal("trace: a time is missing")
	}
	whole, part, _ := strings.Cut(n.String(), ".")
	ns, err := strconv.ParseInt(whole+part, 10, 64)
	if err != nil || len(part) != 3 || ns < 0 {
		t.Fatalf("trace: %s is no time", n)
	}
	return ns
}

// checkTrace holds a trace to its format: required fields, names of all processes and threads,
// bars of a thread within or beside each other, an end within a bar for each arrow; and to the
// report: as many bars as its timeline has.
func checkTrace(t *testing.T, text string, doc *render.Document) {
	t.Helper()
	var trace struct{ TraceEvents []traceEvent }
	if err := json.Unmarshal([]byte(text), &trace); err != nil {
		t.Fatal(err)
	}
	type thread struct{ pid, tid int }
	named, processes := map[thread]bool{}, map[int]string{}
	bars, ends, starts := map[thread][][2]int64{}, map[int]int64{}, map[int]int64{}
	steps, kept := map[int64]int{}, 0
	for _, e := range trace.TraceEvents {
		if e.Pid == nil || e.Name == nil {
			t.Fatalf("trace: got %+v", e)
		}
		at := thread{pid: *e.Pid}
		if e.Tid != nil {
			at.tid = *e.Tid
		}
		switch e.Ph {
		case "M":
			if name, ok := e.Args["name"].(string); ok && *e.Name == "process_name" {
				processes[at.pid] = name
			} else if ok {
				named[at] = true
			}
		case "X":
			from := nanoseconds(t, e.Ts)
			bars[at] = append(bars[at], [2]int64{from, from + nanoseconds(t, e.Dur)})
			if _, ok := e.Args["shown_as"]; ok {
				steps[from]++
			} else if e.Args["lane"] != nil {
				kept++
			}
		case "s":
			starts[e.ID] = nanoseconds(t, e.Ts)
		case "f":
			if ends[e.ID] = nanoseconds(t, e.Ts); e.Bp != "e" {
				t.Fatalf("trace: got %+v", e)
			}
		default:
			t.Fatalf("trace: an event of kind %q", e.Ph)
		}
	}
	for at, list := range bars {
		if !named[at] || processes[at.pid] == "" {
			t.Errorf("trace: %v has no name", at)
		}
		checkNested(t, list)
	}
	for id, end := range ends {
		if start, ok := starts[id]; !ok || start > end {
			t.Errorf("trace: arrow %d goes from %d to %d", id, start, end)
		}
	}
	want, pairs := 0, [][2]int{}
	for _, v := range doc.Views {
		if slices.Contains(pairs, v.Step) {
			continue
		}
		pairs = append(pairs, v.Step)
		for side, list := range [][]render.Excerpt{doc.Timeline.Baseline, doc.Timeline.Candidate} {
			if v.Step[side] >= 0 {
				for _, strip := range list[v.Step[side]].Ranks {
					want += len(strip.Start)
				}
			}
		}
	}
	if kept != want || len(steps) != len(pairs) || len(starts) != len(ends) {
		t.Errorf("trace: %d bars of %d, steps begin at %d times for %d pairs", kept, want, len(steps), len(pairs))
	}
}

// checkNested: sorted, each bar lies in the one that is open, or begins behind it.
func checkNested(t *testing.T, list [][2]int64) {
	t.Helper()
	slices.SortStableFunc(list, func(a, b [2]int64) int {
		if a[0] != b[0] {
			return int(a[0] - b[0])
		}
		return int(b[1] - a[1])
	})
	var open []int64
	for _, x := range list {
		for len(open) > 0 && open[len(open)-1] <= x[0] {
			open = open[:len(open)-1]
		}
		if len(open) > 0 && x[1] > open[len(open)-1] {
			t.Errorf("trace: bars of a thread overlap at %d ns", x[0])
		}
		open = append(open, x[1])
	}
}

// TestShowRefuses: another file, an older report and a wrong name are errors that say what to do.
func TestShowRefuses(t *testing.T) {
	dir := t.TempDir()
	report := filepath.Join(dir, "r.json")
	mustRun(t, statusOK, append([]string{"-q", "-o", report}, sides(writeStory(t, "o-direct", synth.Nsight))...)...)
	text := fileText(t, report)
	for name, tt := range map[string]struct {
		text string
		args []string
		want string
	}{
		"empty":     {"", nil, "is no JSON report of perfdiff"},
		"other":     {`{"traceEvents": []}`, nil, "has no schema_version (write a report with -o report.json)"},
		"no object": {`[1]`, nil, "is no JSON report of perfdiff"},
		"cut":       {text[:len(text)/2], nil, "is cut off"},
		"older":     {strings.Replace(text, `"schema_version": "2.0"`, `"schema_version": "1.3"`, 1), nil, "is a report of schema 1.3"},
		"more":      {text + "{}", nil, "something follows its end"},
		"several":   {`{"schema_version": "2.0", "candidates": [{}]}`, nil, "several candidates"},
		"type":      {strings.Replace(text, `"findings": [`, `"findings": [3, `, 1), nil, "findings is a number, which it is in none"},
		"brief":     {`{"brief_version": "1.0", "findings": []}`, nil, "is a brief"},
		"plan":      {`{"perfdiff_plan": 1}`, nil, "is a plan of shards"},
		"ranks":     {`{"schema_version": "2.0", "ranks": 3}`, nil, "ranks are no list"},
		"deep":      {`{"schema_version": "2.0", "x": ` + strings.Repeat("[", 5000), nil, "without end"},
		"table":     {text, []string{"--table", "rows"}, "--table rows: must be metrics, findings, ranks"},
		"metric":    {text, []string{"--metric", "speed"}, `no metric "speed"`},
		"of none":   {text, []string{"--metric", "step_time", "--table", "kernels"}, "is not of metrics"},
		"form":      {text, []string{"--table", "ranks", "--format", "xml"}, "--format xml: must be text, csv, json"},
		"no table":  {text, []string{"--format", "csv"}, "name one with --table"},
	} {
		path := filepath.Join(dir, "x.json")
		writeFile(t, path, tt.text)
		out, stderr := mustRun(t, statusError, append([]string{"show", path}, tt.args...)...)
		if out != "" || !strings.Contains(stderr, tt.want) {
			t.Errorf("%s: got %q, %s", name, out, stderr)
		}
	}
	portrait := filepath.Join(dir, "one.json")
	mustRun(t, statusOK, "report", "-q", filepath.Join(filepath.Dir(sides(writeStory(t, "aa", synth.Nsight))[0]), "baseline"), "-o", portrait)
	for path, want := range map[string]string{portrait: "is a report on one run set (perfdiff report)", filepath.Join(dir, "nope.json"): "nope.json: no such file"} {
		if _, stderr := mustRun(t, statusError, "show", path); !strings.Contains(stderr, want) || strings.Contains(stderr, "render.") || strings.Contains(stderr, "schema_version") {
			t.Errorf("%s: got %s, want %q", path, stderr, want)
		}
	}
	list, _ := mustRun(t, statusOK, "show", report)
	for _, want := range append(render.TableNames(), "step_time (s)") {
		if !strings.Contains(list, "  "+want) {
			t.Errorf("the list lacks %s:\n%s", want, list)
		}
	}
	if out, _ := mustRun(t, statusOK, "show", report, "--metric", "step_time", "--table", "steps", "--format", "json"); !json.Valid([]byte(out)) || !strings.Contains(out, `"step_time_s": 0.`) || strings.Contains(out, "idle") {
		t.Errorf("got %.300s", out)
	}
	if out, _ := mustRun(t, statusOK, "show", report, "--metric", "step_time"); strings.Count(out, "\n") < 2 || !strings.Contains(out, "improved") || !strings.Contains(plainSpaces(out), " 164 ms ") || !strings.Contains(plainSpaces(out), " −53.0 % ") {
		t.Errorf("got %.300s", out)
	}
}

// TestDataOutRefuses: what cannot be written is told before anything is read.
func TestDataOutRefuses(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	writeFile(t, file, "x")
	for _, tt := range [][]string{
		{"is a file: name a directory", "--csv", file},
		{"not a directory (name another directory)", "--parquet", filepath.Join(file, "below")},
		{"is a directory", "--brief", t.TempDir()},
		{"a trace is no text", "--perfetto", "-"},
		{"has a report already", "--brief", "-", "-o", "-", "--format", "json"},
		{"is of one candidate, and there are 2", "--csv", t.TempDir(), "another"},
	} {
		if _, stderr := mustRun(t, statusError, append([]string{"nowhere", "nothing"}, tt[1:]...)...); !strings.Contains(stderr, tt[0]) {
			t.Errorf("%q: got %s", tt[1:], stderr)
		}
	}
}
