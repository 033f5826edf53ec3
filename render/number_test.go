package render

import (
	"encoding/json"
	"math"
	"testing"
)

// TestNumbersAreThoseOfEncodingJSON: numbers are written as encoding/json writes them.
func TestNumbersAreThoseOfEncodingJSON(t *testing.T) {
	var list Numbers
	for _, v := range []float64{
		0, math.Copysign(0, -1), 1, -1.5, 0.1, 1e-6, 9.99999e-7, -1e-9,
		1.25e-10, 1e-100, 5e-324, 1e20, 1e21, -1e21, 1e22, 1.7976931348623157e308, 123456.789e3, 1 / 3.,
	} {
		list = append(list, Number(v), Number(math.Nextafter(v, 2)))
	}
	for i, x := uint64(0), uint64(1); i < 10_000; i++ {
		x = x*6364136223846793005 + 1442695040888963407
		if v := math.Float64frombits(x); !math.IsNaN(v) && !math.IsInf(v, 0) {
			list = append(list, Number(v))
		}
	}
	for _, n := range list {
		want, err := json.Marshal(float64(n))
		if got := string(n.append(nil)); err != nil || got != string(want) {
			t.Errorf("got %s, want %s, %v", got, want, err)
		}
	}
	got, err := json.Marshal(Numbers{Number(math.NaN()), 1e-7, Number(math.Inf(1))})
	if want := "[null,1e-7,null]"; err != nil || string(got) != want {
		t.Errorf("got %s, %v, want %s", got, err, want)
	}
}
