package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestGoldenEvidence holds the rates that the comment of package stat quotes to those that
// make rates measured, line by line.
func TestGoldenEvidence(t *testing.T) {
	rates := map[string][]string{}
	table, err := os.ReadFile(filepath.Join(goldenDir, "rates.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(table)) {
		line = strings.TrimRight(line, "\n")
		rates[cellOf(line)] = append(rates[cellOf(line)], line)
	}
	path := filepath.Join(root, "diff/stat/doc.go")
	doc, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines, quoted := strings.Split(string(doc), "\n"), 0
	for i, line := range lines {
		quote, is := strings.CutPrefix(line, "//\t")
		if !is {
			continue
		}
		quoted++
		switch now := rates[cellOf(quote)]; {
		case len(now) != 1:
			t.Errorf("diff/stat/doc.go quotes %q, of which golden/rates.txt has %d lines", cellOf(quote), len(now))
		case os.Getenv("PERFDIFF_GOLDEN") == "update":
			lines[i] = "//\t" + now[0]
		case quote != now[0]:
			t.Errorf("diff/stat/doc.go quotes\n%q, and golden/rates.txt has\n%q (make golden)", quote, now[0])
		}
	}
	if quoted < 10 {
		t.Errorf("diff/stat/doc.go quotes only %d lines", quoted)
	}
	if fresh := strings.Join(lines, "\n"); fresh != string(doc) {
		if err := os.WriteFile(path, []byte(fresh), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// firstRate is the first number of a line that is a rate.
var firstRate = regexp.MustCompile(`\s\d+\.\d+(?:\s|$)`)

// cellOf is what a line of the table is about: what stands before its rates, and how many
// words it has, since several tables have a cell of one name.
func cellOf(line string) string {
	words := len(strings.Fields(line))
	if at := firstRate.FindStringIndex(line); at != nil {
		line = line[:at[0]]
	}
	return fmt.Sprintf("%s (%d words)", strings.Join(strings.Fields(line), " "), words)
}
