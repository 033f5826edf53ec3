package render

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"testing"

	_ "modernc.org/sqlite"

	"perfdiff/diff/difftest"
	"perfdiff/diff/history"
	"perfdiff/golden"
)

func twoJobs() *Jobs {
	return &Jobs{All: []history.Job{difftest.FlatJob(), difftest.MovedJob()}, Store: "perf", Tool: "perfdiff test"}
}

// of returns the jobs with only one of them.
func (h *Jobs) only(k int) *Jobs {
	return &Jobs{All: h.All[k : k+1], Store: h.Store, Tool: h.Tool, Metric: h.Metric}
}

func wrote(t *testing.T, write func(io.Writer) error) string {
	t.Helper()
	var b strings.Builder
	if err := write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestJobsText holds what a terminal shows to its golden text: a job that did not change, one that did, another metric of
// it, one whose change nobody accepted, and both as a table.
func TestJobsText(t *testing.T) {
	h := twoJobs()
	open := difftest.MovedJob()
	open.Metrics[0].Changes[0].Accepted, open.Metrics[0].Creep, open.Quiet = nil, nil, 0
	idle := h.only(1)
	idle.Metric = "idle_time"
	var b bytes.Buffer
	for _, x := range []struct {
		head string
		jobs *Jobs
	}{
		{"flat", h.only(0)}, {"moved", h.only(1)}, {"moved --metric idle_time", idle}, {"not accepted", &Jobs{All: []history.Job{open}, Store: "perf"}}, {"several", h}, {"empty", &Jobs{}},
	} {
		fmt.Fprintf(&b, "== %s\n%s\n", x.head, wrote(t, func(w io.Writer) error { return x.jobs.Text(w, Options{Width: 80}) }))
	}
	golden.Compare(t, "testdata", "jobs.txt", b.Bytes())
	for i, line := range strings.Split(b.String(), "\n") {
		if columnsOf(line) > 80 {
			t.Errorf("line %d has %d columns: %s", i+1, columnsOf(line), line)
		}
	}
}

// TestJobsNarrow: in a narrow terminal several runs share a column, and no line is too wide.
func TestJobsNarrow(t *testing.T) {
	out := wrote(t, func(w io.Writer) error { return twoJobs().only(1).Text(w, Options{Width: 44}) })
	if !strings.Contains(out, "o") || !strings.Contains(out, "31.5") {
		t.Errorf("got %s", out)
	}
	for line := range strings.Lines(out) {
		if columnsOf(strings.TrimSuffix(line, "\n")) > 44 {
			t.Errorf("too wide: %s", line)
		}
	}
}

// TestJobsJSON: the document has the jobs with all their values, and what does not exist is null.
func TestJobsJSON(t *testing.T) {
	text := wrote(t, twoJobs().JSON)
	if err := checkNames(json.NewDecoder(strings.NewReader(text)), ""); err != nil {
		t.Fatal(err)
	}
	var doc struct {
		SchemaVersion string `json:"schema_version"`
		Jobs          []struct {
			Job   string
			Quiet float64
			Runs  []struct {
				Name    string
				LeftOut string `json:"left_out"`
				Origin  struct{ Commit string }
			}
			Metrics []struct {
				Name, Unit, Better string
				Values             []*float64
				Levels             []struct{ From, To int }
				Changes            []struct {
					Size     float64
					Accepted *struct{ By, Reason string }
				}
				Creep *struct{ Size float64 }
			}
		}
	}
	if err := json.Unmarshal([]byte(text), &doc); err != nil {
		t.Fatal(err)
	}
	flat, moved := doc.Jobs[0], doc.Jobs[1]
	step, idle := moved.Metrics[0], moved.Metrics[1]
	if doc.SchemaVersion != "1.0" || flat.Job != "gpt-h100" || len(flat.Metrics[0].Changes) != 0 || flat.Metrics[0].Creep != nil || moved.Quiet != 9*86400+3600 {
		t.Errorf("got %+v", doc)
	}
	if step.Name != "step_time" || step.Unit != "s" || step.Better != "lower" || step.Changes[0].Size != 0.05 || step.Changes[0].Accepted.By != "ana" || step.Creep.Size != 0.041 {
		t.Errorf("step time: got %+v", step)
	}
	if idle.Values[47] != nil || idle.Values[46] == nil || idle.Changes[0].Accepted != nil || moved.Runs[20].LeftOut == "" || moved.Runs[21].LeftOut != "" {
		t.Errorf("idle time: got %+v", idle)
	}
}

// TestJobsCSV: a row for each run and metric, with the change at the first run of a level.
func TestJobsCSV(t *testing.T) {
	rows, err := csv.NewReader(strings.NewReader(wrote(t, twoJobs().CSV))).ReadAll()
	if err != nil || len(rows) != 1+12+3*60 {
		t.Fatalf("got %d rows, %v", len(rows), err)
	}
	cell := func(row []string, column string) string {
		for i, name := range rows[0] {
			if name == column {
				return row[i]
			}
		}
		t.Fatalf("no column %s in %v", column, rows[0])
		return ""
	}
	at := rows[1+12+34]
	for column, want := range map[string]string{"job": "resnet-a100", "number": "35", "metric": "step_time", "change": "0.05", "change_worse": "true", "saved": "2026-10-04T09:30:00.5Z",
		"change_accepted": "accepted by ana: new <tokenizer>", "level": "0.0315", "hosts": "node4", "left_out": "", "gone": "false"} {
		if got := cell(at, column); got != want {
			t.Errorf("%s: got %q, want %q", column, got, want)
		}
	}
	if got := cell(rows[1+12+60+47], "value"); got != "" {
		t.Errorf("a run without a value: got %q", got)
	}
	if got := cell(rows[1], "change_worse"); got != "" {
		t.Errorf("a run without a change: got %q", got)
	}
}

// TestJobsSQLite: SQLite reads the database, with all tables.
func TestJobsSQLite(t *testing.T) {
	path := filepath.Join(t.TempDir(), "main.sqlite")
	if err := twoJobs().SQLite(context.Background(), path); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", "file:"+path+"?mode=ro")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for query, want := range map[string]string{
		`SELECT count(*) FROM job`:                                      "2",
		`SELECT count(*) FROM run`:                                      "72",
		`SELECT count(*) FROM metric_value`:                             "191",
		`SELECT count(*) FROM metric_value WHERE NOT counts`:            "5",
		`SELECT group_concat(runs) FROM level WHERE metric='step_time'`: "12,33,25",
		`SELECT after_commit LIKE '9e5d0a0%' FROM change WHERE worse`:   "1",
		`SELECT accepted_by || commits FROM change WHERE size > 0`:      "ana3",
		`SELECT reason FROM event WHERE kind='accept'`:                  "new <tokenizer>",
		`SELECT count(*) FROM event WHERE up_to IS NULL`:                "1",
		`SELECT creep FROM metric WHERE creep IS NOT NULL`:              "0.041",
		`SELECT count(DISTINCT "table") FROM readme`:                    "7",
		`SELECT quiet_s IS NULL FROM job WHERE job='gpt-h100'`:          "1",
		`SELECT count(*) FROM readme WHERE "column" <> '' AND doc = ''`: "0",
		`SELECT count(*) FROM run WHERE left_out LIKE '%stands apart%'`: "1",
	} {
		var got string
		if err := db.QueryRow(query).Scan(&got); err != nil || got != want {
			t.Errorf("%s: got %q (%v), want %q", query, got, err, want)
		}
	}
}

