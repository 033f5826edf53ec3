package step

import (
	"regexp"
	"time"

	"perfdiff/analyze/run"
)

// Options is what a user may decide about steps.
type Options struct {
	Range     *regexp.Regexp // ranges that are steps; nil: found by the order above
	Kernel    *regexp.Regexp // kernels with which a step begins; nil likewise
	SkipFirst int            // steps to leave out at the start; -1: the first, where enough others remain
	// Window is the stretch of each capture, since it began, whose whole steps count; the zero value: all of it.
	Window [2]time.Duration
	// Marker is the marker to find steps by, where the user names neither; the zero value
	// takes the best marker of the capture.
	Marker run.Marker
}
