package trace

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// some is a trace with overlapping spans on two streams, as names in an order
// that is the same for every copy.
func some() *Trace {
	t := &Trace{Names: NewNames()}
	a, b := t.Names.ID("a"), t.Names.ID("b")
	for i := range int64(200) {
		t.Device = append(t.Device,
			Span{Start: i * 10, End: i*10 + 8, Name: a, Stream: 7, Kind: Kernel, Class: Compute, Launch: i},
			Span{Start: i * 10, End: i*10 + 4, Name: b, Stream: 8, Kind: Kernel, Class: Comm, Launch: i})
		t.Ranges = append(t.Ranges, Range{Start: i * 10, End: i*10 + 9, Name: a, Thread: 1})
		t.Access = append(t.Access, FileAccess{Start: i * 10, End: i*10 + 9, Bytes: i, Op: OpRead})
	}
	return t
}

// TestSortLaw: a shuffled or duplicated row changes nothing.
func TestSortLaw(t *testing.T) {
	want := some()
	want.Sort()
	rng := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		got := some()
		got.Device = append(got.Device, got.Device[rng.IntN(len(got.Device))])
		got.Access = append(got.Access, got.Access[rng.IntN(len(got.Access))])
		rng.Shuffle(len(got.Device), func(i, j int) { got.Device[i], got.Device[j] = got.Device[j], got.Device[i] })
		rng.Shuffle(len(got.Ranges), func(i, j int) { got.Ranges[i], got.Ranges[j] = got.Ranges[j], got.Ranges[i] })
		rng.Shuffle(len(got.Access), func(i, j int) { got.Access[i], got.Access[j] = got.Access[j], got.Access[i] })
		got.Sort()
		if !slices.Equal(got.Device, want.Device) || !slices.Equal(got.Ranges, want.Ranges) || !slices.Equal(got.Access, want.Access) {
			t.Fatal("another order of rows gives another trace")
		}
	}
}

func TestSortKeepsShortOnes(t *testing.T) {
	tr := &Trace{Device: []Span{{Start: 5, End: 5}, {Start: 5, End: 5}, {Start: 5, End: 6}, {Start: 5, End: 6}}}
	tr.Sort()
	if got := len(tr.Device); got != 3 {
		t.Errorf("got %d spans, want the two without length and one of the equal ones", got)
	}
}

func BenchmarkSort(b *testing.B) {
	tr := some()
	b.ReportAllocs()
	for b.Loop() {
		tr.Sort()
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(tr.Device)), "ns/span")
}
