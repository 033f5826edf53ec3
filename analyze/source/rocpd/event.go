package rocpd

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"

	"perfdiff/analyze/source/build"
	"perfdiff/analyze/source/nsys/table"
	"perfdiff/analyze/trace"
)

// events holds, by number, the event that every call, range, kernel and copy has: the correlation id of the call that
// it is or that launched it (stack_id), and its kind.
type events struct {
	stacks   dense
	kinds    []eventKind            // by number of the event
	messages map[int64]trace.NameID // of ranges, by number of the event
	within   []nested               // calls of HSA, in order once all were read
}

// nested is a call of HSA within one of HIP: copies are launched by the inner one.
type nested struct{ inner, outer int64 }

// eventKind says what the category of an event is about.
type eventKind uint8

const (
	kindOther eventKind = iota
	kindHIP
	kindHSA
	kindRange // of roctx
	kindRCCL
)

// kindOf returns what a category is about: rocprofv3 writes HIP_RUNTIME_API_EXT and MARKER_CORE_RANGE_API
// (MARKER_CORE_API before ROCm 7), rocprofiler-systems rocm_hip_api.
func kindOf(category string) eventKind {
	c := strings.ToLower(category)
	switch {
	case strings.Contains(c, "hip_runtime"), strings.Contains(c, "hip_api"):
		return kindHIP
	case strings.HasPrefix(c, "hsa_"), strings.Contains(c, "rocm_hsa"):
		return kindHSA
	case strings.Contains(c, "marker_core"), strings.Contains(c, "marker_api"):
		return kindRange
	case strings.Contains(c, "rccl"):
		return kindRCCL
	}
	return kindOther
}

// readTimes reads the timestamps, where rows have their numbers.
func (r *reader) readTimes(ctx context.Context) error {
	rows := r.src.Rows(ctx, timeTable+r.suffix)
	if err := build.Fit(ctx, r.room, 8*rows); err != nil {
		return err
	}
	r.times = newDense(rows)
	return r.scan(ctx, timeTable, table.Ints("id", "value"), func(b *table.Batch) {
		for i := range b.N {
			r.times.set(b.Cols[0][i], b.Cols[1][i])
		}
	})
}

func (r *reader) readEvents(ctx context.Context) error {
	rows := r.src.Rows(ctx, eventTable+r.suffix)
	if err := build.Fit(ctx, r.room, 9*rows); err != nil {
		return err
	}
	e := &r.events
	e.stacks, e.messages = newDense(rows), make(map[int64]trace.NameID)
	kinds := make(map[int64]eventKind) // by category
	cols := table.Ints("id", "category_id", "stack_id", "parent_stack_id")
	cols = append(cols, table.Column{Name: "extdata", Text: r.message})
	err := r.scan(ctx, eventTable, cols, func(b *table.Batch) {
		for i := range b.N {
			category := b.Cols[1][i]
			kind, known := kinds[category]
			if !known {
				kind = kindOf(r.names.Text(r.texts[category]))
				kinds[category] = kind
			}
			e.add(b.Cols[0][i], kind, b.Cols[2][i], b.Cols[3][i], b.Cols[4][i])
		}
	})
	slices.SortFunc(e.within, func(a, b nested) int {
		return cmp.Or(cmp.Compare(a.inner, b.inner), cmp.Compare(a.outer, b.outer))
	})
	return err
}

// add keeps an event.
func (e *events) add(id int64, kind eventKind, stack, parent, message int64) {
	e.stacks.set(id, stack)
	for len(e.kinds) < len(e.stacks.values) {
		e.kinds = append(e.kinds, kindOther)
	}
	if id >= 0 && id < int64(len(e.kinds)) {
		e.kinds[id] = kind
	}
	if kind == kindRange && message > 0 {
		e.messages[id] = trace.NameID(message)
	}
	if kind == kindHSA && parent > 0 && parent != stack {
		e.within = append(e.within, nested{stack, parent})
	}
}

// kind returns what an event is about.
func (e *events) kind(id int64) eventKind {
	if id < 0 || id >= int64(len(e.kinds)) {
		return kindOther
	}
	return e.kinds[id]
}

// outer returns the call around the one with a correlation id, itself where there is none.
func (e *events) outer(stack int64) int64 {
	inner := func(n nested, want int64) int { return cmp.Compare(n.inner, want) }
	at, ok := slices.BinarySearchFunc(e.within, stack, inner)
	if !ok {
		return stack
	}
	return e.within[at].outer
}

// message returns the id of the text in a range's JSON, table.Null if there is none.
func (r *reader) message(extdata string) int64 {
	if !strings.Contains(extdata, `"message"`) || len(extdata) > 4*build.MaxName {
		return table.Null
	}
	var beside struct {
		Message string `json:"message"`
	}
	if json.Unmarshal([]byte(extdata), &beside) != nil || beside.Message == "" {
		return table.Null
	}
	return int64(build.Name(r.names, beside.Message))
}
