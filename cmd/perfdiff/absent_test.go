package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"perfdiff/analyze/synth"
)

// What a file lost is not zero: it is said, it is not recorded, and nothing is judged by it.

// saidOfPair is what perfdiff said of a pair, in each form that people and machines read.
type saidOfPair struct {
	status         int
	text, markdown string
	doc            Document
}

// compareInAllForms compares two sides in all of these forms.
func compareInAllForms(t *testing.T, base, cand string) (s saidOfPair) {
	t.Helper()
	out := filepath.Join(t.TempDir(), "report")
	var stdout, stderr bytes.Buffer
	s.status = run(context.Background(), []string{base, cand, "--table", "-o", out + ".json", "-o", out + ".md"}, &stdout, &stderr)
	if s.status == statusError {
		t.Fatalf("exit %d: %s", s.status, stderr.String())
	}
	read := func(ext string) []byte {
		b, err := os.ReadFile(out + ext)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	s.text, s.markdown = stdout.String(), string(read(".md"))
	if err := json.Unmarshal(read(".json"), &s.doc); err != nil {
		t.Fatal(err)
	}
	return s
}

// wrong says what must not be said of an unchanged job, "" if nothing was.
func (s *saidOfPair) wrong() string {
	if s.status != statusOK && s.status != statusNotJudged {
		return fmt.Sprintf("exit %d: %s", s.status, s.doc.Verdict.Headline)
	}
	for _, f := range s.doc.Findings {
		if f.Class == "better" || f.Class == "worse" {
			return f.Class + ": " + f.Text
		}
	}
	return ""
}

// values are the numbers of a side, by metric and part; of what was not recorded none.
func (s *saidOfPair) values(candidate bool) map[string]string {
	out := map[string]string{}
	for _, c := range slices.Concat(s.doc.Metrics, s.doc.Parts, s.doc.Capture) {
		v := fmt.Sprint(c.Median.Baseline, c.Mean.Baseline)
		if candidate {
			v = fmt.Sprint(c.Median.Candidate, c.Mean.Candidate)
		}
		if v != "NaN NaN" {
			out[c.Metric+"/"+c.Part] = v
		}
	}
	return out
}

// notes are all that qualifies the numbers: warnings, what was not recorded, and what
// differs between the sides.
func (s *saidOfPair) notes() string {
	var b strings.Builder
	for _, w := range s.doc.Warnings {
		fmt.Fprintln(&b, w)
	}
	for _, c := range slices.Concat(s.doc.Metrics, s.doc.Capture) {
		fmt.Fprintln(&b, c.Metric, c.NotRecorded)
	}
	for _, d := range s.doc.Differences {
		fmt.Fprintln(&b, d)
	}
	fmt.Fprintln(&b, s.doc.Verdict.Headline, s.doc.Baseline.Steps.Kept, s.doc.Candidate.Steps.Kept)
	return b.String()
}

// tableLosses are what can be gone of a table.
var tableLosses = []struct {
	name string
	sql  func(table string) []string
}{
	{"dropped", func(table string) []string { return []string{"drop table " + table} }},
	{"emptied", func(table string) []string { return []string{"delete from " + table} }},
	{"half of its rows gone", func(table string) []string {
		return []string{"delete from " + table + " where rowid * 2654435761 % 1024 < 512"} // no pattern of the rows' own
	}},
	{inSmallLetters, func(table string) []string {
		return []string{"alter table " + table + " rename to x_" + table, "alter table x_" + table + " rename to " + strings.ToLower(table)}
	}},
}

const inSmallLetters = "in small letters"

// TestTablesGone takes each table of an export away, or a part of it, on one side of a job
// that did not change: nothing is judged to differ by it, and where a number is another
// one than before, something says why.
func TestTablesGone(t *testing.T) {
	base, cand := unchanged(t, "aa", "baseline", synth.Nsight, strings.NewReplacer("ranks: 4", "ranks: 2", "steps: 30", "steps: 12"))
	whole := compareInAllForms(t, base, cand)
	for i, table := range tablesOf(t, filepath.Join(base, namesIn(t, base)[0])) {
		t.Run(table, func(t *testing.T) {
			t.Parallel()
			for j, loss := range tableLosses {
				candidate := (i+j)%2 == 0
				a, b := copyTree(t, base), copyTree(t, cand)
				mutate(t, map[bool]string{false: a, true: b}[candidate], loss.sql(table)...)
				told := compareInAllForms(t, a, b)
				if wrong := told.wrong(); wrong != "" {
					t.Errorf("%s: %s", loss.name, wrong)
				}
				told.checkLoss(t, loss.name, &whole, candidate)
				os.RemoveAll(filepath.Dir(a))
				os.RemoveAll(filepath.Dir(b))
			}
		})
	}
}

// checkLoss holds a report of which one side lost something to that of whole files.
func (s *saidOfPair) checkLoss(t *testing.T, loss string, whole *saidOfPair, candidate bool) {
	t.Helper()
	before, after, changed := whole.values(candidate), s.values(candidate), ""
	for key, v := range before {
		if after[key] != v {
			changed = key
		}
		if strings.HasPrefix(after[key], "0 ") && !strings.HasPrefix(v, "0 ") && strings.HasSuffix(key, "/") {
			t.Errorf("%s: %s was %s and became 0", loss, key, v)
		}
	}
	if loss == inSmallLetters && (changed != "" || s.notes() != whole.notes()) {
		t.Errorf("%s: %s is another number, or something else is said: %s", loss, changed, s.notes())
	}
	if changed != "" && s.notes() == whole.notes() {
		t.Errorf("%s: %s was %s and became %q, and nothing says why", loss, changed, before[changed], after[changed])
	}
}

// tablesOf are the tables of an export.
func tablesOf(t *testing.T, path string) (names []string) {
	t.Helper()
	e, err := openExport(path)
	if err != nil {
		t.Fatal(err)
	}
	defer e.close()
	rows, err := e.db.Query("select name from sqlite_master where type = 'table' order by name")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			t.Fatal(err)
		}
		names = append(names, name)
	}
	return names
}
