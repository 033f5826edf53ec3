package step

import (
	"fmt"
	"regexp"
	"testing"

	"perfdiff/analyze/trace"
)

func TestEngineStep(t *testing.T) {
	const vllm, sglang, tensorRT = "execute_…_context_…_generation_…", "step[…]", "[Executor] _forward_step"
	for name, want := range map[string]struct {
		label  string // "": no engine's step
		load   trace.Load
		number int64
	}{
		"execute_32_context_0(sq0sk0sqsq0sqsk0)_generation_32(sq32sk55086sqsq32sqsk55086)":                     {vllm, trace.Load{Class: trace.Decode, Batch: 32, Tokens: 32, Context: 55086}, -1},
		"execute_8192_context_9(sq8155sk8430sqsq7475785sqsk7671310)_generation_37(sq37sk34489sqsq37sqsk34489)": {vllm, trace.Load{Class: trace.Mixed, Batch: 46, Tokens: 8192, Context: 8430 + 34489}, -1},
		"execute_context_1(888_788544)_generation_0(0)":                                                        {vllm, trace.Load{Class: trace.Prefill, Batch: 1, Tokens: 888}, -1},
		"execute_context_0(0)_generation_64(192)":                                                              {vllm, trace.Load{Class: trace.Decode, Batch: 64, Tokens: 192}, -1},
		"execute_context_0(0)_generation_0(0)":                                                                 {vllm, trace.Load{}, -1},
		"execute_context_1(99999999999999999999)_generation_0(0)":                                              {vllm, trace.Load{Class: trace.Prefill, Batch: 1}, -1},
		"execute_new_2_cached_0":                                                                               {"execute_new_…_cached_…", trace.Load{Class: trace.Prefill, Batch: 2}, -1},
		"execute_new_2_cached_30":                                                                              {"execute_new_…_cached_…", trace.Load{Batch: 32}, -1},
		"step[DECODE bs=32]":                                                                                   {sglang, trace.Load{Class: trace.Decode, Batch: 32, Tokens: 32}, -1},
		"step[decode bs=4 g_sqsq=4 g_sqsk=900]":                                                                {sglang, trace.Load{Class: trace.Decode, Batch: 4, Tokens: 4, Context: 900}, -1},
		"step[EXTEND bs=2 toks=4096]":                                                                          {sglang, trace.Load{Class: trace.Prefill, Batch: 2, Tokens: 4096}, -1},
		"step[MIXED bs=9 ext=512 dec=8]":                                                                       {sglang, trace.Load{Class: trace.Mixed, Batch: 9, Tokens: 520}, -1},
		"step[TARGET_VERIFY bs=8]":                                                                             {sglang, trace.Load{Class: trace.Decode, Batch: 8}, -1},
		"step[IDLE]":                                                                                           {sglang, trace.Load{}, -1},
		"step[DRAFT_EXTEND bs=8]":                                                                              {},
		"prefill[bs=2 tok=16384]":                                                                              {"prefill[…], decode[…]", trace.Load{Class: trace.Prefill, Batch: 2, Tokens: 16384}, -1},
		"decode[bs=16]":                                                                                        {"prefill[…], decode[…]", trace.Load{Class: trace.Decode, Batch: 16, Tokens: 16}, -1},
		"[Executor] _forward_step 71: 0 ctx reqs, 0 ctx tokens, 32 gen reqs":                                   {tensorRT, trace.Load{Class: trace.Decode, Batch: 32, Tokens: 32}, 71},
		"[Executor] _forward_step 9: 2 ctx reqs, 30 gen reqs":                                                  {tensorRT, trace.Load{Class: trace.Mixed, Batch: 32}, 9},
		"[Executor] _forward_step: 2 ctx reqs, 0 gen reqs":                                                     {tensorRT, trace.Load{Class: trace.Prefill, Batch: 2}, -1},
		"prefill_batch":                                                                                        {"prefill, decode", trace.Load{Class: trace.Prefill}, -1}, "Decode": {"prefill, decode", trace.Load{Class: trace.Decode}, -1},
		"execute_model": {"execute_model", trace.Load{}, -1},
		"decode_jpeg":   {}, "ProfilerStep#3": {}, "step 4": {}, "step[4]": {}, "execute_32": {}, "## Call CompiledFxGraph f4a ##": {}, "decoder": {},
	} {
		e, load, number, ok := engineStep(name)
		label := ""
		if ok {
			label = e.label
		} else {
			number = want.number
		}
		if label != want.label || load != want.load || number != want.number {
			t.Errorf("%s: got %q %+v number %d, want %q %+v number %d", name, label, load, number, want.label, want.load, want.number)
		}
	}
}

