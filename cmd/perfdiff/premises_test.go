package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"perfdiff/analyze/synth"
)

// premise is a clause about a cause, with a story whose report has it, and what takes away what it stands on.
type premise struct {
	clause, story string
	format        synth.Format
	back          bool     // the story's candidate is the baseline
	setup         []string // of the story, to have the clause: what is replaced, and by what
	edit          []string // of the story as it is then
	sql           string   // of what the candidate recorded
}

var premises = []premise{
	{clause: "bound-now", story: "blocking-communication", edit: []string{"baseline:\n  all_reduce: {host: 4500us}\n", ""}},
	{clause: "cause-all-take", story: "few-steps", edit: []string{"  forward: 3500us\n  backward: 7ms\n", "  kernels: {conv_wgrad: 0.4}\n"}},
	{clause: "cause-closer", story: "o-direct", edit: []string{"  input: {from: 2ms, spread: 0.08}", "  all_reduce: {transfer: 9ms}\n  input: {from: 18ms, to: 118ms, spread: 0.08}"}},
	{clause: "cause-apart", story: "o-direct", back: true, edit: []string{"  input: {from: 2ms, spread: 0.08}", "  all_reduce: {transfer: 1ms}\n  input: {from: 18ms, to: 118ms, spread: 0.08}"}},
	{clause: "cause-both-exposed", story: "host-bound", edit: []string{"  launch: 420us", "  all_reduce: {transfer: 6ms}"}},
	{clause: "cause-clock", story: "clock-drop", format: synth.Kineto, edit: []string{"clock: 0.943", "kernels: {conv_wgrad: 1.4}"}},
	{clause: "cause-clock-moved", story: "clock-drop", edit: []string{"clock: 0.943", "forward: 12.72ms\n  backward: 25.44ms"}},
	{clause: "cause-clock-same", story: "clock-drop", setup: []string{"clock: 0.943", "forward: 12.72ms\n  backward: 25.44ms"}, edit: []string{"forward: 12.72ms\n  backward: 25.44ms", "clock: 0.943"}},
	{clause: "cause-dimension", story: "tensor-parallel-slow", edit: []string{"  tensor: {ranks: 2, count: 8, transfer: 150us}\n", "", "tensor: {transfer: 450us}", "all_reduce: {transfer: 2700us}"}},
	{clause: "cause-hides", story: "launch-bound", edit: []string{"  launch: 60us", "  all_reduce: {transfer: 6ms}"}},
	{clause: "cause-kernels", story: "slow-kernel", edit: []string{"kernels: {conv_dgrad: 1.3}", "clock: 0.83"}},
	{clause: "cause-routed", story: "expert-imbalance", edit: []string{"experts: {tokens: {1: 1.02, 3: 2.1, 6: 0.98}}", "clock_of: {3: 0.7}"}},
	{clause: "cause-transfer", story: "slow-allreduce", edit: []string{"{transfer: 3600us}", "{overlap: false}"}},
	{clause: "waiting", story: "slow-allreduce", edit: []string{"  all_reduce: {transfer: 3600us}", "  launch: 420us"}},
	{clause: "cause-with-work", story: "work-shrank", format: synth.Kineto, edit: []string{"  sizes: {images: 55}\n", ""}},
	{clause: "launches-late", story: "host-bound", edit: []string{"launch: 420us", "input: {from: 9ms}"}},
	{clause: "idle-causes", story: "host-bound", edit: []string{"launch: 420us", "clock: 0.8"}},
	{clause: "late-clock", story: "clock-of-one", edit: []string{"clock_of: {2: 0.8}", "slow: {2: 1.25}"}},
	{clause: "like-with-like", story: "serving-mixed", edit: []string{"prefill: 0.2", "prefill: 0.4"}},
	{clause: "mean", story: "clock-of-one", edit: []string{"clock_of: {2: 0.8}", "clock: 0.8"}},
	{clause: "no-totals", story: "fixed-window", edit: []string{"  window: 3s\n", ""}},
	{clause: "peak-during", story: "memory-peak", format: synth.Kineto, edit: []string{"job:\n", "job:\n  markers: false\n"}},
	{clause: "same-work", story: "serving-decode", format: synth.Kineto, edit: []string{"  sizes: {width: 32768, heads: 64, context: 32768}\n", ""}},
	{clause: "spike-part", story: "checkpoint-spikes", edit: []string{"pause: {every: 8, time: 40ms}", "clock: 0.8"}},
	{clause: "spike-range", story: "checkpoint-spikes", sql: "delete from NVTX_EVENTS where text like '%checkpoint%'"},
	{clause: "transfer", story: "straggler-rank3", edit: []string{"slow: {3: 1.2}", "all_reduce: {transfer: 4ms}"}},
	{clause: "cause-copies-move", story: "aa", setup: []string{"seed:", "candidate: {copy: {bytes: 402653184}}\nseed:"}, edit: []string{"copy: {bytes: 402653184}", "clock: 0.8"}},
	{clause: "slow-stage", story: "pipeline-bubble", setup: []string{"  pipeline: {micro_batches: 4}", "  slow: {2: 1.4, 3: 1.4}"}, edit: []string{"slow: {2: 1.4, 3: 1.4}", "clock: 0.7"}},
	{clause: "besides-clock", story: "slow-kernel", setup: []string{"kernels: {conv_dgrad: 1.3}", "kernels: {conv_dgrad: 1.6}\n  clock: 0.94"}, edit: []string{"  clock: 0.94", ""}},
	{clause: "cause-copies-rate", story: "pageable-copies", setup: []string{"    rate: 3100000000\n    pageable: true", "    rate: 3100000000"}, edit: []string{"rate: 3100000000", "bytes: 402653184"}},
	{clause: "cause-more-often", story: "slow-kernel", setup: []string{"  kernels: {conv_dgrad: 1.3}", "  layers: 10\n  forward: 5ms\n  backward: 30ms"}, edit: []string{"layers: 10", "clock: 1"}},
	{clause: "step-did-not", story: "host-bound", setup: []string{"launch: 420us", "launch: 420us\n  clock: 1.8"}, edit: []string{"  clock: 1.8", ""}},
	{clause: "no-overlap", story: "o-direct", edit: []string{"gap: 1ms, overlap: false}", "gap: 1ms}"}},
	{clause: "trend-part", story: "o-direct", edit: []string{"input: {from: 18ms, to: 118ms, spread: 0.08}", "input: {from: 60ms, spread: 0.08}"}},
	{clause: "longest-rank", story: "host-bound", setup: []string{"launch: 420us", "all_reduce: {transfer: 5ms}\n  slow: {1: 1.2}"}, edit: []string{"  slow: {1: 1.2}", ""}},
}

