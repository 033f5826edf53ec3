package analyze

import (
	"testing"

	"perfdiff/analyze/trace"
)

// TestDigestLogged: logs are the same by their times where these tell runs apart, whatever else they say, and by their
// text where they do not.
func TestDigestLogged(t *testing.T) {
	log := func(text uint64, times ...int64) string {
		l := &trace.Logged{Text: text}
		for i := range 40 {
			l.Steps = append(l.Steps, trace.LoggedStep{Number: int64(i), Time: times[i%len(times)] + int64(i*i%7)*times[0]/100})
		}
		return digestLogged(l)
	}
	coarse := func(text uint64) string {
		l := &trace.Logged{Text: text}
		for i := range 40 {
			l.Steps = append(l.Steps, trace.LoggedStep{Number: int64(i), Time: 1e9})
		}
		return digestLogged(l)
	}
	for _, c := range []struct {
		name string
		a, b string
		same bool
	}{
		{"a column added", log(1, 9812, 9977, 9850, 10031), log(2, 9812, 9977, 9850, 10031), true},
		{"another run", log(1, 9812, 9977, 9850, 10031), log(1, 9811, 9977, 9850, 10031), false},
		{"whole seconds", coarse(1), coarse(2), false},
		{"whole seconds, copied", coarse(1), coarse(1), true},
	} {
		if got := c.a == c.b; got != c.same {
			t.Errorf("%s: the same: got %v, want %v", c.name, got, c.same)
		}
	}
}
