package main

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"perfdiff/analyze/group"
	measured "perfdiff/analyze/run"
	"perfdiff/analyze/synth"
	"perfdiff/golden"
)

// groupsDocument is the report of two sides as JSON.
func groupsDocument(t *testing.T, base, cand string) *Document {
	t.Helper()
	out := filepath.Join(t.TempDir(), "report.json")
	var stdout, stderr bytes.Buffer
	run(context.Background(), []string{base, cand, "-o", out}, &stdout, &stderr)
	data, err := os.ReadFile(out)
	if err != nil {
		t.Fatalf("%v\n%s", err, stderr.String())
	}
	var d Document
	if err := json.Unmarshal(data, &d); err != nil {
		t.Fatal(err)
	}
	return &d
}

// groupLines are the groups of a report: ranks, dimension, and what they call.
func groupLines(d *Document) (lines []string) {
	for _, g := range d.Groups {
		line := g.Label + ": " + g.Dimension
		for _, u := range g.Uses {
			line += fmt.Sprintf(", %g %s of %s", u.Calls.Baseline, u.Collective, u.Size)
		}
		lines = append(lines, line)
	}
	return lines
}

// splitParts are the changes of exposed transfer in ms, all and by dimension.
func splitParts(d *Document) map[string]float64 {
	out := map[string]float64{}
	for _, p := range d.Waterfall.Parts {
		if p.Kind != "transfer" {
			continue
		}
		out[""] = float64(p.Delta) * 1e3
		for _, w := range p.Within {
			out[w.Part] = float64(w.Delta) * 1e3
		}
	}
	return out
}

// TestDimensions: exports of Nsight Systems, which say only who communicates, and traces of
// PyTorch, which say why, give the same groups and the same sizes.
func TestDimensions(t *testing.T) {
	want := []string{
		"0-1: tensor parallel, 16 AllReduce of 16 to 256 MiB", "2-3: tensor parallel, 16 AllReduce of 16 to 256 MiB",
		"4-5: tensor parallel, 16 AllReduce of 16 to 256 MiB", "6-7: tensor parallel, 16 AllReduce of 16 to 256 MiB",
		"0,2,4,6: data parallel, 4 AllReduce of 16 to 256 MiB", "1,3,5,7: data parallel, 4 AllReduce of 16 to 256 MiB",
	}
	for _, format := range []synth.Format{synth.Nsight, synth.Kineto} {
		dir := writeStory(t, "tensor-parallel-slow", format)
		d := groupsDocument(t, filepath.Join(dir, "baseline"), filepath.Join(dir, "candidate"))
		if got := strings.Join(groupLines(d), "\n"); got != strings.Join(want, "\n") {
			t.Errorf("%v: got groups\n%s\nwant\n%s", format, got, strings.Join(want, "\n"))
		}
		parts := splitParts(d)
		const planted = 16 * 0.3 // ms
		if got := parts["tensor parallel"]; math.Abs(got-planted) > 0.05*planted {
			t.Errorf("%v: tensor parallel transfer changed by %g ms, want %g", format, got, planted)
		}
		if sum := parts["tensor parallel"] + parts["data parallel"]; math.Abs(sum-parts[""]) > 1e-6 {
			t.Errorf("%v: the parts add up to %g ms, want %g", format, sum, parts[""])
		}
	}
}

// TestLargeGroups: all ranks of a group are known of which PyTorch lists 30 beside a collective.
func TestLargeGroups(t *testing.T) {
	many := strings.NewReplacer("ranks: 8", "ranks: 64", "steps: 24", "steps: 3", "layers: 8", "layers: 2", "count: 4", "count: 1", "count: 8", "count: 1")
	for _, format := range []synth.Format{synth.Nsight, synth.Kineto} {
		dir, _ := writeEdited(t, "tensor-parallel-slow", format, many)
		set := load(t, filepath.Join(dir, "baseline"))
		got := map[string]int{}
		for _, g := range set.Runs[0].Groups {
			if g.Size > 2 {
				got[fmt.Sprintf("%s of %d: %s", group.Key(g.Ranks), g.Size, g.Dimension)]++
			}
		}
		if want := map[string]int{"0-62 by 2 of 32: data parallel": 1, "1-63 by 2 of 32: data parallel": 1}; !maps.Equal(got, want) {
			t.Errorf("%v: got %v, want %v", format, got, want)
		}
	}
}

