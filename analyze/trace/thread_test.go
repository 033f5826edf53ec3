package trace

import "testing"

func TestThreadName(t *testing.T) {
	for in, want := range map[string]string{
		"": "", "loader_3": "loader_3", "  a\tb\x00c\n": "a b c", "[NSys]": "[NSys]", "---": "", "\xff\xfe7": "7",
		"a very long name of a thread that somebody wrote out in full": "a very long name of a thread that somebody wrote",
	} {
		if got := ThreadName(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}
