package nsys

import (
	"fmt"
	"testing"
)

func TestTexts(t *testing.T) {
	x, all := newTexts(), []string{""}
	for range 2 {
		for i := range 10_000 {
			s := fmt.Sprint("text ", i)
			number, hash := x.find(s, all)
			if number == 0 {
				all = append(all, s)
				number = uint32(len(all) - 1)
				x.add(number, hash)
			}
			if all[number] != s || int(number) != i+1 {
				t.Fatalf("%s: got number %d of %q", s, number, all[number])
			}
		}
	}
	if len(all) != 10_001 {
		t.Errorf("got %d texts, want each once", len(all)-1)
	}
}
