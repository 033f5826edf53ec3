package nsys

import (
	"perfdiff/analyze/source/nsys/table"
	"perfdiff/analyze/trace"
)

// faultLoad loads a table of page faults of unified memory. A row of the host is one fault at one moment; one of a
// device is so many as it handled together.
func (r *rowReader) faultLoad(tableName string, bits trace.Recorded) tableLoad {
	return tableLoad{table: tableName, bits: bits,
		cols: table.Ints("start", "globalPid", "end", "deviceId", "numberOfPageFaults"),
		emit: func(b *table.Batch) {
			for i := range b.N {
				f := trace.Fault{Start: b.Cols[0][i], End: b.Cols[2][i], Device: b.Cols[3][i], Count: b.Cols[4][i]}
				if bits == trace.HasHostFaults {
					f.End, f.Device, f.Count = f.Start, -1, 1
				}
				if p := r.host(b.Cols[1][i]); p != nil && f.Count > 0 && r.window.holds(f.Start, f.End) {
					p.faults = append(p.faults, f)
					r.seen(bits, 1)
				}
			}
		},
		undo: r.forget(func(p *process) { p.faults = nil }),
	}
}