// TestJobsAnonymous: no output of jobs without names holds the name of a host, a job, a branch, a run, a page or a person.
func TestJobsAnonymous(t *testing.T) {
	h := twoJobs()
	history.Anonymize(h.All)
	outputs := map[string]string{"text": wrote(t, func(w io.Writer) error { return h.Text(w, Options{}) }), "json": wrote(t, h.JSON), "csv": wrote(t, h.CSV), "page": wrote(t, h.Page),
		"metrics": wrote(t, h.OpenMetrics), "one": wrote(t, func(w io.Writer) error { return h.only(1).Text(w, Options{}) })}
	for _, f := range h.Site() {
		outputs[f.Name] = wrote(t, f.Write)
	}
	for name, text := range outputs {
		for _, word := range []string{"node", "gpt", "resnet", "ci.example", "ana:", "by ana", "\"ana\"", "tokenizer", "000001-run", "trunk"} {
			if strings.Contains(text, word) {
				t.Errorf("%s holds %s", name, word)
			}
		}
	}
	if got := h.All[1].Runs[1].Hosts[0]; got != "host-2" { // the same as in the first job
		t.Errorf("got %q", got)
	}
}

// TestJobsHostile: what names say is nowhere markup, a field of its own or a line of its own.
func TestJobsHostile(t *testing.T) {
	h := twoJobs()
	const bad = "<script>\"'\n\\{}=1\u202e"
	j := &h.All[1]
	j.Name, j.Runs[3].Name, j.Runs[4].From.Label, j.Runs[4].From.Commit, j.Metrics[0].Changes[0].Accepted.Reason = bad, bad, bad, "", bad
	for name, page := range map[string]string{"page": wrote(t, h.Page), "site": wrote(t, h.Site()[2].Write)} {
		if strings.Contains(page, "<script>\"") || strings.Contains(page, "\u202e") {
			t.Errorf("%s holds a name as markup", name)
		}
	}
	if _, err := csv.NewReader(strings.NewReader(wrote(t, h.CSV))).ReadAll(); err != nil {
		t.Error(err)
	}
	if err := checkOpenMetrics(wrote(t, h.OpenMetrics)); err != nil {
		t.Error(err)
	}
	if !json.Valid([]byte(wrote(t, h.JSON))) {
		t.Error("no JSON")
	}
	for _, f := range h.Site() {
		if strings.ContainsAny(f.Name, "<>\"'\n\\/") {
			t.Errorf("a file named %q", f.Name)
		}
	}
}
