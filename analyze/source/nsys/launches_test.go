package nsys

import (
	"slices"
	"testing"

	"perfdiff/analyze/source/nsys/table"
	"perfdiff/analyze/trace"
)

func TestLaunches(t *testing.T) {
	for name, far := range map[string]int64{"near": 0, "far": 1 << 40} {
		spans := []trace.Span{{Launch: 5}, {Launch: 9 + far}, {Launch: table.Null}, {Launch: 0}, {Launch: -4}, {Launch: 5}}
		var l launches
		for i := range spans {
			l.ask(spans[i].Launch)
		}
		l.begin()
		l.ask(6) // too late
		for _, call := range [][2]int64{{5, 70}, {5, 60}, {5, 65}, {6, 1}, {0, 1}, {-4, 1}, {table.Null, 1}, {1 << 50, 1}} {
			l.note(call[0], call[1])
		}
		for id, want := range map[int64]int64{5: 60, 9 + far: trace.NoTime, 0: trace.NoTime, -4: trace.NoTime, table.Null: trace.NoTime, 1 << 50: trace.NoTime} {
			if got := l.of(id); got != want {
				t.Errorf("%s: launch of %d: got %d want %d", name, id, got, want)
			}
		}
		l.launch(spans)
		if spans[0].Launch != 60 || spans[5].Launch != 60 || spans[4].Launch != trace.NoTime {
			t.Errorf("%s: got launches %v, want 60 for both spans of one call", name, spans)
		}
	}
	var empty launches
	if empty.note(1, 1); empty.of(1) != trace.NoTime {
		t.Error("without spans: got a launch")
	}
}

// TestLaunchesOfMany: each id that is asked for has a start of its own, and no other id has
// one, whether ids are near each other, far apart, or were near at first.
func TestLaunchesOfMany(t *testing.T) {
	var near, far []int64
	for i := range int64(10_000) {
		near, far = append(near, 1+i*3), append(far, 7+i*idBlockSize*5)
	}
	for name, tt := range map[string]struct {
		list   []int64
		listed bool
	}{
		"few":  {[]int64{1, 2, 63, 64, 4095, 4096, 4097, 1 << 40, 1<<62 + 5}, false},
		"near": {near, false},
		"far":  {far, true},
		"both": {slices.Concat(near, far), true},
		"none": {nil, false},
	} {
		var l launches
		for _, id := range slices.Concat(tt.list, tt.list) {
			l.ask(id)
		}
		l.begin()
		if (l.far != nil) != tt.listed || tt.listed && l.blocks != nil {
			t.Errorf("%s: got listed %v, want %v", name, l.far != nil, tt.listed)
		}
		for _, id := range tt.list {
			if !l.note(id, -id) {
				t.Fatalf("%s: %d: got that no span asks for it", name, id)
			}
		}
		for _, id := range tt.list {
			if got := l.of(id); got != -id {
				t.Fatalf("%s: start of %d: got %d, want %d", name, id, got, -id)
			}
		}
		for _, id := range []int64{0, -1, -4096, table.Null, 3, 62, 65, 4098, 1 << 41} {
			if got := l.of(id); !slices.Contains(tt.list, id) && got != trace.NoTime {
				t.Errorf("%s: start of %d: got %d, want none", name, id, got)
			}
		}
	}
}
