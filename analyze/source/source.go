// Package source reads a file in any known format into traces. A format is a
// folder below and one line in Formats.
package source

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"perfdiff/analyze/source/bandwidth"
	"perfdiff/analyze/source/kineto"
	"perfdiff/analyze/source/nsys"
	"perfdiff/analyze/source/report"
	"perfdiff/analyze/source/result"
	"perfdiff/analyze/source/rocpd"
	"perfdiff/analyze/source/steplog"
	"perfdiff/analyze/source/xla"
	"perfdiff/analyze/trace"
)

// Format is one kind of file that can be read.
type Format struct {
	Name string
	// Kind is what people know such files as and how their names end; "" for another form of
	// the one before.
	Kind string
	// Profiler is what records such files; "": a program itself.
	Profiler trace.Profiler
	// Opener is what shows such a file at a time; "": no tool is known that does.
	Opener trace.Opener
	// Sniff reports whether a file is of this format, by its first bytes, inflated where it is
	// compressed.
	Sniff func(head []byte) bool
	// Find reports the same of a file whose first bytes do not tell, as of a text that says other things first, or what
	// the file lacks; nil for a format that is told by Sniff. The options may be nil.
	Find func(ctx context.Context, path string, opt *Options) (found bool, lacks string)
	// IsDir reports whether a directory is one profile of this format, by the files in it; nil
	// for a format without such directories.
	IsDir func(dir string) bool
	// Read returns the traces of a file, one for each rank in it. The options may be nil.
	Read func(ctx context.Context, path string, opt *Options) ([]*trace.Trace, error)
	// Parts opens a profile that is too large for memory, so that it can be read in parts; nil for a format that is
	// read as a whole. Whole says why it has to be, where there is more to say.
	Parts func(ctx context.Context, path string, opt *Options) (*nsys.Parts, error)
	Whole string
	// MinMemory is how many bytes a profile takes in memory at least; nil where that is not known before it is read.
	MinMemory func(ctx context.Context, path string) int64
	// IsLog: the files are logs, of steps or of collectives, which count only where there is no profile beside them.
	IsLog bool
	// StepTimes: the files hold step times and nothing else, so that a line is a step.
	StepTimes bool
	// Results: the files hold what runs printed of themselves as a whole, and no trace.
	Results func(ctx context.Context, path string, opt *Options) ([]result.Run, error)
}

// Options says how to read a file.
type Options = trace.Options

// Formats lists the formats in the order in which they are tried. Of SQLite and of trace events
// the one that takes any comes last.
func Formats() []Format {
	return []Format{
		{Name: "nsys sqlite", Kind: "Nsight Systems exports, .sqlite or _pqtdir", Profiler: trace.NsightSystems,
			Opener: trace.NsysStats, Sniff: isExport, Read: nsys.Read, Parts: nsys.OpenParts, MinMemory: nsys.Need},
		{Name: "nsys parquet", Profiler: trace.NsightSystems, Opener: trace.NsysReport,
			IsDir: nsys.IsExport, Read: nsys.Read, Parts: nsys.OpenParts, MinMemory: nsys.Need},
		{Name: "rocpd", Kind: "rocprofv3 databases, .db", Profiler: trace.Rocprof, Sniff: rocpd.Sniff, Read: rocpd.Read},
		{Name: "xla xplane", Kind: "XLA profiles, .xplane.pb or .trace.json.gz", Profiler: trace.XLAProfiler,
			Sniff: xla.SniffPlanes, Read: xla.ReadPlanes},
		{Name: "xla trace json", Profiler: trace.XLAProfiler, Opener: trace.Perfetto,
			Sniff: xla.SniffTrace, Read: xla.ReadTrace},
		{Name: "kineto json", Kind: "PyTorch profiler traces, .json or .json.gz", Profiler: trace.PyTorchProfiler,
			Opener: trace.Perfetto, Sniff: kineto.Sniff, Read: readKineto,
			Whole: "the events of a trace in JSON stand in no order of steps"},
		{Name: "nccl log", Kind: "logs of NCCL Inspector or nccl-tests", IsLog: true, Sniff: bandwidth.IsLog, Read: bandwidth.ReadTraces},
		{Name: "tensorboard events", Kind: "TensorBoard event files, tfevents", IsLog: true, StepTimes: true,
			Sniff: steplog.IsEvents, Read: steplog.ReadEvents},
		{Name: "trainer state", IsLog: true, StepTimes: true, Sniff: steplog.IsState, Read: steplog.ReadState},
		{Name: "benchmark results", Kind: "results of benchmarks, .json or .csv", Sniff: isResult, Read: noTraces, Results: result.Read},
		{Name: "step log", Kind: "logs of step times, .log or .csv", IsLog: true, StepTimes: true,
			Find: steplog.Find, Read: steplog.Read},
	}
}

