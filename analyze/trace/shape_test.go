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
	var v ShapeVote
	for _, s := range []Shape{b, a, a, b, a} {
		v.Add(s)
	}
	if v.Shape != a {
		t.Errorf("got %v", v.Shape)
	}
}
