package run

import (
	"fmt"
	"reflect"
	"testing"
)

// TestTopmost: a table keeps the names with the most time and sums up the others, so that
// it adds up to all, however often it is done.
func TestTopmost(t *testing.T) {
	var all []Stat
	count, total := int64(0), int64(0)
	for i := range 3 * MaxWholeStats {
		var d Durations
		for n := range i + 1 {
			d.Add(int64(1000 + n))
			count, total = count+1, total+int64(1000+n)
		}
		all = append(all, d.StatWithQuartiles(KernelTable, fmt.Sprint("kernel ", i)))
	}
	once := TopStatsAndOthers(append([]Stat{{Table: APITable, Name: "x", Count: 1, Total: 5}}, all...))
	twice := TopStatsAndOthers(append([]Stat{}, once...))
	if !reflect.DeepEqual(once, twice) {
		t.Error("a second time gives something else")
	}
	gotCount, gotTotal, rows := int64(0), int64(0), 0
	for _, s := range once {
		if s.Table == KernelTable {
			gotCount, gotTotal, rows = gotCount+s.Count, gotTotal+s.Total, rows+1
		}
		if s.Name == "kernel 0" {
			t.Error("a name with little time is kept")
		}
	}
	if gotCount != count || gotTotal != total || rows != MaxWholeStats+1 || len(once) != rows+1 {
		t.Errorf("got %d calls of %d ns in %d rows, want %d of %d", gotCount, gotTotal, rows, count, total)
	}
}

func TestSpread(t *testing.T) {
	var d Durations
	for i := range 101 {
		d.Add(int64(100 * (100 - i)))
	}
	if got := d.StatWithQuartiles(KernelTable, "x"); got.Quartiles != [2]int64{2500, 7500} || got.Median != 5000 {
		t.Errorf("got %+v", got)
	}
	if got := new(Durations).StatWithQuartiles(KernelTable, "x"); got.Quartiles != [2]int64{} {
		t.Errorf("of nothing: got %+v", got)
	}
}

// TestWholePlus: two captures of a rank add up; one that is not known makes both unknown.
func TestWholePlus(t *testing.T) {
	a := &WholeCapture{Device: 10, Host: 20, Busy: 5, Read: 7, ReadFrom: "files", Stats: []Stat{{Table: KernelTable, Name: "k", Count: 1, Total: 5}}}
	a.Launches[3], a.Gaps.Counts[2] = 4, 5
	b := &WholeCapture{Device: 1, Host: 2, Busy: 1, Read: 9, ReadFrom: "files", Stats: []Stat{{Table: KernelTable, Name: "k", Count: 2, Total: 1}}}
	b.Launches[3] = 1
	got := a.Plus(b)
	if got.Device != 11 || got.Host != 22 || got.Busy != 6 || got.Read != 16 || got.Launches[3] != 5 || got.Gaps.Counts[2] != 5 || len(got.Stats) != 1 || got.Stats[0].Count != 3 {
		t.Errorf("got %+v", got)
	}
	if a.Launches[3] != 4 || a.Gaps.Counts[2] != 5 || a.Stats[0].Count != 1 {
		t.Errorf("the first was changed: %+v", a)
	}
	if b.ReadFrom = "counters"; a.Plus(b).ReadFrom != "" || a.Plus(b).Read != 0 {
		t.Error("bytes of two sources are added up")
	}
	if a.Plus(nil) != nil || (*WholeCapture)(nil).Plus(a) != nil {
		t.Error("what is not known is something")
	}
}
