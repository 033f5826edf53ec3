package main

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/csv"
	"encoding/json"
	"errors"
	"math"
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
			args := append([]string{"-q", "-o", at("r.json"), "--csv", at("a/csv"), "--sqlite", at("t.db"), "--perfetto", at("t.json"), "--brief", at("b.json")}, sides(writeStory(t, name, synth.Nsight))...)
			var out, errs bytes.Buffer
			if run(context.Background(), args, &out, &errs) == statusError {
				t.Skipf("nothing is compared: %s", errs.String())
			}
			var doc Document
			if err := json.Unmarshal([]byte(fileText(t, at("r.json"))), &doc); err != nil {
				t.Fatal(err)
			}
			checkBrief(t, fileText(t, at("b.json")), &doc)
			checkTrace(t, fileText(t, at("t.json")), &doc)
			checkSteps(t, fileText(t, at("a/csv/steps.csv")), &doc)
			checkDatabase(t, at("t.db"), at("a/csv"))
		})
	}
}

// checkDatabase holds a database to the files of the same tables: as many rows, and every view can be asked.
func checkDatabase(t *testing.T, path, dir string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, table := range render.TableNames() {
		rows, err := csv.NewReader(strings.NewReader(fileText(t, filepath.Join(dir, table+".csv")))).ReadAll()
		var got int
		if err := errors.Join(err, db.QueryRowContext(t.Context(), "SELECT count(*) FROM "+table).Scan(&got)); err != nil || got != len(rows)-1 {
			t.Errorf("%s: got %d rows, want %d, %v", table, got, len(rows)-1, err)
		}
	}
	for _, view := range []string{"worst_steps", "kernel_changes", "late_ranks"} {
		if _, err := db.ExecContext(t.Context(), "SELECT * FROM "+view); err != nil && !strings.Contains(err.Error(), "no such table: worst_steps") {
			t.Errorf("%s: %v", view, err)
		}
	}
}

// checkBrief holds a brief to its size and to the report.
func checkBrief(t *testing.T, text string, doc *Document) {
	t.Helper()
	var b Brief
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

func same(a, b Number) bool {
	return a == b || math.IsNaN(float64(a)) && math.IsNaN(float64(b))
}

// checkSteps holds each value of the table of steps to the report, bit for bit.
func checkSteps(t *testing.T, text string, doc *Document) {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil || len(rows) == 0 {
		t.Fatalf("steps: %v", err)
	}
	suffix := map[string]string{}
	for _, m := range doc.Descriptions {
		suffix[m.Name] = m.Unit
	}
	at, later := 1, 0
	for i, runs := range [][]string{doc.Baseline.Runs, doc.Candidate.Runs} {
		for _, rank := range doc.Ranks {
			side := []*RankSide{rank.Baseline, rank.Candidate}[i]
			if side == nil {
				continue
			}
			for k, step := range side.Steps {
				for rows[at][1] != runs[0] { // the report has the first run that holds the rank
					at, later = at+1, later+1
				}
				row := rows[at]
				at++
				want := []string{[]string{"baseline", "candidate"}[i], runs[0], strconv.Itoa(rank.Rank), strconv.FormatInt(step, 10), side.Dropped[k]}
				if !reflect.DeepEqual(row[:5], want) {
					t.Fatalf("steps: row %d: got %q, want %q", at, row[:5], want)
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
					if err != nil || !same(Number(got), values[k]) {
						t.Fatalf("steps: row %d, %s: got %q, want %v", at, key, row[column], values[k])
					}
				}
				for _, field := range row[5:] {
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
	for ; at < len(rows); at++ {
		if rows[at][1] == doc.Candidate.Runs[0] {
			t.Errorf("steps: row %d is too many", at)
		}
		later++
	}
	if several := len(doc.Baseline.Runs)+len(doc.Candidate.Runs) > 2; several != (later > 0) {
		t.Errorf("steps: %d rows of later runs", later)
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
func checkTrace(t *testing.T, text string, doc *Document) {
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
		for side, list := range [][]Excerpt{doc.Timeline.Baseline, doc.Timeline.Candidate} {
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

// TestGone: a command and a flag that are gone answer with what does the same.
func TestGone(t *testing.T) {
	for _, args := range [][]string{{"show", "report.json"}, {"nowhere", "nothing", "--parquet", "dir"}} {
		if _, stderr := mustRun(t, statusError, args...); !strings.Contains(stderr, "gone") || !strings.Contains(stderr, "--sqlite FILE") {
			t.Errorf("%q: got %s", args, stderr)
		}
	}
}

// TestDataOutRefuses: what cannot be written is told before anything is read.
func TestDataOutRefuses(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	writeFile(t, file, "x")
	for _, tt := range [][]string{
		{"is a file: name a directory", "--csv", file},
		{"not a directory (name another directory)", "--csv", filepath.Join(file, "below")},
		{"a database is no text", "--sqlite", "-"},
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
