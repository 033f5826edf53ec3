package trace

import (
	"math"
	"testing"
	"unsafe"
)

// TestCallLength: a call is 16 bytes; lengths below 4.29 s are exact, longer ones never too
// long and short of the truth by less than 2^-31 of it; what ends before it starts takes no time.
func TestCallLength(t *testing.T) {
	if size := unsafe.Sizeof(Call{}); size != CallSize {
		t.Errorf("a call is %d bytes, want %d", size, CallSize)
	}
	const exact = 1 << 32
	for _, ns := range []int64{0, 1, 999, exact - 1, exact, exact + 1, 1_000_000_001, 3_600_000_000_007, 1<<57 + 12345, maxLength} {
		c := NewCall(-77, -77+ns, 3)
		got := c.Length()
		if short := ns - got; short < 0 || ns < exact && short > 0 || float64(short) > float64(ns)/(1<<31) {
			t.Errorf("%d ns: got %d", ns, got)
		}
		if c.Start != -77 || c.By() != 3 || c.End() != -77+got {
			t.Errorf("%d ns: got %+v that ends at %d", ns, c, c.End())
		}
	}
	for _, x := range [][2]int64{{5, 4}, {math.MaxInt64, 0}, {0, math.MinInt64 + 1}} {
		if c := NewCall(x[0], x[1], 0); c.Length() != 0 || c.End() != x[0] {
			t.Errorf("from %d to %d: got a length of %d", x[0], x[1], c.Length())
		}
	}
	if c := NewCall(0, math.MaxInt64, 0); c.Length() > maxLength || c.Length() < maxLength-maxLength>>31 {
		t.Errorf("longer than can be: got %d, want about %d", c.Length(), int64(maxLength))
	}
}

// TestCallers: each caller has one number, in the order of the first question, however many there are.
func TestCallers(t *testing.T) {
	var c Callers
	const n = 5000
	caller := func(i int) Caller { return Caller{Thread: int32(i%50 - 25), Name: NameID(i / 50)} }
	for range 2 {
		for i := range n {
			if got := c.ID(caller(i)); got != CallerID(i) {
				t.Fatalf("caller %d: got number %d", i, got)
			}
		}
	}
	if c.Len() != n || c.At(77) != caller(77) {
		t.Errorf("got %d callers, of which 77 is %v, want %d and %v", c.Len(), c.At(77), n, caller(77))
	}
	threads := CallersOf(&c, func(x Caller) int32 { return x.Thread })
	if len(threads) != n || threads[51] != caller(51).Thread {
		t.Errorf("by number: got %d, of which 51 is of thread %d", len(threads), threads[51])
	}
	same := c.Renamed(func(NameID) NameID { return 7 })
	if same.Len() != n || same.At(4999) != (Caller{caller(4999).Thread, 7}) || c.At(4999) != caller(4999) {
		t.Errorf("renamed: got %v", same.At(4999))
	}
	if id := same.ID(Caller{Thread: 100, Name: 9}); id != n || same.ID(Caller{Thread: 100, Name: 9}) != n {
		t.Errorf("renamed: a new caller has number %d, want %d", id, n)
	}
}
