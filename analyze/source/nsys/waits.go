package nsys

import (
	"cmp"
	"context"
	"slices"
	"sort"

	"perfdiff/analyze/source/nsys/table"
	"perfdiff/analyze/trace"
)

// noEvent is the id of an event where a row is about none.
const noEvent = 1<<32 - 1

// streamWait is the type of synchronization by which a stream waits for an event.
const streamWait = 2

// eventKey is an event of a process.
type eventKey struct{ process, context, event int64 }

// eventRecord is a call that recorded an event on a stream.
type eventRecord struct{ correlation, stream int64 }

// mostEvents limits how many records of events are read. Chosen, not measured: a step has some hundreds of them.
const mostEvents = 1 << 22

// waitReader finds which streams of a process waited for which.
type waitReader struct {
	src   table.Source
	procs *processes
}

// readStreamWaits finds which streams were told to wait for which: each wait names an event, and the last record of
// that event before it, in the order of calls, names the other stream. Without both tables nothing is known. Damage is
// not worth an error: without these waits the order of launches tells them.
func (r *waitReader) readStreamWaits(ctx context.Context) {
	const events, waits = "CUPTI_ACTIVITY_KIND_CUDA_EVENT", "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION"
	if n := r.src.Rows(ctx, events); n == 0 || n > mostEvents || r.src.Rows(ctx, waits) == 0 {
		return
	}
	records := map[eventKey][]eventRecord{}
	err := r.src.Scan(ctx, events, table.Ints("globalPid", "contextId", "eventId", "correlationId", "streamId"), func(b *table.Batch) {
		c := b.Cols
		for i := range b.N {
			at := eventKey{c[0][i], c[1][i], c[2][i]}
			records[at] = append(records[at], eventRecord{c[3][i], c[4][i]})
		}
	})
	if err != nil {
		return
	}
	for _, list := range records {
		slices.SortFunc(list, func(a, b eventRecord) int {
			return cmp.Or(cmp.Compare(a.correlation, b.correlation), cmp.Compare(a.stream, b.stream))
		})
	}
	found := r.matchWaits(ctx, waits, records)
	if len(found) > 0 {
		r.timeRecords(ctx, found)
	}
}

// foundWait is a wait of a process for what a call recorded.
type foundWait struct {
	trace.StreamWait
	process, record int64
}

// matchWaits finds for each wait the record of its event.
func (r *waitReader) matchWaits(ctx context.Context, waits string, records map[eventKey][]eventRecord) (found []foundWait) {
	r.src.Scan(ctx, waits, table.Ints("start", "globalPid", "contextId", "eventId", "correlationId", "streamId", "syncType"), func(b *table.Batch) {
		c := b.Cols
		for i := range b.N {
			if c[6][i] != streamWait || c[3][i] < 0 || c[3][i] == noEvent {
				continue
			}
			list := records[eventKey{c[1][i], c[2][i], c[3][i]}]
			n := sort.Search(len(list), func(k int) bool { return list[k].correlation >= c[4][i] })
			if n == 0 || list[n-1].stream == c[5][i] {
				continue
			}
			w := trace.StreamWait{At: c[0][i], Stream: int32(uint32(c[5][i])), On: int32(uint32(list[n-1].stream))}
			found = append(found, foundWait{w, c[1][i], list[n-1].correlation})
		}
	}) // what is wrong with the table is said by who reads all of it
	return found
}

// timeRecords finds when the records of waits were made, and gives the waits to their processes.
func (r *waitReader) timeRecords(ctx context.Context, found []foundWait) {
	type made struct{ process, correlation int64 }
	at := make(map[made]int64, len(found))
	for _, w := range found {
		at[made{w.process &^ threadBits, w.record}] = trace.NoTime
	}
	r.src.Scan(ctx, runtimeTable, table.Ints("start", "globalTid", "correlationId"), func(b *table.Batch) {
		c := b.Cols
		for i := range b.N {
			key := made{c[1][i] &^ threadBits, c[2][i]}
			if _, asked := at[key]; asked {
				at[key] = c[0][i]
			}
		}
	})
	for _, w := range found {
		if w.Recorded = at[made{w.process &^ threadBits, w.record}]; w.Recorded != trace.NoTime {
			p := r.procs.of(w.process)
			p.waits = append(p.waits, w.StreamWait)
		}
	}
}
