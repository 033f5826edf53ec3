package nsys

import (
	"context"
	"strings"

	"perfdiff/analyze/source/build"
	"perfdiff/analyze/source/nsys/table"
	"perfdiff/analyze/trace"
)

// hostTables returns the tables of what host threads did, first the calls that launch. ranges is one of them.
func (r *rowReader) hostTables(ctx context.Context, ranges tableLoad) ([]tableLoad, error) {
	access, err := r.accessTable(ctx)
	if err != nil {
		return nil, err
	}
	mpi, err := r.mpiLoads(ctx)
	if err != nil {
		return nil, err
	}
	return append([]tableLoad{r.runtimeCalls(), r.schedule(), r.osTable(r.helperReads(ctx)), r.syncTable(), access, ranges}, append(mpi, r.faultLoad("CUDA_UM_CPU_PAGE_FAULT_EVENTS", trace.HasHostFaults), r.faultLoad("CUDA_UM_GPU_PAGE_FAULT_EVENTS", trace.HasDeviceFaults))...), nil
}

// host returns the process of a row of host activity: nil where other processes
// have the device work, whose rows would only take memory.
func (r *rowReader) host(global int64) *process {
	p := r.procs.of(global)
	if len(p.devices) == 0 && r.anyDevice {
		p.passed++
		return nil
	}
	return p
}

// hostRun does what host does, for a row of a table and the rows after it of the same process, which end before to:
// most tables are one run.
func (r *rowReader) hostRun(globals []int64, from int) (p *process, to int) {
	to = runOf(globals, from)
	if p = r.host(globals[from]); p == nil {
		r.procs.of(globals[from]).passed += to - from - 1
	}
	return p, to
}

// runOf returns the end of the rows that have the same process as the row at from.
func runOf(globals []int64, from int) (to int) {
	first := globals[from] &^ threadBits
	for to = from + 1; to < len(globals) && globals[to]&^threadBits == first; {
		to++
	}
	return to
}

func (r *rowReader) runtimeCalls() tableLoad {
	return tableLoad{
		table: runtimeTable,
		cols:  table.Ints("start", "end", "globalTid", "correlationId", "nameId"),
		emit:  r.takeCalls,
		undo:  r.forget(func(p *process) { p.api, p.Launches = nil, build.Launches{} }),
		bits:  trace.HasLaunches,
		of:    trace.Calls,
	}
}

// takeCalls takes calls of CUDA, and the launches among them.
func (r *rowReader) takeCalls(b *table.Batch) {
	for from := 0; from < b.N; {
		p, to := r.hostRun(b.Cols[2][:b.N], from)
		if p != nil {
			r.takeCallsOf(p, b.Cols, from, to)
		}
		from = to
	}
}

// takeCallsOf takes the rows [from, to), all of one process.
func (r *rowReader) takeCallsOf(p *process, c [][]int64, from, to int) {
	api := r.roomFor(p.api)
	starts, ends, tids, ids, names := c[0][from:to], c[1][from:to], c[2][from:to], c[3][from:to], c[4][from:to]
	p.found = p.NoteAll(p.found[:0], ids, starts)
	for i, start := range starts {
		if r.window.holds(start, ends[i]) {
			call := r.callBy(&p.callers, start, ends[i], tids[i], names[i], spelledWithVersion)
			p.answer(len(api), call.By(), p.found[i])
			api = append(api, call)
		}
	}
	p.api = api
}

// roomFor returns a list with room for another call; the first of a table makes room for all of
// its rows.
func (r *rowReader) roomFor(calls []trace.Call) []trace.Call {
	if calls != nil {
		return calls
	}
	return r.lists.Calls(r.share())
}

// helpers says which calls of helper processes are kept.
type helpers struct {
	of    *process       // the process that they help; nil: not known
	reads map[int64]bool // entries of StringIds that name reading calls
}

