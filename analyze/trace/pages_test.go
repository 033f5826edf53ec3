package trace

import "testing"

// TestPages: a list in pages has what was added, wherever a page ends, and grows on where it
// was cut.
func TestPages(t *testing.T) {
	for _, n := range []int{0, 1, 7, onePage - 1, onePage, onePage + 1, 3*onePage + 5} {
		for _, cut := range []int{0, 1, onePage - 1, onePage, onePage + 1, n} {
			var p Pages[int]
			for i := range n {
				p.Add(i)
			}
			cut = min(cut, n)
			p.Cut(cut)
			for i := cut; i < n+onePage; i++ {
				p.Add(i)
			}
			if got, want := p.Len(), n+onePage; got != want {
				t.Errorf("%d cut at %d: got %d elements, want %d", n, cut, got, want)
			}
			for i := range p.Len() {
				if got := *p.At(i); got != i {
					t.Fatalf("%d cut at %d: got %d at %d", n, cut, got, i)
				}
			}
		}
	}
}
