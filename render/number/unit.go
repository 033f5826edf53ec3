package number

import "math"

// Scale says how values of a metric's unit are shown: times Factor, followed by the unit Name. One scale serves a
// whole column or chart.
type Scale struct {
	Name   string
	Factor float64
}

// The scales of times, shares and clocks.
var (
	Seconds      = Scale{"s", 1}
	Milliseconds = Scale{"ms", 1e3}
	Microseconds = Scale{"\u00b5s", 1e6}
	Percents     = Scale{"%", 100}
	Megahertz    = Scale{"MHz", 1e-6}
)

// ScaleOf returns the scale for values of a metric with this unit ("s", "B", "B/s", "FLOP", "FLOP/s", "Hz", "ratio",
// "1"), the largest of which is largest. Times are milliseconds from 0.1 ms to 10 s, and rates GB/s (10^9) from 10
// MB/s on. A unit that is not known is shown as it is.
func ScaleOf(unit string, largest float64) Scale {
	largest = math.Abs(largest)
	switch unit {
	case "s":
		return timeScale(largest)
	case "B":
		return byteScale(largest, "")
	case "B/s":
		return byteScale(largest, "/s")
	case "Hz":
		return Megahertz
	case "FLOP", "FLOP/s":
		return workScale(largest, unit)
	case "ratio":
		return Percents
	case "1":
		return Scale{"", 1}
	}
	return Scale{unit, 1}
}

func timeScale(largest float64) Scale {
	switch {
	case largest >= 10:
		return Seconds
	case largest >= 1e-4 || largest == 0 || math.IsNaN(largest):
		return Milliseconds
	}
	return Microseconds
}

func byteScale(largest float64, per string) Scale {
	switch {
	case largest >= 1e9 || per != "" && largest >= 1e7:
		return Scale{"GB" + per, 1e-9}
	case largest >= 1e4:
		return Scale{"MB" + per, 1e-6}
	}
	return Scale{"kB" + per, 1e-3}
}

// workScale returns TFLOP from 0.1 TFLOP on.
func workScale(largest float64, unit string) Scale {
	switch {
	case largest >= 1e11:
		return Scale{"T" + unit, 1e-12}
	case largest >= 1e8:
		return Scale{"G" + unit, 1e-9}
	}
	return Scale{"M" + unit, 1e-6}
}

// GapScale returns the scale of single gaps, the largest of which is largest
// seconds: microseconds below 1 ms.
func GapScale(largest float64) Scale {
	if largest < 1e-3 {
		return Microseconds
	}
	return timeScale(largest)
}

// Format writes v, in the metric's unit, in the scale and without its name.
func (s Scale) Format(v float64) string { return Format(v * s.Factor) }

// Signed does what Format does with a sign in front.
func (s Scale) Signed(v float64) string { return Signed(v * s.Factor) }

// With writes v in the scale, followed by its unit: "79.0 ms".
func (s Scale) With(v float64) string { return With(v*s.Factor, s.Name) }

// SignedWith does what With does with a sign in front.
func (s Scale) SignedWith(v float64) string { return SignedWith(v*s.Factor, s.Name) }
