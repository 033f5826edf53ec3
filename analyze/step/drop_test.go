package step

import (
	"fmt"
	"strings"
	"testing"

	"perfdiff/analyze/trace"
)

// TestWorkless: steps whose device work was lost are told of, since nothing else tells them from
// steps that launched nothing.
func TestWorkless(t *testing.T) {
	numbered := func(i int) string { return fmt.Sprintf("step %d", i) }
	from := func(first, step int) func(int) bool {
		return func(i int) bool { return i >= first && (i-first)%step == 0 }
	}
	for _, tt := range []struct {
		name  string
		trace *trace.Trace
		says  string
	}{
		{"all have some", loop(20, numbered), ""},
		{"lost from the middle on", quiet(loop(20, numbered), from(11, 1)), "9 of 20 steps have no device work, the first of them step 11: "},
		{"lost at the end, as the host runs ahead", quiet(loop(20, numbered), from(16, 1)), ""},
		{"two of five at the end", quiet(loop(5, numbered), from(3, 1)), ""},
		{"every third", quiet(loop(21, numbered), from(2, 3)), "7 of 21 steps have no device work, the first of them step 2: "},
	} {
		tt.trace.Sort()
		if got := Find(tt.trace, Options{SkipFirst: 0}).Workless; (tt.says == "") != (got == "") || !strings.HasPrefix(got, tt.says) {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.says)
		}
	}
}
