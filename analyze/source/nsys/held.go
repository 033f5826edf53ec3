package nsys

import (
	"perfdiff/analyze/source/nsys/table"
	"perfdiff/analyze/trace"
)

// Where the pages of kernels and of the calls that launch them lie between each other's, the
// two are read together, and it is known last which processes have device work and which
// calls are asked for. Until then all calls are kept, with their ids. Ranges are read with them
// where their pages lie there, too. Calls of the system are not, which would be numbered otherwise
// than where tables are read one after the other.

// held are the calls of a process whose ids are to be looked up.
type held struct {
	ids   []uint32      // of api, 0 where they are in other
	other map[int]int64 // ids that are too large for a place among ids, or not above 0
	early [2][]int64    // ids and starts of calls that are not kept
	rows  int

	ranges int // rows of ranges
}

// heldCalls returns runtimeCalls for a table that is read together with the kernels' table.
func (r *rowReader) heldCalls() tableLoad {
	l := r.runtimeCalls()
	l.emit = func(b *table.Batch) {
		globals := b.Cols[2][:b.N]
		for from := 0; from < b.N; {
			p, to := r.procs.of(globals[from]), runOf(globals, from)
			r.holdCalls(p, b.Cols, from, to)
			from = to
		}
	}
	return l
}

// holdCalls takes the rows [from, to), all of one process.
func (r *rowReader) holdCalls(p *process, c [][]int64, from, to int) {
	api, h := r.roomFor(p.api), &p.held
	if h.rows += to - from; h.ids == nil {
		h.ids = trace.InLargePages(make([]uint32, 0, cap(api)))
	}
	ends, tids, ids, names := c[1][from:to], c[2][from:to], c[3][from:to], c[4][from:to]
	for i, start := range c[0][from:to] {
		id := ids[i]
		if !r.window.holds(start, ends[i]) {
			h.early[0], h.early[1] = append(h.early[0], id), append(h.early[1], start)
			continue
		}
		if int64(uint32(id)) != id {
			h.keepOther(id)
			id = 0
		}
		h.ids = append(h.ids, uint32(id))
		api = append(api, r.callBy(&p.callers, start, ends[i], tids[i], names[i], spelledWithVersion))
	}
	p.api = api
}

func (h *held) keepOther(id int64) {
	if h.other == nil {
		h.other = make(map[int]int64)
	}
	h.other[len(h.ids)] = id
}

// takeHeld processes the rows of a table that were held until it was known which processes have device work. Calls and
// ranges are treated as if their table were read after the kernels.
func (r *rowReader) takeHeld(table string) {
	for _, p := range r.procs.byID {
		elsewhere := len(p.devices) == 0 && r.anyDevice
		switch {
		case table == rangeTable && elsewhere:
			p.passed, p.ranges = p.passed+p.held.ranges, nil
		case table == runtimeTable && elsewhere:
			p.passed, p.api = p.passed+p.held.rows, nil
		case table == runtimeTable:
			p.lookUp()
		}
		if table == runtimeTable {
			p.held = held{ranges: p.held.ranges}
		}
	}
}

// heldBatch is how many ids are looked up at once.
const heldBatch = 512

func (p *process) lookUp() {
	p.NoteAll(nil, p.held.early[0], p.held.early[1])
	var ids, starts [heldBatch]int64
	for from := 0; from < len(p.api); from += heldBatch {
		calls := p.api[from:min(from+heldBatch, len(p.api))]
		for i, id := range p.held.ids[from:][:len(calls)] {
			if ids[i], starts[i] = int64(id), calls[i].Start; id == 0 {
				ids[i] = p.held.other[from+i]
			}
		}
		p.found = p.NoteAll(p.found[:0], ids[:len(calls)], starts[:len(calls)])
		for i, found := range p.found {
			p.answer(from+i, calls[i].By(), found)
		}
	}
}
