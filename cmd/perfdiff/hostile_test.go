package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"perfdiff/diff"
)

// evil is a name that clears the screen, breaks lines, sets colours by a C1
// control, turns the direction of text and holds markup.
const evil = "rank%d\x1b[2J\n<script>alert(1)<script>'\"&\u009b31m\u202e\u2066 |`*"

// kinetoTrace is a PyTorch trace of steps of 1 ms with one kernel each.
func kinetoTrace(rank, steps int, kernel string) string {
	name, _ := json.Marshal(kernel)
	var b strings.Builder
	fmt.Fprintf(&b, `{"schemaVersion":1,"distributedInfo":{"backend":"nccl","rank":%d,"world_size":2},"traceEvents":[`, rank)
	for i := range steps {
		fmt.Fprintf(&b, `{"ph":"X","cat":"user_annotation","name":"ProfilerStep#%d","pid":1,"tid":1,"ts":%d,"dur":999},`, i, 1000*i)
		fmt.Fprintf(&b, `{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":%d,"dur":2,"args":{"correlation":%d}},`, 1000*i+10, i+1)
		fmt.Fprintf(&b, `{"ph":"X","cat":"kernel","name":%s,"pid":0,"tid":7,"ts":%d,"dur":500,"args":{"correlation":%d,"device":0,"stream":7}},`, name, 1000*i+20, i+1)
	}
	return strings.TrimSuffix(b.String(), ",") + `]}`
}

// evilSides are two run sets in which every name is evil and one file of the
// candidate cannot be read.
func evilSides(t *testing.T, kernel string) (base, cand string) {
	t.Helper()
	root := t.TempDir()
	for _, side := range []string{"base", "cand"} {
		dir := filepath.Join(root, fmt.Sprintf(evil, 0)+side)
		for rank := range 2 {
			writeFile(t, filepath.Join(dir, fmt.Sprintf(evil, rank)+".json"), kinetoTrace(rank, 8, kernel+side))
		}
		if side == "cand" {
			writeFile(t, filepath.Join(dir, fmt.Sprintf(evil, 9)+".sqlite"), "no database")
			return cand, dir
		}
		cand = dir
	}
	return "", ""
}

func writeFile(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// checkSeen fails for characters that a terminal or an editor obeys.
func checkSeen(t *testing.T, what, text string) {
	t.Helper()
	text = string(opened(t, []byte(text)))
	for i, r := range text {
		if r != '\n' && r != '\t' && unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) {
			t.Errorf("%s: %q stands in %q", what, r, text[max(0, i-40):min(len(text), i+40)])
			return
		}
	}
}

var anyScript = regexp.MustCompile(`(?s)<script[^>]*>(.*?)</script>`)

// TestEvilNames: names in files and of files reach no output as anything but
// text that is seen.
func TestEvilNames(t *testing.T) {
	base, cand := evilSides(t, "k\x00\x07"+evil)
	outputs := map[string]string{}
	for _, format := range []string{"text", "markdown", "json", "html"} {
		var stdout, stderr bytes.Buffer
		run(context.Background(), []string{base, cand, "-o", "-", "--format", format}, &stdout, &stderr)
		checkSeen(t, format, stdout.String())
		checkSeen(t, format+" on standard error", stderr.String())
		outputs[format] = stdout.String()
	}
	var doc Document
	if err := json.Unmarshal([]byte(outputs["json"]), &doc); err != nil || doc.SchemaVersion != diff.SchemaVersion {
		t.Errorf("JSON: %v", err)
	}
	if doc.Candidate.Label != filepath.Base(cand) {
		t.Errorf("JSON: got label %q, want %q", doc.Candidate.Label, filepath.Base(cand))
	}
	page := string(opened(t, []byte(outputs["html"])))
	if n := len(anyScript.FindAllString(page, -1)); n != strings.Count(page, "</script>") || strings.Contains(anyScript.ReplaceAllString(page, ""), "<script>") {
		t.Errorf("HTML: a script of a name stands in the page")
	}
}

// TestEvilMessages: errors, warnings and hints are one line each, whatever
// they name.
func TestEvilMessages(t *testing.T) {
	base, cand := evilSides(t, "k")
	nowhere := filepath.Join(t.TempDir(), fmt.Sprintf(evil, 1))
	for _, args := range [][]string{
		{base, cand, "--quiet"},
		{base, cand, "--strict"},
		{nowhere, cand},
		{base, cand, "-o", nowhere + ".html/report.html"},
		{base, cand, "-o", nowhere},
		{base, cand, "--" + evil},
		{base, cand, "--ranks", evil, "--threshold", evil},
		{base, cand, "--step-range", "[" + evil},
		{"demo", filepath.Join(nowhere, "x"), "y"},
		{"demo", base},
	} {
		var stdout, stderr bytes.Buffer
		run(context.Background(), args, &stdout, &stderr)
		checkSeen(t, strings.Join(args[1:], " "), stderr.String())
		if stderr.Len() == 0 {
			t.Errorf("%q: nothing on standard error", args)
		}
		for line := range strings.Lines(stderr.String()) {
			if !strings.HasPrefix(line, "perfdiff: error: ") && !strings.HasPrefix(line, "perfdiff: warning: ") && !strings.HasPrefix(line, "perfdiff: hint: ") &&
				!strings.HasPrefix(line, "perfdiff: not judged: ") {
				t.Errorf("%q: the line %q is none of the program's", args, line)
			}
		}
	}
}
