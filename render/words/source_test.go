package words

import "testing"

// TestSource: one source of both is named once, others by side.
func TestSources(t *testing.T) {
	for _, tt := range []struct {
		of   [2][]string
		want string
	}{
		{[2][]string{}, ""},
		{[2][]string{{"events"}, {"events"}}, "events"},
		{[2][]string{nil, {"events"}}, "events"},
		{[2][]string{{"events"}, {"ranges"}}, "baseline: events; candidate: ranges"},
		{[2][]string{{"events", "ranges"}, {"events", "ranges"}}, "events and others"},
		{[2][]string{{"events", "ranges"}, nil}, "events and others"},
		{[2][]string{{"events", "ranges"}, {"ranges"}}, "baseline: events; candidate: ranges"},
	} {
		if got := Sources(tt.of); got != tt.want {
			t.Errorf("%v: got %q, want %q", tt.of, got, tt.want)
		}
	}
}
