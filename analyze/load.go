// Package analyze loads a run set: a directory, a file or several become ranks
// with one value per step and metric. Load is its entry point.
//
// One bad file does not lose the set: it is listed with its error and left
// out. One rank's spans are in memory per worker and are dropped when they are
// measured. The package knows no thresholds.
package analyze

import (
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"runtime"
	"sync"

	"perfdiff/analyze/metric"
	"perfdiff/analyze/run"
	"perfdiff/analyze/source"
	"perfdiff/analyze/step"
	"perfdiff/analyze/trace"
)

// Options say how a run set is read.
type Options struct {
	Step   step.Options
	Ranks  func(rank int) bool // which ranks to keep; nil: all
	Jobs   int                 // files read at once; 0: GOMAXPROCS
	Strict bool                // any file that cannot be read is an error
	// Memory bounds the heap while files are read, in bytes; 0: half of
	// MachineMemory. A file that needs more alone is refused.
	Memory int64
	// Progress is told of files found, bytes read and files done; it is called
	// from several goroutines and may be nil.
	Progress Progress
}

// Progress watches a load.
type Progress interface {
	Found(files int, bytes int64)
	Read(bytes int64)
	Done()
}

// ErrNothing is the cause when a path holds nothing that could be measured.
var ErrNothing = errors.New("nothing to measure")

// Load reads and measures the run set at a path. The error names the file, the
// cause and the remedy; files that could not be read are in Set.Files, and are
// an error only with opt.Strict or when no file is left.
func Load(ctx context.Context, at string, opt Options) (*run.Set, error) {
	found, err := discover(at)
	if err != nil {
		return nil, err
	}
	if opt.Progress != nil {
		opt.Progress.Found(len(found.files), found.bytes())
	}
	read, err := readAll(ctx, found.files, opt)
	if err != nil {
		return nil, err
	}
	set := &run.Set{Label: found.label, Warnings: found.warnings}
	for _, m := range metric.All() {
		set.Metrics = append(set.Metrics, m.Metric)
	}
	set.Files = append(set.Files, found.ignored...)
	assemble(set, found, read, opt)
	if err := refuse(set, at, opt.Strict); err != nil {
		return nil, err
	}
	return set, nil
}

// refuse returns the error of a set that cannot be used.
func refuse(set *run.Set, at string, strict bool) error {
	var first error
	read, ranks := 0, 0
	for _, f := range set.Files {
		switch {
		case f.Format == formatIgnored:
		case f.Err == "":
			read++
		case first == nil:
			first = errors.New(f.Err)
		}
	}
	for _, r := range set.Runs {
		ranks += len(r.Ranks)
	}
	switch {
	case strict && first != nil:
		return fmt.Errorf("%w (--strict makes a file that cannot be read an error)", first)
	case ranks > 0:
		return nil
	case read > 0:
		return fmt.Errorf("%s: %w: --ranks leaves out every rank of the set", filepath.Base(at), ErrNothing)
	case len(set.Files) == 1:
		return first
	}
	return fmt.Errorf("%s: no file could be read; the first of %d: %w", filepath.Base(at), len(set.Files), first)
}

// capture is what one trace of one file became.
type capture struct {
	rank   run.Rank
	id     trace.Identity
	epoch  int64
	window trace.Interval
	warn   []trace.Warning
}

// result is what one file became.
type result struct {
	file     run.File
	captures []capture
	again    bool  // it made room for others and is to be read again, alone
	told     int64 // bytes that Progress was told
}

// readAll reads and measures files with a bounded number of workers. It fails
// only when ctx ends.
func readAll(ctx context.Context, files []file, opt Options) ([]result, error) {
	jobs := opt.Jobs
	if jobs <= 0 {
		jobs = runtime.GOMAXPROCS(0)
	}
	limit := opt.Memory
	if limit <= 0 {
		limit = MachineMemory() / 2
	}
	m := newMemory(limit, jobs)
	defer m.close()
	results := make([]result, len(files))
	read := func(i int) {
		results[i] = readFile(ctx, m, files[i], results[i].told, opt)
		if opt.Progress != nil && !results[i].again {
			opt.Progress.Done()
		}
	}
	next := make(chan int)
	var workers sync.WaitGroup
	for range min(jobs, len(files)) {
		workers.Go(func() {
			for i := range next {
				read(i)
			}
		})
	}
feed:
	for i := range files {
		select {
		case next <- i:
		case <-ctx.Done():
			break feed
		}
	}
	close(next)
	workers.Wait()
	for i := range results {
		if results[i].again && ctx.Err() == nil {
			read(i)
		}
	}
	return results, ctx.Err()
}

// largeFile is the size in bytes from which a file's spans are worth collecting
// by themselves. Left to itself the collector waits until the next file's take
// as much room again; spans hold no pointers, so that it takes no time.
const largeFile = 64 << 20

// readFile reads one file and measures its ranks one after the other. told is
// what Progress was told of it when it was read before.
func readFile(ctx context.Context, m *memory, f file, told int64, opt Options) result {
	out := result{file: run.File{Name: f.name, Bytes: f.size}}
	ctx, end := m.begin(ctx)
	defer end()
	progress := func(n int64) {
		out.told += n
		if opt.Progress != nil && out.told > told {
			opt.Progress.Read(min(n, out.told-told))
		}
	}
	before := stampOf(f.path)
	traces, format, err := source.Read(ctx, f.path, progress)
	out.file.Format = format
	if cause := context.Cause(ctx); err != nil && cause == errCrowded {
		return result{again: true, told: max(told, out.told)}
	} else if err != nil && cause == errTooLarge {
		err = m.tooLarge(path.Base(f.name))
	}
	if err != nil {
		out.file.Err = err.Error()
		return out
	}
	if stampOf(f.path) != before {
		out.file.Err = fmt.Sprintf("%s: changed while it was read (wait until the profiler or the copy is done)", path.Base(f.name))
		return out
	}
	var digests []string
	for i, t := range traces {
		digests = append(digests, digest(t))
		out.captures = append(out.captures, measure(t, opt.Step))
		traces[i] = nil // its spans are not needed any more
	}
	if f.size > largeFile {
		runtime.GC() // they make room for the next file's at once
	}
	out.file.Digest = combine(digests)
	return out
}
