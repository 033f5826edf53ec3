package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzFlags gives any text to the parsers of flags.
func FuzzFlags(f *testing.F) {
	for _, s := range []string{"0-7,9", "50%", "8G", "2GiB", "0.02", "^step (\\d+)$", "-1", "1e400", "NaN", "\x1b[2J", "9999999999999999999", "0-", "5 %"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		c := &command{}
		if err := c.TakeRanks(text); err == nil && c.Load.Ranks != nil {
			c.Load.Ranks(0)
		}
		if err := parseMemory(c, text); err == nil && text != "" && c.Load.Memory < minMemory {
			t.Errorf("memory %q: got %d", text, c.Load.Memory)
		}
		if err := parseThreshold(c, text); err == nil && !(c.Policy.Threshold >= 0 && c.Policy.Threshold < 1) {
			t.Errorf("threshold %q: got %v", text, c.Policy.Threshold)
		}
		if err := c.TakeStepRange(text); (err == nil) != (text == "" || c.Load.Step.Range != nil) {
			t.Errorf("range %q: got %v", text, err)
		}
	})
}

// FuzzRun runs the whole program on two traces of which one has any times,
// numbers and names.
func FuzzRun(f *testing.F) {
	f.Add(int64(1020), int64(500), int64(1), int64(0), "gemm", uint8(8))
	f.Add(int64(math.MaxInt64/1000), int64(1), int64(999_999_999), int64(1<<31-1), evil, uint8(3))
	f.Add(int64(-math.MaxInt64/1000), int64(7*24*3600*1e6), int64(math.MaxInt64), int64(-1), "ncclDevKernel_AllReduce", uint8(1))
	f.Fuzz(func(t *testing.T, ts, dur, step, rank int64, name string, steps uint8) {
		root := t.TempDir()
		good := kinetoTrace(0, 8, "gemm")
		text := kinetoTrace(1, int(steps%16)+1, name)
		text = strings.Replace(text, `"ts":1020,"dur":500`, fmt.Sprintf(`"ts":%d,"dur":%d`, ts, dur), 1)
		text = strings.Replace(text, `"ts":2000,"dur":999`, fmt.Sprintf(`"ts":%d,"dur":%d`, ts, dur), 1)
		text = strings.Replace(text, `ProfilerStep#1"`, fmt.Sprintf(`ProfilerStep#%d"`, step), 1)
		text = strings.Replace(text, `"rank":1`, fmt.Sprintf(`"rank":%d`, rank), 1)
		writeFile(t, filepath.Join(root, "base", "a.json"), good)
		writeFile(t, filepath.Join(root, "cand", "a.json"), good)
		writeFile(t, filepath.Join(root, "cand", "b.json"), text)
		for _, format := range []string{"json", "text", "markdown"} {
			var stdout, stderr bytes.Buffer
			status := run(context.Background(), []string{filepath.Join(root, "base"), filepath.Join(root, "cand"), "-o", "-", "--format", format}, &stdout, &stderr)
			switch {
			case format == "json" && !json.Valid(stdout.Bytes()):
				t.Errorf("JSON is not valid: %s", stderr.String())
			case format == "json":
				laws(t, stdout.Bytes(), status)
			}
			if !utf8.Valid(stdout.Bytes()) {
				t.Errorf("%s is not UTF-8", format)
			}
			checkSeen(t, format, stdout.String()+stderr.String())
		}
	})
}
