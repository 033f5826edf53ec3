package testdata

import (
	"slices"
	"strings"
	"testing"
)

func TestStories(t *testing.T) {
	names := Names()
	if !slices.IsSorted(names) || len(names) < 13 {
		t.Errorf("got %d stories, sorted: %v", len(names), slices.IsSorted(names))
	}
	for _, name := range names {
		text, err := Story(name)
		if err != nil || !strings.Contains(string(text), "about:") {
			t.Errorf("%s: got %d bytes, error %v", name, len(text), err)
		}
	}
	if _, err := Story("nowhere"); err == nil || !strings.Contains(err.Error(), "o-direct") {
		t.Errorf("a story that does not exist: got error %v, want one that lists those that do", err)
	}
}