func isResult(head []byte) bool { return result.Sniff(head) != "" }

// noTraces refuses a file of results where a trace is asked for, as any other file that is none.
func noTraces(_ context.Context, path string, _ *Options) ([]*trace.Trace, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, trace.WithoutPath(err)
	}
	head, zipped, err := readHead(path, info, new([headBytes]byte))
	if err != nil {
		return nil, trace.WithoutPath(err)
	}
	return nil, refuseUnknown(filepath.Base(path), head, zipped, "")
}

// reportFormat is the format that Nsight Systems itself writes. Reports are exported before they are read, and
// recognised by their names alone.
var reportFormat = Format{Name: "nsys report", Profiler: trace.NsightSystems, Opener: trace.NsysExport}

// Named returns the format with a name that a run set's files have, or the zero value. Its fields say what it can do;
// the name itself is only for people.
func Named(name string) Format {
	all := append(Formats(), reportFormat)
	if at := slices.IndexFunc(all, func(f Format) bool { return f.Name == name }); at >= 0 {
		return all[at]
	}
	return Format{}
}

// isExport reports whether a file is of nsys: any database that is none of rocprofv3.
func isExport(head []byte) bool { return nsys.Sniff(head) && !rocpd.Sniff(head) }

// Kinds lists the kinds of files that are read, as people know them: "Nsight Systems exports, .sqlite or _pqtdir; …;
// or PyTorch profiler traces, .json or .json.gz".
func Kinds() string {
	var kinds []string
	for _, f := range Formats() {
		if f.Kind != "" {
			kinds = append(kinds, f.Kind)
		}
	}
	kinds[len(kinds)-1] = "or " + kinds[len(kinds)-1]
	return strings.Join(kinds, "; ")
}

// IsProfile reports whether a directory is one profile.
func IsProfile(dir string) bool {
	return slices.ContainsFunc(Formats(), func(f Format) bool { return f.IsDir != nil && f.IsDir(dir) })
}

// readKineto reads a trace of PyTorch's profiler, and refuses one of another program that writes the same form.
func readKineto(ctx context.Context, path string, opt *Options) ([]*trace.Trace, error) {
	traces, err := kineto.Read(ctx, path, opt)
	if err == nil {
		err = refuseChromeTrace(filepath.Base(path), traces)
	}
	if err != nil {
		return nil, err
	}
	return traces, nil
}

// Identify returns the format of a file by its first bytes, or of a directory that is one profile. For an unknown
// format the error is ErrUnknown, and says what to give instead if the file was recognised as something else. A report
// of nsys has no format of its own: Read exports it first. opt may be nil; only its columns of logs are used.
func Identify(ctx context.Context, path string, opt *Options) (Format, error) {
	found, err := identify(path, func(f Format) (bool, string) { return f.Find(ctx, path, opt) })
	if err == nil && found.Results != nil && len(opt.Value().StepColumns) > 0 { // which are of logs
		for _, f := range Formats() {
			if f.Find == nil {
				continue
			}
			if is, _ := f.Find(ctx, path, opt); is {
				return f, nil
			}
		}
	}
	return found, err
}

// IdentifyByHead does what Identify does for formats that the first bytes tell: other files are unknown.
func IdentifyByHead(path string) (Format, error) { return identify(path, nil) }

// identify asks find, which may be nil, of texts whose first bytes do not tell.
func identify(path string, find func(Format) (bool, string)) (Format, error) {
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
	buffer := headPool.Get().(*[headBytes]byte)
	defer headPool.Put(buffer)
	head, packed, err := readHead(path, info, buffer)
	if err != nil {
		return Format{}, fmt.Errorf("%s: %w", name, trace.WithoutPath(err))
	}
	if len(head) == 0 {
		return Format{}, fmt.Errorf("%s: %w: the file is empty (was the profiler stopped before it wrote? record it again)", name, ErrUnknown)
	}
	if err := refuseForeign(name, head, packed); err != nil {
		return Format{}, err
	}
	for _, f := range Formats() {
		if f.Sniff != nil && f.Sniff(head) {
			return f, nil
		}
	}
	lacks := ""
	for _, f := range Formats() {
		if f.Find == nil || find == nil || !mayBeText(head) {
			continue
		}
		found, what := find(f)
		if found {
			return f, nil
		}
		lacks = what
	}
	return Format{}, refuseUnknown(name, head, packed, lacks)
}

