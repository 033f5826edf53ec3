// Package xla reads profiles of XLA's profiler, as JAX and TensorFlow write them: the planes of
// an .xplane.pb file (xplane.proto of tsl, a protocol buffer), and the .trace.json.gz that is
// made of it for viewers, which has names and times of the same and holds at most a million or
// five million of them.
//
// A plane is a device or the host, and its lines are streams or threads. Of a device the streams
// are read: other lines, such as "XLA Ops" and "Steps", are made of these. Work is linked to the
// call that launched it by correlation id, and steps are what StepTraceAnnotation marked on the
// host. A file holds all devices of a process, each of which is a trace.
package xla

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"slices"
	"strings"

	"perfdiff/analyze/source/wire"
	"perfdiff/analyze/trace"
)

// ReadPlanes reads an .xplane.pb file into a trace for each GPU with work, in order of device, or one of the host's
// ranges where none did any. opt may be nil. A file that is cut is refused: the names of its events come after them.
func ReadPlanes(ctx context.Context, path string, opt *trace.Options) ([]*trace.Trace, error) {
	return readFile(ctx, path, opt, (*builder).readPlanes)
}

// ReadTrace reads a .trace.json or .trace.json.gz file likewise.
func ReadTrace(ctx context.Context, path string, opt *trace.Options) ([]*trace.Trace, error) {
	return readFile(ctx, path, opt, (*builder).readTrace)
}

// reading makes events of a file of so many bytes.
type reading func(b *builder, ctx context.Context, r io.Reader, size int64) error

func readFile(ctx context.Context, path string, opt *trace.Options, read reading) ([]*trace.Trace, error) {
	in, err := trace.Open(ctx, path, opt)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	b := newBuilder(in.Name, opt.Fits)
	if err := read(b, ctx, in, in.Size); err != nil {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		return nil, fmt.Errorf("%s: %w", in.Name, err)
	}
	traces, err := b.traces()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", in.Name, err)
	}
	in.Done()
	return traces, nil
}

// planeNames are how names of planes begin.
var planeNames = []string{"/host:", "/device:", "Task Environment", "Host CPUs", "Syscalls", "#Chip"}

// SniffPlanes reports whether a file that begins with head is of planes: a protocol buffer whose
// first field is a message with the name of a plane.
func SniffPlanes(head []byte) bool {
	if len(head) < 4 || head[0] != 1<<3|wire.Bytes {
		return false
	}
	_, n := binary.Uvarint(head[1:])
	if n <= 0 {
		return false
	}
	name := nameOfPlane(head[1+n:])
	return slices.ContainsFunc(planeNames, func(begins string) bool { return strings.HasPrefix(name, begins) })
}

// SniffTrace reports whether a file that begins with head, inflated, is such a trace: an object with the writer's
// entry about the clock, whose devices or host have the names of planes.
func SniffTrace(head []byte) bool {
	head = bytes.TrimLeft(head, " \t\r\n")
	return len(head) > 0 && head[0] == '{' && bytes.Contains(head, []byte(`"highres-ticks"`)) &&
		bytes.Contains(head, []byte(`"process_name"`)) &&
		(bytes.Contains(head, []byte(`"/device:`)) || bytes.Contains(head, []byte(`"/host:`)))
}

// nameOfPlane returns the name at the beginning of a plane, which may be cut after it; "" if it is not there.
func nameOfPlane(head []byte) string {
	m := wire.Message{Rest: head}
	for {
		f, ok := m.Next()
		switch {
		case !ok || f.Number > 2:
			return ""
		case f.Number == 2 && f.Wire == wire.Bytes:
			return string(f.Bytes)
		}
	}
}
