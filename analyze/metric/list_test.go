package metric

import (
	"fmt"
	"testing"

	"perfdiff/analyze/run"
)

// TestListIsComplete: every metric says when it is measured and by what, and where its values
// stand; what gates or explains a step has a word that people read.
func TestListIsComplete(t *testing.T) {
	seen := map[string]bool{}
	when := map[When]int{}
	for _, m := range All() {
		when[m.When]++
		if why := unmeasured(m); why != "" {
			t.Errorf("%s %s", m.Name, why)
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
}

// unmeasured is what is wrong with where the values of a metric come from: its own function
// for its time and no other, or the function of the metric that brings it along.
func unmeasured(m Metric) string {
	own := map[When]bool{InStep: (m.Measure != nil) != (m.Sources != nil), InPeriod: m.OnHost != nil, InCapture: m.Finish != nil, InRun: m.OfRanks != nil || m.OfKernels != nil}
	for when, has := range own {
		parts := when == InCapture && m.When == InStep && m.Part != "" // known later than the whole
		if has && when != m.When && !parts {
			return fmt.Sprintf("is known at time %d and measured at %d", m.When, when)
		}
	}
	if m.With == "" {
		if !own[m.When] {
			return "is never measured"
		}
		return ""
	}
	place, known := placeByName()[m.With]
	with := All()[place]
	switch {
	case own[m.When]:
		return "is measured with another and by itself"
	case !known || with.With != "":
		return "is measured with " + m.With + ", which is measured with another"
	case m.When == InCapture && with.Finish == nil || m.When == InRun && with.OfKernels == nil || m.When < InCapture:
		return "is measured with " + m.With + " at a time when that one is not"
	}
	return ""
}
