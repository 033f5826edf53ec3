// Package source reads a file in any known format into traces. A format is a
// folder below and one line in Formats.
package source

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"perfdiff/analyze/source/kineto"
	"perfdiff/analyze/source/nsys"
	"perfdiff/analyze/source/report"
	"perfdiff/analyze/trace"
)

// Format is one kind of file that can be read.
type Format struct {
	Name string
	// Sniff tells from the first bytes of a file, inflated where it is
	// compressed, whether the file is of this format.
	Sniff func(head []byte) bool
	// IsDir tells by its files whether a directory is one profile of this
	// format; nil where none is.
	IsDir func(dir string) bool
	// Read returns the traces of a file, one for each rank it holds. progress
	// is called with numbers of bytes as they are read and may be nil.
	Read func(ctx context.Context, path string, progress func(int64)) ([]*trace.Trace, error)
}

const kinetoFormat = "kineto json"

// Formats lists the formats in the order in which they are tried.
func Formats() []Format {
	return []Format{
		{"nsys sqlite", nsys.Sniff, nil, nsys.Read},
		{"nsys parquet", nil, nsys.IsExport, nsys.Read},
		{kinetoFormat, kineto.Sniff, nil, kineto.Read},
	}
}

// ErrUnknown is the cause of a refusal of a file of no known format.
var ErrUnknown = errors.New("not a profile that perfdiff reads")

// IsProfile reports whether a directory is one profile.
func IsProfile(dir string) bool {
	return slices.ContainsFunc(Formats(), func(f Format) bool { return f.IsDir != nil && f.IsDir(dir) })
}

// Identify returns the format of a file by its first bytes, or of a directory
// that is one profile. A file of no known format has an error that is
// ErrUnknown and says what to give instead where that is known. A report, which
// nsys must export first, is of none: see Read.
func Identify(path string) (Format, error) {
	name := filepath.Base(path)
	info, err := os.Stat(path)
	if err != nil {
		return Format{}, fmt.Errorf("%s: %w", name, trace.WithoutPath(err))
	}
	if info.IsDir() {
		for _, f := range Formats() {
			if f.IsDir != nil && f.IsDir(path) {
				return f, nil
			}
		}
	}
	room := heads.Get().(*[headBytes]byte)
	defer heads.Put(room)
	head, zipped, err := readHead(path, info, room)
	if err != nil {
		return Format{}, fmt.Errorf("%s: %w", name, trace.WithoutPath(err))
	}
	if len(head) == 0 {
		return Format{}, fmt.Errorf("%s: %w: the file is empty (was the profiler stopped before it wrote? record it again)", name, ErrUnknown)
	}
	if err := foreign(name, head, zipped); err != nil {
		return Format{}, err
	}
	for _, f := range Formats() {
		if f.Sniff != nil && f.Sniff(head) {
			return f, nil
		}
	}
	return Format{}, refusal(name, head, zipped)
}

var errNotRegular = errors.New("not a regular file: files are read more than once (save it to a file first)")

// headBytes is enough to see past the device properties of a trace.
const headBytes = 64 << 10

// heads are rooms for first bytes: a job has hundreds of files, and of some of them the
// first bytes are all.
var heads = sync.Pool{New: func() any { return new([headBytes]byte) }}

// readHead returns the first bytes of a file, perhaps in room, inflated if they are gzip.
func readHead(path string, info os.FileInfo, room *[headBytes]byte) (head []byte, zipped bool, err error) {
	switch {
	case !info.Mode().IsRegular(): // a named pipe would wait for its writer
		return nil, false, errNotRegular
	case info.Size() == 0: // empty, as files of the kernel say they are, some of which wait
		return nil, false, nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, false, err
	}
	defer f.Close()
	head = room[:min(info.Size(), headBytes)]
	n, err := io.ReadFull(f, head)
	if head = head[:n]; errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		err = nil // it became shorter, which is said by who reads all of it
	}
	if err != nil || !bytes.HasPrefix(head, []byte{0x1f, 0x8b}) {
		return head, false, err
	}
	z, err := gzip.NewReader(bytes.NewReader(head))
	if err != nil {
		return head, false, nil // not gzip after all: no format will know it
	}
	inflated, _ := io.ReadAll(io.LimitReader(z, headBytes)) // the head ends in the middle of the stream
	return inflated, true, nil
}

// Read reads the file at path. Ranks are those that the file says; what names say is
// seen over all files of a run: see RanksOfNames. The format's name is returned also with
// an error, once it is known. reports exports the files that are reports.
func Read(ctx context.Context, path string, reports *report.Exporter, progress func(int64)) ([]*trace.Trace, string, error) {
	if report.Is(path) {
		return readReport(ctx, path, reports, progress)
	}
	format, err := Identify(path)
	if err != nil {
		return nil, "", err
	}
	traces, err := format.Read(ctx, path, progress)
	if err != nil {
		return nil, format.Name, err
	}
	if err := chromeTrace(filepath.Base(path), traces); err != nil && format.Name == kinetoFormat {
		return nil, format.Name, err
	}
	return formatted(traces, format.Name), format.Name, nil
}

// formatted gives traces the name of their format.
func formatted(traces []*trace.Trace, format string) []*trace.Trace {
	for _, t := range traces {
		t.Format = format
	}
	return traces
}

// ByEngine is a context in which exports to SQLite are read through the engine alone.
func ByEngine(ctx context.Context) context.Context { return nsys.ByEngine(ctx) }

const reportFormat = "nsys report"

// readReport reads the export of a report. Progress is told of the report's
// bytes: it is all that was known of the work before.
func readReport(ctx context.Context, path string, reports *report.Exporter, progress func(int64)) ([]*trace.Trace, string, error) {
	name := filepath.Base(path)
	export, done, err := reports.Export(ctx, path)
	switch {
	case errors.Is(err, report.ErrNoTool):
		return nil, "", fmt.Errorf("%s: %w: a report, not an export, and %w (export it with: %s)", name, ErrUnknown, err, report.Command(path))
	case err != nil:
		return nil, reportFormat, fmt.Errorf("%s: %w", name, err)
	}
	traces, err := nsys.Read(ctx, export, scaled(progress, path, export))
	done(err == nil || ctx.Err() != nil)
	if err != nil {
		return nil, reportFormat, err
	}
	return formatted(traces, reportFormat), reportFormat, nil
}

// scaled tells progress of bytes of one file as the same share of another's.
func scaled(progress func(int64), whole, part string) func(int64) {
	a, err1 := os.Stat(whole)
	b, err2 := os.Stat(part)
	if progress == nil || err1 != nil || err2 != nil || b.Size() == 0 {
		return nil
	}
	read, told := int64(0), int64(0)
	return func(n int64) {
		read += n
		now := int64(float64(a.Size()) * min(1, float64(read)/float64(b.Size())))
		progress(now - told)
		told = now
	}
}
