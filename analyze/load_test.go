package analyze

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/analyze/step"
)

// profile is a small PyTorch trace: n steps of 1 ms from number first, one
// kernel each; rank < 0 leaves the rank out.
func profile(rank, first, n int) string {
	var b strings.Builder
	b.WriteString(`{"schemaVersion":1,`)
	if rank >= 0 {
		fmt.Fprintf(&b, `"distributedInfo":{"backend":"nccl","rank":%d,"world_size":4},`, rank)
	}
	b.WriteString(`"traceEvents":[`)
	for i := range n + 1 {
		ts := float64((first + i) * 1000)
		if i < n {
			fmt.Fprintf(&b, `{"ph":"X","cat":"user_annotation","name":"ProfilerStep#%d","pid":1,"tid":1,"ts":%.3f,"dur":999.000},`, first+i, ts)
		}
		fmt.Fprintf(&b, `{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":%.3f,"dur":2.000,"args":{"correlation":%d}},`, ts+10, i)
		fmt.Fprintf(&b, `{"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":%.3f,"dur":500.000,"args":{"correlation":%d,"device":0,"stream":7}},`, ts+20, i)
	}
	return strings.TrimSuffix(b.String(), ",") + `]}`
}

// tree writes files below a new directory.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func loadTree(t *testing.T, dir string, opt Options) *run.Set {
	t.Helper()
	opt.Step = step.Options{SkipFirst: 0}
	set, err := Load(context.Background(), dir, opt)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// shape is a set in short: run[rank:steps rank:steps] …
func shape(set *run.Set) string {
	var parts []string
	for _, r := range set.Runs {
		var ranks []string
		for _, k := range r.Ranks {
			ranks = append(ranks, fmt.Sprintf("%d:%d", k.Rank, len(k.Steps)))
		}
		parts = append(parts, fmt.Sprintf("%s[%s]", r.Name, strings.Join(ranks, " ")))
	}
	return strings.Join(parts, " ")
}

// texts are the warnings of a set, but for the one that profile's jobs of four ranks do
// not communicate.
func texts(set *run.Set) string {
	var all []string
	for _, w := range set.Warnings {
		if strings.HasPrefix(w.Text, "no communication is recognised in a job of 4 ranks") {
			continue
		}
		all = append(all, w.File+": "+w.Text)
	}
	return strings.Join(all, "\n")
}

func TestRunSets(t *testing.T) {
	t.Setenv("PATH", "") // where nsys is not
	tests := []struct {
		name  string
		files map[string]string
		want  string // shape, without the name of the directory
		warns string
	}{
		{"ranks of one run", map[string]string{"a.json": profile(1, 5, 4), "b.json": profile(0, 5, 4)}, "[0:4 1:4]", ""},
		{"several runs", map[string]string{"r1/a.json": profile(0, 5, 4), "r2/a.json": profile(0, 5, 3)}, "r1[0:4] r2[0:3]", ""},
		{"captures of one rank are joined", map[string]string{"a.json": profile(0, 16, 4), "b.json": profile(0, 5, 4)}, "[0:8]", ""},
		{"duplicates are named", map[string]string{"a.json": profile(0, 5, 4), "b.json": profile(0, 7, 4)}, "[0:4]", "b.json: rank 0 is in a.json already"},
		{"rank from the file name", map[string]string{"report_rank3_on_host.json": profile(-1, 5, 4)}, "[3:4]", ""},
		{"guessed ranks are named", map[string]string{"a.json": profile(-1, 5, 4), "b.json": profile(0, 5, 4)}, "[0:4 1:4]", "1 of 2 ranks have numbers by order only, from rank 1 on"},
		{"a broken file is left out", map[string]string{"a.json": profile(0, 5, 4), "b.json": "{"}, "[0:4]", "b.json: left out: "},
		{"an empty file is left out", map[string]string{"a.json": profile(0, 5, 4), "b.sqlite": ""}, "[0:4]", "b.sqlite: left out: not a profile that perfdiff reads: the file is empty"},
		{"a report has its export command", map[string]string{"a.json": profile(0, 5, 4), "b.nsys-rep": "x"}, "[0:4]", "nsys export --type sqlite -o b.sqlite b.nsys-rep"},
		{"a report beside its export is not needed", map[string]string{"a.json": profile(0, 5, 4), "a.nsys-rep": "x", "a.sqlite": "SQLite format 3\x00"}, "[0:4]", "a.sqlite"},
		{"other files are ignored", map[string]string{"a.json": profile(0, 5, 4), "README": "hello", ".hidden": "x", "log.txt": "y"}, "[0:4]", ""},
		{"nodes or runs", map[string]string{"n0/a.json": profile(0, 5, 4), "n1/b.json": profile(1, 5, 4)}, "n0[0:4] n1[1:4]", ""},
		{"directories beside profiles", map[string]string{"a.json": profile(0, 5, 4), "old/b.json": profile(1, 5, 4)}, "[0:4]", "the directories are left out"},
	}
	for _, tt := range tests {
		dir := tree(t, tt.files)
		set := loadTree(t, dir, Options{})
		got := strings.ReplaceAll(shape(set), filepath.Base(dir)+"[", "[")
		if got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.name, got, tt.want)
		}
		if w := texts(set); !strings.Contains(w, tt.warns) || tt.warns == "" && w != "" {
			t.Errorf("%s: got warnings %q, want %q", tt.name, w, tt.warns)
		}
	}
}

