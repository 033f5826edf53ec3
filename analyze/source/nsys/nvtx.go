package nsys

import (
	"context"

	"perfdiff/analyze/source/nsys/table"
	"perfdiff/analyze/trace"
)

// The event types of NVTX_EVENTS that are read.
const (
	nvtxThreadName = 39
	nvtxPushPop    = 59
	nvtxStartEnd   = 60
	nvtxDomain     = 75
)

// domain is an NVTX domain: its number means something in its process only.
type domain struct {
	process uint64
	id      int64
}

// threadName is the name of a thread.
type threadName struct {
	process uint64
	thread  int32
	name    word
	given   bool // by the program itself, with NVTX; else as the operating system has it
}

// maxThreadNames bounds the thread names that are kept.
const maxThreadNames = 1 << 16

// ranges loads the table of ranges, with the payloads of NCCL's where they can be read.
func (r *reader) ranges(ctx context.Context) tableLoad {
	cols := table.Ints("start", "end", "eventType", "textId", "domainId", "globalTid", "text")
	var names labels
	cols[6].Text = names.keep
	x, err := r.payloads(ctx)
	if r.withPayloads = err == nil; x != nil { // what is wrong, readPayloads says
		cols = append(cols, x.columns()...)
	}
	return tableLoad{
		table: rangeTable,
		cols:  cols,
		emit: func(b *table.Batch) {
			names.look(r.words, b.Cols[6][:b.N])
			for i := range b.N {
				r.nvtxRow(b.Cols, i)
			}
			if x == nil {
				return
			}
			for i := range b.N {
				if c, ok := x.of(b.Cols[7:], i); ok {
					c.name = word(max(b.Cols[6][i], 0))
					r.addCall(b.Cols, i, c)
				}
			}
			x.found = x.found[:0]
		},
		undo: r.forget(func(p *process) { r.withPayloads, p.ranges, p.calls = false, nil, trace.Pages[ncclCall]{} }),
		bits: trace.HasRanges,
		of:   trace.Ranges,
	}
}

func (r *reader) nvtxRow(c [][]int64, i int) {
	kind := c[2][i]
	if kind != nvtxPushPop && kind != nvtxStartEnd && kind != nvtxThreadName && kind != nvtxDomain {
		return
	}
	label := word(0)
	if text := c[6][i]; text > 0 {
		label = word(text)
	} else {
		label = r.words.id(c[3][i])
	}
	p := r.procs.of(c[5][i])
	switch kind {
	case nvtxDomain:
		r.domains[domain{p.id, c[4][i]}] = label
	case nvtxThreadName:
		r.nameThread(threadName{p.id, thread(c[5][i]), label, true})
	default:
		r.addRange(p, trace.Range{Start: c[0][i], End: c[1][i], Name: trace.NameID(label),
			Domain: trace.NameID(uint32(max(c[4][i], 0))), Thread: thread(c[5][i])})
	}
}

func (r *reader) nameThread(name threadName) {
	if len(r.threads) < maxThreadNames {
		r.threads = append(r.threads, name)
	}
}

// threadNames returns the names of a process's threads, by number: the program's own before the operating system's;
// nil: none has a name.
func (r *reader) threadNames(p *process) map[int32]string {
	var out map[int32]string
	for _, given := range []bool{false, true} {
		for _, t := range r.threads {
			if t.process != p.id || t.given != given {
				continue
			}
			if name := trace.ThreadName(r.words.text[t.name]); name != "" {
				if out == nil {
					out = map[int32]string{}
				}
				out[t.thread] = name
			}
		}
	}
	return out
}

// addRange keeps a range. A range that was open when the capture ended has no end; it gets the capture's once that is
// known.
func (r *rowReader) addRange(p *process, x trace.Range) {
	r.recorded |= trace.HasRanges
	if r.anyDevice && len(p.devices) == 0 {
		p.passed++
		return
	}
	p.held.ranges++
	end := x.End
	if end == table.Null {
		end = max(x.Start, r.window.from)
	}
	if !r.window.holds(x.Start, end) {
		return
	}
	if p.ranges == nil {
		p.ranges = trace.InLargePages(make([]trace.Range, 0, r.share()))
	}
	p.ranges = append(p.ranges, x)
}

// closeRanges ends the ranges that were open at the end of the capture.
func closeRanges(ranges []trace.Range, end int64) (open int) {
	for i := range ranges {
		if ranges[i].End == table.Null {
			ranges[i].End, ranges[i].Open = max(end, ranges[i].Start), true
			open++
		}
	}
	return open
}
