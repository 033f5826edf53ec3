package main

import (
	"fmt"
	"io"
	"sync/atomic"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
	"golang.org/x/term"

	"perfdiff/analyze"
)

// progress shows on a terminal how far reading is.
type progress struct{ bars *mpb.Progress }

func newProgress(w io.Writer, quiet bool) *progress {
	f := asFile(w)
	if quiet || f == nil || !term.IsTerminal(int(f.Fd())) {
		return &progress{}
	}
	return &progress{mpb.New(mpb.WithOutput(w), mpb.WithRefreshRate(100*time.Millisecond), mpb.WithAutoRefresh())}
}

// side returns the progress of one side; nil if nothing is shown.
func (p *progress) side(name string) analyze.Progress {
	if p.bars == nil {
		return nil
	}
	return &sideProgress{bars: p.bars, name: name}
}

// stop takes the bars off the terminal.
func (p *progress) stop() {
	if p.bars != nil {
		p.bars.Shutdown()
	}
}

// sideProgress is the line of one side:
//
//	baseline  3 of 16 files  1.2 GB of 6.1 GB  [=====>----]  410 MB/s  12s
type sideProgress struct {
	bars *mpb.Progress
	name string
	bar  *mpb.Bar
	all  int
	done atomic.Int64
}

// Found makes the bar.
func (s *sideProgress) Found(files int, bytes int64) {
	s.all = files
	count := func(decor.Statistics) string {
		return fmt.Sprintf("%-9s  %d of %d files  ", s.name, s.done.Load(), s.all)
	}
	s.bar = s.bars.AddBar(max(bytes, 1), mpb.BarRemoveOnComplete(),
		mpb.PrependDecorators(decor.Any(count), decor.Counters(decor.SizeB1000(0), "% .1f of % .1f")),
		mpb.AppendDecorators(decor.AverageSpeed(decor.SizeB1000(0), "% .0f  "), decor.AverageETA(decor.ET_STYLE_GO)))
}

// Read adds bytes read.
func (s *sideProgress) Read(n int64) { s.bar.IncrInt64(n) }

// Done counts one file.
func (s *sideProgress) Done() {
	if int(s.done.Add(1)) == s.all {
		s.bar.SetTotal(-1, true)
	}
}
