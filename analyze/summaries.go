package analyze

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"perfdiff/analyze/metric"
	"perfdiff/analyze/run"
	"perfdiff/analyze/saved"
	"perfdiff/analyze/source"
	"perfdiff/analyze/store"
	"perfdiff/analyze/trace"
)

// summaryExt is the usual extension of summaries. What a file is, its first bytes say.
const summaryExt = ".perfdiff"

// largestSummary bounds the size of a saved summary, in bytes.
const largestSummary = 1 << 30

// Summary returns set as a saved summary, that Load and LoadHistory read. Equal sets give equal
// bytes. The set is not changed.
func Summary(set *run.Set) ([]byte, error) { return saved.Marshal(set) }

// loadSaved returns the run set of a saved summary, or of a directory that holds nothing but
// summaries, which are its runs. It is nil for any other path.
func loadSaved(path string, opt Options) (*run.Set, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, nil // said by whoever looks for profiles
	}
	sets, err := summaries(path, info.IsDir(), opt.room())
	if err != nil || len(sets) == 0 {
		return nil, err
	}
	set := sets[0]
	if info.IsDir() {
		set = Merge(labelOf(path), sets, opt.Runs)
	}
	set.Kept = nil // a store has its own notes
	if opt.Step.Range != nil || opt.Step.Kernel != nil || opt.Step.SkipFirst > 0 || opt.Step.WindowText() != "" {
		set.Warnings = append(set.Warnings, trace.Warning{File: filepath.Base(path),
			Text: "its steps were found when the summary was made: --step-range, --step-kernel, --skip-first and --window do nothing to it (give them to perfdiff summarize)"})
	}
	if opt.RankName != nil {
		set.Warnings = append(set.Warnings, trace.Warning{File: filepath.Base(path),
			Text: "its ranks were numbered when the summary was made: --rank-name does nothing to it (give it to perfdiff summarize)"})
	}
	if len(set.Runs) == 0 {
		return nil, fmt.Errorf("%s: %w: the summary holds no ranks (make it again of profiles that hold some)", filepath.Base(path), ErrNothing)
	}
	if keepRanks(set, opt.Ranks) {
		set.Warnings = append(set.Warnings, trace.Warning{File: filepath.Base(path),
			Text: "waits, transfers and skews are those among all ranks of the summary: --ranks chooses from it after they were measured (give --ranks to perfdiff summarize)"})
	}
	if len(set.Runs) == 0 {
		return nil, fmt.Errorf("%s: %w: the summary holds none of the ranks that --ranks names", filepath.Base(path), ErrNothing)
	}
	return set, nil
}

// summaries reads the saved summaries at path. For a directory it reads those in it, if all of its files are
// summaries.
func summaries(path string, dir bool, room *saved.MemoryBudget) ([]*run.Set, error) {
	if !dir {
		set, err := readSummary(path, room)
		if set == nil || err != nil {
			return nil, err
		}
		return []*run.Set{set}, nil
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil, nil // said by whoever looks for profiles
	}
	var sets []*run.Set
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".") || store.IsOwn(e.Name()) {
			continue
		}
		set, err := readSummary(filepath.Join(path, e.Name()), room)
		if err != nil {
			return nil, err
		}
		if set == nil {
			return nil, nil
		}
		sets = append(sets, set)
	}
	return sets, nil
}

// readSummary reads a saved summary and takes the memory for it from room. It is nil if the
// file is no summary.
func readSummary(path string, room *saved.MemoryBudget) (*run.Set, error) {
	name := filepath.Base(path)
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return nil, nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, nil
	}
	defer f.Close()
	head := make([]byte, 64)
	n, _ := f.Read(head)
	if !saved.Is(head[:n]) {
		return nil, nil
	}
	if info.Size() > largestSummary {
		return nil, fmt.Errorf("%s: a summary of %d bytes is more than perfdiff ever writes (make it again)", name, info.Size())
	}
	if info.Size() > room.Bytes {
		return nil, noRoom(name)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, trace.WithoutPath(err))
	}
	set, err := saved.Unmarshal(data, metric.Derivation, room)
	switch {
	case errors.Is(err, saved.ErrMemory):
		return nil, noRoom(name)
	case err != nil:
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	for i := range set.Runs {
		r := &set.Runs[i]
		r.Origin, r.Apart = r.Origin.Trusted(), r.Folded
	}
	set.Kept = set.Kept.Trusted()
	metric.AddTraits(set.Metrics)
	nameProfilers(set)
	return set, nil
}

// nameProfilers notes for each file what recorded it, and what opens it.
func nameProfilers(set *run.Set) {
	for i := range set.Files {
		f := source.Named(set.Files[i].Format)
		set.Files[i].Profiler, set.Files[i].Opener = f.Profiler, f.Opener
	}
}

// noRoom returns the error about a summary that does not fit into memory together with those read before.
func noRoom(name string) error {
	return fmt.Errorf("%s: needs %w for saved summaries (raise --max-memory, or give fewer of them)", name, saved.ErrMemory)
}
