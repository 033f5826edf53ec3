package nsys

import (
	"context"
	"strings"

	"perfdiff/analyze/source/nsys/table"
	"perfdiff/analyze/trace"
)

// mpiTables are the tables of calls to MPI and to UCX, which MPI or the program calls.
var mpiTables = []string{
	"MPI_P2P_EVENTS", "MPI_COLLECTIVES_EVENTS", "MPI_START_WAIT_EVENTS", "MPI_OTHER_EVENTS",
	"UCP_SUBMIT_EVENTS", "UCP_PROGRESS_EVENTS", "UCP_EVENTS",
}

// mpiLoads returns those tables that the file has.
func (r *rowReader) mpiLoads(ctx context.Context) (loads []tableLoad, err error) {
	for _, tableName := range mpiTables {
		have, err := r.src.Columns(ctx, tableName)
		if err != nil {
			return nil, err
		}
		if have != nil {
			loads = append(loads, r.mpiTable(tableName))
		}
	}
	return loads, nil
}

func (r *rowReader) mpiTable(tableName string) tableLoad {
	return tableLoad{
		table: tableName,
		cols:  table.Ints("start", "end", "globalTid", "textId"),
		emit: func(b *table.Batch) {
			c := b.Cols
			for i := range b.N {
				if p := r.host(c[2][i]); p != nil && r.window.holds(c[0][i], c[1][i]) {
					p.mpi = append(r.roomFor(p.mpi), r.callBy(&p.callers, c[0][i], c[1][i], c[2][i], c[3][i], spelledWithVersion))
				}
			}
			r.seen(trace.HasMPI, b.N)
		},
		undo: r.forget(func(p *process) { p.mpi = nil }),
		bits: trace.HasMPI,
		of:   trace.MPICalls,
	}
}

// mpiRanges returns the calls of MPI among the ranges, as which exports before 2022
// have them.
func mpiRanges(t *trace.Trace) (calls []trace.Call) {
	for i := range t.Ranges {
		x := &t.Ranges[i]
		if t.Names.Text(x.Domain) == "MPI" && strings.HasPrefix(t.Names.Text(x.Name), "MPI_") {
			calls = append(calls, t.Names.Call(x.Start, x.End, x.Name, x.Thread))
		}
	}
	return calls
}
