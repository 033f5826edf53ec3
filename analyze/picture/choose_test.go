package picture

import (
	"reflect"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// jobOf are ranks with the given lengths of their steps, each rank's a row, from number
// 1 on, and cuts of the steps that each proposes, with so many bars.
func jobOf(lengths [][]int64, bars int, proposed ...[]int64) (ranks []run.Rank, cuts [][]Cut) {
	for r, row := range lengths {
		rank, list := run.Rank{Rank: r}, []Cut(nil)
		for i, length := range row {
			at := int64(i+1) * 1_000_000
			rank.Steps = append(rank.Steps, trace.Step{Number: int64(i + 1), Start: at, End: at + length})
		}
		for _, n := range proposed[min(r, len(proposed)-1)] {
			spans := make([]run.StripSpan, bars)
			for k := range spans {
				spans[k] = run.StripSpan{Start: int64(k) * 10, End: int64(k)*10 + int64(k*7%10), Name: int32(k % 3)}
			}
			list = append(list, CutOf(&run.Strip{Rank: r, Length: row[n-1], Names: []string{"a", "b", "c"}, Spans: spans}, n))
		}
		ranks, cuts = append(ranks, rank), append(cuts, list)
	}
	return ranks, cuts
}

func inOrder(ranks int) func(int64) []int {
	return func(int64) (out []int) {
		for r := range ranks {
			out = append(out, ranks-1-r)
		}
		return out
	}
}

// TestExcerpts: the typical step is near the median and not of the first quarter, the worst
// is the longest but for the first, and all ranks are in both.
func TestExcerpts(t *testing.T) {
	for _, tt := range []struct {
		name           string
		lengths        [][]int64
		proposed       [][]int64
		typical, worst int64
		ranks          int
	}{
		{"one rank", [][]int64{{900, 100, 101, 300, 104, 105, 106, 107}}, [][]int64{{1, 2, 3, 4, 5, 6, 7, 8}}, 6, 4, 1},
		{"ranks that disagree", [][]int64{{900, 100, 100, 300, 104, 105, 106, 107}, {800, 100, 100, 100, 104, 109, 400, 103}}, [][]int64{{1, 4, 5, 6, 7, 8}, {2, 4, 5, 7, 8}}, 8, 7, 2},
		{"the longest that all have", [][]int64{{900, 100, 700, 300, 104, 105, 106, 107}, {800, 100, 700, 300, 104, 109, 400, 103}}, [][]int64{{1, 3, 4, 5}, {1, 4, 5}}, 5, 4, 2},
		{"a ramp", [][]int64{{100, 110, 120, 130, 140, 150, 160, 170}}, [][]int64{{1, 2, 3, 4, 5, 6, 7, 8}}, 4, 8, 1},
		{"one step", [][]int64{{900}, {800}}, [][]int64{{1}}, 1, 0, 2}, // which is typical
	} {
		ranks, cuts := jobOf(tt.lengths, 5, tt.proposed...)
		got := Excerpts(ranks, cuts, Wishes{Ranks: inOrder(len(ranks))})
		worst, seen := int64(0), map[int64]bool{}
		for _, e := range got {
			if seen[e.Step] {
				t.Errorf("%s: step %d twice", tt.name, e.Step)
			}
			if seen[e.Step] = true; e.Worst {
				worst = e.Step
			}
			if (e.Worst || e.Step == tt.typical) && len(e.Ranks) != tt.ranks {
				t.Errorf("%s: step %d has %d ranks", tt.name, e.Step, len(e.Ranks))
			}
		}
		if got[0].Step != tt.typical || got[0].Worst || got[0].Long || worst != tt.worst {
			t.Errorf("%s: got step %d as typical and %d as worst, want %d and %d", tt.name, got[0].Step, worst, tt.typical, tt.worst)
		}
	}
	if Excerpts(nil, nil, Wishes{}) != nil {
		t.Error("an excerpt of nothing")
	}
}

// TestShare: all ranks share the bars, of which the first have most, the longest ones stay, and
// of very many ranks the first do.
func TestShare(t *testing.T) {
	row := []int64{100, 200, 150, 160}
	for _, tt := range []struct{ ranks, bars, want, close, other int }{
		{1, 2500, 1, 2000, 0}, {4, 900, 4, 500, 0}, {16, 300, 16, 284, 71}, {200, 70, 33, 70, 59}, {3, 700, 3, 664, 0}, {2, 800, 2, 800, 0},
	} {
		var lengths [][]int64
		for range tt.ranks {
			lengths = append(lengths, row)
		}
		ranks, cuts := jobOf(lengths, tt.bars, []int64{3, 4})
		for _, e := range Excerpts(ranks, cuts, Wishes{Ranks: inOrder(tt.ranks)}) {
			total := 0
			for k, s := range e.Ranks {
				total += len(s.Spans)
				want := tt.close
				if k >= closeRanks {
					want = tt.other
				}
				if len(s.Spans) != want || s.Omitted != tt.bars-want {
					t.Fatalf("%d ranks, strip %d: got %d bars and %d left out, want %d", tt.ranks, k, len(s.Spans), s.Omitted, want)
				}
			}
			if len(e.Ranks) != tt.want || total > run.MaxExcerptBars || e.Ranks[0].Rank != tt.ranks-1 {
				t.Errorf("%d ranks: got %d of them with %d bars", tt.ranks, len(e.Ranks), total)
			}
		}
	}
	// What a rank with few bars leaves goes to the others.
	ranks, cuts := jobOf([][]int64{row, row}, 1500, []int64{3})
	few := cuts[0][0].Strip()
	few.Spans = few.Spans[:100]
	cuts[0][0] = CutOf(&few, 3)
	if e := Excerpts(ranks, cuts, Wishes{Ranks: inOrder(2)})[0]; len(e.Ranks[0].Spans) != 1500 || len(e.Ranks[1].Spans) != 100 {
		t.Errorf("got %d and %d bars", len(e.Ranks[0].Spans), len(e.Ranks[1].Spans))
	}
}

// TestLongestBars: the longest stay in their order, of equal ones the first, with the
// names that they need.
func TestLongestBars(t *testing.T) {
	s := run.Strip{Rank: 3, Length: 50, Names: []string{"a", "b", "c"}, Omitted: 2, Spans: []run.StripSpan{
		{End: 4},
		{Start: 5, End: 15, Name: 2},
		{Start: 20, End: 24, Name: 1, Lane: run.LaneComm},
		{Start: 25, End: 26, Lane: run.LaneComm},
		{Start: 30, End: 34, Lane: run.LaneGap},
	}}
	want := run.Strip{Rank: 3, Length: 50, Names: []string{"a", "c", "b"}, Omitted: 4, Spans: []run.StripSpan{
		{End: 4},
		{Start: 5, End: 15, Name: 1},
		{Start: 20, End: 24, Name: 2, Lane: run.LaneComm},
	}}
	if got := new(barChooser).longest(s, 3); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v", got)
	}
	if got := new(barChooser).longest(s, 6); !reflect.DeepEqual(got, s) {
		t.Errorf("got %+v", got)
	}
}
