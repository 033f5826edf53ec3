package analyze

import (
	"hash/fnv"
	"testing"
)

func TestFNV64a(t *testing.T) {
	for _, text := range []string{"", "a", "aten::addmm, sizes = [[12, 4096]]", "\xff\x00ä"} {
		h := fnv.New64a()
		h.Write([]byte(text))
		if got, want := fnv64a(text), h.Sum64(); got != want {
			t.Errorf("%q: got %x, want %x", text, got, want)
		}
	}
}