// helperReads returns which calls of helper processes to keep: reads, if there is one process with device work for
// which they can be loading data. Other calls would only take memory, so the names are looked up before the calls are
// read. Errors here do not matter enough to fail.
func (r *rowReader) helperReads(ctx context.Context) helpers {
	h := helpers{reads: make(map[int64]bool)}
	owners := 0
	for _, p := range r.procs.byID {
		if len(p.devices) > 0 {
			owners++
			h.of = p
		}
	}
	if owners != 1 || r.src.Rows(ctx, osTable) == 0 {
		return helpers{}
	}
	cols := []table.Column{{Name: "id"}, {Name: "value", Text: func(s string) int64 {
		if trace.ReadCall(s) {
			return 1
		}
		return 0
	}}}
	err := r.src.Scan(ctx, "StringIds", cols, func(b *table.Batch) {
		for i := range b.N {
			if b.Cols[1][i] == 1 && len(h.reads) < maxReads {
				h.reads[b.Cols[0][i]] = true
			}
		}
	})
	if err != nil {
		return helpers{}
	}
	return h
}

// maxReads bounds the ids of names of calls: a file has each name once.
const maxReads = 1 << 10

// osTable loads calls of the operating system. Those of helpers go to the process
// that they help, with the thread's number negative.
func (r *rowReader) osTable(helper helpers) tableLoad {
	return tableLoad{
		table: osTable,
		cols:  table.Ints("start", "end", "globalTid", "nameId"),
		emit: func(b *table.Batch) {
			r.takeSystemCalls(b, helper)
			r.seen(trace.HasOS, b.N)
		},
		undo: r.forget(func(p *process) { p.os = nil }),
		bits: trace.HasOS,
		of:   trace.SystemCalls,
	}
}

// takeSystemCalls takes calls of the system.
func (r *rowReader) takeSystemCalls(b *table.Batch, helper helpers) {
	for from := 0; from < b.N; {
		own, to := r.hostRun(b.Cols[2][:b.N], from)
		switch {
		case own != nil:
			r.systemCalls(own, b.Cols, from, to)
		case helper.of != nil:
			r.helpersCalls(b.Cols, from, to, helper)
		}
		from = to
	}
}

// systemCalls appends the rows [from, to), all of one process, to its calls.
func (r *rowReader) systemCalls(p *process, c [][]int64, from, to int) {
	calls := r.roomFor(p.os)
	ends, tids, names := c[1][from:to], c[2][from:to], c[3][from:to]
	for i, start := range c[0][from:to] {
		if r.window.holds(start, ends[i]) {
			calls = append(calls, r.callBy(&p.callers, start, ends[i], tids[i], names[i], spelledAsWritten))
		}
	}
	p.os = calls
}

// helpersCalls gives reads of a helper, in the rows [from, to), to the process that it helps.
func (r *rowReader) helpersCalls(c [][]int64, from, to int, helper helpers) {
	p := helper.of
	for i := from; i < to; i++ {
		if helper.reads[c[3][i]] && r.window.holds(c[0][i], c[1][i]) {
			by := p.ID(trace.Caller{Thread: -thread(c[2][i]), Name: nameBy(r.words.id(c[3][i]), spelledAsWritten)})
			p.os = append(r.roomFor(p.os), trace.NewCall(c[0][i], c[1][i], by))
		}
	}
}

func (r *rowReader) syncTable() tableLoad {
	return tableLoad{
		table: "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION",
		cols:  table.Ints("start", "end", "globalPid", "streamId", "syncType"),
		emit: func(b *table.Batch) {
			c := b.Cols
			for i := range b.N {
				if p := r.host(c[2][i]); p != nil && r.window.holds(c[0][i], c[1][i]) {
					p.syncs = append(p.syncs, trace.Sync{Start: c[0][i], End: c[1][i],
						Stream: int32(uint32(c[3][i])), Type: small(c[4][i])})
				}
			}
			r.seen(trace.HasSyncs, b.N)
		},
		undo: r.forget(func(p *process) { p.syncs = nil }),
		bits: trace.HasSyncs,
	}
}

