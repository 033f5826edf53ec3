package rocpd

import (
	"strings"
	"testing"

	"perfdiff/analyze/trace"
)

// TestMemory: allocations of a GPU's memory are what is reserved of it, in both forms of the table;
// what is freed is known by its address, and memory of the host, addresses alone and scratch are none.
func TestMemory(t *testing.T) {
	const rows = `
INSERT INTO rocpd_memory_allocate$ VALUES
	(1, 3, 2, 'ALLOC', 'REAL', 100, 110, 2, 4096, 1000), (2, 3, 2, 'ALLOC', 'REAL', 120, 130, 0, 8192, 77),
	(3, 3, 2, 'ALLOC', 'REAL', 200, 210, 2, 16384, 500), (4, 3, 2, 'FREE', 'REAL', 300, 310, NULL, 4096, 0),
	(5, 3, 2, 'ALLOC', 'VIRTUAL', 320, 330, 2, 32768, 9), (6, 3, 2, 'ALLOC', 'SCRATCH', 340, 350, 2, 65536, 9),
	(7, 3, 2, 'FREE', 'REAL', 360, 370, NULL, 12345, 0), (8, 3, 2, 'ALLOC', 'REAL', 400, 410, 1, 4096, 300)`
	const form = `CREATE TABLE rocpd_memory_allocate$ (id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, pid INTEGER NOT NULL, tid INTEGER,
	type TEXT CHECK (type IN ('ALLOC', 'FREE', 'REALLOC', 'RECLAIM')), level TEXT CHECK (level IN ('REAL', 'VIRTUAL', 'SCRATCH')),
	start BIGINT NOT NULL, "end" BIGINT NOT NULL, agent_id INTEGER, address INTEGER, size INTEGER NOT NULL);`
	x := read(t, write(t, "_a", base, plain, form+rows))[0]
	want := []trace.MemoryChange{{At: 110, Reserved: 1000, Taken: true}, {At: 210, Reserved: 1500, Taken: true}, {At: 310, Reserved: 500}}
	if x.Memory == nil || len(x.Memory.Changes) != len(want) || !x.Recorded.Has(trace.HasMemory) || x.Memory.Allocated || !x.Memory.Reserved {
		t.Fatalf("got %+v, recorded %b", x.Memory, x.Recorded)
	}
	for i, got := range x.Memory.Changes {
		if got != want[i] {
			t.Errorf("change %d: got %+v want %+v", i, got, want[i])
		}
	}
	x = read(t, write(t, "_a", base, plain, strings.Replace(form+rows, "4096, 1000)", "4096, 0)", 1)))[0]
	if x.Memory != nil || x.Recorded.Has(trace.HasMemory) {
		t.Errorf("an allocation of unknown size: got %+v", x.Memory)
	}
	if x = read(t, write(t, "_a", base, plain))[0]; x.Memory != nil || x.Recorded.Has(trace.HasMemory) {
		t.Errorf("without the table: got %+v", x.Memory)
	}
}
