package saved

import (
	"fmt"
	"strings"
	"testing"

	"perfdiff/analyze/metric"
	"perfdiff/analyze/run"
)

// TestSummaryOfOrigin: what people say of a run comes back, and a set of which nobody says
// anything is written as it always was.
func TestSummaryOfOrigin(t *testing.T) {
	set := odd()
	plain, err := Marshal(set)
	if err != nil || strings.Contains(string(mustBody(t, set)), "Origin") {
		t.Fatalf("a set without origin names one (%v)", err)
	}
	set.Runs[0].Origin = run.Origin{Label: "nightly", Commit: "0123456789abcdef", Link: "https://example.org/7"}
	data, err := Marshal(set)
	if err != nil || string(data[:len(magic)+1]) != string(plain[:len(magic)+1]) {
		t.Fatalf("another version (%v)", err)
	}
	got, err := Unmarshal(data, metric.Derivation, ample())
	if err != nil || fmt.Sprintf("%+v", got) != fmt.Sprintf("%+v", set) {
		t.Errorf("got %+v want %+v (%v)", got, set, err)
	}
}

func mustBody(t *testing.T, set *run.Set) []byte {
	t.Helper()
	text, err := body(set)
	if err != nil {
		t.Fatal(err)
	}
	return text
}
