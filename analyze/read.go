package analyze

import (
	"context"
	"errors"
	"fmt"
	"path"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"perfdiff/analyze/metric"
	"perfdiff/analyze/picture"
	"perfdiff/analyze/run"
	"perfdiff/analyze/source"
	"perfdiff/analyze/source/report"
	bench "perfdiff/analyze/source/result"
	"perfdiff/analyze/trace"
)

// capture holds what was measured for one trace of one file.
type capture struct {
	rank       run.Rank
	comm       metric.Communication
	cuts       []picture.Cut
	id         trace.Identity
	epoch      int64
	window     trace.Interval
	digest     string // digest of the trace; "" without activity
	warn       []trace.Warning
	listing    markerList // only if it was asked for; then nothing else is set
	launched   launchList // of a capture without steps
	cycleOf    *capture   // the first capture of the same process, which this one goes on with; nil: none is known
	numberedOn bool       // its steps only have ordinals, and go on with those of another capture
}

// result is what was read from one file.
type result struct {
	file      run.File
	captures  []capture
	results   []bench.Run // of a file of results, which has no captures
	readAgain bool        // reading was cancelled to make room: it is to be read again, alone
	again     bool        // why it was left out may be gone when it is read later
	elsewhere bool        // why it was left out is of this machine, not of the file
	toldBytes int64       // bytes that Progress was told
	heldBytes int64       // what held counted; 0: not yet
}

// readAll reads and measures files with a limited number of workers. It fails when ctx ends, and where
// what is measured of all files needs more memory than is allowed.
func readAll(ctx context.Context, files []file, opt Options) ([]result, error) {
	jobs := opt.Jobs
	if jobs <= 0 {
		jobs = runtime.GOMAXPROCS(0)
	}
	m := newMemory(opt.limit(), jobs)
	defer m.close()
	reports := report.New(opt.Reports)
	results := make([]result, len(files))
	read := func(i int) {
		results[i] = readFile(ctx, m, files[i], results[i].toldBytes, reports, opt)
		if w := files[i].progress; w != nil && !results[i].readAgain {
			w.Done()
		}
	}
	order, first := spreadFirst(len(files))
	whole := ctx
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var firstRead atomic.Int64
	var next atomic.Int64 // a channel would wake its feeder for every file, which may be small
	m.more = func() bool { return int(next.Load()) < len(files) }
	var workers sync.WaitGroup
	count := min(jobs, helpersOfFile*len(files))
	m.helpers.begin(count)
	for range count {
		workers.Go(func() {
			defer m.helpers.leave()
			for i := int(next.Add(1)) - 1; i < len(files) && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				read(order[i])
				if !opt.listOnly {
					results[order[i]].held() // by the workers, and not by one for all
				}
				if i < first && int(firstRead.Add(1)) == first && !opt.listOnly {
					stopIf(stop, tooMany(files, results, order[:first], m.limit))
				}
			}
		})
	}
	workers.Wait()
	if err := context.Cause(ctx); errors.Is(err, errTooMany) {
		return nil, err
	}
	for i := range results {
		if results[i].readAgain && ctx.Err() == nil {
			read(i)
		}
	}
	if whole.Err() == nil && !opt.listOnly {
		if err := tooMany(files, results, order, m.limit); err != nil {
			return nil, err
		}
	}
	return results, whole.Err()
}

// stopIf ends reading for a reason, if there is one.
func stopIf(stop context.CancelCauseFunc, why error) {
	if why != nil {
		stop(why)
	}
}

