package number

import (
	"math"
	"testing"
)

func TestFormat(t *testing.T) {
	for _, c := range []struct {
		v    float64
		want string
	}{
		{0, "0"}, {161.2, "161"}, {79.04, "79.0"}, {9.123, "9.12"}, {0.64, "0.64"}, {0.0052, "0.01"},
		{0.0034, "0.003"}, {0.00012, "0.0001"}, {0.00096, "0.001"}, {2e-9, "2e\u22129"}, {9.996, "10.0"}, {9.994, "9.99"}, {99.94, "99.9"},
		{99.96, "100"}, {999.7, "1\u2009000"}, {6096, "6\u2009096"}, {1234567, "1\u2009234\u2009567"},
		{-32.71, "\u221232.7"}, {math.NaN(), "\u2013"}, {math.Inf(1), "\u221e"}, {math.Inf(-1), "\u2212\u221e"},
	} {
		if got := Format(c.v); got != c.want {
			t.Errorf("Format(%g): got %q, want %q", c.v, got, c.want)
		}
	}
}

func TestSigned(t *testing.T) {
	for _, c := range []struct {
		v    float64
		want string
	}{{8.1, "+8.10"}, {-0.4, "\u22120.40"}, {0, "0"}, {math.NaN(), "\u2013"}} {
		if got := Signed(c.v); got != c.want {
			t.Errorf("Signed(%g): got %q, want %q", c.v, got, c.want)
		}
	}
	if got, want := SignedWith(-44, "ms"), "\u221244.0\u202fms"; got != want {
		t.Errorf("SignedWith: got %q, want %q", got, want)
	}
	if got, want := With(3, ""), "3.00"; got != want {
		t.Errorf("With no unit: got %q, want %q", got, want)
	}
}

func TestPercent(t *testing.T) {
	for _, c := range []struct {
		estimate, lo, hi float64
		digits, signed   string
	}{
		{-0.502, -0.52, -0.48, "\u221250", "\u221250"},
		{0.078, 0.03, 0.12, "7.8", "+7.8"},
		{0.30, 0.295, 0.305, "30.0", "+30.0"}, // a narrow interval earns its decimal
		{12.5, 10, 15, "1\u2009250", "+1\u2009250"},
		{-0.0002, -0.05, 0.05, "0.0", "0.0"}, // no signed zero
		{math.NaN(), math.NaN(), math.NaN(), "\u2013", "\u2013"},
	} {
		p := PercentFor(c.estimate, c.lo, c.hi)
		if got := p.Digits(c.estimate); got != c.digits {
			t.Errorf("Digits(%g): got %q, want %q", c.estimate, got, c.digits)
		}
		if got := p.Signed(c.estimate); got != c.signed {
			t.Errorf("Signed(%g): got %q, want %q", c.estimate, got, c.signed)
		}
	}
}

func TestShareAndSetting(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{Share(0.82), "82.0\u202f%"}, {Setting(0.015), "1.5\u202f%"}, {Setting(0.02), "2\u202f%"}, {Setting(0.95), "95\u202f%"}, {Setting(0.999), "99.9\u202f%"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}

func TestScale(t *testing.T) {
	for _, c := range []struct {
		unit string
		v    float64
		want string
	}{
		{"s", 0.079, "79.0\u202fms"}, {"s", 0.00064, "0.64\u202fms"}, {"s", 0.000088, "88.0\u202f\u00b5s"}, {"s", 250, "250\u202fs"},
		{"s", 0, "0\u202fms"}, {"B/s", 2.2e9, "2.20\u202fGB/s"}, {"B/s", 5e5, "0.50\u202fMB/s"}, {"B", 1500, "1.50\u202fkB"},
		{"ratio", 0.61, "61.0\u202f%"}, {"1", 84, "84.0"}, {"W", 300, "300\u202fW"},
	} {
		if got := ScaleOf(c.unit, c.v).With(c.v); got != c.want {
			t.Errorf("%g %s: got %q, want %q", c.v, c.unit, got, c.want)
		}
	}
	if got, want := GapScale(0.0005).With(0.0005), "500\u202f\u00b5s"; got != want {
		t.Errorf("gap: got %q, want %q", got, want)
	}
	if got, want := Milliseconds.SignedWith(-0.001), "\u22121.00\u202fms"; got != want {
		t.Errorf("signed: got %q, want %q", got, want)
	}
}

func TestTimes(t *testing.T) {
	for v, want := range map[float64]string{12: "12", 1: "1", 0: "0", 11.5: "11.5", -3: Minus + "3", math.NaN(): None, 4.004: "4.00"} {
		if got := Times(v); got != want {
			t.Errorf("%v: got %q, want %q", v, got, want)
		}
	}
}

func TestOrdinal(t *testing.T) {
	for n, want := range map[int]string{1: "1st", 2: "2nd", 3: "3rd", 8: "8th", 11: "11th", 12: "12th", 21: "21st", 113: "113th"} {
		if got := Ordinal(n); got != want {
			t.Errorf("Ordinal(%d): got %q, want %q", n, got, want)
		}
	}
}

func TestWord(t *testing.T) {
	for n, want := range map[int]string{2: "two", 0: "no", 10: "ten", 11: "11", -1: "\u22121", 1200: "1\u2009200"} {
		if got := Word(n); got != want {
			t.Errorf("Word(%d): got %q, want %q", n, got, want)
		}
	}
}
