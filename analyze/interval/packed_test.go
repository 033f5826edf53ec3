package interval

import (
	"math"
	"slices"
	"testing"
)

func TestPack(t *testing.T) {
	const far = math.MaxInt64 / 4
	for _, want := range []Set{
		nil,
		{{Start: 0, End: 1}},
		{{Start: -5, End: 3}, {Start: 4, End: 200}, {Start: 5_000_000_000, End: 9_999_999_999}},
		{{Start: -far, End: -far + 1}, {Start: far - 1, End: far}},
		{{Start: math.MinInt64, End: -1}, {Start: 0, End: math.MaxInt64}},
	} {
		if got := Pack(nil, want).Unpack(nil); !slices.Equal(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
	}
	close := Set{}
	for i := range int64(1000) {
		close = append(close, Interval{Start: 1e12 + i*15_000, End: 1e12 + i*15_000 + 9000})
	}
	if got, most := len(Pack(nil, close)), 4*len(close)+8; got > most {
		t.Errorf("got %d bytes, want at most %d", got, most)
	}
}
