package trace

import "testing"

// TestLose: of each content the first reason counts.
func TestLose(t *testing.T) {
	x := &Trace{}
	x.Lose(Kernels|Kinds, "first")
	x.Lose(Kinds|Copies, "second")
	x.Lose(Kernels, "third")
	if len(x.Losses) != 2 || x.Incomplete() != Kernels|Kinds|Copies || x.WhyIncomplete(Kinds) != "first" || x.WhyIncomplete(Copies) != "second" || x.WhyIncomplete(Calls) != "" {
		t.Errorf("got %v", x.Losses)
	}
	for _, y := range []struct {
		of        Content
		some, all int64
		want      bool
	}{{Kernels, 2, 100, false}, {Kernels, 3, 100, true}, {Copies, 3, 100, false}, {Ranges, 11, 100, true}, {Ranges, 0, 0, false}, {Kinds, 1, 1, true}} {
		if got := y.of.Beyond(y.some, y.all); got != y.want {
			t.Errorf("%d of %d of %b: got %v", y.some, y.all, y.of, got)
		}
	}
}
