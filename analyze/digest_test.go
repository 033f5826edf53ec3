package analyze

import (
	"hash/fnv"
	"testing"

	"perfdiff/analyze/trace"
)

var hashed = []string{"", "a", "aten::addmm, sizes = [[12, 4096]]", "\xff\x00ä", "step 1", "step 22"}

// fnvOf is the hash of a text as the standard library has it.
func fnvOf(text string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(text))
	return h.Sum64()
}

func TestFNV64a(t *testing.T) {
	for _, text := range hashed {
		if got, want := fnv64a(fnvOffset, text), fnvOf(text); got != want {
			t.Errorf("%q: got %x, want %x", text, got, want)
		}
	}
}

// TestHashRangeNames: names that are hashed four at a time have the hashes that each has alone,
// however many there are and in whatever order.
func TestHashRangeNames(t *testing.T) {
	for n := range 3 * len(hashed) {
		tr := &trace.Trace{Names: trace.NewNames()}
		for i := range n {
			tr.Ranges = append(tr.Ranges, trace.Range{Name: tr.Names.ID(hashed[i*i%len(hashed)])}, trace.Range{Name: tr.Names.ID(hashed[i%len(hashed)])})
		}
		d := newFingerprint(tr)
		d.hashRangeNames()
		for _, x := range tr.Ranges {
			if got, want := uint64(d.nameHash(x.Name)), fnvOf(tr.Names.Text(x.Name)); got != want {
				t.Errorf("%d ranges, %q: got %x, want %x", n, tr.Names.Text(x.Name), got, want)
			}
		}
	}
}
