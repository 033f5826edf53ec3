package metric

import (
	"testing"

	"perfdiff/analyze/run"
)

// TestListIsComplete: whatever has no Measure says when it is measured, and where its values
// stand; what gates or explains a step has a word that people read.
func TestListIsComplete(t *testing.T) {
	seen := map[string]bool{}
	when := map[When]int{}
	for _, m := range All() {
		when[m.When]++
		if (m.Measure == nil) != (m.When != InStep) {
			t.Errorf("%s: measured %d, with a function: %v", m.Name, m.When, m.Measure != nil)
		}
		if m.Section == "" {
			t.Errorf("%s is of no section of the page", m.Name)
		}
		if (m.Main || m.PartOfStep) && m.Subject == "" {
			t.Errorf("%s has no word for people", m.Name)
		}
		if m.PartOfStep && (m.Unit != "s" || m.Better != run.Lower) {
			t.Errorf("%s, in %s, is no part of a step", m.Name, m.Unit)
		}
		if m.Doc == "" || m.Needs == "" || seen[m.Name] {
			t.Errorf("%s: %q needs %q, listed twice: %v", m.Name, m.Doc, m.Needs, seen[m.Name])
		}
		seen[m.Name] = true
	}
	if len(when) != 4 {
		t.Errorf("got metrics measured at %d times", len(when))
	}
	for _, m := range waitMetrics() {
		if m.When != InRun {
			t.Errorf("%s is measured over ranks", m.Name)
		}
	}
}
