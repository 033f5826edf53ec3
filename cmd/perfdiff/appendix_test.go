package main

import (
	"encoding/json"
	"html"
	"strings"
	"testing"
)

// What a page may have open: three tenths of the words that the demo's had before its sections were an
// appendix, 5,481, and four of its 22 tables.
const (
	mostWords  = 5481 * 3 / 10
	mostTables = 4
)

// littleToRead holds a page to what a reader sees of it without opening anything, and to saying
// what a finding says once.
func littleToRead(t *testing.T, story string, page, doc []byte) {
	t.Helper()
	words, tables, err := countSeen(page)
	if err != nil {
		t.Fatal(err)
	}
	if words > mostWords && story == demoStory || tables > mostTables {
		t.Errorf("got %d words and %d tables open, want at most %d and %d", words, tables, mostWords, mostTables)
	}
	if words < mostWords/8 {
		t.Errorf("got %d words: they are not counted, or all is folded", words)
	}
	var r Document
	if err := json.Unmarshal(doc, &r); err != nil {
		t.Fatal(err)
	}
	text := html.UnescapeString(string(page))
	for _, f := range r.Findings {
		if n := strings.Count(text, strings.TrimSuffix(f.Text, ".")); n > 1 {
			t.Errorf("the page says %d times: %s", n, f.Text)
		}
	}
}
