package source

import (
	"context"
	"errors"
	"fmt"

	"perfdiff/analyze/source/nsys"
	"perfdiff/analyze/source/report"
)

// ErrNotInParts is the cause where a file of this format can only be read as a whole.
var ErrNotInParts = errors.New("only exports of Nsight Systems can be")

// MinMemory returns how many bytes of memory a profile takes at least; 0 where that is not known before it is read.
func MinMemory(ctx context.Context, path string) int64 {
	if report.IsReport(path) {
		return 0
	}
	format, err := IdentifyByHead(path)
	if err != nil || format.MinMemory == nil {
		return 0
	}
	return format.MinMemory(ctx, path)
}

// OpenParts opens a profile that is too large for memory, so that it can be read in parts. It
// also returns the name of its format. opt may be nil.
func OpenParts(ctx context.Context, path string, opt *Options) (*nsys.Parts, string, error) {
	if report.IsReport(path) {
		return nil, reportFormat.Name, fmt.Errorf("%w, not reports (export it with: %s)", ErrNotInParts, report.Command(path))
	}
	format, err := Identify(ctx, path, opt)
	switch {
	case err != nil:
		return nil, "", err
	case format.Parts == nil && format.Whole != "":
		return nil, format.Name, fmt.Errorf("%w, and %s", ErrNotInParts, format.Whole)
	case format.Parts == nil:
		return nil, format.Name, ErrNotInParts
	}
	parts, err := format.Parts(ctx, path, opt)
	return parts, format.Name, err
}