// TestDoubtfulRanks: what no profile says of its rank is no rank of one run for sure
// where all of it fell together or was captured at other times.
func TestDoubtfulRanks(t *testing.T) {
	at := func(rank, first int) string {
		return strings.Replace(profile(rank, first, 4), `"schemaVersion":1,`, `"schemaVersion":1,"baseTimeNanoseconds":1694128200000000000,`, 1)
	}
	of := func(process int, profile string) string {
		return strings.ReplaceAll(profile, `"pid":1,`, fmt.Sprintf(`"pid":%d,`, process))
	}
	for _, tt := range []struct {
		name  string
		files map[string]string
		opt   Options
		doubt string // "" none
	}{
		{"cycles of one process", map[string]string{"a.json": at(-1, 5), "b.json": at(-1, 50)}, Options{}, ""},
		{"runs in one directory", map[string]string{"a.json": at(-1, 5), "b.json": of(2, at(-1, 50))}, Options{}, "the captures of 2 ranks were recorded one after the other"},
		{"the same by name", map[string]string{"run_0.json": at(-1, 5), "run_1.json": of(2, at(-1, 50))}, Options{}, "recorded one after the other"},
		{"ranks of one run", map[string]string{"a.json": at(-1, 5), "b.json": at(-1, 6)}, Options{}, ""},
		{"ranks that the profiles say", map[string]string{"a.json": at(0, 5), "b.json": at(1, 50)}, Options{}, ""},
		{"captures of one rank", map[string]string{"rank0_a.json": at(-1, 5), "rank0_b.json": at(-1, 50)}, Options{}, ""},
		{"ranks that the user says", map[string]string{"a0.json": at(-1, 5), "a1.json": at(-1, 50)}, Options{RankName: regexp.MustCompile(`a(?P<rank>\d)`)}, ""},
		{"one number for all", map[string]string{"a_8.json": at(-1, 5), "b_8.json": at(-1, 5)}, Options{}, "1 of 2 captures say a rank that another one has, as rank 8 by file name"},
		{"one of many twice", map[string]string{"a.json": at(0, 5), "b.json": at(1, 5), "c.json": at(2, 5), "d.json": at(2, 5)}, Options{}, ""},
	} {
		set := loadTree(t, tree(t, tt.files), tt.opt)
		got := ""
		for _, d := range set.Doubts {
			got += string(d.About) + ": " + d.Text
		}
		if !strings.Contains(got, tt.doubt) || (got == "") != (tt.doubt == "") {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.doubt)
		}
	}
}

func TestRefusals(t *testing.T) {
	empty := tree(t, nil)
	other := tree(t, map[string]string{"notes.txt": "hello"})
	broken := tree(t, map[string]string{"a.json": "{", "b.json": ""})
	loop := tree(t, nil)
	if err := os.Symlink("loop.json", filepath.Join(loop, "loop.json")); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		empty:                             "nothing to measure: no profiles (expected Nsight Systems exports",
		other:                             "no profiles",
		broken:                            "no file could be read; the first of 2: a.json",
		loop:                              "too many levels of symbolic links",
		filepath.Join(empty, "nope"):      "no such file or directory",
		filepath.Join(other, "notes.txt"): "notes.txt: not a profile that perfdiff reads: a text file (give the profiles themselves",
	} {
		if _, err := Load(context.Background(), path, Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got error %v, want %q", filepath.Base(path), err, want)
		}
	}
	strict := tree(t, map[string]string{"a.json": profile(0, 5, 4), "b.json": "{"})
	if _, err := Load(context.Background(), strict, Options{Strict: true}); err == nil || !strings.Contains(err.Error(), "--strict") {
		t.Errorf("--strict: got error %v", err)
	}
	none := func(int) bool { return false }
	if _, err := Load(context.Background(), strict, Options{Ranks: none}); !errors.Is(err, ErrNothing) {
		t.Errorf("no rank left: got error %v", err)
	}
}

