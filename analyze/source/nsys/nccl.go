package nsys

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"perfdiff/analyze/kernelname"
	"perfdiff/analyze/source/build"
	"perfdiff/analyze/source/nsys/table"
)

// ncclRank is the rank of a process in its largest communicator.
type ncclRank struct{ rank, size int }

// ncclCall is a range of NCCL with its payload.
type ncclCall struct {
	start, end int64
	thread     int32
	name       word
	json       word // the payload's text, where StringIds has it
	payload    payload
	exchanges  bool  // it stands for calls that send and calls that receive
	toAll      bool  // of exchanges: with all ranks of the communicator
	received   int64 // of toAll: bytes, in all; payload.bytes are those sent
}

// maxCalls bounds the payloads that are kept of a process.
const maxCalls = 1 << 22

// ncclReader reads what NCCL's ranges say about its calls, and gives it to the kernels that they launched.
type ncclReader struct {
	src          table.Source
	words        *words
	procs        *processes
	facts        *facts
	calls        collectives // that names of ranges say that a call begins
	withPayloads bool        // they were read with the ranges, or there are none
}

// payloads reads what NCCL's ranges say about its calls, which an export holds only if it was asked to: as JSON, as
// bytes, or in tables of their own.
type payloads struct {
	r       *ncclReader
	schemas map[schemaKey][]layoutField
	byEvent map[int64]payload
	found   []payload // of a batch
}

// payloads returns the reader of an export's payloads, nil where it has none.
func (r *ncclReader) payloads(ctx context.Context) (*payloads, error) {
	have, err := r.src.Columns(ctx, rangeTable)
	if err != nil || have == nil {
		return nil, err
	}
	x := &payloads{r: r}
	if x.schemas, err = r.readSchemas(ctx, have); err != nil {
		return nil, err
	}
	x.byEvent, err = r.readDynamic(ctx, have)
	if err != nil || (r.facts.export["PARAM_INCLUDE_JSON"] == "false" || !have.Has("jsonText") && !have.Has("jsonTextId")) && x.schemas == nil && x.byEvent == nil {
		return nil, err
	}
	return x, nil
}

// columns returns the columns that hold payloads.
func (x *payloads) columns() []table.Column {
	cols := table.Ints("jsonTextId", "eventId", "jsonText", "binaryData")
	cols[2].Text = func(s string) int64 { return x.keep(parseJSON(s)) }
	cols[3].Text = func(s string) int64 { return x.keep(parseBinary(s, x.schemas)) }
	return cols
}

func (x *payloads) keep(p payload, ok bool) int64 {
	if !ok {
		return table.Null
	}
	x.found = append(x.found, p)
	return int64(len(x.found) - 1)
}

// of returns the call that row i describes; false if it describes none.
func (x *payloads) of(c [][]int64, i int) (call ncclCall, ok bool) {
	switch at := max(c[2][i], c[3][i]); {
	case at != table.Null:
		call.payload = x.found[at]
	case c[0][i] != table.Null:
		call.payload, call.json = newPayload(), x.r.words.id(c[0][i])
	default:
		call.payload, ok = x.byEvent[c[1][i]]
		return call, ok
	}
	return call, true
}

// readPayloads reads the payloads, unless they were read with the ranges.
func (r *ncclReader) readPayloads(ctx context.Context) error {
	if r.withPayloads {
		return nil
	}
	x, err := r.payloads(ctx)
	if err != nil || x == nil {
		return err
	}
	cols := append(table.Ints("start", "end", "eventType", "textId", "domainId", "globalTid", "text"), x.columns()...)
	var names arena // few of the ranges are calls of NCCL
	cols[6].Text = names.keep
	return r.src.Scan(ctx, rangeTable, cols, func(b *table.Batch) {
		for i := range b.N {
			if c, ok := x.of(b.Cols[7:], i); ok {
				if at := b.Cols[6][i]; at != table.Null {
					c.name = r.words.label(strings.Clone(names.view(at)))
				}
				r.addCall(b.Cols, i, c)
			}
		}
		x.found = x.found[:0]
		names.clear()
	})
}

func (r *ncclReader) addCall(c [][]int64, i int, call ncclCall) {
	p := r.procs.of(c[5][i])
	if kind := c[2][i]; kind != nvtxPushPop && kind != nvtxStartEnd || p.calls.Len() >= maxCalls {
		return
	}
	if call.name == 0 {
		call.name = r.words.id(c[3][i])
	}
	call.start, call.end, call.thread = c[0][i], c[1][i], thread(c[5][i])
	p.calls.Add(call)
}

// readSchemas reads the layouts of binary payloads; nil where there are none.
func (r *ncclReader) readSchemas(ctx context.Context, have table.NameSet) (map[schemaKey][]layoutField, error) {
	if !have.Has("binaryData") {
		return nil, nil
	}
	rows, err := table.Small(ctx, r.src, "NVTX_PAYLOAD_SCHEMA_ENTRIES",
		"domainId", "schemaId", "idx", "type", "name", "offset")
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	slices.SortStableFunc(rows, func(a, b table.Row) int { return cmp.Compare(a.Num(2), b.Num(2)) })
	type place struct {
		schemaKey
		index int64
	}
	schemas, seen := make(map[schemaKey][]layoutField), make(map[place]bool)
	for _, row := range rows {
		at := place{schemaKey{uint64(row.Num(0)), uint64(row.Num(1))}, row.Num(2)}
		if seen[at] {
			continue // of another process
		}
		seen[at] = true
		e := layoutField{label: row[4], kind: row.Num(3), offset: row.Num(5)}
		if e.offset == 0 && at.index > 0 {
			e.offset = table.Null
		}
		schemas[at.schemaKey] = append(schemas[at.schemaKey], e)
	}
	return schemas, nil
}

