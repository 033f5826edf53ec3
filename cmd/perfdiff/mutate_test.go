package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"perfdiff/analyze/synth"
	"perfdiff/testdata"
)

// unchanged writes a story of which both sides do what one of them does: two honest
// runs of one job, which differ in their noise alone. of is "baseline" or "candidate";
// edit changes the text further. The job's runs differ by half a percent.
func unchanged(t *testing.T, name, of string, format synth.Format, edit *strings.Replacer) (base, cand string) {
	t.Helper()
	text, err := testdata.Story(name)
	if err != nil {
		t.Fatal(err)
	}
	blocks := storyBlocks(string(text))
	own := blocks[of]
	if !strings.Contains(own+blocks["job"], "run_noise:") {
		blocks["job"] += "  run_noise: 0.005\n"
	}
	var b strings.Builder
	for _, key := range []string{"head", "job", "baseline", "candidate"} {
		body := blocks[key]
		if key == "baseline" || key == "candidate" {
			body = own
		}
		if key != "head" && body != "" {
			body = key + ":\n" + body
		}
		b.WriteString(body)
	}
	story, err := synth.Parse(name, []byte(edit.Replace(b.String())))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if _, err := story.Write(t.Context(), dir, format); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, "baseline"), filepath.Join(dir, "candidate")
}

// storyBlocks cuts a story into job, baseline and candidate, each without its first
// line, and all else, the head.
func storyBlocks(text string) map[string]string {
	out := map[string]string{}
	in := "head"
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, " ") {
			in = "head"
		}
		if key, _, _ := strings.Cut(line, ":"); key == "job" || key == "baseline" || key == "candidate" {
			in = key
			continue
		}
		out[in] += line
	}
	return out
}

// side is a run set that is being mutated.
type side struct {
	dir   string
	files []string // base names, in order of rank
	ranks []int    // of the files
	world int
}

var rankInName = regexp.MustCompile(`^(?:report\.|worker)(\d+)\.`)

// openSide lists the files of a run set of one run.
func openSide(t *testing.T, dir string, world int) *side {
	t.Helper()
	s := &side{dir: dir, world: world}
	for _, name := range namesIn(t, dir) {
		m := rankInName.FindStringSubmatch(name)
		if m == nil {
			t.Fatalf("%s: no file of a story", name)
		}
		rank, _ := strconv.Atoi(m[1])
		at, _ := slices.BinarySearch(s.ranks, rank)
		s.files, s.ranks = slices.Insert(s.files, at, name), slices.Insert(s.ranks, at, rank)
	}
	return s
}

func namesIn(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func (s *side) path(i int) string { return filepath.Join(s.dir, s.files[i]) }

// move renames file i, into a folder where to has one.
func (s *side) move(t *testing.T, i int, to string) {
	t.Helper()
	path := filepath.Join(s.dir, to)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(s.path(i), path); err != nil {
		t.Fatal(err)
	}
	s.files[i] = to
}

// each edits every file that is whole; cut ones can only be moved.
func (s *side) each(t *testing.T, edit func(recorded) error) {
	t.Helper()
	whole := 0
	for i := range s.files {
		f, err := openRecorded(s.path(i))
		if err != nil {
			continue
		}
		whole++
		if err := edit(f); err != nil {
			t.Fatalf("%s: %v", s.files[i], err)
		}
		if err := f.close(); err != nil {
			t.Fatalf("%s: %v", s.files[i], err)
		}
	}
	if whole == 0 {
		t.Fatalf("%s: no file can be edited", s.dir)
	}
}

// recorded is a profile that is being edited, in either format.
type recorded interface {
	dropMarkers() error             // all that the program annotated
	dropSteps() error               // the ranges of steps alone
	renameSteps(word string) error  // "step 12" becomes "WORD 12"
	replayGraphs() error            // kernels as replays of graphs
	renameComm(kernel string) error // of the kernels that communicate
	cut(steps, of int) error        // keep the first steps, of so many
	setRank(rank int) error         // wherever the file says it; -1: nowhere
	close() error                   // writes what was edited

	steps() ([]int64, error)                 // when they begin, in ns, in order
	kernels(from, to int64) ([]int64, error) // when those that compute begin, in order
	lose(from, to int64) error               // the kernels that begin there, with their launches
	loseEvery(n int, launches bool) error    // every n-th kernel that computes
	loseComm() error                         // the kernels that communicate, with their launches
	warp(bends []bend) error                 // all times
	delayDevice(ns int64) error              // the times of the device alone
	stretchSteps(num, den int64) error       // the ranges of steps alone, from where they begin
	recordMore() error                       // options of the profiler that cost time
	halveSMs() error                         // of the devices, by what the file says of them
	lowerClock() error
	setHost(name string) error
	scaleWork(num, den int64) error  // blocks and bytes
	openLoaderBefore(ns int64) error // the first range of the loader
}

func openRecorded(path string) (recorded, error) {
	if strings.HasSuffix(path, ".sqlite") {
		return openExport(path)
	}
	return openTrace(path)
}

// copyTree copies a run set, so that a mutation finds it as it was written.
func copyTree(t *testing.T, from string) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), filepath.Base(from))
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	return to
}

