package synth

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"perfdiff/testdata"
)

func parse(t *testing.T, name string) *Story {
	t.Helper()
	text, err := testdata.Story(name)
	if err != nil {
		t.Fatal(err)
	}
	s, err := Parse(name, text)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func write(t *testing.T, s *Story, format Format) (string, Truth) {
	t.Helper()
	dir := t.TempDir()
	truth, err := s.Write(context.Background(), dir, format)
	if err != nil {
		t.Fatal(err)
	}
	return dir, truth
}

func TestParseErrors(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"empty", "", "about is missing"},
		{"not a mapping", "3", "story x: "},
		{"unknown key", "about: a\nrank: 3\n", `unknown field "rank"`},
		{"unknown key of a job", "about: a\njob:\n  input: {form: 1ms}\n", `unknown field "form"`},
		{"unknown key of a side", "about: a\ncandidate: {layer: 2}\n", `unknown field "layer"`},
		{"twice", "about: a\nabout: b\n", "already defined"},
		{"no duration", "about: a\njob: {forward: soon}\n", "story x: "},
		{"no unit", "about: a\njob: {forward: 8}\n", "[2:16] cannot unmarshal"},
		{"too short", "about: a\njob: {forward: 8ns}\n", "baseline: forward, in ns, is 8: it must be from 1000"},
		{"no ranks", "about: a\nranks: 0\n", "ranks is 0: it must be from 1 to 1024"},
		{"uneven", "about: a\nranks: 5\nnodes: 2\n", "5 ranks cannot be spread evenly over 2 nodes"},
		{"schema", "about: a\nschema: 9.9.9\n", `schema "9.9.9" is not known`},
		{"replacement", "about: a\ncandidate: {replace: [relu]}\n", `candidate: replace: no kernel is known that runs in place of "relu": batch_norm_backward, conv_dgrad, conv_fprop, conv_wgrad`},
		{"kernel", "about: a\ncandidate: {kernels: {gemm: 2}}\n", `candidate: kernels: "gemm" is none of the job's kernels: conv_fprop`},
		{"rank", "about: a\nranks: 2\ncandidate: {missing: [2]}\n", "missing or truncated rank is 2: it must be from 0 to 1"},
		{"slow", "about: a\nranks: 2\ncandidate: {slow: {0: 0}}\n", "slow is 0"},
		{"later than the run", "about: a\nsteps: 9\njob: {later: {step: 9, job: {clock: 0.5}}}\n", "baseline: later: it needs a job and a step behind the first, 0, and up to the last, 8"},
		{"later, nothing", "about: a\njob: {later: {step: 9}}\n", "later: it needs a job"},
		{"later, unknown key", "about: a\njob: {later: {step: 9, job: {clocks: 1}}}\n", `later: [2:30] unknown field "clocks"`},
		{"later, bad figure", "about: a\njob: {later: {step: 9, job: {clock: 0}}}\n", "later: clock is 0"},
		{"later, of a run", "about: a\njob: {later: {step: 9, job: {layers: 2}}}\n", "later: markers, graphs, layers"},
		{"later, again", "about: a\njob: {later: {step: 9, job: {later: {step: 11, job: {clock: 0.5}}}}}\n", "and later are of a whole run"},
		{"order", "about: a\nranks: 2\njob: {pipeline: {stages: 2, order: backwards}}\n", `pipeline.order: "backwards" is not known: it must be one of all-forward, forward-only, neighbours`},
		{"stages", "about: a\nranks: 3\njob: {pipeline: {stages: 2}}\n", "pipeline.stages is 2: each must have as many ranks"},
		{"noise", "about: a\njob: {noise: .nan}\n", "noise is NaN"},
	}
	for _, tt := range tests {
		_, err := Parse("x", []byte(tt.text))
		if err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: got error %v, want one line with %q", tt.name, err, tt.want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, name := range testdata.Names() {
		text, err := testdata.Story(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) { Parse("fuzz", text) })
}

func TestUnknownStory(t *testing.T) {
	if _, err := testdata.Story("none"); err == nil || !strings.Contains(err.Error(), "o-direct") {
		t.Errorf("got error %v, want one that names the stories", err)
	}
}

// each calls f for every step of a truth.
func (t Truth) each(f func(side string, r *Rank, s *Step)) {
	for i, runs := range [][]Run{t.Baseline, t.Candidate} {
		for _, run := range runs {
			for k := range run.Ranks {
				for j := range run.Ranks[k].Steps {
					f(sideNames[i], &run.Ranks[k], &run.Ranks[k].Steps[j])
				}
			}
		}
	}
}

