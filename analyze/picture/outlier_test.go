package picture

import (
	"slices"
	"testing"

	"perfdiff/analyze/run"
)

// TestOutliers: a step stands out by its neighbours, not by its length; the first one never does.
func TestOutliers(t *testing.T) {
	level := func(n int, of func(i int) int64) (out []int64) {
		for i := range n {
			out = append(out, of(i))
		}
		return out
	}
	for _, tt := range []struct {
		name  string
		steps []int64
		most  int
		want  []int64
	}{
		{"a level, then a higher one, with a spike in the lower", level(60, func(i int) int64 {
			switch {
			case i == 0:
				return 9000
			case i == 20:
				return 151
			case i >= 30:
				return 200 + int64(i%3)
			}
			return 100 + int64(i%3)
		}), 5, []int64{151}},
		{"the largest first", level(60, func(i int) int64 { return 100 + int64(i)*map[bool]int64{true: 1}[i%20 == 7 && i > 7] }), 5, []int64{147, 127}},
		{"no more than asked for", level(60, func(i int) int64 { return 100 + 50*map[bool]int64{true: 1}[i%9 == 8] }), 2, []int64{150, 150}},
		{"nothing stands out", level(60, func(i int) int64 { return 100 + int64(i%7) }), 5, nil},
		{"no step", nil, 5, nil},
		{"steps of no length", make([]int64, 30), 5, nil},
	} {
		got := outliers(tt.steps, tt.most, func(v int64) int64 { return v })
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: got %d, want %d", tt.name, got, tt.want)
		}
	}
}

// TestSpikesHaveExcerpts: all of a run's spikes have one, also where later steps are longer, and of
// very many the largest; and steps in which a rank is late.
func TestSpikesHaveExcerpts(t *testing.T) {
	row := make([]int64, 80)
	for i := range row {
		row[i] = 1000
		if i >= 50 {
			row[i] = 2500
		}
	}
	for i, at := range []int{11, 17, 23, 29, 35, 41} {
		row[at] = 1500 + int64(i)
	}
	ranks, _ := jobOf([][]int64{row, row}, 0, nil)
	var proposed []int64
	for _, i := range ProposedSteps(ranks[0].Steps) {
		proposed = append(proposed, ranks[0].Steps[i].Number)
	}
	ranks, cuts := jobOf([][]int64{row, row}, 3, proposed)
	late := func(typical int64, steps []int64) []int64 {
		if !slices.Contains(steps, typical) || typical < 20 {
			t.Errorf("typical is %d of %d", typical, steps)
		}
		return steps[:1]
	}
	var got, long []int64
	for _, e := range Excerpts(ranks, cuts, Wishes{Ranks: inOrder(2), Late: late}) {
		if got = append(got, e.Step); e.Long {
			long = append(long, e.Step)
		}
	}
	if slices.Sort(long); len(long) != 7 || !slices.Equal(long[:6], []int64{12, 18, 24, 30, 36, 42}) || long[6] <= 50 {
		t.Errorf("got %d as what stands out, want the six spikes and the longest", long)
	}
	if !slices.Contains(got, slices.Min(proposed)) {
		t.Errorf("got the steps %d, of those proposed %d, without the one of a late rank", got, proposed)
	}
}

// TestCutHolds: a strip comes back from a cut as it was.
func TestCutHolds(t *testing.T) {
	want := run.Strip{Rank: 4, Length: 1 << 40, Omitted: 3, Names: []string{"a", "b"}, Tracks: []run.Track{{ID: 7}, {Host: true, ID: -3}}, Spans: []run.StripSpan{
		{Start: 5, End: 5 + 1<<39, Ahead: 1 << 35, Name: 1, Track: 2, Lane: run.LaneRange}, {Start: 3, End: 4, Lane: run.LaneGap}, {End: 1 << 40, Track: 1, Lane: run.LaneComm},
	}}
	c := CutOf(&want, 9)
	if got := c.Strip(); c.Step != 9 || !sameStrip(got, want) {
		t.Errorf("got %+v of step %d, want %+v", got, c.Step, want)
	}
}

func sameStrip(a, b run.Strip) bool {
	return a.Rank == b.Rank && a.Length == b.Length && a.Omitted == b.Omitted && slices.Equal(a.Names, b.Names) && slices.Equal(a.Tracks, b.Tracks) && slices.Equal(a.Spans, b.Spans)
}
