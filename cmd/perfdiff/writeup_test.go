package main

import (
	"bytes"
	"encoding/csv"
	"encoding/xml"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
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
	if err != nil || len(entries) != 13 {
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
		case ".tex":
			checkLatex(t, e.Name(), string(a))
		case ".svg":
			d := xml.NewDecoder(bytes.NewReader(a))
			for err = nil; err == nil; _, err = d.Token() {
			}
			if err != io.EOF || !bytes.Contains(a, []byte("Candidate")) {
				t.Errorf("%s: %v", e.Name(), err)
			}
		}
	}
	for _, want := range []string{"# Steps take 85\u202fms less", "](verdict.svg)", "](steps.svg)", "](parts.svg)", "What bounds the step now is compute instead of waiting for input", "| Waiting for late ranks |", "| **Step, mean** |", "## Setup", "## Methods", "Both were recorded with Nsight Systems 2025.5.2.266, on NVIDIA H100 80GB HBM3", "moderated by a prior", "Values are means over ranks and steps", "Bands reach from the fastest", "from 164 to 79\u202fms"} {
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

// checkLatex reads a file as TeX would: characters that are commands are none by chance, braces
// and environments close, rows have as many cells as the table has columns, and coordinates of
// pictures are numbers.
func checkLatex(t *testing.T, name, text string) {
	t.Helper()
	environment := regexp.MustCompile(`\\(begin|end)\{(\w+)\}`)
	point := regexp.MustCompile(`\(-?\d+\.\d,-?\d+\.\d\)`)
	var open []string
	columns, depth := 0, 0
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if strings.HasPrefix(line, "%") {
			continue
		}
		for i := 0; i < len(line); i++ {
			switch c := line[i]; {
			case c == '\\':
				i++ // with what follows it is a command or a character
			case c == '{':
				depth++
			case c == '}':
				depth--
			case c > '~' || strings.ContainsRune("$#^", rune(c)) || c == '_' || c == '%' && i != len(line)-1:
				t.Errorf("%s: %q stands free in %q", name, c, line)
			}
			if depth < 0 {
				t.Fatalf("%s: a brace closes that none opened: %q", name, line)
			}
		}
		for _, m := range environment.FindAllStringSubmatch(line, -1) {
			if m[1] == "begin" {
				open = append(open, m[2])
			} else if last := len(open) - 1; last < 0 || open[last] != m[2] {
				t.Fatalf("%s: %q ends in %q", name, m[2], open)
			} else {
				open = open[:last]
			}
		}
		if _, spec, ok := strings.Cut(line, `\begin{tabular}{`); ok {
			columns = len(strings.TrimSuffix(spec, "}"))
		}
		if row, ok := strings.CutSuffix(line, ` \\`); ok && len(regexp.MustCompile(`(^|[^\\])&`).FindAllString(row, -1)) != columns-1 {
			t.Errorf("%s: not %d cells: %q", name, columns, line)
		}
		if shape, ok := strings.CutPrefix(line, `\path[`); ok {
			_, shape, _ = strings.Cut(shape, "] ")
			if left := point.ReplaceAllString(shape, ""); strings.ContainsAny(left, "0123456789") && !strings.Contains(left, "circle") || !strings.HasSuffix(shape, ";") {
				t.Errorf("%s: no path: %q", name, line)
			}
		}
	}
	if len(open) > 0 || depth != 0 {
		t.Errorf("%s: %q are open, and %d braces", name, open, depth)
	}
}

// TestWriteUpIsRecomputable: columns of parts add up, each change is the difference of the two numbers beside it, and
// parts below noise have one row.
func TestWriteUpIsRecomputable(t *testing.T) {
	for _, story := range []string{"o-direct", "slow-allreduce", "launch-bound", "straggler-rank3"} {
		dir := t.TempDir()
		mustRun(t, statusOK, append([]string{"-q", "--write-up", dir, "--warn-only"}, sides(writeStory(t, story, synth.Nsight))...)...)
		text := writtenFile(t, filepath.Join(dir, "write-up.md"))
		checkPartRows(t, story, tableUnder(text, "## Where the time went"))
	}
}

// tableUnder are the cells of the rows of the first table behind a heading.
func tableUnder(text, heading string) [][]string {
	_, text, _ = strings.Cut(text, heading+"\n")
	text, _, _ = strings.Cut(text, "\n## ")
	var rows [][]string
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "| ") {
			row := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
			for i := range row {
				row[i] = strings.Trim(row[i], " *")
			}
			rows = append(rows, row)
		}
	}
	if len(rows) > 0 {
		return rows[1:]
	}
	return nil
}

// shownNumber is a number as a reader takes it from a cell, and the unit behind it.
func shownNumber(cell string) (float64, string) {
	digits, unit, _ := strings.Cut(strings.NewReplacer("\u2212", "-", "\u2009", "", "+", "").Replace(cell), "\u202f")
	v, err := strconv.ParseFloat(digits, 64)
	if err != nil {
		return math.NaN(), ""
	}
	return v, unit
}

func checkPartRows(t *testing.T, story string, rows [][]string) {
	t.Helper()
	var sum [2]float64
	for i, row := range rows {
		base, _ := shownNumber(row[1])
		cand, _ := shownNumber(row[2])
		change, _ := shownNumber(row[3])
		if math.Abs(cand-base-change) > 1e-9 {
			t.Errorf("%s: %s: got %s from %s and %s", story, row[0], row[3], row[1], row[2])
		}
		if row[0] == "Step, mean" {
			if math.Abs(sum[0]-base) > 1e-9 || math.Abs(sum[1]-cand) > 1e-9 || i < 3 {
				t.Errorf("%s: parts add up to %v, the step is %s and %s", story, sum, row[1], row[2])
			}
			return
		}
		sum[0], sum[1] = sum[0]+base, sum[1]+cand
	}
	t.Errorf("%s: no row of the step: %q", story, rows)
}

// TestWriteUpNumbers: the numbers of findings are such to a program.
func TestWriteUpNumbers(t *testing.T) {
	dir := t.TempDir()
	mustRun(t, statusOK, append([]string{"-q", "--write-up", dir}, sides(writeStory(t, "o-direct", synth.Nsight))...)...)
	rows, err := csv.NewReader(strings.NewReader(writtenFile(t, filepath.Join(dir, "findings.csv")))).ReadAll()
	if err != nil || len(rows) < 5 {
		t.Fatalf("got %d rows, %v", len(rows), err)
	}
	for _, row := range rows[1:] {
		for i, head := range rows[0] {
			switch head {
			case "baseline", "candidate", "delta", "estimate", "low", "high", "effect":
				if _, err := strconv.ParseFloat(row[i], 64); row[i] != "" && err != nil {
					t.Errorf("%s: %s is %q", row[0], head, row[i])
				}
			}
		}
	}
}

func writtenFile(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
