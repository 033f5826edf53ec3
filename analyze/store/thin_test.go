package store

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"perfdiff/analyze/run"
)

// entriesAt are runs saved at some times, in this order.
func entriesAt(times ...time.Time) (out []Entry) {
	for i, at := range times {
		file := nameOf(&run.Kept{Number: int64(i + 1), Saved: at.UnixNano(), Digest: fmt.Sprintf("%012x", i)})
		out = append(out, Entry{Name: file, File: file, Number: int64(i + 1), Saved: at.UnixNano(), name: parseName(file)})
	}
	return out
}

// thinned are the runs that stay.
func thinned(runs []Entry, now time.Time, all time.Duration) []Entry {
	gone := Thin(runs, now, all, nil)
	return slices.DeleteFunc(slices.Clone(runs), func(e Entry) bool { return slices.Contains(gone, e.File) })
}

// TestThin: three years with five runs a day.
func TestThin(t *testing.T) {
	var times []time.Time
	for day := range 3 * 365 {
		for i := range 5 {
			times = append(times, noon.AddDate(0, 0, day).Add(time.Duration(i)*time.Hour))
		}
	}
	runs := entriesAt(times...)
	now := times[len(times)-1]
	left := thinned(runs, now, KeepAll)
	count := func(from, to int) (n int) {
		for _, e := range left {
			if age := time.Unix(0, told(runs, now)).Sub(time.Unix(0, e.Saved)); age > time.Duration(from)*aDay && age <= time.Duration(to)*aDay {
				n++
			}
		}
		return n
	}
	recent, days, weeks := count(-3, 120), count(120, 485), count(485, 2000)
	if recent < 600 || recent > 611 || days < 363 || days > 366 || weeks < 86 || weeks > 89 {
		t.Errorf("got %d, %d and %d", recent, days, weeks)
	}
	if again := thinned(left, now, KeepAll); len(again) != len(left) {
		t.Errorf("again: %d of %d stay", len(again), len(left))
	}
	var step []Entry // as it goes from day to day
	for i := range runs {
		if step = append(step, runs[i]); i%100 == 0 || i == len(runs)-1 {
			step = thinned(step, time.Unix(0, runs[i].Saved), KeepAll)
		}
	}
	if n := len(step) - len(left); n < -1 || n > 1 {
		t.Errorf("thinned as it grew %d are left, at once %d", len(step), len(left))
	}
	if got := Thin(runs, now, 0, nil); got != nil {
		t.Errorf("all stay: got %d", len(got))
	}
	held := runs[17]
	if got := Thin(runs, now, KeepAll, func(name string) bool { return name == held.Name }); slices.Contains(got, held.File) || !slices.Contains(got, runs[18].File) {
		t.Error("what is held goes, or what is not stays")
	}
}

// TestThinClocks: a clock that jumps, of the machine that thins or of one that saved, loses no run.
func TestThinClocks(t *testing.T) {
	var times []time.Time
	for i := range 300 {
		times = append(times, noon.Add(time.Duration(i)*5*time.Hour))
	}
	now := times[len(times)-1]
	far := slices.Clone(times)
	for i := 250; i < 300; i += 3 {
		far[i] = far[i].AddDate(10, 0, 0)
	}
	back := slices.Clone(times)
	for i := 100; i < 300; i += 3 {
		back[i] = back[i].AddDate(-10, 0, 0)
	}
	for name, tt := range map[string]struct {
		times []time.Time
		now   time.Time
	}{
		"right":                   {times, now},
		"ten years ahead":         {times, now.AddDate(10, 0, 0)},
		"ten years back":          {times, now.AddDate(-10, 0, 0)},
		"some saved so":           {far, now.AddDate(10, 0, 0)},
		"some saved so, seen now": {far, now},
		"some saved ten years back, among them the last": {back, now},
	} {
		if got := Thin(entriesAt(tt.times...), tt.now, KeepAll, nil); len(got) > 0 {
			t.Errorf("%s: %d runs go", name, len(got))
		}
	}
}

// TestThinOld: runs without a time are as old as the next that has one; what people named stays.
func TestThinOld(t *testing.T) {
	var times []time.Time
	for i := range 40 {
		times = append(times, noon.Add(time.Duration(i)*time.Hour*24))
	}
	runs := entriesAt(times...)
	for i, name := range []string{"undated-000001-0123456789ab", "undated-000002-0123456789ab", "by-hand"} {
		runs = slices.Insert(runs, i, Entry{Name: name, File: name + runExt, name: parseName(name)})
	}
	damaged := runs[4]
	damaged.Damaged = &Finding{}
	runs[4] = damaged
	want := []string{"undated-000002-0123456789ab" + runExt, runs[3].File}
	if got := Thin(runs, times[39], 25*aDay, nil); !slices.Equal(got, want) {
		t.Errorf("got %v want %v", got, want)
	}
}
