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

// TestSortOrders sorts what exporters never leave: reversed, shuffled, in two
// stretches, with many equal starts and starts far apart.
func TestSortOrders(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for name, start := range map[string]func(i int) int64{
		"reversed":  func(i int) int64 { return int64(-i) },
		"shuffled":  func(int) int64 { return rng.Int64N(1e6) },
		"stretches": func(i int) int64 { return int64(i % 700) },
		"two lists": func(i int) int64 { return int64(i%1500*10) + rng.Int64N(40) },
		"some late": func(i int) int64 { return int64(i) - int64(max(0, i%97-95))*800 },
		"most late": func(i int) int64 { return int64(i) + int64(max(0, 300-i))*100 },
		"streams":   func(i int) int64 { return int64(i)*10 + int64(i%3)*25 },
		"equal":     func(i int) int64 { return rng.Int64N(3) },
		"far apart": func(i int) int64 { return rng.Int64N(1<<61) - rng.Int64N(1<<61) },
	} {
		tr := &Trace{}
		for i := range 2000 {
			s := start(i)
			tr.Syncs = append(tr.Syncs, Sync{Start: s, End: s + rng.Int64N(5), Stream: int32(i)})
			tr.Device = append(tr.Device, Span{Start: s, End: s + rng.Int64N(5) + 1, Stream: int32(i)})
		}
		tr.Device = append(tr.Device, tr.Device[:5]...) // which are left out
		want, spans := slices.Clone(tr.Syncs), slices.Clone(tr.Device[:2000])
		slices.SortFunc(want, compareSyncs)
		slices.SortFunc(spans, compareSpans)
		if tr.Sort(); !slices.Equal(tr.Syncs, want) || !slices.Equal(tr.Device, spans) {
			t.Errorf("%s: not in order", name)
		}
	}
}

func BenchmarkSort(b *testing.B) {
	tr := some()
	for _, order := range []string{"in order", "shuffled"} {
		b.Run(order, func(b *testing.B) {
			spans := slices.Repeat(tr.Device, 2500)
			for i := range spans {
				spans[i].Start, spans[i].End = int64(i)*7000, int64(i)*7000+5000
			}
			if order == "shuffled" {
				rand.New(rand.NewPCG(1, 2)).Shuffle(len(spans), func(i, j int) { spans[i], spans[j] = spans[j], spans[i] })
			}
			sorted := &Trace{Device: make([]Span, len(spans))}
			for b.Loop() {
				b.StopTimer()
				copy(sorted.Device, spans)
				b.StartTimer()
				sorted.Sort()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(spans)), "ns/span")
		})
	}
}

func TestSortGivesOneOrder(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var want []Span
	for i := range 5000 {
		start := int64(i / 3 * 10)
		want = append(want, Span{Start: start, End: start + 5 + int64(i%2), Name: NameID(i % 5), Launch: int64(i % 7), Stream: int32(i % 3)})
	}
	slices.SortFunc(want, compareSpans)
	for _, swaps := range []int{0, 3, 100_000} { // nearly sorted, and not at all
		got := &Trace{Device: slices.Clone(want)}
		for range swaps {
			i, j := random.IntN(len(want)), random.IntN(len(want))
			got.Device[i], got.Device[j] = got.Device[j], got.Device[i]
		}
		if got.Sort(); !slices.Equal(got.Device, want) {
			t.Errorf("%d swaps: order differs", swaps)
		}
	}
}
