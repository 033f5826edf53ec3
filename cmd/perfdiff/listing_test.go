package main

import (
	"encoding/csv"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"perfdiff/analyze/synth"
)

// TestListings: what check, steps and report print is written as tables, too: the last of the JSON
// file is that of the CSV file, and Markdown has all.
func TestListings(t *testing.T) {
	dir := writeStory(t, "straggler-rank3", synth.Nsight)
	base, cand := filepath.Join(dir, "baseline"), filepath.Join(dir, "candidate")
	for _, tt := range []struct {
		main, column, value string // of the CSV file, and one of its values
		heads               int    // of the Markdown file
		args                []string
	}{
		{"injected", "slower", "every step", 2, []string{"check", base}},
		{"candidates", "period_s", "", 1, []string{"steps", base}},
		{"candidates", "candidate_count", "", 1, []string{"steps", base, cand}},
		{"", "metric", "step_time", 3, []string{"report", cand}},
	} {
		at := filepath.Join(t.TempDir(), "t")
		printed, _ := mustRun(t, statusOK, tt.args...)
		again, _ := mustRun(t, statusOK, append(tt.args, "-o", at+".json", "-o", at+".csv", "-o", at+".md")...)
		if again != printed {
			t.Errorf("%q: with -o it prints\n%s", tt.args, again)
		}
		rows, err := csv.NewReader(strings.NewReader(fileText(t, at+".csv"))).ReadAll()
		if err != nil || len(rows) < 2 {
			t.Fatalf("%q: got %d rows, %v", tt.args, len(rows), err)
		}
		heads := strings.Join(rows[0], " ")
		if !strings.Contains(heads, tt.column) || !strings.Contains(fileText(t, at+".csv"), tt.value) {
			t.Errorf("%q: got %s", tt.args, fileText(t, at+".csv"))
		}
		if md := fileText(t, at+".md"); strings.Count(md, "## ") != tt.heads || strings.Contains(md, "NaN") {
			t.Errorf("%q: got %s", tt.args, md)
		}
		if tt.main == "" { // a report on one run set has a JSON form of its own
			continue
		}
		var doc map[string][]map[string]any
		if err := json.Unmarshal([]byte(fileText(t, at+".json")), &doc); err != nil {
			t.Fatalf("%q: %v", tt.args, err)
		}
		if got := doc[tt.main]; len(got) != len(rows)-1 || len(got[0]) != len(rows[0]) {
			t.Errorf("%q: JSON and CSV differ: %v, %q", tt.args, got, rows)
		}
	}
}

// TestListingOfNothing: what is not judged is said, and a table without rows is one.
func TestListingOfNothing(t *testing.T) {
	at := filepath.Join(t.TempDir(), "t")
	set := filepath.Join(writeStory(t, "no-steps", synth.Nsight), "baseline")
	mustRun(t, statusNotJudged, "check", set, "-o", at+".json", "-o", at+".csv", "-o", at+".md")
	if got := fileText(t, at+".json"); got != "{\n  \"tests\": [],\n  \"injected\": []\n}\n" {
		t.Errorf("got %s", got)
	}
	if got := fileText(t, at+".md"); !strings.HasPrefix(got, "Nothing could be judged: ") {
		t.Errorf("got %s", got)
	}
	if got := fileText(t, at+".csv"); strings.Count(got, "\n") != 1 {
		t.Errorf("got %s", got)
	}
}