// small returns v as a byte, 0 when it is none.
func small(v int64) uint8 {
	if v < 0 || v > 255 {
		return 0
	}
	return uint8(v)
}

// seen notes that a table had rows.
func (r *rowReader) seen(bits trace.Recorded, rows int) {
	if rows > 0 {
		r.recorded |= bits
	}
}

// accessTable loads file accesses. Their thread is the system's number, from
// which the process does not follow; the file's descriptor names it.
func (r *rowReader) accessTable(ctx context.Context) (tableLoad, error) {
	l := tableLoad{table: "OSRT_FILE_ACCESS_EVENTS", bits: trace.HasFileBytes, of: trace.FileAccesses}
	owner, err := r.fileOwners(ctx)
	if err != nil {
		return l, err
	}
	operation, err := r.operations(ctx)
	if err != nil {
		return l, err
	}
	bySystemID := make(map[int64]*process)
	for _, p := range r.procs.sorted() {
		if len(p.devices) > 0 && bySystemID[p.systemID()] == nil {
			bySystemID[p.systemID()] = p
		}
	}
	l.cols = table.Ints("startedAt", "endedAt", "threadId", "fileAccessId", "bytesProcessed", "eventType")
	l.emit = func(b *table.Batch) {
		c := b.Cols
		for i := range b.N {
			if !r.window.holds(c[0][i], c[1][i]) {
				continue
			}
			bytes := max(c[4][i], 0)
			r.seen(trace.HasFileBytes, int(min(bytes, 1)))
			p := r.accessProcess(bySystemID, c[2][i], owner[c[3][i]])
			p.access = append(p.access, trace.FileAccess{Start: c[0][i], End: c[1][i], Bytes: bytes,
				Thread: thread(c[2][i]), Op: operation[c[5][i]]})
		}
	}
	l.undo = r.forget(func(p *process) { p.access = nil })
	return l, nil
}

// accessProcess returns the process of a file access: by its thread where that is a global id, else by the process of
// the file's descriptor, else by the thread's number, which for a first thread is the process's.
func (r *rowReader) accessProcess(bySystemID map[int64]*process, tid, pid int64) *process {
	switch {
	case tid > threadBits || tid < 0:
		return r.procs.of(tid)
	case pid > threadBits || pid < 0:
		return r.procs.of(pid)
	case pid == 0:
		pid = tid
	}
	if p := bySystemID[pid]; p != nil {
		return p
	}
	return r.procs.of(pid << 24)
}

// fileOwners returns the processes of the opened files.
func (r *rowReader) fileOwners(ctx context.Context) (map[int64]int64, error) {
	rows, err := table.Small(ctx, r.src, "OSRT_FILE_ACCESS_DESCRIPTORS", "fileAccessId", "processId")
	owners := make(map[int64]int64, len(rows))
	for _, row := range rows {
		owners[row.Num(0)] = max(row.Num(1), 0)
	}
	return owners, err
}

// operations returns the kinds of file access that move bytes, by the file's own list, or else by the usual numbers.
func (r *rowReader) operations(ctx context.Context) (map[int64]trace.Op, error) {
	rows, err := table.Small(ctx, r.src, "ENUM_OSRT_FILE_ACCESS_EVENT_TYPE", "id", "name")
	if err != nil || len(rows) == 0 {
		return map[int64]trace.Op{3: trace.OpRead, 4: trace.OpWrite}, err
	}
	ops := make(map[int64]trace.Op, len(rows))
	for _, row := range rows {
		switch strings.ToLower(row[1]) {
		case "read":
			ops[row.Num(0)] = trace.OpRead
		case "write":
			ops[row.Num(0)] = trace.OpWrite
		}
	}
	return ops, nil
}
