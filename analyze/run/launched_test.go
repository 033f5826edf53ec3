package run

import (
	"fmt"
	"testing"
)

// TestTopLaunched: the rows stay bounded, rows that are alike are added up in any order, and no time
// of a kernel is lost.
func TestTopLaunched(t *testing.T) {
	var a, b []LaunchedRow
	want := map[string]int64{}
	for i := range 3 * MaxLaunched {
		row := LaunchedRow{Phase: Phases[i%3], In: fmt.Sprint("op", i), Kernel: fmt.Sprint("k", i%10), Time: int64(i + 1), Launches: 2}
		a, b = append(a, row), append([]LaunchedRow{row}, b...)
		want[row.Kernel] += 2 * row.Time
	}
	both := (&Launched{Steps: 3, Rows: TopLaunched(a)}).Plus(&Launched{Steps: 4, Rows: TopLaunched(b)})
	if both.Steps != 7 || len(both.Rows) > MaxLaunched+30 {
		t.Errorf("got %d rows of %d steps", len(both.Rows), both.Steps)
	}
	got, launches := map[string]int64{}, int64(0)
	for _, row := range both.Rows {
		got[row.Kernel] += row.Time
		launches += row.Launches
	}
	for kernel, time := range want {
		if got[kernel] != time {
			t.Errorf("%s: got %d ns, want %d", kernel, got[kernel], time)
		}
	}
	if launches != 4*3*MaxLaunched {
		t.Errorf("got %d launches", launches)
	}
	if one := (*Launched)(nil).Plus(both); one != both || both.Plus(nil) != both {
		t.Error("nothing and a list are not the list")
	}
}