// TestTruth: every story can be written in every format, and its truth adds up
// and does not depend on the format.
func TestTruth(t *testing.T) {
	for _, name := range testdata.Names() {
		s := parse(t, name)
		_, truth := write(t, s, Nsight)
		_, same := write(t, s, Kineto)
		truth.each(func(side string, r *Rank, st *Step) {
			at := fmt.Sprintf("%s, %s, rank %d, step %d", name, side, r.Rank, st.Number)
			if sum := st.Compute + st.ExposedComm + st.ExposedMemory + st.Idle; sum != st.Time || st.Time <= 0 {
				t.Errorf("%s: the parts add up to %d, want the step, %d", at, sum, st.Time)
			}
			var gaps, comm int64
			for _, g := range st.Gaps {
				gaps += g
			}
			for _, c := range slices.Concat(st.Collectives, st.Messages, st.AllToAlls) {
				comm += c.Time
			}
			if gaps != st.Idle || comm != st.Comm || st.ExposedComm > st.Comm {
				t.Errorf("%s: got gaps %d, collectives %d, want idle %d, communication %d", at, gaps, comm, st.Idle, st.Comm)
			}
		})
		var times, again []int64
		var hidden []bool // the collectives of a replay that is one row, as only Nsight Systems writes it
		truth.each(func(_ string, _ *Rank, s *Step) {
			times, hidden = append(times, s.Time, s.HostTime, s.InputWait, s.Comm), append(hidden, s.Graphs > 0)
		})
		same.each(func(_ string, _ *Rank, s *Step) {
			comm, nth := s.Comm, len(again)/4
			if nth < len(hidden) && hidden[nth] {
				comm = times[4*nth+3]
			}
			again = append(again, s.Time, s.HostTime, s.InputWait, comm)
		})
		if !slices.Equal(times, again) {
			t.Errorf("%s: the formats hold different steps", name)
		}
	}
}

// TestLater: what a job does otherwise from a step on begins there, and only there.
func TestLater(t *testing.T) {
	s, err := Parse("later", []byte("about: a\nfirst_step: 3\nsteps: 10\njob: {noise: 0, kernels: {relu: 2}, later: {step: 8, job: {clock: 0.5, kernels: {relu: 2, adamw: 3}}}}\n"))
	if err != nil {
		t.Fatal(err)
	}
	_, truth := write(t, s, Kineto)
	of := func(st *Step, part string) (sum int64) {
		for name, k := range st.Kernels {
			if strings.Contains(name, part) {
				sum += k.Time
			}
		}
		return sum
	}
	steps := truth.Baseline[0].Ranks[0].Steps
	first := &steps[0]
	for i := range steps {
		conv, adam := int64(1), int64(1)
		if st := &steps[i]; st.Number >= 8 {
			conv, adam = 2, 6
		}
		for part, times := range map[string]int64{"fprop": conv, "Relu": conv, "multi_tensor": adam} {
			if got, want := of(&steps[i], part), times*of(first, part); got < want-10 || got > want+10 {
				t.Errorf("step %d, %s: got %d ns, want %d", steps[i].Number, part, got, want)
			}
		}
	}
}

// TestWait: in every collective one rank waits for nobody.
func TestWait(t *testing.T) {
	_, truth := write(t, parse(t, "straggler-rank3"), Nsight)
	ranks := truth.Candidate[0].Ranks
	last := map[int]int{}
	for step := range ranks[0].Steps {
		for c := range ranks[0].Steps[step].Collectives {
			least := slices.MinFunc(ranks, func(a, b Rank) int {
				return int(a.Steps[step].Collectives[c].Wait - b.Steps[step].Collectives[c].Wait)
			})
			if w := least.Steps[step].Collectives[c].Wait; w != 0 {
				t.Errorf("step %d, collective %d: the last rank waits %d ns, want 0", step, c, w)
			}
			last[least.Rank]++
		}
	}
	if last[3] < 40 {
		t.Errorf("rank 3 came last %d times of 48", last[3])
	}
}

// digest is over the names and the bytes of all files in dir.
func digest(t *testing.T, dir string) (sum [sha256.Size]byte, files []string) {
	t.Helper()
	h := sha256.New()
	err := fs.WalkDir(os.DirFS(dir), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(filepath.Join(dir, path))
		fmt.Fprintf(h, "%s %d\n%s", path, len(text), text)
		files = append(files, path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return [sha256.Size]byte(h.Sum(nil)), files
}

func TestDeterminism(t *testing.T) {
	for _, name := range []string{"few-steps", "several-runs", "truncated", "graphs"} {
		for _, format := range []Format{Nsight, Kineto, KinetoGzip} {
			one, _ := write(t, parse(t, name), format)
			two, _ := write(t, parse(t, name), format)
			a, files := digest(t, one)
			if b, _ := digest(t, two); a != b || len(files) == 0 {
				t.Errorf("%s in format %d: two writes differ (%d files)", name, format, len(files))
			}
		}
	}
}

func TestNames(t *testing.T) {
	tests := []struct {
		story  string
		format Format
		files  int
		some   []string
	}{
		{"several-runs", Nsight, 12, []string{"baseline/run1/report.0.sqlite", "candidate/run3/report.1.sqlite"}},
		{"missing-rank", Nsight, 14, []string{"baseline/report.2.sqlite", "candidate/report.7.sqlite"}},
		{"few-steps", Kineto, 8, []string{"baseline/worker0.1694128200749.pt.trace.json"}},
		{"few-steps", KinetoGzip, 8, []string{"baseline/worker0.1694128200749.pt.trace.json.gz"}},
	}
	for _, tt := range tests {
		dir, _ := write(t, parse(t, tt.story), tt.format)
		_, files := digest(t, dir)
		for _, want := range tt.some {
			if len(files) != tt.files || !slices.Contains(files, want) {
				t.Errorf("%s: got %d files %v, want %d with %s", tt.story, len(files), files, tt.files, want)
			}
		}
		if slices.Contains(files, "candidate/report.5.sqlite") {
			t.Errorf("%s: the file of a missing rank was written", tt.story)
		}
	}
}
