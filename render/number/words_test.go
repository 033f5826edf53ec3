package number

import (
	"math"
	"testing"
)

// TestWords: what is counted stands in the singular of one alone.
func TestWords(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{Some([]string{"a", "b"}, 2), "a, b"}, {Some([]string{"a", "b", "c"}, 1), "a and 2 more"}, {Some(nil, 3), ""},
		{Counted(0, "run"), "0 runs"}, {Counted(1, "run"), "1 run"}, {Counted(2, "run"), "2 runs"},
		{Counted(1200, "rank"), "1\u2009200 ranks"}, {Ordinal(1), "1st"}, {Ordinal(2), "2nd"}, {Ordinal(3), "3rd"},
		{Ordinal(4), "4th"}, {Ordinal(11), "11th"}, {Ordinal(12), "12th"}, {Ordinal(13), "13th"}, {Ordinal(21), "21st"},
		{Ordinal(111), "111th"}, {Ordinal(122), "122nd"}, {Word(0), "no"}, {Word(10), "ten"}, {Word(11), "11"},
		{Word(-1), "\u22121"}, {Capital(""), ""}, {Capital("a b"), "A b"}, {Times(3), "3"}, {Times(2.5), "2.50"},
		{Times(-4), "\u22124"}, {Signed(negligible), "+0.0005"}, {Signed(-negligible / 2), "0"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}

// TestScaleLimits: where one unit ends the next begins, with its number.
func TestScaleLimits(t *testing.T) {
	for _, c := range []struct {
		unit    string
		largest float64
		want    Scale
	}{
		{"s", 100, Seconds}, {"s", -100, Seconds}, {"s", 9.9, Milliseconds}, {"s", 1e-4, Milliseconds}, {"s", 9.9e-5, Microseconds},
		{"s", math.NaN(), Milliseconds}, {"s", 0, Milliseconds},
		{"B", 1e9, Scale{"GB", 1e-9}}, {"B", 9e8, Scale{"MB", 1e-6}}, {"B", 1e4, Scale{"MB", 1e-6}}, {"B", 9e3, Scale{"kB", 1e-3}},
		{"B/s", 1e7, Scale{"GB/s", 1e-9}}, {"B/s", 9e6, Scale{"MB/s", 1e-6}}, {"B/s", 9e3, Scale{"kB/s", 1e-3}},
		{"ratio", 7, Percents}, {"1", 7, Scale{"", 1}}, {"furlong", 7, Scale{"furlong", 1}},
	} {
		if got := ScaleOf(c.unit, c.largest); got != c.want {
			t.Errorf("%g %s: got %v, want %v", c.largest, c.unit, got, c.want)
		}
	}
	for largest, want := range map[float64]Scale{9.9e-4: Microseconds, 1e-3: Milliseconds, 120: Seconds} {
		if got := GapScale(largest); got != want {
			t.Errorf("a gap of %g s: got %v, want %v", largest, got, want)
		}
	}
}

// TestFirstLetter: a sentence begins, and goes on, with a letter of any alphabet.
func TestFirstLetter(t *testing.T) {
	for _, tt := range [][3]string{{"steps", "Steps", "steps"}, {"Übertragung", "Übertragung", "übertragung"}, {"élan", "Élan", "élan"},
		{"", "", ""}, {"\xff", "\xff", "\xff"}, {"3 runs", "3 runs", "3 runs"}, {"漢字", "漢字", "漢字"}} {
		if got := Capital(tt[0]); got != tt[1] {
			t.Errorf("%q begins with %q, want %q", tt[0], got, tt[1])
		}
		if got := Lower(tt[0]); got != tt[2] {
			t.Errorf("%q goes on with %q, want %q", tt[0], got, tt[2])
		}
	}
}
