package synth

import (
	"cmp"
	"slices"
)

// readAll simulates the loader threads of a rank. Reading the batch of a step begins when the
// wait for the previous one ends. It goes on until the batch is needed, or is a burst.
func (m *simulation) readAll(r *simulatedRank) {
	if m.Reads.Bytes == 0 {
		return
	}
	from := max(r.hostStarts[0]-leadIn/4, r.origin)
	for i, in := range r.inputs {
		until := in.end
		if m.Reads.Rate > 0 {
			until = min(until, from+int64(float64(m.Reads.Bytes)/m.Reads.Rate*1e9))
		}
		m.readBatch(r, i, from, until)
		from = in.end
	}
	slices.SortStableFunc(r.reads, func(a, b read) int {
		return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.thread, b.thread))
	})
}

// readBatch spreads the chunks of a batch over the threads and over the time
// from lo to hi.
func (m *simulation) readBatch(r *simulatedRank, batch int, lo, hi int64) {
	chunks := (m.Reads.Bytes + m.Reads.Chunk - 1) / m.Reads.Chunk
	threads := int64(m.Reads.Threads)
	rounds := (chunks + threads - 1) / threads
	slot := (hi - lo) / rounds
	for c := range chunks {
		start := lo + c/threads*slot + m.random.Int64N(slot/40+1)
		end := start + int64(float64(slot)*(0.94+float64(0.03*m.random.Float64())))
		bytes := min(m.Reads.Chunk, m.Reads.Bytes-c*m.Reads.Chunk)
		r.reads = append(r.reads, read{start: start, end: end, bytes: bytes, thread: int(c % threads), file: batch})
	}
}
