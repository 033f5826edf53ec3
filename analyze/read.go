package analyze

import (
	"context"
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
	"perfdiff/analyze/trace"
)

// capture is what one trace of one file became.
type capture struct {
	rank    run.Rank
	comm    metric.Communication
	cuts    []picture.Cut
	id      trace.Identity
	epoch   int64
	window  trace.Interval
	digest  string // of what it holds; "" without activity
	warn    []trace.Warning
	listing listing // only where that was asked, and nothing else then
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
	m := newMemory(opt.limit(), jobs)
	defer m.close()
	reports := report.New(opt.Reports)
	results := make([]result, len(files))
	read := func(i int) {
		results[i] = readFile(ctx, m, files[i], results[i].told, reports, opt)
		if w := files[i].watch; w != nil && !results[i].again {
			w.Done()
		}
	}
	var next atomic.Int64 // a channel would wake its feeder for every file, which may be small
	var workers sync.WaitGroup
	for range min(jobs, len(files)) {
		workers.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(files) && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				read(i)
			}
		})
	}
	workers.Wait()
	for i := range results {
		if results[i].again && ctx.Err() == nil {
			read(i)
		}
	}
	return results, ctx.Err()
}

// readFile reads one file and measures its ranks one after the other. told is
// what Progress was told of it when it was read before.
func readFile(ctx context.Context, m *memory, f file, told int64, reports *report.Exporter, opt Options) result {
	var refused *result
	if f.size > m.limit/2 && source.MinMemory(ctx, f.path) > m.limit {
		large := readLarge(ctx, m, f, told, opt)
		if large.file.Err == "" || ctx.Err() != nil {
			return large
		}
		refused, told = &large, max(told, large.told) // but rows may be fewer than the file says
	}
	out := result{file: run.File{Name: f.name, Bytes: f.size}}
	whole := ctx
	ctx, end := m.begin(ctx)
	defer end()
	progress := func(n int64) {
		out.told += n
		if f.watch != nil && out.told > told {
			f.watch.Read(min(n, out.told-told))
		}
	}
	before := stampOf(f.path)
	traces, format, err := source.Read(ctx, f.path, reports, progress)
	out.file.Format = format
	switch cause := context.Cause(ctx); cause { // what was read may lack what found no room
	case errCrowded:
		return result{again: true, told: max(told, out.told)}
	case errTooLarge:
		if refused != nil {
			return *refused
		}
		end()
		return readLarge(whole, m, f, max(told, out.told), opt)
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
	left := f.size
	for i, t := range traces {
		left = max(left, packed*held(t))
		t.Communicate(opt.Communication)
		if opt.list {
			out.captures = append(out.captures, listed(t))
			traces[i] = nil
			continue
		}
		digests = append(digests, digest(t))
		t.Families = opt.Families
		c := measure(t, opt, f.beside*len(traces))
		c.digest = digests[i]
		out.captures = append(out.captures, c)
		m.spare.Give(t)
		traces[i] = nil // its spans are not needed any more
	}
	m.collect(left)
	if slices.ContainsFunc(digests, func(d string) bool { return d != "" }) {
		out.file.Digest = combine(digests)
	}
	return out
}

// readLarge reads a file in parts that is too large to be read at once.
func readLarge(ctx context.Context, m *memory, f file, told int64, opt Options) result {
	ctx, end := m.begin(ctx)
	defer end()
	m.spare.Drop()
	runtime.GC() // what there was of it
	before, now := stampOf(f.path), int64(0)
	out, err := readParts(ctx, m, f, opt, func(n int64) {
		if now += n; f.watch != nil && now > told {
			f.watch.Read(min(n, now-told))
		}
	})
	name := path.Base(f.name)
	switch cause := context.Cause(ctx); {
	case err != nil && cause == errCrowded:
		return result{again: true, told: max(told, now)}
	case err != nil && cause == errTooLarge:
		err = m.tooLarge(name)
	case err != nil && ctx.Err() == nil:
		err = m.tooLargeFor(name, err)
	case err == nil && stampOf(f.path) != before:
		err = fmt.Errorf("%s: changed while it was read (wait until the profiler or the copy is done)", name)
	}
	if err != nil {
		out.file.Err, out.captures, out.file.Digest = err.Error(), nil, ""
	}
	out.told = max(told, now)
	return out
}
