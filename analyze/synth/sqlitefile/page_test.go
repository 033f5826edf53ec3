package sqlitefile

import "testing"

// TestLockPage: the page at which locks are taken is given to nobody.
func TestLockPage(t *testing.T) {
	f := File{pages: 1<<30/pageSize - 1}
	if a, b := f.allocate(), f.allocate(); a != 262_144 || b != 262_146 {
		t.Errorf("got pages %d and %d, want 262144 and 262146", a, b)
	}
}
