package nsys

import (
	"context"

	"perfdiff/analyze/source/build"
	"perfdiff/analyze/source/nsys/table"
	"perfdiff/analyze/trace"
)

// deviceTable loads a table of device activity. fill completes a span with
// the values of the two columns that only this table has, and row is which of the batch it is:
// what adds columns looks there.
func (r *rowReader) deviceTable(
	tableName string, kind trace.Kind, a, b string, fill func(s *trace.Span, a, b int64, row int),
) tableLoad {
	return tableLoad{
		table: tableName,
		cols:  table.Ints("start", "end", "globalPid", "deviceId", "streamId", "correlationId", a, b),
		emit: func(rows *table.Batch) {
			c := rows.Cols
			var d *device // of the last span
			var l *build.Launches
			var spans []trace.Span
			var pid, ordinal int64
			for i, start := range c[0][:rows.N] {
				end := c[1][i]
				if !r.window.holds(start, end) {
					continue
				}
				if d == nil || c[2][i] != pid || c[3][i] != ordinal {
					d.keep(spans)
					pid, ordinal = c[2][i], c[3][i]
					p := r.procs.of(pid)
					if d = p.device(max(ordinal, 0), r); d == nil {
						continue
					}
					spans, l = d.spans, &p.Launches
				}
				spans = append(spans, trace.Span{}) // filled where it lies, since a copy of it costs as much as all else
				s := &spans[len(spans)-1]
				s.Start, s.End, s.Launch, s.Stream, s.Kind = start, end, c[5][i], int32(uint32(c[4][i])), kind
				l.Ask(c[5][i])
				fill(s, c[6][i], c[7][i], i)
			}
			d.keep(spans)
		},
		undo: func() { r.procs.dropKind(kind) },
		bits: trace.HasDevice | trace.HasLaunches,
		of:   contentOf(kind),
	}
}

// contentOf returns the content of a capture to which spans of a kind belong.
func contentOf(kind trace.Kind) trace.Content {
	if kind == trace.Kernel || kind == trace.Graph {
		return trace.Kernels
	}
	return trace.Copies
}

// dropKind forgets the spans of a table that could not be read whole.
func (p *processes) dropKind(kind trace.Kind) {
	for _, proc := range p.byID {
		for _, d := range proc.devices {
			kept := d.spans[:0]
			for _, s := range d.spans {
				if s.Kind != kind {
					kept = append(kept, s)
				}
			}
			d.spans = kept
		}
	}
}

// deviceTables returns the tables of device activity.
func (r *rowReader) deviceTables(ctx context.Context) ([]tableLoad, error) {
	name, err := r.kernelName(ctx)
	if err != nil {
		return nil, err
	}
	copies := make(map[int64]word)
	for kind, text := range copyNames {
		copies[kind] = r.words.literal("Memcpy " + text)
	}
	other, set, graph := r.words.literal("Memcpy"), r.words.literal("Memset"), r.words.literal("CUDA graph")
	var ends [2][]int64 // of the batch: the kinds of memory that are copied from and to
	memcpy := r.deviceTable("CUPTI_ACTIVITY_KIND_MEMCPY", trace.Memcpy, "bytes", "copyKind", func(s *trace.Span, bytes, kind int64, row int) {
		s.Class, s.Name = trace.Memory, trace.NameID(other)
		s.SetBytes(bytes)
		if at, ok := copies[kind]; ok {
			s.Copy, s.Name = trace.CopyKind(kind), trace.NameID(at)
			switch s.Copy.String() {
			case "h2d":
				s.Copy = s.Copy.With(hostMemory(ends[0][row]))
			case "d2h":
				s.Copy = s.Copy.With(hostMemory(ends[1][row]))
			}
		}
	})
	first, emit := len(memcpy.cols), memcpy.emit
	memcpy.cols = append(memcpy.cols, table.Ints("srcKind", "dstKind")...)
	memcpy.emit = func(rows *table.Batch) {
		ends = [2][]int64{rows.Cols[first], rows.Cols[first+1]}
		emit(rows)
	}
	memcpy.bits |= trace.HasMemcpyBytes
	kernels := r.deviceTable(kernelTable, trace.Kernel, name, "", func(s *trace.Span, id, _ int64, _ int) {
		s.Class, s.Name = trace.Compute, trace.NameID(r.words.id(id))
	})
	if r.src.Rows(ctx, kernelTable) <= mostVotes {
		kernels = r.withShapes(kernels)
	} else {
		r.firstShapes(ctx, name)
	}
	loads := []tableLoad{
		kernels, memcpy,
		r.deviceTable("CUPTI_ACTIVITY_KIND_MEMSET", trace.Memset, "bytes", "", func(s *trace.Span, bytes, _ int64, _ int) {
			s.Class, s.Name = trace.Memory, trace.NameID(set)
			s.SetBytes(bytes)
		}),
		r.deviceTable("CUPTI_ACTIVITY_KIND_GRAPH_TRACE", trace.Graph, "", "", func(s *trace.Span, _, _ int64, _ int) {
			s.Name = trace.NameID(graph)
		}),
	}
	for _, l := range loads[1:] {
		if !r.inParts {
			r.later += r.src.Rows(ctx, l.table)
		}
	}
	return loads, nil
}

