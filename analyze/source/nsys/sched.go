package nsys

import (
	"slices"

	"perfdiff/analyze/source/build"
	"perfdiff/analyze/source/nsys/table"
	"perfdiff/analyze/trace"
)

// schedTable has a row for each time that a thread was put on a processor or taken off it: it can be the largest of all.
const schedTable = "SCHED_EVENTS"

// schedule loads when threads that call CUDA were on a processor. It follows the calls of CUDA.
func (r *rowReader) schedule() tableLoad {
	return tableLoad{
		table: schedTable,
		cols:  table.Ints("start", "globalTid", "isSchedIn"),
		emit: func(b *table.Batch) {
			for from, to := 0, 0; from < b.N; from = to {
				to = runOf(b.Cols[1][:b.N], from)
				if p := r.procs.byID[uint64(b.Cols[1][from])&^threadBits]; p != nil && len(p.devices) > 0 {
					p.takeSwitches(b.Cols, from, to, r.window.from)
				}
			}
		},
		undo: r.forget(func(p *process) { p.switches = nil }),
		bits: trace.HasRunning,
	}
}

// takeSwitches takes the rows [from, to), all of the process, that do not come before the capture. Of each it keeps
// twice the time in ns, and 1 more where the thread was put on a processor.
func (p *process) takeSwitches(c [][]int64, from, to int, begin int64) {
	if p.switches == nil {
		p.switches = make(map[int32][]int64)
		for id := range p.callers.Len() {
			p.switches[p.callers.At(trace.CallerID(id)).Thread] = nil
		}
	}
	for i := from; i < to; i++ {
		tid, x := thread(c[1][i]), 2*c[0][i]
		list, calls := p.switches[tid]
		if !calls || c[0][i] < begin || c[0][i] > build.MaxTime || c[2][i] == table.Null {
			continue
		}
		if c[2][i] != 0 {
			x++
		}
		p.switches[tid] = append(list, x)
	}
}

// running returns by thread when it was on a processor: from each time that it was put there to the next that it was
// taken off.
func (p *process) running() map[int32][]trace.Interval {
	out := make(map[int32][]trace.Interval)
	for tid, list := range p.switches {
		slices.Sort(list)
		since := trace.NoTime
		for _, x := range list {
			switch {
			case x&1 == 1 && since == trace.NoTime:
				since = x >> 1
			case x&1 == 0 && since != trace.NoTime:
				out[tid] = append(out[tid], trace.Interval{Start: since, End: x >> 1})
				since = trace.NoTime
			}
		}
	}
	return out
}
