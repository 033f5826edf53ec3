package synth

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
)

// Format is a profiler's own format, or that of a log.
type Format uint8

// The formats in which a story can be written.
const (
	Nsight        Format = iota // Nsight Systems SQLite exports
	Kineto                      // PyTorch profiler traces
	KinetoGzip                  // the same, compressed
	NsightParquet               // Nsight Systems exports to Parquet, a directory for each rank: see Story.Tables
	Rocpd                       // SQLite databases of rocprofv3
	XPlane                      // profiles of XLA's profiler
	XLATrace                    // the traces for viewers that are made of them
	StepLog                     // no profiles: a log of the step times for each run
)

// Nsight reports whether a format is one that Nsight Systems exports to.
func (f Format) Nsight() bool { return f == Nsight || f == NsightParquet }

// profile is a file to be written.
type profile struct {
	*recording
	story     *Story
	job       *job
	path      string
	cutInHalf bool
}

// Write writes the profiles of both sides to the directories baseline and candidate in dir,
// which it makes, and returns the truth that they hold. If a side has several runs, each has a
// directory; with the layout "nodes" a run has one for each node. Equal stories give equal
// bytes. Each file appears whole.
func (s *Story) Write(ctx context.Context, dir string, format Format) (Truth, error) {
	var truth Truth
	var files []profile
	for side, runs := range []*[]Run{&truth.Baseline, &truth.Candidate} {
		for nth := range s.doc.Runs {
			if err := ctx.Err(); err != nil {
				return Truth{}, err
			}
			run := Run{}
			if s.doc.Runs > 1 {
				run.Name = fmt.Sprintf("run%d", nth+1)
			}
			more := s.profiles(side, nth, filepath.Join(dir, sideNames[side], run.Name), format)
			for _, f := range more {
				run.Ranks = append(run.Ranks, f.truth(format))
			}
			files = append(files, more...)
			*runs = append(*runs, run)
		}
	}
	return truth, writeAll(ctx, files, format)
}

// profiles returns the files of one run.
func (s *Story) profiles(side, nth int, dir string, format Format) []profile {
	j := &s.sides[side]
	var out []profile
	for _, r := range s.simulate(side, nth) {
		if slices.Contains(j.Missing, r.rank) {
			continue
		}
		name := fmt.Sprintf("report.%d.sqlite", r.rank)
		switch format {
		case Kineto:
			name = r.kinetoName() + ".json"
		case KinetoGzip:
			name = r.kinetoName() + ".json.gz"
		case NsightParquet:
			name = fmt.Sprintf("report.%d_pqtdir", r.rank)
		case Rocpd:
			name = fmt.Sprintf("rank%d_results.db", r.rank)
		case XPlane:
			name = fmt.Sprintf("rank%d.xplane.pb", r.rank)
		case XLATrace:
			name = fmt.Sprintf("rank%d.trace.json.gz", r.rank)
		case StepLog:
			if name = logName; len(out) > 0 {
				return out // one rank prints it
			}
		}
		if s.doc.Layout == layoutNodes && format != StepLog {
			name = filepath.Join(r.hostName(), name)
		}
		out = append(out, profile{r, s, j, filepath.Join(dir, name), slices.Contains(j.Truncated, r.rank)})
	}
	return out
}

// kinetoName returns the name that PyTorch's trace handler gives to the file of a rank.
func (r *recording) kinetoName() string {
	return fmt.Sprintf("worker%d.%d.pt.trace", r.rank, (r.epoch+r.last())/1_000_000)
}

func (p *profile) truth(format Format) Rank {
	out := Rank{Rank: p.rank, Host: p.hostName(), File: filepath.Base(p.path), Truncated: p.cutInHalf, NoFiles: p.job.Reads.NoFiles}
	if p.job.Markers {
		out.Steps = p.recording.truth(p.story.doc.FirstStep, format)
		for i := range out.Steps {
			out.Steps[i].Clock = p.hertzOf(i)
			out.Steps[i].Whole = len(p.job.Missing)+len(p.job.Truncated) == 0
		}
	}
	return out
}

func (r *recording) hostName() string { return fmt.Sprintf("node%04d", r.node+1) }

// pid returns the process id. It differs between the ranks of a node.
func (r *recording) pid() int64 { return 41_200 + 37*int64(r.local) }

// loader returns the thread id of a loader thread.
func (r *recording) loader(thread int) int64 { return r.pid() + 11 + int64(thread) }

// writeAll writes files, as many at a time as there are processors. It returns the first error
// in order of files.
func writeAll(ctx context.Context, files []profile, format Format) error {
	for _, f := range files {
		if err := os.MkdirAll(filepath.Dir(f.path), 0o777); err != nil {
			return err
		}
	}
	errs := make([]error, len(files))
	next := make(chan int)
	var done sync.WaitGroup
	for range min(len(files), runtime.GOMAXPROCS(0)) {
		done.Go(func() {
			for i := range next {
				errs[i] = files[i].write(ctx, format)
			}
		})
	}
	for i := range files {
		next <- i
	}
	close(next)
	done.Wait()
	return errors.Join(errs...)
}

// write writes a temporary file and renames it, so that the file appears whole.
func (p *profile) write(ctx context.Context, format Format) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	part := filepath.Join(filepath.Dir(p.path), "."+filepath.Base(p.path)+".part")
	save := map[Format]func(context.Context, string, Format) error{
		Nsight: p.writeNsight, NsightParquet: p.writeParquet, Kineto: p.writeKineto, KinetoGzip: p.writeKineto,
		Rocpd: p.writeRocpd, XPlane: p.writeXPlane, XLATrace: p.writeXLATrace,
		StepLog: p.writeLog,
	}[format]
	err := save(ctx, part, format)
	if err == nil && p.cutInHalf {
		err = cutFileInHalf(part)
	}
	if err == nil {
		err = os.Rename(part, p.path)
	}
	if err != nil {
		os.RemoveAll(part) // what is left of it is of no use to anyone
		return fmt.Errorf("story %s: %s: %w", p.story.name, filepath.Base(p.path), err)
	}
	return nil
}

// cutFileInHalf leaves the first half of a file, as a job that is killed does.
func cutFileInHalf(path string) error {
	st, err := os.Stat(path)
	if err != nil {
		return err
	}
	if st.IsDir() {
		return cutFileInHalf(filepath.Join(path, "CUPTI_ACTIVITY_KIND_KERNEL.parquet"))
	}
	return os.Truncate(path, st.Size()/2)
}
