package html

import (
	"fmt"
	"strings"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/diff/cause"
)

// TestLevelMarks: a change of level is a line in the chart of steps, with words at the
// first of each side, and a cell of the table.
func TestLevelMarks(t *testing.T) {
	r := jobReport(2, 20)
	at := r.Steps[10].Number
	r.Cand.Stability = []cause.Stability{
		{Run: "a", Drift: .3, Level: &cause.LevelChange{Step: at, Change: .3, Part: cause.StepPart{Key: run.Key{Metric: run.ComputeTime}}, Ranks: []int{3}}},
		{Run: "b", Drift: .3, Level: &cause.LevelChange{Step: at + 2, Change: .25, Part: cause.StepPart{Key: run.Key{Metric: run.ExposedTransferTime}}}}, {Run: "c"},
	}
	page := written(t, r)
	want := fmt.Sprintf(`"levels":[{"at":10,"side":1,"text":"step %d: +30`, at)
	if data := dataBlock(t, page); !strings.Contains(data, want) || !strings.Contains(data, `{"at":12,"side":1,"text":""}]`) {
		t.Errorf("the chart does not hold %s", want)
	}
	for _, want := range []string{fmt.Sprintf("%% from step %d on: compute, rank 3", at), fmt.Sprintf("%% from step %d on: transfer", at+2)} {
		if !strings.Contains(page, want) {
			t.Errorf("the table does not say %q", want)
		}
	}
	if strings.Contains(dataBlock(t, written(t, jobReport(2, 20))), `"levels"`) {
		t.Error("marks without a change")
	}
	// Many steps share a column.
	long := jobReport(1, 2000)
	long.Base.Stability = []cause.Stability{{Level: &cause.LevelChange{Step: long.Steps[1001].Number}}}
	s := &sheet{r: long}
	cols, each := s.stepColumns()
	if got := s.columnOf(long.Steps[1001].Number, cols); got != 1001/each {
		t.Errorf("%d steps a column: got column %d, want %d", each, got, 1001/each)
	}
}