// TestEngineMarks: how steps of an engine are found, numbered and what loads they get.
func TestEngineMarks(t *testing.T) {
	in := func(names ...string) func(int) string { return func(i int) string { return names[i%len(names)] } }
	tests := []struct {
		name   string
		ranges func(i int) string
		opt    Options
		marker string
		first  int64
		loads  string // of the first three steps
	}{
		{"loads that rise are no numbers", func(i int) string { return fmt.Sprintf("step[DECODE bs=%d]", i+20) }, Options{},
			`range "step[…]"`, 0, "decode 20/20 decode 21/21 decode 22/22"},
		{"modes are one family", in("step[DECODE bs=8]", "step[EXTEND bs=2 toks=300]"), Options{},
			`range "step[…]"`, 0, "decode 8/8 prefill 2/300 decode 8/8"},
		{"numbers after a word for step", func(i int) string { return fmt.Sprintf("[Executor] _forward_step %d: 0 ctx reqs, 8 gen reqs", i+70) }, Options{},
			`range "[Executor] _forward_step"`, 70, "decode 8/8 decode 8/8 decode 8/8"},
		{"named by the user", func(i int) string { return fmt.Sprintf("execute_context_0(0)_generation_%d(%d)", i+20, i+20) },
			Options{Range: regexp.MustCompile("^execute_")}, `range matching "^execute_"`, 0, "decode 20/20 decode 21/21 decode 22/22"},
		{"words alone", in("prefill", "decode", "decode"), Options{}, `range "prefill, decode"`, 0, "prefill 0/0 decode 0/0 decode 0/0"},
		{"a decoder of images runs in part of the steps", func(i int) string {
			if i < 2 {
				return "decode"
			}
			return ""
		}, Options{}, "none", 0, ""},
	}
	for _, tt := range tests {
		found := Find(tail(loop(6, tt.ranges), 6), tt.opt)
		loads := ""
		for _, s := range found.Steps[:min(3, len(found.Steps))] {
			loads += fmt.Sprintf(" %s %d/%d", s.Load.Class, s.Load.Batch, s.Load.Tokens)
		}
		if len(loads) > 0 {
			loads = loads[1:]
		}
		if found.Receipt.Marker != tt.marker || loads != tt.loads {
			t.Errorf("%s: got %s with %q, want %s with %q", tt.name, found.Receipt.Marker, loads, tt.marker, tt.loads)
		}
		if len(found.Steps) > 0 && found.Steps[0].Number != tt.first {
			t.Errorf("%s: first step has number %d, want %d", tt.name, found.Steps[0].Number, tt.first)
		}
	}
}

// TestLoadsOfOtherMarkers: a profiler's steps take the load of the engine step in each;
// one that holds many, as of a job that generates between updates, has none.
func TestLoadsOfOtherMarkers(t *testing.T) {
	for _, inside := range []int{1, 3} {
		tr := loop(6, func(i int) string { return fmt.Sprintf("ProfilerStep#%d", i+5) })
		var ranges []trace.Range
		for _, r := range tr.Ranges {
			ranges = append(ranges, r)
			for k := range int64(inside) {
				at := r.Start + 1 + k*ms
				ranges = append(ranges, trace.Range{Start: at, End: at + ms/2, Name: tr.Names.ID("step[DECODE bs=8]"), Thread: 7})
			}
		}
		tr.Ranges = ranges
		found := Find(tail(tr, 6), Options{})
		want := trace.Load{}
		if inside == 1 {
			want = trace.Load{Class: trace.Decode, Batch: 8, Tokens: 8}
		}
		if found.Receipt.Marker != "ProfilerStep#N" || found.Steps[2].Load != want || found.Steps[2].Number != 7 {
			t.Errorf("%d in a step: got %s, step %+v, want load %+v", inside, found.Receipt.Marker, found.Steps[2], want)
		}
	}
}
