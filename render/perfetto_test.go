package render

import (
	"reflect"
	"testing"

	"perfdiff/analyze/run"
)

// TestNested: within a lane a bar lies in another or beside it, and bars that cross are in two lanes.
func TestNested(t *testing.T) {
	for _, c := range []struct {
		name  string
		spans []run.StripSpan
		want  [][]int
	}{
		{"beside", []run.StripSpan{{Start: 4, End: 9}, {Start: 0, End: 4}}, [][]int{{1, 0}}},
		{"within, from the same start", []run.StripSpan{{Start: 0, End: 4}, {Start: 0, End: 10}}, [][]int{{1, 0}}},
		{"within, to the same end", []run.StripSpan{{Start: 0, End: 10}, {Start: 4, End: 10}}, [][]int{{0, 1}}},
		{"crossing", []run.StripSpan{{Start: 0, End: 10}, {Start: 5, End: 15}}, [][]int{{0}, {1}}},
		{"crossing what is within", []run.StripSpan{{Start: 0, End: 10}, {Start: 2, End: 5}, {Start: 4, End: 8}}, [][]int{{0, 1}, {2}}},
	} {
		strip := &run.Strip{Spans: c.spans}
		all := make([]int, len(c.spans))
		for i := range all {
			all[i] = i
		}
		if got := nested(strip, all); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: got lanes %v, want %v", c.name, got, c.want)
		}
	}
}
