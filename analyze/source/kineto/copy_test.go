package kineto

import (
	"testing"

	"perfdiff/analyze/trace"
)

// TestHostMemory: which kind of the host's memory a copy's name says, at the host's end alone.
func TestHostMemory(t *testing.T) {
	for name, want := range map[string]trace.HostMemory{
		"Memcpy HtoD (Pageable -> Device)": trace.HostPageable, "Memcpy HtoD (Pinned -> Device)": trace.HostPinned,
		"Memcpy DtoH (Device -> Pageable)": trace.HostPageable, "Memcpy DtoH (Device -> Pinned)": trace.HostPinned,
		"Memcpy HtoD (Managed -> Device)": trace.HostManaged, "Memcpy DtoD (Device -> Device)": trace.HostUnknown,
		"Memcpy HtoD (Unknown -> Device)": trace.HostUnknown, "Memcpy HtoD": trace.HostUnknown, "CopyHostToDevice": trace.HostUnknown,
		"Memcpy HtoD (Device -> Pinned)": trace.HostUnknown, "Memcpy HtoD (": trace.HostUnknown,
	} {
		if got := hostMemory(copyDirection(name), name); got != want {
			t.Errorf("%s: got %q want %q", name, got, want)
		}
	}
}