// readFile reads one file and measures its ranks one after the other. told is how many bytes
// Progress was told when the file was read before.
func readFile(ctx context.Context, m *memory, f file, told int64, reports *report.Exporter, opt Options) result {
	var refused *result
	if f.size > m.limit/2 && source.MinMemory(ctx, f.path) > m.limit {
		large := readLarge(ctx, m, f, told, opt)
		if large.file.Err == "" || ctx.Err() != nil {
			return large
		}
		refused, told = &large, max(told, large.toldBytes) // but rows may be fewer than the file says
	}
	out := result{file: run.File{Name: f.name, Bytes: f.size}}
	whole := ctx
	ctx, reading, end := m.begin(ctx)
	defer end()
	reading.StepColumns = opt.StepColumns
	reading.Progress = func(n int64) {
		out.toldBytes += n
		if f.progress != nil && out.toldBytes > told {
			f.progress.Read(min(n, out.toldBytes-told))
		}
	}
	before := stampOf(f.path)
	traces, format, err := source.Read(ctx, f.path, reports, &reading)
	if of := source.Named(format); of.Results != nil && len(opt.StepColumns) == 0 {
		return readResults(ctx, f, of, opt)
	}
	out.file.Format = format
	if err == nil && !namesFit(ctx, &reading, traces) {
		traces = nil // ctx says why
	}
	switch cause := context.Cause(ctx); cause { // what was read may lack what found no room
	case errCrowded:
		return result{readAgain: true, toldBytes: max(told, out.toldBytes)}
	case errTooLarge:
		if refused != nil {
			return *refused
		}
		end()
		return readLarge(whole, m, f, max(told, out.toldBytes), opt)
	}
	if err != nil {
		out.file.Err, out.again, out.elsewhere = err.Error(), mayComeBack(err) || stampOf(f.path) != before, readableElsewhere(err)
		return out
	}
	if stampOf(f.path) != before {
		out.again = true
		out.file.Err = fmt.Sprintf("%s: changed while it was read (wait until the profiler or the copy is done)", path.Base(f.name))
		return out
	}
	out.measure(m, f, traces, opt)
	return out
}

// measure measures the traces of a file, and drops each of them afterwards.
func (out *result) measure(m *memory, f file, traces []*trace.Trace, opt Options) {
	var digests []string
	left := f.size
	for i, t := range traces {
		left = max(left, compressionFactor*traceBytes(t))
		t.Communicate(opt.Communication)
		if opt.listOnly {
			out.captures = append(out.captures, listMarkers(t))
			traces[i] = nil
			continue
		}
		t.Families = opt.Families
		c := measure(t, opt, f.filesOfRun*len(traces), m.helpers.together)
		digests, out.captures = append(digests, c.digest), append(out.captures, c)
		if m.more() {
			m.spare.Give(t)
		}
		traces[i] = nil // its spans are not needed any more
	}
	m.collectAfter(left)
	if slices.ContainsFunc(digests, func(d string) bool { return d != "" }) {
		out.file.Digest = combine(digests)
	}
}

// readLarge reads in parts a file that is too large for memory.
func readLarge(ctx context.Context, m *memory, f file, told int64, opt Options) result {
	ctx, reading, end := m.begin(ctx)
	defer end()
	m.spare.Drop()
	runtime.GC() // what there was of it
	before, now := stampOf(f.path), int64(0)
	reading.StepColumns = opt.StepColumns
	reading.Progress = func(n int64) {
		if now += n; f.progress != nil && now > told {
			f.progress.Read(min(n, now-told))
		}
	}
	out, err := readParts(ctx, m, f, opt, &reading)
	name := path.Base(f.name)
	switch cause := context.Cause(ctx); {
	case err != nil && cause == errCrowded:
		return result{readAgain: true, toldBytes: max(told, now)}
	case err != nil && cause == errTooLarge:
		err = m.tooLarge(name)
	case err != nil && ctx.Err() == nil:
		out.again, out.elsewhere = mayComeBack(err), readableElsewhere(err)
		err = m.tooLargeFor(name, err)
	case err == nil && stampOf(f.path) != before:
		out.again = true
		err = fmt.Errorf("%s: changed while it was read (wait until the profiler or the copy is done)", name)
	}
	if err != nil {
		out.file.Err, out.captures, out.file.Digest = err.Error(), nil, ""
	}
	out.toldBytes = max(told, now)
	return out
}