var errNotRegular = errors.New("not a regular file: files are read more than once (save it to a file first)")

// headBytes is how much of a file is looked at to recognise it: enough to get past the device
// properties at the start of a trace.
const headBytes = 64 << 10

// headPool keeps buffers for first bytes: a job has hundreds of files, and some have no more
// than these.
var headPool = sync.Pool{New: func() any { return new([headBytes]byte) }}

// readHead returns the first bytes of a file, inflated if they are compressed. It may use buffer for them.
func readHead(path string, info os.FileInfo, buffer *[headBytes]byte) (head []byte, packed trace.Packing, err error) {
	switch {
	case !info.Mode().IsRegular(): // a named pipe would wait for its writer
		return nil, trace.Unpacked, errNotRegular
	case info.Size() == 0: // empty, as files of the kernel say they are, some of which wait
		return nil, trace.Unpacked, nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, trace.Unpacked, err
	}
	defer f.Close()
	head = buffer[:min(info.Size(), headBytes)]
	n, err := io.ReadFull(f, head)
	if head = head[:n]; errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		err = nil // it became shorter, which is said by who reads all of it
	}
	packed = trace.PackingOf(head)
	if err != nil || packed == trace.Unpacked {
		return head, trace.Unpacked, err
	}
	text, end, err := trace.Inflate(bufio.NewReader(bytes.NewReader(head)))
	if err != nil {
		return head, trace.Unpacked, nil // not compressed after all: no format will know it
	}
	defer end()
	inflated, err := io.ReadAll(io.LimitReader(text, headBytes)) // the head ends in the middle of the stream
	if len(inflated) == 0 && packed == trace.Zstd && err != nil {
		return head, trace.Unpacked, nil
	}
	return inflated, packed, nil
}

// Read reads the file at path and returns its traces and the name of its format, which is known with some errors too.
// reports exports the files that are nsys' reports. Ranks are only those that the file itself states; names are read
// later, over all files of a run: see RanksOfNames. opt may be nil.
func Read(ctx context.Context, path string, reports *report.Exporter, opt *Options) ([]*trace.Trace, string, error) {
	if report.IsReport(path) {
		if err := refusePointer(path); err != nil {
			return nil, "", err
		}
		return readReport(ctx, path, reports, opt)
	}
	format, err := Identify(ctx, path, opt)
	if err != nil {
		return nil, "", err
	}
	traces, err := format.Read(ctx, path, opt)
	return traces, format.Name, err
}

// StepColumn is a column or field of a log that holds step times.
type StepColumn = trace.StepColumn

// ParseStepColumn reads NAME or NAME:UNIT.
func ParseStepColumn(text string) (StepColumn, error) { return steplog.ParseColumn(text) }

// readReport exports a report and reads the export. Progress counts the report's bytes, since
// only these were known when the work was announced.
func readReport(ctx context.Context, path string, reports *report.Exporter, opt *Options) ([]*trace.Trace, string, error) {
	name := filepath.Base(path)
	export, done, err := reports.Export(ctx, path)
	switch {
	case errors.Is(err, report.ErrNoTool):
		return nil, "", fmt.Errorf("%s: %w: a report, not an export, and %w (export it with: %s)", name, ErrUnknown, err, report.Command(path))
	case err != nil:
		return nil, reportFormat.Name, fmt.Errorf("%s: %w", name, err)
	}
	scaled := opt.Value()
	scaled.Progress = scaleProgress(scaled.Progress, path, export)
	traces, err := nsys.Read(ctx, export, &scaled)
	done(err == nil || ctx.Err() != nil)
	return traces, reportFormat.Name, err
}

// scaleProgress turns progress in bytes of the file part into progress in bytes of the file
// whole, in proportion to their sizes.
func scaleProgress(progress func(int64), whole, part string) func(int64) {
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
