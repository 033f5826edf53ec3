package metric

import (
	"strings"
	"testing"
)

// TestNeedsOfOneProfiler: nobody is told options of a profiler that is not in use.
func TestNeedsOfOneProfiler(t *testing.T) {
	for _, x := range All() {
		m := x.Remedy
		if strings.Contains(m.Nsight, "PyTorch") || strings.Contains(m.Nsight, "Profiler") || strings.Contains(m.Nsight, "prof.") {
			t.Errorf("%s, for Nsight Systems: %s", x.Name, m.Nsight)
		}
		if strings.Contains(m.PyTorch, "--") || strings.Contains(m.PyTorch, "nsys") {
			t.Errorf("%s, for PyTorch's profiler: %s", x.Name, m.PyTorch)
		}
		if (m.General == "") != (m.Nsight == "") || (m.General == "") != (m.PyTorch == "") {
			t.Errorf("%s: needs %q, %q, %q", x.Name, m.General, m.Nsight, m.PyTorch)
		}
	}
}
