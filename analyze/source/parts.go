package source

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"perfdiff/analyze/source/nsys"
	"perfdiff/analyze/source/report"
)

// ErrWhole is the cause where a file can be read only as a whole.
var ErrWhole = errors.New("only exports of Nsight Systems can be")

// Need is how many bytes a profile takes in memory at least, 0 where that is not known
// before it is read.
func Need(ctx context.Context, path string) int64 {
	if report.Is(path) {
		return 0
	}
	if format, err := Identify(path); err != nil || !strings.HasPrefix(format.Name, "nsys ") {
		return 0
	}
	return nsys.Need(ctx, path)
}

// OpenParts opens a profile that is too large for memory, to be read in parts, and tells
// its format.
func OpenParts(ctx context.Context, path string, progress func(int64)) (*nsys.Parts, string, error) {
	if report.Is(path) {
		return nil, reportFormat, fmt.Errorf("%w, not reports (export it with: %s)", ErrWhole, report.Command(path))
	}
	format, err := Identify(path)
	switch {
	case err != nil:
		return nil, "", err
	case !strings.HasPrefix(format.Name, "nsys "):
		return nil, format.Name, fmt.Errorf("%w, and the events of a trace in JSON stand in no order of steps", ErrWhole)
	}
	parts, err := nsys.OpenParts(ctx, path, progress)
	if err != nil {
		return nil, format.Name, err
	}
	traces, _ := parts.Traces()
	formatted(traces, format.Name)
	return parts, format.Name, nil
}
