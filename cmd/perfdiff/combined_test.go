package main

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"perfdiff/analyze/synth"
)

// planting is a finding that a story must have, in this place: its words, and a number in
// it to 5 %, 0 for none.
type planting struct {
	says   string
	number float64
}

// combined are stories of two causes, or of one on both sides.
var combined = map[string]struct {
	story  string
	format synth.Format
	want   []planting
	never  []string // in no finding
}{
	"another rank is late": {"ranks: 8, steps: 24, seed: 502, baseline: {slow: {2: 1.25}}, candidate: {slow: {6: 1.25}}", synth.Nsight,
		[]planting{{"Rank 6 arrives last at 100 % of all collectives: it computes", 6.25}}, []string{"no longer", "+6", "Exposed communication"}},
	"another is late by more": {"ranks: 8, steps: 22, seed: 106, baseline: {slow: {2: 1.2}}, candidate: {slow: {6: 1.3}}", synth.Nsight,
		[]planting{{"In the baseline rank 2 arrives last", 2.5}}, []string{"no longer", "Exposed communication"}},
	"ranks take turns instead": {"ranks: 8, steps: 24, seed: 504, baseline: {slow: {2: 1.25}}, candidate: {rotate: 1.25}", synth.Nsight,
		[]planting{{"Another rank arrives last from step to step", 0}}, []string{"no longer", "−5"}},
	"less late": {"ranks: 8, steps: 24, seed: 201, baseline: {slow: {3: 1.4}}, candidate: {slow: {3: 1.2}}", synth.Nsight,
		[]planting{{"Rank 3 arrives last", 5}, {"Compute", 0}}, []string{"no longer", "Exposed communication"}},
	"later with more runs": {"ranks: 8, runs: 3, steps: 12, seed: 603, job: {run_noise: 0.01}, baseline: {slow: {1: 1.1}}, candidate: {slow: {1: 1.1, 4: 1.2}}", synth.Nsight,
		[]planting{{"Rank 4 arrives last", 2.5}}, []string{"no longer", "Ranks 1, 4"}},
	"hidden behind a later one": {"ranks: 8, nodes: 2, steps: 24, seed: 207, candidate: {slow: {1: 1.2, 6: 1.3}}", synth.Nsight,
		[]planting{{"Rank 6 arrives last", 7.5}}, []string{"Ranks 1", "Exposed communication"}},
	"two ranks": {"ranks: 2, steps: 22, seed: 104, candidate: {slow: {1: 1.3}}", synth.Nsight,
		[]planting{{"Rank 1 arrives last", 7.5}}, []string{"Compute rose", "Exposed communication"}},
	"three of eight ranks": {"ranks: 8, steps: 24, seed: 51, candidate: {slow: {1: 1.2, 2: 1.2, 5: 1.2}}", synth.Nsight,
		[]planting{{"Ranks 1-2, 5 arrive last", 5}}, []string{"Exposed communication", "Overlap"}},
	"a node, then a rank": {"ranks: 8, nodes: 2, steps: 24, seed: 14, baseline: {slow: {0: 1.2, 1: 1.2, 2: 1.2, 3: 1.2}}, candidate: {slow: {6: 1.3}}", synth.Nsight,
		[]planting{{"In the baseline the ranks of node0001 arrive last", 2.5}}, []string{"Exposed communication", "Compute fell"}},
	"a slow clock and a late rank": {"ranks: 8, runs: 3, steps: 14, seed: 60, job: {run_noise: 0.015}, candidate: {clock: 0.95, slow: {2: 1.2}}", synth.Nsight,
		[]planting{{"Rank 2 arrives last", 5.25}, {"all kernels take about", 5.26}}, []string{"about as long as before", "Exposed communication"}},
	"turns and a slow network": {"ranks: 8, steps: 24, seed: 68, candidate: {rotate: 1.25, all_reduce: {transfer: 6ms}}", synth.Nsight,
		[]planting{{"Exposed transfer rose", 0}, {"Another rank arrives last", 6.2}}, []string{"Exposed communication"}},
	"a late rank and a slow network": {"ranks: 8, nodes: 2, steps: 24, seed: 402, job: {all_reduce: {count: 3, transfer: 2ms, overlap: false}}, candidate: {slow: {4: 1.2}, all_reduce: {transfer: 3500us}}", synth.Nsight,
		[]planting{{"Rank 4 arrives last", 5}, {"Exposed transfer rose", 4.5}}, []string{"Exposed communication"}},
	"lost overlap and a slow network": {"ranks: 16, nodes: 4, steps: 20, seed: 204, job: {all_reduce: {count: 4, transfer: 1500us}}, candidate: {all_reduce: {overlap: false, transfer: 2500us}}", synth.Nsight,
		[]planting{{"compute hides less of the transfer", 4.5}}, nil},
	"another kernel and a slow one": {"ranks: 2, steps: 24, seed: 709, candidate: {replace: [batch_norm_backward], kernels: {batch_norm_backward: 1.6, conv_fprop: 1.4}}", synth.Kineto,
		[]planting{{"instead of bn_bw", 3.7}}, []string{"which the baseline does not run"}},
	"two slow kernels": {"ranks: 3, steps: 24, seed: 409, candidate: {kernels: {conv_wgrad: 1.3, batch_norm: 2}}", synth.Nsight,
		[]planting{{"wgrad", 3.7}}, nil},
	"another kernel and a slow clock": {"ranks: 4, steps: 22, seed: 303, candidate: {replace: [batch_norm_backward], kernels: {batch_norm_backward: 2.5}, clock: 0.92}", synth.Kineto,
		[]planting{{"besides, all kernels take about", 7.2}}, nil},
	"idle for another reason": {"ranks: 4, steps: 24, seed: 711, baseline: {allocate: 5ms}, candidate: {input: {from: 5400us, spread: 0.05}}", synth.Kineto,
		[]planting{{"frees and allocates device memory fell", 5}, {"Waiting for input rose", 5}}, nil},
	"allocator and slow launches": {"ranks: 3, steps: 24, seed: 508, job: {layers: 30, forward: 3ms, backward: 6ms, launch: 6us}, candidate: {launch: 60us, allocate: 4ms}", synth.Nsight,
		[]planting{{"frees and allocates device memory (from 0 to 4.0", 0}, {"", 0}}, nil},
	"three other kernels": {"ranks: 2, runs: 3, steps: 14, seed: 31, candidate: {replace: [conv_fprop, conv_dgrad, conv_wgrad], kernels: {conv_fprop: 0.8, conv_dgrad: 1.5, conv_wgrad: 0.9}}", synth.Nsight,
		[]planting{{"3 kernels that the baseline does not run, instead of 3 kernels", 1.5}}, []string{"from 0 to"}},
	"a large and a smaller slow kernel": {"ranks: 2, runs: 3, steps: 20, seed: 102, candidate: {kernels: {conv_wgrad: 1.3, batch_norm_backward: 1.33}}", synth.Nsight,
		[]planting{{"bn_bw_1C11_kernel_new, from 3.0 to 4.0", 2.6}}, nil},
	"a clock behind a faster kernel": {"ranks: 2, runs: 3, steps: 14, seed: 34, candidate: {clock: 0.93, kernels: {conv_dgrad: 0.75}}", synth.Nsight,
		[]planting{{"within it all kernels take about", 1.8}}, nil},
	"checkpoints at another period": {"ranks: 4, steps: 60, seed: 96, baseline: {pause: {every: 15, time: 60ms}}, candidate: {pause: {every: 8, time: 60ms}}", synth.Kineto,
		[]planting{{"on the other side every 15th", 3}}, nil},
	"two functors of one kernel": {"ranks: 4, runs: 3, steps: 20, seed: 98, candidate: {kernels: {relu: 3, relu_backward: 2}}", synth.Nsight,
		[]planting{{"<ReluFunctor>", 3.4}}, nil},
	"slower copies": {"ranks: 3, steps: 16, seed: 604, job: {layers: 10}, candidate: {copy: {rate: 6e9}}", synth.Nsight,
		[]planting{{"copies to the device run at another rate", 6}}, nil},
	"the same rank late on both sides": {"ranks: 4, steps: 20, seed: 105, job: {slow: {2: 1.2}}", synth.Nsight, nil, []string{"Rank 2"}},
}