// counter watches a load.
type counter struct{ found, done, bytes atomic.Int64 }

func (c *counter) Found(files int, _ int64) { c.found.Add(int64(files)) }
func (c *counter) Read(n int64)             { c.bytes.Add(n) }
func (c *counter) Done()                    { c.done.Add(1) }

func TestOptions(t *testing.T) {
	files := map[string]string{}
	for r := range 6 {
		files[fmt.Sprintf("worker%d.json", r)] = profile(r, 5, 4)
	}
	dir := tree(t, files)
	var watch counter
	set := loadTree(t, dir, Options{Jobs: 3, Progress: &watch, Ranks: func(r int) bool { return r%2 == 0 }})
	var got []int
	for _, r := range set.Runs[0].Ranks {
		got = append(got, r.Rank)
	}
	if want := []int{0, 2, 4}; !slices.Equal(got, want) {
		t.Errorf("ranks: got %v, want %v", got, want)
	}
	if watch.found.Load() != 6 || watch.done.Load() != 6 || watch.bytes.Load() == 0 {
		t.Errorf("progress: found %d, done %d, %d bytes", watch.found.Load(), watch.done.Load(), watch.bytes.Load())
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Load(ctx, dir, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: got error %v", err)
	}
}

// TestSameContent: the digest knows a set by its content, not by its names.
func TestSameContent(t *testing.T) {
	a := loadTree(t, tree(t, map[string]string{"a.json": profile(0, 5, 4), "b.json": profile(1, 5, 4)}), Options{})
	b := loadTree(t, tree(t, map[string]string{"x.json": profile(1, 5, 4), "y.json": profile(0, 5, 4)}), Options{})
	c := loadTree(t, tree(t, map[string]string{"a.json": profile(0, 5, 4), "b.json": profile(1, 5, 5)}), Options{})
	if a.Digest != b.Digest || a.Digest == c.Digest || a.Digest == "" {
		t.Errorf("digests: %s, %s, %s", a.Digest, b.Digest, c.Digest)
	}
}

// TestJoined: values of joined captures stand in order of the steps.
func TestJoined(t *testing.T) {
	set := loadTree(t, tree(t, map[string]string{"late.json": profile(0, 16, 3), "z-early.json": profile(0, 5, 3)}), Options{})
	r := set.Runs[0].Ranks[0]
	if r.Steps[0].Number != 5 || r.Steps[3].Number != 16 || len(r.Receipts) != 2 || r.Spans.Kernels != 8 {
		t.Errorf("got steps %v, %d receipts, %d kernels", r.Steps, len(r.Receipts), r.Spans.Kernels)
	}
	if v := r.Values(run.Key{Metric: "kernel_time", Part: "gemm"}); len(v) != 6 || v[5] != 500e-6 {
		t.Errorf("kernel time: got %v", v)
	}
}

// TestLoadPair: the two sides are read together and come out as if they were
// loaded one by one; a path that is not there is said before a file is read.
func TestLoadPair(t *testing.T) {
	base := tree(t, map[string]string{"a.json": profile(0, 5, 4), "b.json": profile(1, 5, 4)})
	cand := tree(t, map[string]string{"a.json": profile(0, 5, 6)})
	var watch [2]counter
	b, c, err := LoadPair(context.Background(), Side{"baseline", base, &watch[0]}, Side{"candidate", cand, &watch[1]}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []*run.Set{loadTree(t, base, Options{}), loadTree(t, cand, Options{})} {
		if got := []*run.Set{b, c}[i]; got.Digest != want.Digest || got.Label != want.Label || len(got.Files) != len(want.Files) {
			t.Errorf("side %d: got %s, %s, %d files", i, got.Label, got.Digest, len(got.Files))
		}
		if got := int(watch[i].done.Load()); got != 2-i || watch[i].bytes.Load() == 0 {
			t.Errorf("side %d: told of %d files and %d bytes", i, got, watch[i].bytes.Load())
		}
	}
	_, _, err = LoadPair(context.Background(), Side{"baseline", base, &watch[0]}, Side{"candidate", "nowhere", nil}, Options{})
	if err == nil || !strings.HasPrefix(err.Error(), "candidate: nowhere: ") || watch[0].done.Load() != 2 {
		t.Errorf("no candidate: got %v after %d files", err, watch[0].done.Load())
	}
}
