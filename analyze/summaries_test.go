package analyze

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"perfdiff/analyze/run"
)

// TestSummaryWithoutRanks: a summary that holds nothing says so, and not that a flag which
// nobody gave is to blame.
func TestSummaryWithoutRanks(t *testing.T) {
	data, err := Summary(&run.Set{Label: "x", Runs: []run.Run{}})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "x.perfdiff")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, opt := range []Options{{}, {Ranks: func(int) bool { return true }}} {
		_, err = Load(context.Background(), path, opt)
		if err == nil || !strings.HasPrefix(err.Error(), "x.perfdiff: nothing to measure: the summary holds no ranks (") {
			t.Errorf("got %v", err)
		}
	}
}

// TestSummaryTraits: no summary holds the traits of its metrics, as those of earlier
// versions do not; who reads it gives them those of the list, and of a metric that the list
// does not have none.
func TestSummaryTraits(t *testing.T) {
	set := &run.Set{Label: "x", Runs: []run.Run{{Name: "x", Ranks: []run.Rank{{Rank: 0}}}}, Metrics: []run.Metric{
		{Name: run.IdleTime, Unit: "s", Better: run.Lower, Main: true, Doc: "as it was said then"},
		{Name: run.ExposedWaitTime, Unit: "s", Traits: run.Traits{Subject: "forged", OfRun: true}},
		{Name: "of_a_later_version", Unit: "s", Main: true, Traits: run.Traits{Section: "x", PartOfStep: true}},
	}}
	text, err := json.Marshal(set.Metrics)
	if err != nil || strings.Contains(string(text), "Subject") || strings.Contains(string(text), "forged") {
		t.Errorf("a summary holds %s (%v)", text, err)
	}
	data, err := Summary(set)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "x.perfdiff")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	want := map[string]run.Traits{}
	for _, m := range Metrics() {
		want[m.Name] = m.Traits
	}
	if want[run.IdleTime].Subject != "Idle time" || !want[run.ExposedWaitTime].PartOfStep {
		t.Errorf("the list says %+v", want)
	}
	history, err := LoadHistory([]string{path}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	loaded, err := Load(context.Background(), path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, got := range []*run.Set{loaded, history[0]} {
		for i, m := range got.Metrics {
			if !reflect.DeepEqual(m.Traits, want[m.Name]) || m.Doc != set.Metrics[i].Doc {
				t.Errorf("%s: got %+v", m.Name, m)
			}
		}
		if len(got.Metrics) != len(set.Metrics) {
			t.Errorf("got %d metrics", len(got.Metrics))
		}
	}
}
