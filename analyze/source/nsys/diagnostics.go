package nsys

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"perfdiff/analyze/source/nsys/table"
	"perfdiff/analyze/trace"
)

// The severities of DIAGNOSTIC_EVENT that lost data shows up under.
const (
	severityWarning = 2
	severityError   = 3
)

// maxDiagnostics bounds how many different messages are passed on.
const maxDiagnostics = 20

// diagnostic is one message of the profiler and the process that it is about.
type diagnostic struct {
	severity int64
	source   string // what of the profiler gave it
	text     string // "": not one of those that are known, which is not passed on
	process  int64  // the operating system's number; 0: of none, or the table does not say
}

// warning turns a message that was given n times into a warning; where is "" or another process.
func (d diagnostic) warning(where string, n int) string {
	said, what := "warned", "warning"
	if d.severity == severityError {
		said, what = "reported an error", "error"
	}
	if d.text == "" {
		if n > 1 {
			what += "s"
		}
		return fmt.Sprintf("the profiler gave %d %s of source %s%s, not repeated here since such text can hold names "+
			"(read it in Nsight Systems)", n, what, d.source, where)
	}
	if n > 1 {
		where += fmt.Sprintf(": %s (%d times)", d.text, n)
	} else {
		where += ": " + d.text
	}
	return "the profiler " + said + where
}

// diagnostics are the profiler's messages about the capture.
type diagnostics []diagnostic

func (all *diagnostics) read(ctx context.Context, src table.Source) error {
	rows, err := table.Small(ctx, src, "DIAGNOSTIC_EVENT", "severity", "text", "globalPid", "source")
	for _, row := range rows {
		severity := row.Num(0)
		if severity != severityWarning && severity != severityError {
			continue
		}
		d := diagnostic{severity: severity, source: sourceOf(row.Num(3)), text: knownSentence(row[1])}
		if id := row.Num(2); id != table.Null {
			d.process = (&process{id: uint64(id)}).systemID()
		}
		*all = append(*all, d)
	}
	return err
}

// of returns the profiler's warnings and errors for a process: first its own and those without a process, then those
// of other processes, which say little about it. Each text is there once, in order of text.
func (given diagnostics) of(file string, p *process) []trace.Warning {
	times := map[bool]map[diagnostic]int{false: {}, true: {}} // of others, and how often
	for _, d := range given {
		aside := d.process != 0 && p.id != 0 && d.process != p.systemID()
		d.process = 0
		times[aside][d]++
	}
	var all []trace.Warning
	for aside, of := range times {
		for d, n := range of {
			where := map[bool]string{true: " in another process"}[aside]
			all = append(all, trace.Warning{File: file, Text: d.warning(where, n), Aside: aside})
		}
	}
	slices.SortFunc(all, func(a, b trace.Warning) int {
		if a.Aside != b.Aside {
			return map[bool]int{false: -1, true: 1}[a.Aside]
		}
		return strings.Compare(a.Text, b.Text)
	})
	if more := len(all) - maxDiagnostics; more > 0 {
		aside := all[maxDiagnostics].Aside
		all = append(all[:maxDiagnostics], trace.Warning{File: file, Text: fmt.Sprintf("the profiler gave %d more warnings", more), Aside: aside})
	}
	return all
}
