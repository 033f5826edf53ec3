// Package build has what every reader of a profile does once it has its rows: which call launched
// which kernel (Launches), how much memory the device held (Memory), what is known of the machine
// (Facts, GPU, Environment), how kernels were launched (Shapes), what the file lacks (Losses, Tally,
// Check), and what the trace holds in the end (Recorded).
package build

import (
	"context"
	"slices"
	"strings"

	"perfdiff/analyze/trace"
)

const (
	// MaxTime bounds time stamps, in ns, so that no difference of two overflows.
	MaxTime int64 = 1 << 61
	// MaxPlaces bounds the processes of a file, and its devices: each of them gets a trace.
	MaxPlaces = 256
	// MaxName is the longest name that is kept, in bytes.
	MaxName = 16 << 10
	// SpanBytes is what a row of device work takes in memory while it is read.
	SpanBytes = trace.SpanSize + 16
)

// Name returns the id of a name of at most MaxName bytes, and keeps a copy of a new one.
func Name(names *trace.Names, s string) trace.NameID {
	if len(s) > MaxName {
		s = strings.ToValidUTF8(s[:MaxName], "")
	}
	if known, ok := names.Find(s); ok {
		return known
	}
	return names.ID(strings.Clone(s))
}

// Fit asks for the room of so many bytes before anything is read into it. The error is why the
// reading was ended where there is no room.
func Fit(ctx context.Context, room trace.Room, bytes int64) error {
	const leastAsked = 1 << 20 // bytes; small lists are not asked for
	if bytes >= leastAsked && !room(bytes) {
		return context.Cause(ctx)
	}
	return nil
}

// Observed is the time from the first row of a file to the last. The zero value has seen none.
type Observed struct {
	all trace.Interval
	any bool
}

// Add takes in a row, by its times in ns.
func (o *Observed) Add(start, end int64) {
	if !o.any {
		o.all, o.any = trace.Interval{Start: start, End: end}, true
	}
	o.all.Start, o.all.End = min(o.all.Start, start), max(o.all.End, end)
}

// Interval returns the observed time, the zero value where there was no row.
func (o *Observed) Interval() trace.Interval { return o.all }

// Epoch returns the UTC time, in ns, of time stamp 0 of a file: 0 where the rows themselves have UTC
// times, else when the capture began as the file says it, which is NoTime where it does not.
func (o *Observed) Epoch(began int64) int64 {
	if o.any && o.all.Start >= Since2001 {
		return 0
	}
	return began
}

// Since2001 is the least time stamp, in ns, that is taken for a time since 1970 (it is in the year
// 2001) and not for one since some start of the file's own.
const Since2001 = int64(1e18)

// OwnHost gives a trace a copy of what the host did. The traces of one process have the same lists,
// and each trace sorts its own.
func OwnHost(t *trace.Trace) {
	t.Ranges, t.API, t.OS = slices.Clone(t.Ranges), slices.Clone(t.API), slices.Clone(t.OS)
	t.Access, t.Syncs, t.MPI = slices.Clone(t.Access), slices.Clone(t.Syncs), slices.Clone(t.MPI)
}

// Recorded returns which kinds of activity a trace holds, but for those that only the reader knows:
// an export can have the table of something that never happened.
func Recorded(t *trace.Trace) (bits trace.Recorded) {
	for _, has := range []struct {
		bits trace.Recorded
		some bool
	}{
		{trace.HasDevice, len(t.Device) > 0},
		{trace.HasRanges, len(t.Ranges) > 0},
		{trace.HasOperators, len(t.Ops) > 0},
		{trace.HasFunctions, len(t.Functions) > 0},
		{trace.HasSyncs, len(t.Syncs) > 0},
		{trace.HasGloo, len(t.Gloo) > 0},
		{trace.HasMemory, t.Memory != nil},
		{trace.HasSizes, len(t.Operations) > 0},
	} {
		if has.some {
			bits |= has.bits
		}
	}
	for i := range t.Device {
		s := &t.Device[i]
		if s.Launch != trace.NoTime {
			bits |= trace.HasLaunches
		}
		switch {
		case s.Class == trace.Comm:
			if bits&trace.HasMessages == 0 && t.Messages.Of(s).Bytes > 0 {
				bits |= trace.HasMessages
			}
		case s.Kind != trace.Kernel:
			bits |= RecordedBy(s)
		}
	}
	return bits
}

// RecordedBy returns what a copy, a set or a replay of a graph shows that the capture recorded.
func RecordedBy(s *trace.Span) (bits trace.Recorded) {
	switch s.Kind {
	case trace.Graph:
		return trace.HasGraphs
	case trace.Memcpy:
		if s.Bytes() > 0 {
			bits |= trace.HasMemcpyBytes
		}
		if s.Copy.Host() != trace.HostUnknown {
			bits |= trace.HasCopyKinds
		}
	}
	return bits
}