// noStory are clauses that no story of the table has. TestInputUnsure holds the first, tests of diff/cause those about
// arrivals, and those of analyze/metric what the one about threads stands on.
var noStory = []string{"input-at-least", "step-by-less", "cause-hides-too", "cause-pushed", "cause-both", "cause-all-exposed", "inseparable", "idle-mean", "places",
	"input-leaves-idle", "cause-family", "cause-clock-of-ranks", "within-compute", "cause-copies-take", "fused", "forced", "launch-thread"}

// TestEachPremise: each clause about a cause is said where what it stands on was recorded, and is gone with that.
func TestEachPremise(t *testing.T) {
	clauses := func(t *testing.T, story string, format synth.Format, back bool, sql string, edit ...string) (out []string) {
		dir, _ := writeEdited(t, story, format, strings.NewReplacer(edit...))
		base, cand := filepath.Join(dir, "baseline"), filepath.Join(dir, "candidate")
		if sql != "" {
			cand = withSQL(t, cand, sql)
		}
		if back {
			base, cand = cand, base
		}
		var stdout, stderr bytes.Buffer
		run(context.Background(), []string{base, cand, "-q", "-o", "-", "--format", "json"}, &stdout, &stderr)
		var doc struct {
			Findings []struct{ Because []struct{ Kind string } }
		}
		if err := json.Unmarshal(stdout.Bytes(), &doc); err != nil {
			t.Fatal(err, stderr.String())
		}
		for _, f := range doc.Findings {
			for _, c := range f.Because {
				out = append(out, c.Kind)
			}
		}
		return out
	}
	text, err := os.ReadFile(filepath.Join("..", "..", "diff", "cause", "clause.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile(`ClauseKind = "(.*?)"`).FindAllStringSubmatch(string(text), -1) {
		held := slices.ContainsFunc(premises, func(p premise) bool { return p.clause == m[1] })
		if held == slices.Contains(noStory, m[1]) {
			t.Errorf("%s: a clause breaks with its premise here, or no story has it", m[1])
		}
	}
	for _, p := range premises {
		t.Run(p.clause, func(t *testing.T) {
			t.Parallel()
			if got := clauses(t, p.story, p.format, p.back, "", p.setup...); !slices.Contains(got, p.clause) {
				t.Errorf("with its premise: got %v", got)
			}
			edit := p.edit
			if p.setup != nil { // which the edit takes back
				edit = []string{p.setup[0], strings.NewReplacer(p.edit...).Replace(p.setup[1])}
			}
			if got := clauses(t, p.story, p.format, p.back, p.sql, edit...); slices.Contains(got, p.clause) {
				t.Errorf("without its premise: got %v", got)
			}
		})
	}
}
