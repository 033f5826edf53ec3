package old_test

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"perfdiff/analyze/metric"
	"perfdiff/analyze/run"
	"perfdiff/analyze/saved"
)

// ample is room for every summary of a test.
func ample() *saved.MemoryBudget { return &saved.MemoryBudget{Bytes: 1 << 28} }

// TestStories reads summaries of two stories that earlier perfdiffs wrote, of versions 3 and 5. Their
// numbers are those that the last perfdiff which wrote these versions read of them.
func TestStories(t *testing.T) {
	for _, name := range []string{"o-direct", "serving-decode"} {
		data, err := os.ReadFile(filepath.Join("testdata", name+".perfdiff"))
		if err != nil {
			t.Fatal(err)
		}
		want, err := os.ReadFile(filepath.Join("testdata", name+".txt"))
		if err != nil {
			t.Fatal(err)
		}
		set, err := saved.Unmarshal(data, metric.Derivation, ample())
		if err != nil {
			t.Fatal(err)
		}
		got, lines := numbers(set), strings.SplitAfter(string(want), "\n")
		if len(got) != len(lines)-1 {
			t.Errorf("%s: got %d columns want %d", name, len(got), len(lines)-1)
		}
		for i := range min(len(got), len(lines)-1) {
			if got[i] != lines[i] {
				t.Errorf("%s: got %swant %s", name, got[i], lines[i])
			}
		}
	}
}

// numbers are the columns of a set, each as a line: what it is of, how many numbers it has, and the first
// digits of their checksum.
func numbers(set *run.Set) (lines []string) {
	add := func(n int, numbers string, of ...any) {
		lines = append(lines, fmt.Sprintf("%s: %d, %.6x\n", strings.TrimSpace(fmt.Sprintln(of...)), n, sha256.Sum256([]byte(numbers))))
	}
	for _, r := range set.Runs {
		for _, k := range r.Ranks {
			var steps strings.Builder
			for _, s := range k.Steps {
				l := s.Load
				fmt.Fprintln(&steps, s.Number, s.Start, s.End, s.HostStart, s.HostEnd, s.Dropped, int(l.Class), l.Batch, l.Tokens, l.Context)
			}
			add(len(k.Steps), steps.String(), "steps of rank", k.Rank)
			for _, s := range k.Series {
				add(len(s.Values), fmt.Sprint(s.Values), s.Metric, s.Part)
			}
			a := k.Activity
			add(len(a.Busy), fmt.Sprint(a.Busy, a.Compute, a.Comm, a.Overlap, a.Read, a.Write, a.Receive, a.Send), "activity")
		}
		for _, x := range r.Excerpts {
			for _, s := range x.Ranks {
				var spans strings.Builder
				for _, b := range s.Spans {
					fmt.Fprintln(&spans, b.Start, b.End, b.Name, int(b.Lane), b.Track, b.Ahead, b.Wait, b.Split)
				}
				add(len(s.Spans), spans.String(), "step", x.Step, "of rank", s.Rank)
			}
		}
	}
	return lines
}
