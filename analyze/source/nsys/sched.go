package nsys

import (
	"slices"

	"perfdiff/analyze/source/nsys/table"
	"perfdiff/analyze/trace"
)

// schedTable has a row for each time that a thread was put on a processor or taken off it. It can be the largest of
// all: a row is kept in 8 bytes, of threads that call CUDA alone.
const schedTable = "SCHED_EVENTS"

// switches are when a thread was put on a processor or taken off it: twice the time in ns, and 1 more where it was
// put on it.
type switches []int64

// maxSwitches bounds how many are kept of a process, 64 MiB. Chosen, not measured: a thread that is put on a processor
// a thousand times a second has so many in an hour.
const maxSwitches = 8 << 20

// schedule loads when threads that call CUDA were on a processor. It follows the calls of CUDA.
func (r *rowReader) schedule() tableLoad {
	return tableLoad{
		table: schedTable,
		cols:  table.Ints("start", "globalTid", "isSchedIn"),
		emit: func(b *table.Batch) error {
			for from, to := 0, 0; from < b.N; from = to {
				to = runOf(b.Cols[1][:b.N], from)
				if p := r.procs.byID[uint64(b.Cols[1][from])&^threadBits]; p != nil && len(p.devices) > 0 {
					p.takeSwitches(b.Cols, from, to, r.window.from)
				}
			}
			return nil
		},
		undo: func() {
			for _, p := range r.procs.byID {
				p.switches = nil
			}
		},
		bits: trace.HasRunning,
	}
}

// takeSwitches takes the rows [from, to), all of the process, that do not come before the capture.
func (p *process) takeSwitches(c [][]int64, from, to int, begin int64) {
	if p.switches == nil {
		p.switches = make(map[int32]switches)
		for id := range p.callers.Len() {
			p.switches[p.callers.At(trace.CallerID(id)).Thread] = nil
		}
	}
	for i := from; i < to; i++ {
		at, tid, in := c[0][i], thread(c[1][i]), c[2][i]
		list, calls := p.switches[tid]
		if !calls || at < begin || at > 1<<61 || in == table.Null || p.switched == maxSwitches {
			continue
		}
		put := 0
		if in != 0 {
			put = 1
		}
		p.switches[tid] = append(list, at<<1|int64(put))
		p.switched++
	}
}

// running returns by thread when it was on a processor; nil where that was not recorded, or not whole.
func (p *process) running() map[int32][]trace.Interval {
	if p.switched == maxSwitches {
		return nil
	}
	var out map[int32][]trace.Interval
	for tid, list := range p.switches {
		if all := list.stretches(); len(all) > 0 {
			if out == nil {
				out = make(map[int32][]trace.Interval)
			}
			out[tid] = all
		}
	}
	return out
}

// stretches returns when the thread was on a processor: from each time that it was put there to the next that it was
// taken off.
func (s switches) stretches() (out []trace.Interval) {
	slices.Sort(s)
	since := trace.NoTime
	for _, x := range s {
		switch at := x >> 1; {
		case x&1 == 1 && since == trace.NoTime:
			since = at
		case x&1 == 0 && since != trace.NoTime:
			out, since = append(out, trace.Interval{Start: since, End: at}), trace.NoTime
		}
	}
	return out
}
