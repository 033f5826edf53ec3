package main

import (
	"bytes"
	"encoding/csv"
	"encoding/xml"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"perfdiff/analyze/synth"
)

// TestWriteUp: the text shows figures that are there and are XML, the tables are CSV,
// and the same comparison gives the same bytes.
func TestWriteUp(t *testing.T) {
	sets := sides(writeStory(t, "o-direct", synth.Nsight))
	one, two := filepath.Join(t.TempDir(), "new", "a"), t.TempDir()
	for _, dir := range []string{one, two} {
		mustRun(t, statusOK, append([]string{"-q", "--write-up", dir}, sets...)...)
	}
	entries, err := os.ReadDir(one)
	if err != nil || len(entries) != 9 {
		t.Fatalf("got %v, %v", entries, err)
	}
	text := ""
	for _, e := range entries {
		a, err := os.ReadFile(filepath.Join(one, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		if b, err := os.ReadFile(filepath.Join(two, e.Name())); err != nil || !bytes.Equal(a, b) {
			t.Errorf("%s: differs between two runs, %v", e.Name(), err)
		}
		switch filepath.Ext(e.Name()) {
		case ".md":
			text = string(a)
		case ".csv":
			rows, err := csv.NewReader(bytes.NewReader(a)).ReadAll()
			if err != nil || len(rows) < 3 {
				t.Errorf("%s: %d rows, %v", e.Name(), len(rows), err)
			}
		case ".svg":
			d := xml.NewDecoder(bytes.NewReader(a))
			for err = nil; err == nil; _, err = d.Token() {
			}
			if err != io.EOF || !bytes.Contains(a, []byte("Candidate")) {
				t.Errorf("%s: %v", e.Name(), err)
			}
		}
	}
	for _, want := range []string{"# Step time improved by", "](verdict.svg)", "](steps.svg)", "](parts.svg)", "Input wait that leaves the device idle fell", "| Exposed wait |", "| **Step, mean** |", "## Setup", "moderated by a prior", "can differ from the difference of two medians", "78.8\u202fms (−52\u202f%)"} {
		if !strings.Contains(text, want) {
			t.Errorf("the text lacks %q:\n%.900s", want, text)
		}
	}
	file := filepath.Join(t.TempDir(), "file")
	writeFile(t, file, "x")
	_, stderr := mustRun(t, statusError, append([]string{"--write-up", file}, sets...)...)
	if !strings.Contains(stderr, "is a file") {
		t.Errorf("got %s", stderr)
	}
}
