package build

import (
	"slices"
	"testing"

	"perfdiff/analyze/trace"
)

func TestLaunches(t *testing.T) {
	for name, far := range map[string]int64{"near": 0, "far": 1 << 40} {
		spans := []trace.Span{{Launch: 5}, {Launch: 9 + far}, {Launch: trace.NoTime}, {Launch: 0}, {Launch: -4}, {Launch: 5}}
		var l Launches
		for i := range spans {
			l.Ask(spans[i].Launch)
		}
		l.Begin()
		l.Ask(6) // too late
		found := l.NoteAll(nil, []int64{5, 5, 5, 6, 0, -4, trace.NoTime, 1 << 50, 5}, []int64{70, 60, 65, 1, 1, 1, 1, 1, trace.NoTime})
		if want := []uint8{1, 1, 1, 0, 0, 0, 0, 0, 0}; !slices.Equal(found, want) {
			t.Errorf("%s: got calls found %v, want %v", name, found, want)
		}
		for id, want := range map[int64]int64{5: 60, 9 + far: trace.NoTime, 0: trace.NoTime, -4: trace.NoTime, trace.NoTime: trace.NoTime, 1 << 50: trace.NoTime} {
			if got := l.Of(id); got != want {
				t.Errorf("%s: launch of %d: got %d want %d", name, id, got, want)
			}
		}
		for i := range spans {
			spans[i].Launch = l.Of(spans[i].Launch)
		}
		if spans[0].Launch != 60 || spans[5].Launch != 60 || spans[4].Launch != trace.NoTime {
			t.Errorf("%s: got launches %v, want 60 for both spans of one call", name, spans)
		}
	}
	var empty Launches
	if empty.NoteAll(nil, []int64{1}, []int64{1}); empty.Of(1) != trace.NoTime {
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
		var l Launches
		for _, id := range slices.Concat(tt.list, tt.list) {
			l.Ask(id)
		}
		l.Begin()
		if (l.far != nil) != tt.listed || tt.listed && l.blocks != nil {
			t.Errorf("%s: got listed %v, want %v", name, l.far != nil, tt.listed)
		}
		var starts []int64
		for _, id := range tt.list {
			starts = append(starts, -id/8)
		}
		if at := slices.Index(l.NoteAll(nil, tt.list, starts), 0); at >= 0 {
			t.Fatalf("%s: %d: got that no span asks for it", name, tt.list[at])
		}
		for i, id := range tt.list {
			if got := l.Of(id); got != starts[i] {
				t.Fatalf("%s: start of %d: got %d, want %d", name, id, got, starts[i])
			}
		}
		for _, id := range []int64{0, -1, -4096, trace.NoTime, 3, 62, 65, 4098, 1 << 41} {
			if got := l.Of(id); !slices.Contains(tt.list, id) && got != trace.NoTime {
				t.Errorf("%s: start of %d: got %d, want none", name, id, got)
			}
		}
	}
}