// readDynamic reads the payloads that were written to tables of their own, by event; nil where there are none.
func (r *ncclReader) readDynamic(ctx context.Context, have table.NameSet) (map[int64]payload, error) {
	if !have.Has("eventId") {
		return nil, nil
	}
	rows, err := table.Small(ctx, r.src, "NVTX_EVENTS_PAYLOAD_SCHEMAS", "globalPid", "domainId", "payloadSchemaID")
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	names := make(map[string]bool)
	for _, row := range rows {
		if row.Num(0) != table.Null && row.Num(1) != table.Null && row.Num(2) != table.Null {
			names[fmt.Sprintf("DYNAMIC_NVTXPAYLOAD_DATATYPE_%d_%d_%d", row.Num(0), row.Num(1), row.Num(2))] = true
		}
	}
	byEvent := make(map[int64]payload)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if err := r.readTable(ctx, name, byEvent); err != nil {
			return nil, err
		}
	}
	return byEvent, nil
}

// readTable reads one such table, which has a column for each value, named by its label.
func (r *ncclReader) readTable(ctx context.Context, tableName string, into map[int64]payload) error {
	have, err := r.src.Columns(ctx, tableName)
	if err != nil || !have.Has("eventId") {
		return err
	}
	cols := table.Ints("eventId")
	var texts []string
	for _, label := range slices.Sorted(maps.Keys(have)) {
		if label != table.Fold("eventId") {
			cols = append(cols, table.Column{Name: label, Text: func(s string) int64 {
				texts = append(texts, table.CopyText(s))
				return int64(len(texts) - 1)
			}})
		}
	}
	return r.src.Scan(ctx, tableName, cols, func(b *table.Batch) {
		for i := range b.N {
			p := newPayload()
			for c := 1; c < len(cols); c++ {
				if at := b.Cols[c][i]; at != table.Null {
					p.set(cols[c].Name, texts[at])
				}
			}
			if p.known() && len(into) < maxCalls {
				into[b.Cols[0][i]] = p
			}
		}
		texts = texts[:0]
	})
}

// ncclRanks finds the rank of each process in the payloads, once the texts are
// known. The largest communicator is the job's; one rank in it is needed, and a
// second different one says that it is not.
func (r *ncclReader) ncclRanks() map[uint64]ncclRank {
	ranks := make(map[uint64]ncclRank)
	for _, p := range r.procs.byID {
		kept := 0
		for i := range p.calls.Len() {
			c := p.calls.At(i)
			if c.json != 0 {
				c.payload, _ = parseJSON(r.words.text[c.json])
			}
			if !c.payload.known() {
				continue
			}
			*p.calls.At(kept) = *c
			kept++
			if rank, size := c.payload.rank, c.payload.ranks; rank != table.Null && size != table.Null && rank < size && size <= build.MaxRank {
				larger(ranks, p.id, ncclRank{int(rank), int(size)})
			}
		}
		p.calls.Cut(kept)
	}
	return ranks
}

// larger keeps the rank in the larger communicator.
func larger(ranks map[uint64]ncclRank, process uint64, one ncclRank) {
	known, ok := ranks[process]
	switch {
	case !ok || one.size > known.size:
		ranks[process] = one
	case one.size == known.size && one.rank != known.rank:
		ranks[process] = ncclRank{ambiguous, known.size}
	}
}

// collectiveOf returns the collective that a call begins: "ncclAllReduce" of NCCL's
// own ranges, "AllReduce" of the advanced trace.
func (r *ncclReader) collectiveOf(c *ncclCall) string {
	if c.toAll {
		return allToAll
	}
	return r.calls.of(c.name, func() string {
		name := kernelname.CollectiveName(strings.TrimPrefix(r.words.text[c.name], "nccl"))
		if name == "Generic" || name == "Dispatch" || name == "Combine" {
			return ""
		}
		return name
	})
}

// collectives remembers which collective a call begins, by the word of its name, so that each name is parsed once.
// There are few collectives, and there may be a name for each call.
type collectives struct {
	places []uint8 // 1 + that of the collective; 0 not asked
	names  []string
}

func (c *collectives) of(name word, ask func() string) string {
	if more := int(name) + 1 - len(c.places); more > 0 {
		c.places = append(c.places, make([]uint8, max(more, len(c.places)))...)
	}
	if at := c.places[name]; at > 0 {
		return c.names[at-1]
	}
	collective := ask()
	at := slices.Index(c.names, collective)
	if at < 0 {
		at, c.names = len(c.names), append(c.names, collective)
	}
	c.places[name] = uint8(at) + 1
	return collective
}
