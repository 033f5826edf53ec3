package nsys

import (
	"context"
	"fmt"
	"slices"
	"strings"

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
	says, text string
	process    int64 // the operating system's number; 0: of none, or the table does not say
}

func (r *reader) readDiagnostics(ctx context.Context, src tables) error {
	rows, err := smallTable(ctx, src, "DIAGNOSTIC_EVENT", "severity", "text", "globalPid")
	for _, row := range rows {
		says := ""
		switch row.num(0) {
		case severityWarning:
			says = "warned"
		case severityError:
			says = "reported an error"
		default:
			continue
		}
		d := diagnostic{says: says, text: tidy(trace.WithoutPrivate(row[1]))}
		if id := row.num(2); id != null {
			d.process = (&process{id: uint64(id)}).systemID()
		}
		r.diagnostics = append(r.diagnostics, d)
	}
	return err
}

// diagnosticsOf are the profiler's own warnings and errors for a process: its own and those
// of none, then those of others, which say little of it. Each text is there once, in
// order of text.
func (r *reader) diagnosticsOf(p *process) []trace.Warning {
	times := make(map[trace.Warning]int)
	for _, d := range r.diagnostics {
		w := trace.Warning{File: r.name, Text: "the profiler " + d.says + ": " + d.text}
		if d.process != 0 && p.id != 0 && d.process != p.systemID() {
			w.Text, w.Aside = "the profiler "+d.says+" in another process: "+d.text, true
		}
		times[w]++
	}
	var all []trace.Warning
	for w, n := range times {
		if n > 1 {
			w.Text = fmt.Sprintf("%s (%d times)", w.Text, n)
		}
		all = append(all, w)
	}
	slices.SortFunc(all, func(a, b trace.Warning) int {
		if a.Aside != b.Aside {
			return map[bool]int{false: -1, true: 1}[a.Aside]
		}
		return strings.Compare(a.Text, b.Text)
	})
	if more := len(all) - maxDiagnostics; more > 0 {
		aside := all[maxDiagnostics].Aside
		all = append(all[:maxDiagnostics], trace.Warning{File: r.name, Text: fmt.Sprintf("the profiler gave %d more warnings", more), Aside: aside})
	}
	return all
}
