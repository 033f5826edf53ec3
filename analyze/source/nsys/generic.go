package nsys

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"perfdiff/analyze/source/nsys/table"
	"perfdiff/analyze/trace"
)

// efaFields are the fields of Amazon's EFA adapters, which are rates by their names. What a node reads from others it
// receives, and what it answers to their reads it sends.
var efaFields = map[string]trace.CounterKind{
	"rdma_read_bytes per second":       trace.NetReceive,
	"rdma_write_recv_bytes per second": trace.NetReceive,
	"rdma_read_resp_bytes per second":  trace.NetSend,
	"rdma_write_bytes per second":      trace.NetSend,
}

// efaRow is one event of an adapter: rates since its last event.
type efaRow map[trace.CounterKind]float64

// readGeneric reads the rates of EFA adapters, from the JSON of their events or
// from tables with a row for each field, as newer exports write them.
func (r *sampler) readGeneric(ctx context.Context) error {
	have, err := r.src.Columns(ctx, genericTable)
	if err != nil || have == nil {
		return err
	}
	split, err := r.splitEvents(ctx)
	if err != nil {
		return err
	}
	var rows []efaRow
	cols := table.Ints("timestamp", "typeId", "genericEventId", "data")
	cols[3].Text = func(s string) int64 {
		if row := parseEFA(s); row != nil {
			rows = append(rows, row)
			return int64(len(rows) - 1)
		}
		return table.Null
	}
	last := make(map[int64]int64) // time of the last event of a type
	err = r.src.Scan(ctx, genericTable, cols, func(b *table.Batch) {
		for i := range b.N {
			at, typ := b.Cols[0][i], b.Cols[1][i]
			row := split.of(b.Cols[2][i], typ)
			if k := b.Cols[3][i]; k != table.Null {
				row = rows[k]
			}
			if row == nil {
				continue
			}
			if before, ok := last[typ]; ok {
				device := fmt.Sprintf("EFA %d", typ&0xff)
				for kind, rate := range row {
					r.addSample(r.counters.node, counterKey{kind, device}, genericTable, before, at, rate*float64(at-before)/1e9)
				}
			}
			last[typ] = at
		}
		rows = rows[:0]
	})
	return err
}

// parseEFA takes the rates out of an event's JSON, nil if it has none.
func parseEFA(s string) efaRow {
	if !strings.Contains(s, "rdma_") {
		return nil // what other plug-ins write is not parsed
	}
	var fields map[string]any
	if json.Unmarshal([]byte(s), &fields) != nil {
		return nil
	}
	var row efaRow
	for name, kind := range efaFields {
		var v float64
		switch x := fields[name].(type) {
		case float64:
			v = x
		case string:
			if _, err := fmt.Sscan(x, &v); err != nil {
				continue
			}
		default:
			continue
		}
		if row == nil {
			row = efaRow{}
		}
		row[kind] += v
	}
	return row
}

// fieldID is a field of one type of event.
type fieldID struct{ typ, index int64 }

// splitFields holds fields that have rows of their own, as newer exports write them: what they mean by type, and their
// values by event and index.
type splitFields struct {
	kinds  map[fieldID]trace.CounterKind
	values map[int64]map[int64]float64
}

// of puts an event together, nil if it has no field that is read.
func (s *splitFields) of(event, typ int64) (row efaRow) {
	for index, v := range s.values[event] {
		if kind, ok := s.kinds[fieldID{typ, index}]; ok {
			if row == nil {
				row = efaRow{}
			}
			row[kind] += v
		}
	}
	return row
}

// maxEvents bounds the events whose fields are kept: an hour of eight adapters
// at a hundred a second.
const maxEvents = 3_000_000

func (r *sampler) splitEvents(ctx context.Context) (*splitFields, error) {
	s := &splitFields{values: make(map[int64]map[int64]float64)}
	var err error
	if s.kinds, err = r.efaColumns(ctx); err != nil || len(s.kinds) == 0 {
		return s, err
	}
	wanted := make(map[int64]bool)
	for id := range s.kinds {
		wanted[id.index] = true
	}
	cols := table.Ints("genericEventId", "fieldIdx", "intVal", "uintVal", "floatVal", "doubleVal")
	for i := 2; i < len(cols); i++ {
		cols[i].Text = floatBits
	}
	err = r.src.Scan(ctx, "GENERIC_EVENT_DATA", cols, func(b *table.Batch) {
		for i := range b.N {
			event, index := b.Cols[0][i], b.Cols[1][i]
			if !wanted[index] || len(s.values) >= maxEvents {
				continue
			}
			for _, c := range b.Cols[2:] {
				if c[i] != table.Null {
					if s.values[event] == nil {
						s.values[event] = make(map[int64]float64, 4)
					}
					s.values[event][index] = math.Float64frombits(uint64(c[i]))
					break
				}
			}
		}
	})
	return s, err
}

// efaColumns returns the adapters' fields by type and index.
func (r *sampler) efaColumns(ctx context.Context) (map[fieldID]trace.CounterKind, error) {
	rows, err := table.Small(ctx, r.src, "GENERIC_EVENT_TYPE_FIELDS", "typeId", "fieldIdx", "fieldNameId")
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	names, err := r.texts(ctx)
	kinds := make(map[fieldID]trace.CounterKind)
	for _, row := range rows {
		if kind, ok := efaFields[names[row.Num(2)]]; ok {
			kinds[fieldID{row.Num(0), row.Num(1)}] = kind
		}
	}
	return kinds, err
}

// texts returns the entries of StringIds that name fields of the adapters.
func (r *sampler) texts(ctx context.Context) (map[int64]string, error) {
	var found []string
	cols := []table.Column{{Name: "id"}, {Name: "value", Text: func(s string) int64 {
		if _, ok := efaFields[s]; !ok {
			return table.Null
		}
		found = append(found, strings.Clone(s))
		return int64(len(found) - 1)
	}}}
	names := make(map[int64]string)
	err := r.src.Scan(ctx, "StringIds", cols, func(b *table.Batch) {
		for i := range b.N {
			if at := b.Cols[1][i]; at != table.Null {
				names[b.Cols[0][i]] = found[at]
			}
		}
	})
	return names, err
}
