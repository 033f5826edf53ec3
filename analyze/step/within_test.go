package step

import (
	"testing"

	"perfdiff/analyze/trace"
)

// TestLayersAreNoSteps: what repeats inside of a pass is no step, whatever tells the pass, and a loop's iterations are.
func TestLayersAreNoSteps(t *testing.T) {
	// passes is a program of so many passes through 32 layers, with the things that a profiler notes around them.
	passes := func(n int, layer, module, op, around string) *trace.Trace {
		tr := layered(n, 32, 0)
		per := len(tr.Device) / n
		note := func(list *[]trace.Range, name string, from, to int) {
			if name != "" {
				*list = append(*list, trace.Range{Start: tr.Device[from].Launch - 10, End: tr.Device[to].Launch + 10, Name: tr.Names.ID(name), Thread: 7})
			}
		}
		note(&tr.Ranges, around, 0, len(tr.Device)-1)
		for i := range n {
			note(&tr.Ops, module, i*per, i*per+per-1)
			note(&tr.Ops, op, i*per, i*per)
			for k := range 32 {
				note(&tr.Ranges, layer, i*per+1+2*k, i*per+2+2*k)
			}
		}
		tr.Device = tr.Device[1:] // the first kernel is rare enough to be left aside
		tr.Sort()
		return tr
	}
	for _, tt := range []struct {
		name                      string
		n                         int
		layer, module, op, around string
		none                      bool
	}{
		{"a module once", 1, "", "nn.Module: Net_0", "", "", true},
		{"a module that is called like a loop", 1, "", "nn.Module: TrainNet_0", "", "", true},
		{"an operator at its start", 1, "", "", "aten::embedding", "", true},
		{"a range around all", 1, "", "", "", "forward", true},
		{"ranges of layers in a range", 1, "block", "", "", "forward", true},
		{"ranges of layers in a module", 1, "block", "nn.Module: Net_0", "", "", true},
		{"ranges of layers after an embedding", 1, "block", "", "aten::embedding", "", true},
		{"two passes", 2, "block", "nn.Module: Net_0", "", "", true},
		{"a loop of ranges", 1, "block", "", "", "train", false},
		{"steps by name in a range", 1, "train_step", "", "", "resnet50", false},
		{"iterations by name in a range", 1, "iteration", "", "", "resnet50", false},
		{"nothing around", 1, "block", "", "", "", false},
		{"a module a pass of many", 32, "", "nn.Module: Net_0", "aten::embedding", "", false},
	} {
		found := Find(passes(tt.n, tt.layer, tt.module, tt.op, tt.around), Options{SkipFirst: 0}).Receipt
		if (found.Found == 0) != tt.none {
			t.Errorf("%s: got %d steps by %s", tt.name, found.Found, found.Marker)
		}
	}
}
