package main

import (
	"database/sql"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"testing"

	_ "modernc.org/sqlite" // reads what --sqlite writes

	"perfdiff/analyze/synth"
	"perfdiff/diff/stat"
)

// TestVerdictRedone does the test of the step time again from the tables of --sqlite alone: from steps the
// number of each run, which runs has too; from these and the floor that metrics has the estimate, the
// interval and the verdict.
func TestVerdictRedone(t *testing.T) {
	for name, runs := range map[string]int{"several-runs": 3, "aa": 1, "o-direct": 1} {
		path := filepath.Join(t.TempDir(), "t.db")
		var discard discarded
		run(t.Context(), append([]string{"-q", "--sqlite", path}, sides(writeStory(t, name, synth.Nsight))...), &discard, &discard)
		db, err := sql.Open("sqlite", path)
		if err != nil {
			t.Fatal(err)
		}
		curves := [2][][]float64{logCurves(t, db, "baseline"), logCurves(t, db, "candidate")}
		if len(curves[0]) != runs || len(curves[1]) != runs {
			t.Fatalf("%s: got %d and %d runs, want %d", name, len(curves[0]), len(curves[1]), runs)
		}
		s := stat.Paired(curves[0], curves[1])
		for side, values := range [][]float64{s.Base, s.Cand} {
			got := column(t, db, "SELECT step_time_tested FROM runs WHERE side = ? ORDER BY run", []string{"baseline", "candidate"}[side])
			if !slices.EqualFunc(got, values, asPrinted) {
				t.Errorf("%s: runs have %v, steps give %v", name, got, values)
			}
		}
		var estimate, low, high, threshold, equivalence, floor, level float64
		var want string
		var logs bool
		row := db.QueryRowContext(t.Context(), `SELECT estimate, low, high, threshold, equivalence, floor, interval_error, verdict, log_scale
			FROM metrics WHERE metric = 'step_time' AND part IS NULL AND past_runs = 0`)
		if err := row.Scan(&estimate, &low, &high, &threshold, &equivalence, &floor, &level, &want, &logs); err != nil || !logs {
			t.Fatalf("%s: %v", name, err)
		}
		e := stat.Moderated(s, floor)
		half := e.HalfWidth(level)
		again := []float64{math.Expm1(e.Estimate), math.Expm1(e.Estimate - half), math.Expm1(e.Estimate + half)}
		if !slices.EqualFunc(again, []float64{estimate, low, high}, asPrinted) {
			t.Errorf("%s: got %v, the table has %v, %v, %v", name, again, estimate, low, high)
		}
		narrow := e.HalfWidth(0.1) // two tests of one side, of 5 % each
		within := math.Expm1(e.Estimate-narrow) > -equivalence && math.Expm1(e.Estimate+narrow) < equivalence
		got := "inconclusive"
		switch {
		case again[2] < 0 && again[0] <= -threshold:
			got = "improved"
		case again[1] > 0 && again[0] >= threshold:
			got = "regressed"
		case within:
			got = "unchanged"
		}
		if got != want {
			t.Errorf("%s: redone it is %s (%v, floor %v), the table says %s", name, got, again, floor, want)
		}
		if runs > 1 {
			runsGiveRows(t, db)
		}
		db.Close()
	}
}

// discarded is a stream of which nobody reads.
type discarded struct{}

func (discarded) Write(p []byte) (int, error) { return len(p), nil }

// logCurves are the logarithms of what the ranks of each run take in the median in each step that is used.
func logCurves(t *testing.T, db *sql.DB, side string) [][]float64 {
	t.Helper()
	out := curves(t, db, side, "step_time_s")
	for _, run := range out {
		for i, v := range run {
			run[i] = math.Log(v)
		}
	}
	return out
}

// curves are the medians over ranks of a column, in each step of each run that is used and has it.
func curves(t *testing.T, db *sql.DB, side, of string) (out [][]float64) {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), `SELECT s.run, s.step, s."`+of+`" FROM steps s JOIN ranks r USING (side, run, rank)
		WHERE side = ? AND s.left_out IS NULL AND r.enters AND s."`+of+`" IS NOT NULL ORDER BY s.run, s.step`, side)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	before, values := "", []float64{}
	runBefore := ""
	for rows.Next() {
		var run string
		var step int
		var v float64
		if err := rows.Scan(&run, &step, &v); err != nil {
			t.Fatal(err)
		}
		if run != runBefore {
			out, runBefore = append(out, nil), run
		}
		last := &out[len(out)-1]
		if at := fmt.Sprint(run, step); at != before {
			before, values = at, nil
			*last = append(*last, 0)
		}
		values = append(values, v)
		(*last)[len(*last)-1] = stat.Median(values)
	}
	return out
}

// runsGiveRows: of several runs the median over runs of the median over steps of the median over ranks is the
// row of each metric; the report has the steps of one run, which the laws of all reports hold, and the tables
// have those of every one.
func runsGiveRows(t *testing.T, db *sql.DB) {
	t.Helper()
	checked := 0
	for _, side := range []string{"baseline", "candidate"} {
		want := map[string]float64{}
		list, err := db.QueryContext(t.Context(), `SELECT metric, name, `+side+`_median FROM metrics JOIN
			pragma_table_info('steps') ON name = metric || CASE unit WHEN 's' THEN '_s' WHEN 'ratio' THEN '_ratio' WHEN 'B' THEN '_bytes'
			WHEN 'B/s' THEN '_bytes_per_s' ELSE '' END || coalesce('/' || part, '')`)
		if err != nil {
			t.Fatal(err)
		}
		for list.Next() {
			var metric, column string
			var median float64
			if err := list.Scan(&metric, &column, &median); err != nil {
				t.Fatal(err)
			}
			if !notOfSteps(metric) {
				want[column] = median
			}
		}
		list.Close()
		for column, row := range want {
			var medians []float64
			for _, steps := range curves(t, db, side, column) {
				medians = append(medians, stat.Median(steps))
			}
			if got := stat.Median(medians); !near6(got, row) {
				t.Errorf("%s of the %s: the runs give %g, the row has %g", column, side, got, row)
			}
			checked++
		}
	}
	if checked < 100 {
		t.Errorf("%d rows were checked", checked)
	}
}

// column is a column of numbers.
func column(t *testing.T, db *sql.DB, query string, args ...any) (out []float64) {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), query, args...)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var v float64
		if err := rows.Scan(&v); err != nil {
			t.Fatal(err)
		}
		out = append(out, v)
	}
	return out
}

// asPrinted reports whether two numbers agree in as many digits as a report keeps.
func asPrinted(a, b float64) bool { return math.Abs(a-b) <= 1e-8*math.Max(1e-3, math.Abs(b)) }
