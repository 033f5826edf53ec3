package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"perfdiff/analyze/synth"
)

// TestCutOff: where nothing is judged since files end early, that is the first that is said, and not what they lack.
func TestCutOff(t *testing.T) {
	zip := func(text []byte) []byte {
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		w.Write(text)
		w.Close()
		return b.Bytes()
	}
	as := func(text []byte) []byte { return text }
	for _, tt := range []struct {
		name   string
		format synth.Format
		ext    string
		as     func([]byte) []byte
		share  float64
		want   string
	}{
		{"json", synth.Kineto, "", as, 0.03, "No verdict: 4 traces of the candidate are cut off, the first of them "},
		{"json.gz", synth.Kineto, ".gz", zip, 0.1, "No verdict: 4 traces of the candidate are cut off, the first of them "},
		{"sqlite", synth.Nsight, "", as, 0.3, "perfdiff: error: candidate: candidate: no file could be read; the first of 4: report.0.sqlite: truncated: "},
	} {
		t.Run(tt.name, func(t *testing.T) {
			sets := sides(writeStory(t, "aa", tt.format))
			files, err := filepath.Glob(filepath.Join(sets[1], "*"))
			if err != nil || len(files) != 4 {
				t.Fatal(files, err)
			}
			for _, path := range files {
				text, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				whole := tt.as(text)
				if os.Remove(path); os.WriteFile(path+tt.ext, whole[:int(tt.share*float64(len(whole)))], 0o644) != nil {
					t.Fatal("cannot write")
				}
			}
			var out, errs bytes.Buffer
			status := run(context.Background(), []string{sets[0], sets[1]}, &out, &errs)
			got := flat(out.String())
			if status == statusError {
				got = flat(errs.String())
			}
			if !strings.Contains(got, tt.want) || status != statusNotJudged && status != statusError ||
				status == statusNotJudged && (!strings.HasPrefix(got, "NOT JUDGED") || !strings.Contains(got, "Next Copy these files again")) {
				t.Errorf("exit %d: %s", status, got)
			}
		})
	}
}
