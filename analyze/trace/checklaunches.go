package trace

import (
	"fmt"
	"slices"
)

// CheckLaunches looks for kernels and launches that a sorted trace lacks: what follows from
// them is lost then, and warned of. kernels are the launches without a kernel; again says what
// is to be done about a file that lost something, and record how one is recorded that has it.
func (t *Trace) CheckLaunches(kernels Share, again, record string) {
	if len(t.Device) == 0 {
		return
	}
	lacks := func(of Content, format string, args ...any) {
		why := fmt.Sprintf(format, args...)
		if of != 0 {
			t.Lose(of, why)
		}
		t.Warnings = append(t.Warnings, Warning{File: t.File, Text: "lacks " + why})
	}
	if !slices.ContainsFunc(t.Device, func(s Span) bool { return s.Kind == Kernel || s.Kind == Graph }) {
		lacks(Kernels|Kinds, "kernels: the device copied and did nothing else (%s)", record)
	}
	if Kernels.Beyond(kernels.Some, kernels.All) {
		lacks(Kernels, "a kernel for each launch: %d of %d have none (%s)", kernels.Some, kernels.All, again)
	}
	if why := t.EnclosingLost(again); why != "" {
		lacks(Kernels, "%s", why)
	}
	if !t.Recorded.Has(HasLaunches) {
		lacks(0, "the calls that launch, so that the edges of steps are the host's (%s)", record)
	} else if x := t.Unlaunched(); Calls.Beyond(x.Some, x.All) {
		lacks(Calls, "the calls that launch: %d of %d kernels and copies have none (%s)", x.Some, x.All, again)
	}
}
