package metric

import (
	"fmt"
	"slices"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// TestInCapture: what a table says of others is the same whether each name is summed up with
// its median or not, also where one of them has the most calls.
func TestInCapture(t *testing.T) {
	for _, often := range []int{1, 3000} {
		names := trace.NewNames()
		for i := range 400 {
			names.ID(fmt.Sprint("name ", i))
		}
		g := newNameGroups(names, nil)
		for i := range 400 {
			for k := range 1 + i%3 {
				g.add(names.ID(fmt.Sprint("name ", i)), int64(1000*(400-i)+k), scope(k%2))
			}
		}
		for range often {
			g.add(names.ID("name 399"), 7, keptSteps)
		}
		all := make([]int, g.all.Len())
		for i := range all {
			all[i] = i
		}
		got, want := g.captureStats(run.APITable), run.TopStatsAndOthers(g.statsWithQuartiles(run.APITable, all))
		for i := range want {
			if d := got[i].Squares - want[i].Squares; d > 1e-9*want[i].Squares || -d > 1e-9*want[i].Squares {
				t.Errorf("%s: squares are %g, want %g", want[i].Name, got[i].Squares, want[i].Squares)
			}
			got[i].Squares = want[i].Squares // which are added up in another order
		}
		if !slices.Equal(got, want) {
			t.Errorf("%d times: got %+v, want %+v", often, got, want)
		}
		if rows := g.keptStats(run.APITable); len(rows) < run.MaxStats {
			t.Errorf("got %d rows of the kept steps", len(rows))
		}
	}
}

// TestGathered: durations come back by group, in the order in which they were put.
func TestGathered(t *testing.T) {
	var x durationBuffer
	for round := range int64(3) {
		for i := range int64(200) {
			x.put(int32(i*i%7*30), round*1000+i)
		}
		seen := 0
		x.flush(func(group int32, ns []int64) {
			seen += len(ns)
			for k, v := range ns {
				if i := v - round*1000; int32(i*i%7*30) != group || k > 0 && v <= ns[k-1] {
					t.Errorf("group %d has %v", group, ns)
				}
			}
		})
		if seen != 200 {
			t.Errorf("got %d durations back", seen)
		}
	}
}
