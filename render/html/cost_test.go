package html

import (
	"encoding/json"
	"math"
	"slices"
	"testing"
)

// sizes are the jobs that the page's cost is promised for: bytes of the file, and ms of
// the main thread until all charts are drawn, which BenchmarkPage reports.
var sizes = []struct {
	ranks, steps, bytes, drawn int
}{{16, 100, 900_000, 600}, {128, 1000, 1_500_000, 1000}, {1024, 1000, 6_500_000, 2000}}

// TestSize holds the page to its bytes.
func TestSize(t *testing.T) {
	for _, c := range sizes {
		if testing.Short() && c.ranks > 128 {
			continue
		}
		n := len(written(t, fullReport(c.ranks, c.steps)))
		t.Logf("%d ranks x %d steps: %.2f MB", c.ranks, c.steps, float64(n)/1e6)
		if n > c.bytes {
			t.Errorf("%d ranks x %d steps: got %d bytes, want at most %d", c.ranks, c.steps, n, c.bytes)
		}
	}
}

// TestPoints: however many ranks and steps there are, a chart gets about as many points
// as it has pixels, and a map as many cells as it may have.
func TestPoints(t *testing.T) {
	const plot = 1104 // px, at the page's greatest width
	s := &sheet{r: fullReport(1024, 1000)}
	p := pageOf(s.r, nil)
	for id, c := range p.data.Charts {
		for i, n := range points(t, c) {
			if n > plot {
				t.Errorf("chart %s, series %d: got %d points for %d pixels", id, i, n, plot)
			}
		}
	}
	cells := 0
	for range p.data.Map.Metrics {
		cells += 2 * p.data.Map.Columns * len(s.r.Ranks)
	}
	if cells > maxCells || p.data.Map.Columns > plot {
		t.Errorf("maps: got %d cells in %d columns, want at most %d in %d", cells, p.data.Map.Columns, maxCells, plot)
	}
	shown := 0
	for _, side := range []sideActivity{p.data.Activity.Base, p.data.Activity.Cand} {
		shown += len(side.Maps) * side.Bins * len(side.Rows)
	}
	if shown > maxShares {
		t.Errorf("utilization: got %d cells, want at most %d", shown, maxShares)
	}
}

// points are how many each series of a chart has.
func points(t *testing.T, c chartData) (n []int) {
	t.Helper()
	text, err := json.Marshal(c.Option["series"])
	if err != nil {
		t.Fatal(err)
	}
	var series []struct{ Data []any }
	if err := json.Unmarshal(text, &series); err != nil {
		t.Fatal(err)
	}
	for _, s := range series {
		n = append(n, len(s.Data))
	}
	return n
}

// TestMatrices: what the page gets of a matrix is the value but for its sixth digit, and
// what is no value stays none.
func TestMatrices(t *testing.T) {
	want := []float32{0, 1, 161.234567, -3.3e-7, 1e30, float32(nan)}
	var d pageData
	d.addBytes([]uint8{1, 2, 3})
	at := d.addFloats(want)
	for i, got := range unshuffled(d.matrices[at:]) {
		off := float64(got-want[i]) / float64(want[i])
		switch {
		case want[i] != want[i]:
			if got == got {
				t.Errorf("got %g for no value", got)
			}
		case got != want[i] && !(off < 1e-5 && off > -1e-5):
			t.Errorf("got %g, want %g", got, want[i])
		}
	}
	if at != 3 {
		t.Errorf("got offset %d, want 3", at)
	}
}

// unshuffled is what script/base.js makes of a matrix.
func unshuffled(b []byte) []float32 {
	n := len(b) / 4
	out := make([]float32, n)
	for i := range out {
		out[i] = math.Float32frombits(uint32(b[i]) | uint32(b[n+i])<<8 | uint32(b[2*n+i])<<16 | uint32(b[3*n+i])<<24)
	}
	return out
}

// TestRestOfBusy: all work is what is left of it and what was taken out, whatever is
// missing.
func TestRestOfBusy(t *testing.T) {
	busy := []uint8{0, 200, 120, 99, noBin, 7}
	for _, parts := range []map[string][]uint8{
		{}, {"compute": {0, 150, 60, 100, noBin, 0}, "comm": {0, 50, 70, 1, noBin, noBin}, "overlap": {0, 10, 10, 0, noBin, 0}},
		{"comm": {0, 200, 121, 99, noBin, 0}},
	} {
		maps := map[string][]uint8{"busy": slices.Clone(busy)}
		maps["compute"], maps["comm"], maps["overlap"] = parts["compute"], parts["comm"], parts["overlap"]
		restOfBusy(maps)
		for i, got := range maps["busy"] {
			for key, sign := range map[string]uint8{"compute": 1, "comm": 1, "overlap": 255} {
				if m := maps[key]; m != nil && m[i] != noBin {
					got += sign * m[i]
				}
			}
			if busy[i] != noBin {
				got -= maxRoundingRest
			}
			if got != busy[i] {
				t.Errorf("%v, bin %d: got %d, want %d", parts, i, got, busy[i])
			}
		}
	}
}
