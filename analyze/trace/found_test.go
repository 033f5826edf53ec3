package trace

import (
	"fmt"
	"testing"
)

func TestFound(t *testing.T) {
	for _, room := range []int{0, 1, 10_000} {
		x, all := NewFound(room), []string{""}
		slots := len(x.slots)
		for range 2 {
			for i := range 10_000 {
				s := fmt.Sprint("text ", i)
				number, hash := x.Find(s, all)
				if x.Await([]uint32{hash}); hash != TextHash(s) || x.FindBy(hash, s, all) != number {
					t.Fatalf("%s: got hash %x and number %d by it, want %x and %d", s, hash, x.FindBy(hash, s, all), TextHash(s), number)
				}
				if number == 0 {
					all = append(all, s)
					number = uint32(len(all) - 1)
					x.Add(number, hash)
				}
				if all[number] != s || int(number) != i+1 {
					t.Fatalf("room for %d, %s: got number %d of %q", room, s, number, all[number])
				}
			}
		}
		if len(all) != 10_001 {
			t.Errorf("room for %d: got %d texts, want each once", room, len(all)-1)
		}
		if room == 10_000 && len(x.slots) != slots {
			t.Errorf("room for %d: got %d slots in place of %d", room, len(x.slots), slots)
		}
	}
}
