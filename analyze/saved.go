package analyze

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"perfdiff/analyze/metric"
	"perfdiff/analyze/run"
	"perfdiff/analyze/saved"
	"perfdiff/analyze/trace"
)

// summaryExt is how people call summaries; what a file is its first bytes say.
const summaryExt = ".perfdiff"

// largestSummary bounds the file of a saved summary, in bytes.
const largestSummary = 1 << 30

// Summary is set as a saved summary, that Load and LoadHistory read. Equal sets give equal
// bytes. The set is not changed.
func Summary(set *run.Set) ([]byte, error) { return saved.Marshal(set, metric.Follows) }

// savedSet is the run set of a saved summary, or of a directory of nothing but
// summaries, which are its runs; nil where path is neither.
func savedSet(path string, opt Options) (*run.Set, error) {
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
	if opt.Step.Range != nil || opt.Step.Kernel != nil || opt.Step.SkipFirst > 0 {
		set.Warnings = append(set.Warnings, trace.Warning{File: filepath.Base(path),
			Text: "its steps were found when the summary was made: --step-range, --step-kernel and --skip-first do nothing to it (give them to perfdiff summarize)"})
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

// summaries are the saved summaries at path: of a directory those in it, if all
// of its files are summaries.
func summaries(path string, dir bool, room *saved.Room) ([]*run.Set, error) {
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
		if strings.HasPrefix(e.Name(), ".") {
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

// readSummary reads a saved summary and takes what it needs from room; nil where the file
// is none.
func readSummary(path string, room *saved.Room) (*run.Set, error) {
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
	if info.Size() > room.Left {
		return nil, noRoom(name)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, trace.WithoutPath(err))
	}
	set, err := saved.Unmarshal(data, metric.Follows, room)
	switch {
	case errors.Is(err, saved.ErrRoom):
		return nil, noRoom(name)
	case err != nil:
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	for i := range set.Runs {
		set.Runs[i].Origin = set.Runs[i].Origin.Trusted()
	}
	metric.AddTraits(set.Metrics)
	return set, nil
}

// noRoom is the error of a summary that does not fit beside those that were read before.
func noRoom(name string) error {
	return fmt.Errorf("%s: needs %w for saved summaries (raise --max-memory, or give fewer of them)", name, saved.ErrRoom)
}

// together are several sets as one with all of their runs.
func together(label string, sets []*run.Set) *run.Set {
	out := &run.Set{Label: label, NotAsked: slices.Clone(sets[0].NotAsked)}
	var digests []string
	labels := map[string]bool{}
	for _, s := range sets {
		label := s.Label
		for labels[label] {
			label += "'" // two summaries of directories of one name: their files are not the same ones
		}
		labels[label] = true
		out.NotAsked = slices.DeleteFunc(out.NotAsked, func(n int) bool { return !slices.Contains(s.NotAsked, n) })
		for _, r := range s.Runs {
			for i := range r.Ranks { // as the files are called below
				files := slices.Clone(r.Ranks[i].Files)
				for j := range files {
					files[j] = label + "/" + files[j]
				}
				r.Ranks[i].Files = files
				if r.Folded && r.Ranks[i].Host != "" { // the numbers of another summary are of other hosts
					r.Ranks[i].Host += " of " + s.Digest[:min(6, len(s.Digest))]
				}
			}
			for i := range r.Clocks.Hosts {
				if h := &r.Clocks.Hosts[i]; r.Folded {
					h.Host += " of " + s.Digest[:min(6, len(s.Digest))]
				}
			}
			if r.Name == s.Label {
				r.Name = label
			} else {
				r.Name = label + "/" + r.Name
			}
			out.Runs = append(out.Runs, r)
		}
		for _, m := range s.Metrics {
			if !slices.ContainsFunc(out.Metrics, func(have run.Metric) bool { return have.Name == m.Name }) {
				out.Metrics = append(out.Metrics, m)
			}
		}
		for _, f := range s.Files {
			f.Name = label + "/" + f.Name
			out.Files = append(out.Files, f)
		}
		out.Warnings = append(out.Warnings, s.Warnings...)
		out.Doubts = append(out.Doubts, s.Doubts...)
		digests = append(digests, s.Digest)
	}
	slices.SortStableFunc(out.Runs, func(a, b run.Run) int { return strings.Compare(a.Name, b.Name) })
	slices.SortStableFunc(out.Files, func(a, b run.File) int { return strings.Compare(a.Name, b.Name) })
	slices.Sort(digests)
	out.Digest = combine(digests)
	out.Warnings = sorted(out.Warnings)
	return out
}

// keepRanks leaves the ranks that keep wants, and the runs that have any. It
// reports whether any was left out.
func keepRanks(set *run.Set, keep func(int) bool) (less bool) {
	if keep == nil {
		return false
	}
	noteNotAsked(set, keep)
	for i := range set.Runs {
		before := len(set.Runs[i].Ranks)
		set.Runs[i].Ranks = slices.DeleteFunc(set.Runs[i].Ranks, func(r run.Rank) bool { return !keep(r.Rank) })
		less = less || len(set.Runs[i].Ranks) < before
	}
	set.Runs = slices.DeleteFunc(set.Runs, func(r run.Run) bool { return len(r.Ranks) == 0 })
	return less
}

// largestWorld bounds the world size whose ranks are counted; a larger one is no
// job but a damaged file.
const largestWorld = 1 << 17

// noteNotAsked notes the ranks that keep does not want, of those that the files
// hold and of those that the world size says there are.
func noteNotAsked(set *run.Set, keep func(int) bool) {
	if keep == nil {
		return
	}
	world := 0
	for i := range set.Runs {
		for j := range set.Runs[i].Ranks {
			r := &set.Runs[i].Ranks[j]
			world = max(world, r.WorldSize)
			if !keep(r.Rank) {
				set.NotAsked = append(set.NotAsked, r.Rank)
			}
		}
	}
	for n := 0; n < world && world <= largestWorld; n++ {
		if !keep(n) {
			set.NotAsked = append(set.NotAsked, n)
		}
	}
	for _, f := range set.Files {
		for _, n := range f.Ranks {
			if !keep(n) {
				set.NotAsked = append(set.NotAsked, n)
			}
		}
	}
	slices.Sort(set.NotAsked)
	set.NotAsked = slices.Compact(set.NotAsked)
}

// ErrNoHistory is the cause when a path of a history holds no summary.
var ErrNoHistory = errors.New("no saved summaries (make one of each run: perfdiff summarize RUNSET -o FILE.perfdiff)")

// LoadHistory reads the saved summaries at paths, files or directories of them,
// in order of path. Other files in a directory are passed over. A summary in a directory
// that cannot be read does not lose the others: it becomes a set without runs
// whose only file says why. A directory that is empty, as before the first run is
// saved, adds nothing.
func LoadHistory(paths []string, opt Options) ([]*run.Set, error) {
	room := opt.room()
	kept := room.Left / 2 // for what is compared, which is read later
	room.Left -= kept
	defer func() { room.Left += kept }()
	var all []*run.Set
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil {
			return nil, fmt.Errorf("history: %s: %w", path, trace.WithoutPath(err))
		}
		sets, err := []*run.Set(nil), error(nil)
		if info.IsDir() {
			sets, err = historyDir(path, room)
		} else if set, wrong := readSummary(path, room); wrong != nil {
			err = wrong
		} else if set == nil {
			err = fmt.Errorf("%s: %w", path, ErrNoHistory)
		} else {
			sets = []*run.Set{named(set, path)}
		}
		if err != nil {
			return nil, fmt.Errorf("history: %w", err)
		}
		for _, set := range sets {
			keepRanks(set, opt.Ranks)
		}
		all = append(all, sets...)
	}
	return mergeNodes(all, opt.Runs), nil
}

// historyDir are the summaries in a directory.
func historyDir(path string, room *saved.Room) ([]*run.Set, error) {
	l, err := listSummaries(path, room)
	switch {
	case err != nil:
		return nil, err
	case l.files == 0, l.good > 0:
		return l.sets, nil
	case l.first != nil:
		return nil, fmt.Errorf("%s: no summary could be read: %w", path, l.first)
	}
	return nil, fmt.Errorf("%s: %w", path, ErrNoHistory)
}

// summaryList is what a directory of summaries holds. One that cannot be read is a set
// without runs whose only file says why.
type summaryList struct {
	sets        []*run.Set
	files, good int   // all in the directory, and those that were read
	first       error // of those that were not
}

func listSummaries(path string, room *saved.Room) (l summaryList, err error) {
	entries, err := os.ReadDir(path)
	if err != nil {
		return l, fmt.Errorf("%s: %w", path, trace.WithoutPath(err))
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".") { // one that is being written, among others
			continue
		}
		l.files++
		set, err := readSummary(filepath.Join(path, e.Name()), room)
		if set == nil && err == nil && filepath.Ext(e.Name()) == summaryExt {
			err = errors.New("it does not begin like a summary: it is empty, damaged or something else (copy or make it again)")
		}
		switch {
		case err != nil:
			l.first = cmp.Or(l.first, err)
			why := strings.TrimPrefix(err.Error(), e.Name()+": ")
			l.sets = append(l.sets, &run.Set{Label: e.Name(), Files: []run.File{{Name: e.Name(), Err: why}}})
		case set != nil:
			l.good++
			l.sets = append(l.sets, named(set, e.Name()))
		}
	}
	return l, nil
}

// named is set called as its file is.
func named(set *run.Set, path string) *run.Set {
	name := filepath.Base(path)
	set.Label = strings.TrimSuffix(name, filepath.Ext(name))
	return set
}
