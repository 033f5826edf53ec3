package nsys

import (
	"perfdiff/analyze/source/nsys/table"
	"perfdiff/analyze/trace"
)

// faultLoads returns the tables of page faults of unified memory. A row of the host is one fault at one moment; one of
// a device is so many as it handled together.
func (r *rowReader) faultLoads() []tableLoad {
	load := func(name string, cols []table.Column, fault func(c [][]int64, i int) trace.Fault) tableLoad {
		return tableLoad{table: name, cols: cols, bits: trace.HasFaults,
			emit: func(b *table.Batch) error {
				for i := range b.N {
					f := fault(b.Cols, i)
					if p := r.host(b.Cols[1][i]); p != nil && f.Count > 0 && r.window.holds(f.Start, f.End) {
						p.faults = append(p.faults, f)
					}
				}
				return nil
			},
			undo: func() {
				for _, p := range r.procs.byID {
					p.faults = nil
				}
			},
		}
	}
	return []tableLoad{
		load("CUDA_UM_CPU_PAGE_FAULT_EVENTS", table.Ints("start", "globalPid"), func(c [][]int64, i int) trace.Fault {
			return trace.Fault{Start: c[0][i], End: c[0][i], Count: 1, Device: -1}
		}),
		load("CUDA_UM_GPU_PAGE_FAULT_EVENTS", table.Ints("start", "globalPid", "end", "deviceId", "numberOfPageFaults"),
			func(c [][]int64, i int) trace.Fault {
				return trace.Fault{Start: c[0][i], End: c[2][i], Count: c[4][i], Device: max(c[3][i], 0)}
			}),
	}
}

// faultsOf returns the faults of the host and of one device.
func (p *process) faultsOf(device int64) (out []trace.Fault) {
	for _, f := range p.faults {
		if f.Device < 0 || f.Device == device {
			out = append(out, f)
		}
	}
	return out
}
