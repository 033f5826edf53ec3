package main

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"perfdiff/analyze"
	measured "perfdiff/analyze/run"
	"perfdiff/analyze/step"
	"perfdiff/diff"
	"perfdiff/diff/policy"
	"perfdiff/diff/verdict"
	"perfdiff/golden"
)

func load(t testing.TB, path string) *measured.Set {
	t.Helper()
	set, err := analyze.Load(context.Background(), path, analyze.Options{Step: step.Options{SkipFirst: -1}})
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// TestGoldenData reads every real profile that is here: it opens, or is refused with a
// reason, and what was read of a known one is as expected. PERFDIFF_GOLDEN=update makes
// all that are here the known ones.
func TestGoldenData(t *testing.T) {
	dir := golden.Real(t, "")
	got := map[string]string{}
	var all, compared bytes.Buffer
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !slices.Contains([]string{".sqlite", ".gz", ".txt"}, filepath.Ext(path)) {
			return err
		}
		rel, _ := filepath.Rel(dir, path)
		text := readOne(filepath.ToSlash(rel), path)
		got[filepath.ToSlash(rel)] = text
		all.WriteString(text)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if os.Getenv("PERFDIFF_GOLDEN") == "update" {
		golden.Compare(t, goldenDir, "data.txt", all.Bytes())
		return
	}
	known, err := os.ReadFile(filepath.Join(goldenDir, "data.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range golden.Sections(known) {
		if _, here := got[s.Path]; !here {
			t.Run(s.Path, func(t *testing.T) { golden.Real(t, s.Path) }) // says so, or fails
			compared.WriteString(s.Text)
			continue
		}
		compared.WriteString(got[s.Path])
		delete(got, s.Path)
	}
	for _, name := range slices.Sorted(maps.Keys(got)) {
		t.Logf("%s was read and compared with nothing: make golden would make it known", name)
	}
	golden.Compare(t, goldenDir, "data.txt", compared.Bytes())
}

// readOne says in a few lines what was read of a file, below its name.
func readOne(name, path string) string {
	var out bytes.Buffer
	fmt.Fprintln(&out, name)
	set, err := analyze.Load(context.Background(), path, analyze.Options{Step: step.Options{SkipFirst: -1}})
	if err != nil {
		fmt.Fprintf(&out, "  refused: %v\n", err)
		return out.String()
	}
	describe(&out, set)
	return out.String()
}

// describe says in a few lines what was read.
func describe(out *bytes.Buffer, set *measured.Set) {
	for _, r := range set.Runs[0].Ranks {
		fmt.Fprintf(out, "  rank %d (%s), device %d, of %d\n", r.Rank, r.RankFrom, r.Device, r.WorldSize)
		rec := r.Receipts[0]
		fmt.Fprintf(out, "    steps: %s; found %d, kept %d; second anchor: %s\n", rec.Marker, rec.Found, rec.Kept, rec.Second)
		for _, d := range rec.Dropped {
			fmt.Fprintf(out, "    left out %v: %s\n", d.Steps, d.Reason)
		}
		if rec.Hint != "" {
			fmt.Fprintf(out, "    hint: %s\n", rec.Hint)
		}
		s := r.Spans
		fmt.Fprintf(out, "    %d kernels %.3f ms (%d communication), %d copies and %d sets %.3f ms, %d graphs %.3f ms, %d without launch\n",
			s.Kernels, float64(s.KernelTime)/1e6, s.CommKernels, s.Copies, s.Sets, float64(s.CopyTime)/1e6, s.Graphs, float64(s.GraphTime)/1e6, s.NoLaunch)
		fmt.Fprintf(out, "    %d ranges, %d API calls, %d OS calls, %d file calls\n", s.Ranges, s.Calls, s.OSCalls, s.FileCalls)
		for _, f := range r.Facts {
			fmt.Fprintf(out, "    %s: %s\n", f.Key, f.Value)
		}
	}
	for _, w := range set.Warnings {
		fmt.Fprintf(out, "  warning: %s\n", w.Text)
	}
}

// near reports whether got is within 1 % of want.
func near(got, want float64) bool { return math.Abs(got-want) <= .01*math.Abs(want) }

// TestResnet holds the two captures a side to the known answers of the data
// loading story.
func TestResnet(t *testing.T) {
	tests := []struct {
		dir string
		// Per capture: mean and median host step, kernel and DataLoader time.
		mean, median, kernels, loader [2]float64
	}{
		{"workers-0", [2]float64{174.8, 153.0}, [2]float64{176.5, 153.2}, [2]float64{98.6, 98.5}, [2]float64{69.3, 45.5}},
		{"workers-4", [2]float64{139.7, 142.8}, [2]float64{126.8, 127.1}, [2]float64{99.1, 99.0}, [2]float64{1.42, 1.42}},
	}
	for _, tt := range tests {
		set := load(t, golden.Real(t, "kineto/resnet50-"+tt.dir))
		if len(set.Runs) != 1 || len(set.Runs[0].Ranks) != 1 {
			t.Fatalf("%s: two captures of one rank are one rank of one run, got %d runs", tt.dir, len(set.Runs))
		}
		r := &set.Runs[0].Ranks[0]
		if len(r.Steps) != 12 || r.Steps[0].Number != 5 || r.Steps[11].Number != 21 {
			t.Fatalf("%s: got %d steps, want #5-10 and #16-21", tt.dir, len(r.Steps))
		}
		for c := range 2 {
			in := func(metric string) []float64 {
				v := slices.Clone(r.Values(measured.Key{Metric: metric})[6*c : 6*c+6])
				slices.Sort(v)
				return v
			}
			steps, loader := in("host_step_time"), in("input_wait_time")
			// The known medians of six steps are the upper of the two in the middle.
			if got := mean(steps) * 1e3; !near(got, tt.mean[c]) {
				t.Errorf("%s, capture %d: mean step %.1f ms, want %.1f", tt.dir, c, got, tt.mean[c])
			}
			if got := steps[3] * 1e3; !near(got, tt.median[c]) {
				t.Errorf("%s, capture %d: median step %.1f ms, want %.1f", tt.dir, c, got, tt.median[c])
			}
			if got := mean(loader) * 1e3; !near(got, tt.loader[c]) {
				t.Errorf("%s, capture %d: DataLoader %.2f ms, want %.2f", tt.dir, c, got, tt.loader[c])
			}
			var kernels float64
			for _, s := range r.Series {
				if s.Metric == "kernel_time" {
					for i := 6 * c; i < 6*c+5; i++ { // the last step of a capture has no device window
						if v := s.Values[i]; r.Steps[i].Dropped == "" {
							kernels += v / float64(kept(r, 6*c))
						}
					}
				}
			}
			if got := kernels * 1e3; !near(got, tt.kernels[c]) {
				t.Errorf("%s, capture %d: kernels %.1f ms per step, want %.1f", tt.dir, c, got, tt.kernels[c])
			}
		}
	}
}

// kept counts the kept steps of the capture of six that begins at from.
func kept(r *measured.Rank, from int) (n int) {
	for _, s := range r.Steps[from : from+6] {
		if s.Dropped == "" {
			n++
		}
	}
	return n
}

func mean(v []float64) (m float64) {
	for _, x := range v {
		m += x / float64(len(v))
	}
	return m
}

// TestResnetComparison: fewer waits for input, the same compute, and each side
// against itself is no change.
func TestResnetComparison(t *testing.T) {
	base, cand := load(t, golden.Real(t, "kineto/resnet50-workers-0")), load(t, golden.Real(t, "kineto/resnet50-workers-4"))
	r := diff.Compare(base, cand, policy.DefaultPolicy(), diff.Options{Tool: "test"})
	var stepTime, compute, input verdict.Comparison
	for _, m := range r.Metrics {
		switch m.Key.Metric {
		case "step_time":
			stepTime = m
		case "compute_time":
			compute = m
		case "input_wait_time":
			input = m
		}
	}
	if r.Verdict == verdict.Regressed || r.Verdict == verdict.Unchanged || stepTime.Estimate >= 0 {
		t.Errorf("step time: got %v with estimate %v, want improved or inconclusive with a negative estimate", r.Verdict, stepTime.Estimate)
	}
	if math.Abs(compute.Estimate) > .02 || compute.Verdict == verdict.Regressed || compute.Verdict == verdict.Improved {
		t.Errorf("compute: got %v with estimate %v, want no change", compute.Verdict, compute.Estimate)
	}
	if input.Verdict != verdict.Improved {
		t.Errorf("input wait: got %v, want improved", input.Verdict)
	}
	if len(r.Findings) == 0 || r.Findings[0].Kind != "input-wait" {
		t.Errorf("the first finding is not the wait for input: %+v", r.Findings)
	}
	for _, set := range []*measured.Set{base, cand} {
		self := diff.Compare(set, set, policy.DefaultPolicy(), diff.Options{Tool: "test"})
		for _, m := range slices.Concat(self.Metrics, self.Parts) {
			if m.Verdict == verdict.Regressed || m.Verdict == verdict.Improved || m.Delta != 0 && !math.IsNaN(m.Delta) {
				t.Errorf("%s against itself: %v is %v, change %v", set.Label, m.Key, m.Verdict, m.Delta)
			}
		}
		if !self.SameFiles {
			t.Errorf("%s against itself: the same files are not recognised", set.Label)
		}
	}
}

// TestRealExits holds the exit status and the words of real comparisons.
func TestRealExits(t *testing.T) {
	tests := []struct {
		path   string
		status int
		want   string // in the summary or on standard error
	}{
		{"kineto/dlrm-8ranks", 3, "too few steps"},
		{"nsys/cloverleaf-a100-2024.5.sqlite", 3, "no steps"},
		{"nsys/not-an-nsys-file.sqlite", 2, "not-an-nsys-file.sqlite: not a"},
		{"text/nsys-stats-2024.6.txt", 2, "the output of nsys stats, which holds sums"},
	}
	for _, tt := range tests {
		t.Run(tt.path, func(t *testing.T) {
			path := golden.Real(t, tt.path)
			var stdout, stderr bytes.Buffer
			status := run(context.Background(), []string{path, path}, &stdout, &stderr)
			if text := stdout.String() + stderr.String(); status != tt.status || !strings.Contains(strings.ToLower(text), strings.ToLower(tt.want)) {
				t.Errorf("%s: exit %d, want %d with %q; got:\n%s", tt.path, status, tt.status, tt.want, text)
			}
		})
	}
}

// TestDLRM: eight ranks with their collectives, one step each.
func TestDLRM(t *testing.T) {
	set := load(t, golden.Real(t, "kineto/dlrm-8ranks"))
	ranks := set.Runs[0].Ranks
	if len(ranks) != 8 {
		t.Fatalf("got %d ranks, want 8", len(ranks))
	}
	for i := range ranks {
		for coll, want := range map[string]float64{"AllReduce": 3} {
			if got := ranks[i].Values(measured.Key{Metric: "collective_calls", Part: coll}); got == nil || got[0] != want {
				t.Errorf("rank %d: %s calls: got %v, want %v", i, coll, got, want)
			}
		}
		sum := 0.
		for _, part := range []string{"SendRecv", "AllToAll"} {
			if v := ranks[i].Values(measured.Key{Metric: "collective_calls", Part: part}); v != nil {
				sum += v[0]
			}
		}
		if sum != 5 {
			t.Errorf("rank %d: got %v all-to-all calls, want 5", i, sum)
		}
		if ranks[i].Rank != i {
			t.Errorf("rank %d has number %d", i, ranks[i].Rank)
		}
	}
}

// TestRealRanks holds rank numbers to what the files say.
func TestRealRanks(t *testing.T) {
	for path, want := range map[string]struct {
		ranks []int
		from  string
	}{
		"nsys/saxpy-mpi-2022.2-full-schema.sqlite": {[]int{0}, "thread name"},
		"nsys/h100-2ranks-one-file-2026.2.sqlite":  {[]int{0, 1}, ""},
		"kineto/dialects/cpu-only-rank34.json.gz":  {[]int{34}, "distributedInfo"},
		"kineto/two-of-128-ranks":                  {[]int{0, 1}, ""},
	} {
		set := load(t, golden.Real(t, path))
		var got []int
		for _, r := range set.Runs[0].Ranks {
			got = append(got, r.Rank)
		}
		if !slices.Equal(got, want.ranks) || !strings.Contains(set.Runs[0].Ranks[0].RankFrom, want.from) {
			t.Errorf("%s: got ranks %v from %q, want %v from %q", path, got, set.Runs[0].Ranks[0].RankFrom, want.ranks, want.from)
		}
	}
}

// TestNoSuchProfile: a path that leads nowhere is named.
func TestNoSuchProfile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "nowhere.sqlite")
	var stdout, stderr bytes.Buffer
	status := run(context.Background(), []string{path, path}, &stdout, &stderr)
	if status != 2 || !strings.Contains(stderr.String(), "nowhere.sqlite: no such file") {
		t.Errorf("exit %d, want 2; got:\n%s", status, &stderr)
	}
}
