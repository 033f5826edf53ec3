package trace

import "testing"

func TestShape(t *testing.T) {
	a, b := Shape{Grid: [3]int32{528, 1, 1}, Block: [3]int32{384, 1, 1}, Registers: 64}, Shape{Grid: [3]int32{264, 2, 1}, Block: [3]int32{384, 1, 1}, Registers: 96, Shared: 1024}
	if got := a.Change(b); got != "grid 528 \u2192 264\u00d72, registers a thread 64 \u2192 96, shared memory 0 B \u2192 1024 B" {
		t.Errorf("got %q", got)
	}
	if a.Change(a) != "" || a.Change(Shape{}) != "" || (Shape{}).String() != "" || a.String() == "" {
		t.Error("a change where there is none")
	}
}

// a100 is what an export of 2024 says of an A100.
var a100 = SM{Count: 108, Warps: 64, Blocks: 32, Registers: 65536, Shared: 167936, Major: 8}

func TestOccupancy(t *testing.T) {
	line := func(n int32) [3]int32 { return [3]int32{n, 1, 1} }
	tests := []struct {
		name  string
		sm    SM
		shape Shape
		want  int32
	}{
		{"all threads", a100, Shape{Grid: line(10_000), Block: line(1024), Registers: 32}, 100},
		{"registers", a100, Shape{Grid: line(512), Block: line(512), Registers: 40, Shared: 400}, 75},
		{"shared memory", a100, Shape{Grid: [3]int32{16, 1, 32}, Block: line(128), Registers: 222, Shared: 81920}, 13},
		{"blocks", a100, Shape{Grid: line(1 << 30), Block: line(32), Registers: 16}, 50},
		{"grid", a100, Shape{Grid: line(54), Block: line(1024), Registers: 32}, 25},
		{"too much shared memory", a100, Shape{Grid: line(512), Block: line(512), Registers: 40, Shared: 1 << 40}, 0},
		{"too many registers", a100, Shape{Grid: line(512), Block: line(512), Registers: 1<<31 - 1, Shared: -5}, 0},
		{"largest grid", a100, Shape{Grid: [3]int32{1<<31 - 1, 1<<31 - 1, 1<<31 - 1}, Block: line(1024)}, 100},
		{"no such block", a100, Shape{Grid: line(1), Block: [3]int32{1<<31 - 1, 1<<31 - 1, 1<<31 - 1}}, 0},
		{"no limits", SM{}, Shape{Grid: line(512), Block: line(512), Registers: 40}, 0},
		{"no launch", a100, Shape{}, 0},
	}
	for _, tt := range tests {
		if got := tt.sm.Occupancy(tt.shape); got != tt.want {
			t.Errorf("%s: got %d %%, want %d %%", tt.name, got, tt.want)
		}
	}
	a, b := tests[0].shape, tests[1].shape
	a.Occupancy, b.Occupancy = 100, 75
	if got := a.Change(b); got != "grid 10000 \u2192 512, block 1024 \u2192 512, registers a thread 32 \u2192 40, shared memory 0 B \u2192 400 B, occupancy 100 % \u2192 75 %" {
		t.Errorf("got %q", got)
	}
}
