package analyze

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"perfdiff/analyze/metric"
	"perfdiff/analyze/picture"
	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// TestOddSteps: a rank whose steps each hold several steps of its peers is left out by name, since
// it would seem to be the slow one. Stages of a pipeline, slow ranks and short captures are not.
func TestOddSteps(t *testing.T) {
	type of struct {
		steps    int
		time     float64 // s
		launches int64   // per step
	}
	usual := of{28, 0.029, 34}
	for _, x := range []struct {
		name  string
		ranks []of
		left  []int // out
		times string
	}{
		{"alike", []of{usual, usual, usual, usual}, nil, ""},
		{"two steps in one", []of{{14, 0.058, 68}, usual, usual, usual}, []int{0}, "2"},
		{"three steps in one, and one less", []of{usual, usual, {8, 0.087, 102}}, []int{2}, "3"},
		{"half a step in one", []of{usual, {56, 0.0145, 17}, usual}, []int{1}, "1/2"},
		{"one of two", []of{usual, {14, 0.058, 68}}, []int{1}, "2"},
		{"a stage with twice the layers", []of{{28, 0.029, 68}, usual, usual}, nil, ""},
		{"a short capture of such a stage", []of{{14, 0.029, 68}, usual, usual}, nil, ""},
		{"a rank at half the speed", []of{{14, 0.058, 34}, usual, usual}, nil, ""},
		{"a short capture", []of{{14, 0.029, 34}, usual, usual}, nil, ""},
		{"without steps", []of{{0, 0, 68}, usual, usual}, nil, ""},
	} {
		j := joined{comms: make([]metric.Communication, len(x.ranks)), cuts: make([][]picture.Cut, len(x.ranks))}
		for i, r := range x.ranks {
			k := run.Rank{Rank: i, Files: []string{fmt.Sprintf("rank%d.sqlite", i)}, Steps: make([]trace.Step, r.steps)}
			k.Series = []run.Series{{Key: run.Key{Metric: run.StepTime}, Values: slices.Repeat([]float64{r.time}, r.steps)}}
			k.Stats = []run.Stat{{Table: run.KernelTable, Name: "gemm", Count: r.launches * int64(r.steps)}}
			j.ranks = append(j.ranks, k)
		}
		set := &run.Set{}
		j.leaveOutOddSteps(set)
		var want []int
		for i := range x.ranks {
			if !slices.Contains(x.left, i) {
				want = append(want, i)
			}
		}
		var got []int
		for _, r := range j.ranks {
			got = append(got, r.Rank)
		}
		if !slices.Equal(got, want) || len(j.comms) != len(want) || len(j.cuts) != len(want) {
			t.Errorf("%s: ranks %v are kept, want %v", x.name, got, want)
		}
		if len(set.Warnings) != len(x.left) {
			t.Fatalf("%s: %d warnings", x.name, len(set.Warnings))
		}
		for i, w := range set.Warnings {
			if want := fmt.Sprintf("rank %d left out: its steps take %s times as long", x.left[i], x.times); w.File != fmt.Sprintf("rank%d.sqlite", x.left[i]) || !strings.HasPrefix(w.Text, want) {
				t.Errorf("%s: %s: %s, want %s", x.name, w.File, w.Text, want)
			}
		}
	}
}
