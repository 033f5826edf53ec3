// Package steplog reads the step times that a training program logged itself: the lines that trainers print, CSV
// tables, JSON lines and the progress bars of tqdm, plain or compressed with gzip or zstd. They cost nothing to
// record, so that there are many of them where there is one profile, and no profiler slows their steps.
//
// What a line says is a table of recognisers (recogniser.go), a few lines for each trainer. A log holds nothing but
// steps: all else is not recorded.
package steplog

import (
	"bufio"
	"context"
	"fmt"
	"hash/crc64"
	"io"
	"sync"

	"perfdiff/analyze/trace"
)

// Read reads the log at path into one trace, which has Trace.Logged set and no activity. Lines that several ranks
// print for one step are one step, with the median of their times. opt may be nil; its Progress is told compressed
// bytes.
//
// It fails for a file that cannot be read, for one without a step time (the error says what the file has instead), and
// at the end of ctx.
func Read(ctx context.Context, path string, opt *trace.Options) ([]*trace.Trace, error) {
	return readAs(ctx, path, opt, "lines", func(r io.Reader, g *gathering) error {
		text := text{r: bufio.NewReaderSize(r, 64<<10)}
		return text.each(func(l line) error { g.line(l); return nil })
	})
}

var crcTable = sync.OnceValue(func() *crc64.Table { return crc64.MakeTable(crc64.ECMA) })

// readAs reads a file of what each reads, by name: lines, entries, events.
func readAs(ctx context.Context, path string, opt *trace.Options, of string, each func(io.Reader, *gathering) error) ([]*trace.Trace, error) {
	in, err := trace.Open(ctx, path, opt)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	name, g := in.Name, newGathering(opt.Value().StepColumns)
	g.of = of
	text, end, err := trace.Inflate(bufio.NewReaderSize(in, 64<<10))
	sum := crc64.New(crcTable())
	if err == nil {
		defer end()
		err = each(io.TeeReader(text, sum), g)
	}
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil && g.lines == 0:
		return nil, fmt.Errorf("%s: cannot be read: %w", name, trace.WithoutPath(err))
	}
	in.Done()
	logged, why := g.logged()
	if why != "" {
		return nil, fmt.Errorf("%s: %s", name, why)
	}
	logged.Text = sum.Sum64()
	t := &trace.Trace{File: name, Names: trace.NewNames(), Logged: logged, Epoch: trace.NoTime, Facts: logged.Setup,
		Identity: trace.Identity{Rank: g.markedRank(), Device: -1}}
	if err != nil {
		t.Warnings = append(t.Warnings, trace.Warning{File: name, Text: fmt.Sprintf(
			"the file is cut behind %d %s (%v): steps behind it are missing", g.lines, of, trace.WithoutPath(err))})
	}
	for _, w := range g.warnings() {
		t.Warnings = append(t.Warnings, trace.Warning{File: name, Text: w})
	}
	return []*trace.Trace{t}, nil
}

// enoughToKnow bounds how far Find looks into a text, in bytes: what a program says before its first step, with all
// that NCCL_DEBUG adds, is less. Chosen, not measured.
const enoughToKnow = 64 << 20

// Find reports whether a file is a text that holds step times, or a throughput instead, so that Read has something to
// say about it, or what the text has instead. opt may be nil; only its columns are used.
func Find(ctx context.Context, path string, opt *trace.Options) (found bool, lacks string) {
	in, err := trace.Open(ctx, path, nil)
	if err != nil {
		return false, ""
	}
	defer in.Close()
	inflated, end, err := trace.Inflate(bufio.NewReaderSize(in, 64<<10))
	if err != nil {
		return false, ""
	}
	defer end()
	text := text{r: bufio.NewReaderSize(inflated, 64<<10)}
	g, seen := newGathering(opt.Value().StepColumns), 0
	next := 4 * enoughToModel // lines, behind which the numbers of unknown lines are looked at; then twice as many
	err = text.each(func(l line) error {
		if g.line(l); !g.empty() || g.meant() {
			return errKnown
		}
		if g.lines == next {
			if next *= 2; g.loose.holds(g.asked) {
				return errKnown
			}
		}
		if seen += len(l.text); seen > enoughToKnow {
			return errTooFar
		}
		return nil
	})
	found = err == errKnown || err == nil && g.loose.holds(g.asked)
	if found || g.lines < 2 {
		return found, ""
	}
	return false, g.has()
}

var errKnown, errTooFar = fmt.Errorf("known"), fmt.Errorf("too far")
