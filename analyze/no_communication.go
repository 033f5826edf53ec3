package analyze

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"perfdiff/analyze/kernelname"
	"perfdiff/analyze/metric"
	"perfdiff/analyze/run"
	"perfdiff/analyze/source/remedy"
	"perfdiff/analyze/trace"
)

// maxUnknownKernels is how many kernels of unknown kind a warning names.
const maxUnknownKernels = 3

// warnNoCommunication warns if a job of several ranks shows no communication. Either it was not recorded, or it is
// done by kernels that perfdiff does not know, which then count as compute. The remedy is for the profilers in use.
func warnNoCommunication(set *run.Set, ranks []run.Rank, in []trace.Profiler) {
	world, sum, recorded := len(ranks), run.SpanCount{}, trace.Recorded(0)
	for _, r := range ranks {
		if r.WhyLost(run.CommTime) != "" {
			return // its file's own warning says why
		}
		world, sum, recorded = max(world, r.WorldSize), sum.Plus(r.Spans), recorded|r.Recorded
	}
	if world < 2 || sum.CommKernels > 0 || sum.Kernels+sum.Graphs == 0 || recorded.Has(trace.HasMPI) {
		return
	}
	text := fmt.Sprintf("no communication is recognised in a job of %d ranks: ", world)
	unknown := unknownKernels(ranks, sum.KernelTime)
	switch {
	case sum.Graphs > 0:
		text += "graph replays are recorded without their kernels (" + remedy.For(remedy.OpenReplays, in) + ")"
	case len(unknown) == 0:
		text += "all kernels count as compute"
	default:
		text += "all kernels count as compute; the largest of unknown kind are " + strings.Join(unknown, ", ") +
			" (name those that communicate in perfdiff.yaml, communication: [REGEX])"
	}
	set.Warnings = append(set.Warnings, trace.Warning{Text: text})
}

// loseUnknownCommunication marks the communication of ranks as lost if none is recognised on them while their peers
// have some: they may communicate by kernels that are taken for compute, and would seem to compute longer than all
// others. Most ranks must communicate: in a job that hardly communicates some ranks may not.
func loseUnknownCommunication(set *run.Set, ranks []run.Rank) {
	var silent []*run.Rank
	heard := 0
	for i := range ranks {
		switch r := &ranks[i]; {
		case r.Spans.CommKernels > 0:
			heard++
		case r.Spans.Kernels > 0 && r.Spans.Graphs == 0 && !r.Recorded.Has(trace.HasMPI) && r.WhyLost(run.CommTime) == "":
			silent = append(silent, r)
		}
	}
	if len(silent) == 0 || heard <= len(silent) {
		return
	}
	for _, r := range silent {
		why := fmt.Sprintf("communication of rank %d, of which none is recognised while %d other ranks communicate", r.Rank, heard)
		if unknown := unknownKernels([]run.Rank{*r}, r.Spans.KernelTime); len(unknown) > 0 {
			why += ": the largest kernels of unknown kind are " + strings.Join(unknown, ", ") +
				" (name those that communicate in perfdiff.yaml, communication: [REGEX])"
		}
		metric.LoseKinds(r, why)
		set.Warnings = append(set.Warnings, trace.Warning{File: r.Files[0], Text: "compute and what depends on it are not measured, which need the " + why})
	}
}

// dataMovers are the families that a kernel of communication may be counted in because of its
// name.
var dataMovers = []string{"reduction", "memory movement"}

// unknownKernels names the kernels without a family that take most time, with their share of all kernels' time.
// Kernels with a word of communication in their names come first, even if such a word gave them a family.
func unknownKernels(ranks []run.Rank, total int64) []string {
	times := map[string]int64{}
	for _, r := range ranks {
		for _, w := range r.Work {
			if w.Family == "other" || slices.Contains(dataMovers, w.Family) && kernelname.MayCommunicate(w.Kernel) {
				times[w.Kernel] += w.Time
			}
		}
	}
	var names []string
	for name := range times {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int {
		if a, b := kernelname.MayCommunicate(a), kernelname.MayCommunicate(b); a != b {
			return map[bool]int{true: -1, false: 1}[a]
		}
		return cmp.Or(cmp.Compare(times[b], times[a]), strings.Compare(a, b))
	})
	names = names[:min(maxUnknownKernels, len(names))]
	for i, name := range names {
		share := float64(times[name]) / float64(max(1, total))
		names[i] = fmt.Sprintf("%q (%.0f %% of kernel time)", cutName(name), 100*share)
	}
	return names
}

// maxKernelName is how much of a kernel's name a warning shows, in bytes.
const maxKernelName = 60

// cutName returns the start of a kernel's name.
func cutName(name string) string {
	if len(name) <= maxKernelName {
		return name
	}
	return strings.ToValidUTF8(name[:maxKernelName], "") + "\u2026"
}
