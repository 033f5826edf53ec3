package run

import (
	"reflect"
	"testing"
)

func TestLongest(t *testing.T) {
	var gaps, kept []Gap
	for i := range 9 {
		gap := Gap{Length: int64(i * 7 % 9), Step: int64(i)}
		gaps, kept = LongestGaps(gaps, []Gap{gap}), AddGap(kept, gap)
	}
	if !reflect.DeepEqual(gaps, kept) {
		t.Errorf("kept %+v, want %+v", kept, gaps)
	}
	for i, g := range gaps {
		if len(gaps) != MaxGaps || g.Length != int64(8-i) {
			t.Errorf("got %+v", gaps)
		}
	}
}