// shapeColumns say how a kernel was launched.
var shapeColumns = []string{"gridX", "gridY", "gridZ", "blockX", "blockY", "blockZ", "registersPerThread", "staticSharedMemory", "dynamicSharedMemory"}

// mostVotes is for how many kernels of a file the launch shape is read: the most frequent shape of a name does not
// change after so many, and nine columns of millions of rows cost a tenth of reading them.
const mostVotes = 1 << 16

// withShapes also reads how the kernels were launched, if a table has few of them.
func (r *rowReader) withShapes(l tableLoad) tableLoad {
	first, emit := len(l.cols), l.emit
	l.cols = append(l.cols, table.Ints(shapeColumns...)...)
	l.emit = func(rows *table.Batch) {
		r.vote(rows, 6, first)
		emit(rows)
	}
	return l
}

// firstShapes reads how the first of many kernels were launched.
func (r *rowReader) firstShapes(ctx context.Context, name string) {
	seen := 0
	ctx, enough := context.WithCancel(ctx)
	defer enough()
	r.src.Scan(ctx, kernelTable, table.Ints(append([]string{name}, shapeColumns...)...), func(rows *table.Batch) {
		if seen >= mostVotes {
			enough()
			return
		}
		r.vote(rows, 0, 1)
		seen += rows.N
	}) // what is wrong with the table is said by who reads all of it
}

// vote counts launches, by the columns of the name and of the first of shapeColumns.
func (r *rowReader) vote(rows *table.Batch, name, first int) {
	c := rows.Cols
	small := func(k, i int) int32 { return int32(min(max(c[first+k][i], 0), 1<<31-1)) }
	for i := range rows.N {
		s := trace.Shape{
			Grid: [3]int32{small(0, i), small(1, i), small(2, i)}, Block: [3]int32{small(3, i), small(4, i), small(5, i)}, Registers: small(6, i),
			Shared: int64(small(7, i)) + int64(small(8, i)),
		}
		at := int(r.words.id(c[name][i]))
		r.shapes.Add(at, s)
	}
}

// hostMemory converts a kind of ENUM_CUDA_MEM_KIND that the host's memory can have.
func hostMemory(kind int64) trace.HostMemory {
	switch kind {
	case 0:
		return trace.HostPageable
	case 1:
		return trace.HostPinned
	case 4, 6:
		return trace.HostManaged
	}
	return trace.HostUnknown
}

// copyNames are the directions of CUpti_ActivityMemcpyKind, as the profiler
// writes them.
var copyNames = map[int64]string{
	1: "HtoD", 2: "DtoH", 3: "HtoA", 4: "AtoH", 5: "AtoA", 6: "AtoD", 7: "DtoA", 8: "DtoD", 9: "HtoH",
	10: "PtoP", 11: "Unified HtoD", 12: "Unified DtoH", 13: "Unified DtoD",
}

// kernelName returns the column with the best name of a kernel.
func (r *rowReader) kernelName(ctx context.Context) (string, error) {
	have, err := r.src.Columns(ctx, kernelTable)
	for _, name := range []string{"demangledName", "shortName", "mangledName"} {
		if have.Has(name) {
			return name, err
		}
	}
	return "", err
}