// TestCombined: two causes at a time are both told, with their sizes and in order of
// them, and one on both sides is none.
func TestCombined(t *testing.T) {
	for name, tt := range combined {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			story, err := synth.Parse("combined", []byte("{about: two causes, "+tt.story+"}"))
			if err != nil {
				t.Fatal(err)
			}
			dir := t.TempDir()
			if _, err := story.Write(context.Background(), dir, tt.format); err != nil {
				t.Fatal(err)
			}
			found := findingsOf(t, filepath.Join(dir, "baseline"), filepath.Join(dir, "candidate"))
			all := ""
			for i, f := range found {
				text := strings.ReplaceAll(f.Number+" "+f.NumberIn+": "+f.Text, " ", " ")
				all += text + "\n"
				if i < len(tt.want) && (!strings.Contains(text, tt.want[i].says) || tt.want[i].number != 0 && !holds(text, tt.want[i].number)) {
					t.Errorf("finding %d: got %q, want %q and %g in it", i+1, text, tt.want[i].says, tt.want[i].number)
				}
			}
			if len(found) < len(tt.want) {
				t.Errorf("got %q, want %d findings", all, len(tt.want))
			}
			for _, never := range tt.never {
				if strings.Contains(all, never) {
					t.Errorf("got %q, want no %q in it", all, never)
				}
			}
		})
	}
}
