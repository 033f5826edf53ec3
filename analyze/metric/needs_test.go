package metric

import (
	"strings"
	"testing"
)

// TestNeedsOfOneProfiler: nobody is told options of a profiler that is not in use.
func TestNeedsOfOneProfiler(t *testing.T) {
	for _, x := range All() {
		m := Described(x.Metric)
		if strings.Contains(m.NeedsNsight, "PyTorch") || strings.Contains(m.NeedsNsight, "Profiler") || strings.Contains(m.NeedsNsight, "prof.") {
			t.Errorf("%s, for Nsight Systems: %s", m.Name, m.NeedsNsight)
		}
		if strings.Contains(m.NeedsPyTorch, "--") || strings.Contains(m.NeedsPyTorch, "nsys") {
			t.Errorf("%s, for PyTorch's profiler: %s", m.Name, m.NeedsPyTorch)
		}
		if (m.Needs == "") != (m.NeedsNsight == "") || (m.Needs == "") != (m.NeedsPyTorch == "") {
			t.Errorf("%s: needs %q, %q, %q", m.Name, m.Needs, m.NeedsNsight, m.NeedsPyTorch)
		}
	}
}