// TestNoGroups: where a side does not say who communicates with whom, nothing is split by
// dimension, and nothing is said of dimensions.
func TestNoGroups(t *testing.T) {
	dir := writeStory(t, "tensor-parallel-slow", synth.Nsight)
	base, cand := filepath.Join(dir, "baseline"), filepath.Join(dir, "candidate")
	files, err := filepath.Glob(filepath.Join(cand, "*.sqlite"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no exports: %v", err)
	}
	for _, file := range files {
		db, err := sql.Open("sqlite", file)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := db.Exec("UPDATE NVTX_EVENTS SET jsonText = NULL"); err != nil {
			t.Fatal(err)
		}
		db.Close()
	}
	d := groupsDocument(t, base, cand)
	for _, g := range d.Groups {
		if g.Sides.Candidate.Calls != 0 {
			t.Errorf("group %s: got %g calls in the candidate, want none", g.Label, g.Sides.Candidate.Calls)
		}
	}
	for part := range splitParts(d) {
		if part != "" {
			t.Errorf("exposed transfer is split: got %q, want nothing", part)
		}
	}
	for _, f := range d.Findings {
		if strings.Contains(f.Text, "parallel") {
			t.Errorf("got %q, want nothing of dimensions", f.Text)
		}
	}
}

// TestRealGroups: groups, sizes and types are as recorded, and none are made up. Bytes are added
// up by hand from the arguments of the kernels: "In msg nelems" times the size of "dtype".
func TestRealGroups(t *testing.T) {
	for _, tt := range []struct {
		path string
		want []string
	}{
		{"kineto/dialects/nccl-args.json.gz", []string{
			"0-1 of 2, default_pg",
			"2 AllReduce Float 1 to 16 MiB, 17920160 B",   // 2,049,000 and 2,431,040 floats
			"3 AllReduce Float 16 to 256 MiB, 84307968 B", // 6,563,840, 6,637,568 and 7,875,584
			"1 Broadcast Float 64 KiB to 1 MiB, 212480 B", // 53,120
			"1 Broadcast Long under 64 KiB, 424 B"}},      // 53
		{"kineto/dlrm-8ranks", nil},      // it does not say who communicates
		{"kineto/two-of-128-ranks", nil}, // likewise
	} {
		set := load(t, golden.Real(t, tt.path))
		var got []string
		for _, g := range set.Runs[0].Groups {
			got = append(got, fmt.Sprintf("%s of %d, %s", group.Key(g.Ranks), g.Size, g.Purpose))
			for _, u := range g.Uses {
				got = append(got, fmt.Sprintf("%d %s %s %s, %.0f B", u.Calls/u.Steps, u.Collective, u.Type, u.Size, u.Bytes/float64(u.Steps)))
			}
		}
		if strings.Join(got, "\n") != strings.Join(tt.want, "\n") {
			t.Errorf("%s: got\n%s\nwant\n%s", tt.path, strings.Join(got, "\n"), strings.Join(tt.want, "\n"))
		}
	}
}

// TestRealSizes: bytes that the kernels of a collective sent in a step, by hand: of nccl-args as
// above; of the others, whose kernels have no arguments of a collective, by "Input Dims" and "Input
// type" of the ranges "nccl:…" that they were launched in.
func TestRealSizes(t *testing.T) {
	for _, tt := range []struct {
		path, collective string
		ranks            []int
		want             float64 // in one step, NaN not recorded
	}{
		{"kineto/dialects/nccl-args.json.gz", "AllReduce", []int{0}, 17920160 + 84307968},
		// [[394241]], [[112]] and [[226960]] float
		{"kineto/dlrm-8ranks", "AllReduce", []int{0, 1, 2, 3, 4, 5, 6, 7}, 4 * (394241 + 112 + 226960)},
		// [[6144]] float twice, [[24]] long int, [[384]] and [[3392]] int
		{"kineto/dlrm-8ranks", "AllToAll", []int{0, 1, 2, 3, 4, 5, 6, 7}, 4*(6144+6144) + 8*24 + 4*(384+3392)},
		// within nccl:all_reduce it launched kernels called SendRecv
		{"kineto/two-of-128-ranks", "AllReduce", []int{0, 1}, math.NaN()},
		{"kineto/two-of-128-ranks", "SendRecv", []int{0, 1}, math.NaN()},
	} {
		set := load(t, golden.Real(t, tt.path))
		var ranks []int
		for _, r := range set.Runs[0].Ranks {
			ranks = append(ranks, r.Rank)
			bytes := r.Values(measured.Key{Metric: measured.CollectiveBytes, Part: tt.collective})
			got := math.NaN()
			if len(bytes) > 0 {
				got = bytes[0]
			}
			if got != tt.want && !(math.IsNaN(got) && math.IsNaN(tt.want)) {
				t.Errorf("%s, rank %d: got %g bytes of %s, want %g", tt.path, r.Rank, got, tt.collective, tt.want)
			}
		}
		if !slices.Equal(ranks, tt.ranks) {
			t.Errorf("%s: got ranks %v, want %v", tt.path, ranks, tt.ranks)
		}
	}
}