// mutation is a change of the recording, or of what it is of, and what may be said of it.
type mutation struct {
	name   string
	base   func(*testing.T, *side) // nil: as it is
	cand   func(*testing.T, *side)
	format string // that it is possible in; "" every one
	right  right  // the zero value is that of a job that did not change
}

// errNoCalls is of a capture that holds no calls by which it could be cut.
var errNoCalls = errors.New("no calls to cut by")

// toNodes puts the files of every node into a directory of its own.
func toNodes(t *testing.T, s *side) {
	for i, rank := range s.ranks {
		s.move(t, i, fmt.Sprintf("node%d/%s", rank*2/s.world, s.files[i]))
	}
}

// anonymous renames files to pattern, by rank and world, and takes the ranks out of them.
func anonymous(pattern string) func(*testing.T, *side) {
	return func(t *testing.T, s *side) {
		s.each(t, func(f recorded) error { return f.setRank(-1) })
		renamed(pattern)(t, s)
	}
}

func renamed(pattern string) func(*testing.T, *side) {
	return func(t *testing.T, s *side) {
		for i, rank := range s.ranks {
			ext := s.files[i][strings.LastIndexByte(s.files[i], '.'):]
			s.move(t, i, fmt.Sprintf(pattern, rank, s.world)+ext)
		}
	}
}

// halved keeps the files of the first half of the ranks.
func halved(t *testing.T, s *side) {
	for i, rank := range s.ranks {
		if rank >= max(1, s.world/2) {
			if err := os.Remove(s.path(i)); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// renumbered counts ranks backwards, in files and names.
func renumbered(t *testing.T, s *side) {
	for i, rank := range s.ranks {
		other := s.world - 1 - rank
		if f, err := openRecorded(s.path(i)); err == nil {
			if err := f.setRank(other); err != nil {
				t.Fatal(err)
			}
			if err := f.close(); err != nil {
				t.Fatal(err)
			}
		}
		s.move(t, i, "other/"+strings.Replace(s.files[i], strconv.Itoa(rank)+".", strconv.Itoa(other)+".", 1))
	}
	s.dir = filepath.Join(s.dir, "other")
}

// summarized puts a saved summary in a side's place.
func summarized(t *testing.T, s *side) {
	to := filepath.Join(filepath.Dir(s.dir), "saved.perfdiff")
	mustRun(t, statusOK, "summarize", s.dir, "-q", "-o", to)
	s.dir = to
}

func edited(edit func(recorded) error) func(*testing.T, *side) {
	return func(t *testing.T, s *side) { s.each(t, edit) }
}

// mutations are those of the recording alone, of a job of so many steps.
func mutations(steps int) []mutation {
	cut := func(n int) func(*testing.T, *side) {
		return edited(func(f recorded) error {
			if err := f.cut(n, steps); !errors.Is(err, errNoCalls) {
				return err
			}
			return nil // a capture without a device is left as it is
		})
	}
	return []mutation{
		{name: "none"},
		{name: "markers removed on one side", cand: edited(recorded.dropMarkers)},
		{name: "steps alone removed on one side", cand: edited(recorded.dropSteps)},
		{name: "steps called otherwise on one side", cand: edited(func(f recorded) error { return f.renameSteps("iteration") })},
		{name: "graph level on one side", cand: edited(recorded.replayGraphs)},
		{name: "node directories", base: toNodes, cand: toNodes},
		{name: "node directories on one side", cand: toNodes},
		{name: "renamed files on one side", cand: renamed("trace-%d-of-%d")},
		{name: "renamed files, no rank inside", base: anonymous("trace-%d-of-%d"), cand: anonymous("trace-%d-of-%d")},
		{name: "half of the ranks on one side", cand: halved},
		{name: "ranks renumbered on one side", cand: renumbered},
		{name: "one side cut to 3 steps", cand: cut(3)},
		{name: "one side twice as long", base: cut(steps / 2)},
		{name: "communication called otherwise on one side",
			cand: edited(func(f recorded) error {
				return f.renameComm("void one_shot_all_reduce_kernel<float, 8>(float **, float *, unsigned long)")
			})},
		{name: "summary against profile", base: summarized},
	}
}
