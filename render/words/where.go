package words

import (
	"fmt"
	"math"
	"strings"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
	"perfdiff/diff/cause"
)

// Place says where a stretch of a step is: "step 3 of rank 0, report.0.sqlite, 1.500000000 to 1.600000000 s".
func Place(p *run.Place) string {
	out := fmt.Sprintf("step %d of rank %d", p.Step, p.Rank)
	if p.Rank < 0 {
		out = fmt.Sprintf("step %d of a rank without a number", p.Step)
	}
	if p.File != "" {
		out += ", " + p.File
	}
	if p.Start != trace.NoTime {
		out += fmt.Sprintf(", %s to %s s", ClockSeconds(p.Start), ClockSeconds(p.End))
	}
	return out
}

// seenIn says where a finding is to be seen, on each side.
func seenIn(f *cause.Finding) (out []string) {
	for i := range f.Where {
		out = append(out, f.Where[i].Side+": "+Place(&f.Where[i].Place))
	}
	return out
}

// Ncu returns the command that records a kernel, and nothing else, in Nsight Compute, and what must be known of it.
func Ncu(x *cause.KernelProfile) (command, note string) {
	base, skip := "demangled", fmt.Sprintf(" --launch-skip %.0f", x.Skip)
	note = "Untried; COMMAND is what starts this rank. It skips the launches that the capture holds before the first step that is measured; " +
		"what ran before the capture is not counted (--profile-from-start off begins where the program calls cudaProfilerStart)."
	if math.IsNaN(x.Skip) {
		skip, note = "", "Untried; COMMAND is what starts this rank. How many launches to skip is not known: graph replays hide them, or the rank has several captures."
	}
	if strings.HasPrefix(x.Kernel, "_Z") {
		base = "mangled"
	}
	return fmt.Sprintf("ncu --target-processes all --kernel-name-base %s -k %s%s --launch-count %d --set full -o %s-rank%d-%%i COMMAND",
		base, trace.ShellWord("regex:"+x.Pattern), skip, x.Count, x.Side, x.Rank), note
}

// ClockSeconds writes ns as seconds, to the nanosecond.
func ClockSeconds(ns int64) string {
	sign, n := "", uint64(ns)
	if ns < 0 {
		sign, n = "-", -n
	}
	return fmt.Sprintf("%s%d.%09d", sign, n/1e9, n%1e9)
}
