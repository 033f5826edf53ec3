package idle

import "testing"

// TestThreads: a set of threads has any number.
func TestThreads(t *testing.T) {
	var set threads
	for i := range int32(100) {
		set.add(-i * 3)
		set.add(-i * 3)
	}
	for i := range int32(300) {
		if got, want := set.has(-i), i%3 == 0; got != want {
			t.Errorf("%d: got %v, want %v", -i, got, want)
		}
	}
	if len(set.few)+len(set.more) != 100 {
		t.Errorf("got %d threads", len(set.few)+len(set.more))
	}
}
