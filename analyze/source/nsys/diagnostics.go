package nsys

import (
	"context"
	"fmt"
	"slices"

	"perfdiff/analyze/trace"
)

// The severities of DIAGNOSTIC_EVENT that lost data shows up under.
const (
	severityWarning = 2
	severityError   = 3
)

// maxDiagnostics bounds how many different messages are passed on.
const maxDiagnostics = 20

func (r *reader) readDiagnostics(ctx context.Context, src tables) error {
	found, err := diagnostics(ctx, src)
	r.warnings = append(r.warnings, found...)
	return err
}

// diagnostics are the profiler's own warnings and errors, each text once, in
// order of text.
func diagnostics(ctx context.Context, src tables) ([]string, error) {
	rows, err := smallTable(ctx, src, "DIAGNOSTIC_EVENT", "severity", "text")
	times := make(map[string]int)
	for _, row := range rows {
		switch row.num(0) {
		case severityWarning:
			times["the profiler warned: "+tidy(trace.WithoutPrivate(row[1]))]++
		case severityError:
			times["the profiler reported an error: "+tidy(trace.WithoutPrivate(row[1]))]++
		}
	}
	var all []string
	for text, n := range times {
		if n > 1 {
			text = fmt.Sprintf("%s (%d times)", text, n)
		}
		all = append(all, text)
	}
	slices.Sort(all)
	if more := len(all) - maxDiagnostics; more > 0 {
		all = append(all[:maxDiagnostics], fmt.Sprintf("the profiler gave %d more warnings", more))
	}
	return all, err
}
