package analyze

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"perfdiff/analyze/part"
	"perfdiff/analyze/source"
	"perfdiff/analyze/trace"
)

// ErrIncomplete is the cause where parts of a run set are missing or damaged: to measure their
// shards again mends it.
var ErrIncomplete = errors.New("parts are missing")

// ErrUnlike is the cause where parts are of different things, which measuring some again does not
// mend by itself.
var ErrUnlike = errors.New("parts do not belong together")

// partSet are the parts of one run set.
type partSet struct {
	parts    []*part.Reader // in order of shard; of machines in order of name
	listed   []part.Listed  // profiles of all shards; nil where each machine took its own
	missing  []int          // shards without a part
	warnings []trace.Warning
}

// openParts opens the parts at paths, each a part or a directory of parts, and checks that they belong together and to
// this program, tool. For each that does not, the error says what it is and what to do. With partial set, a damaged
// part counts as missing, with a warning.
func openParts(paths []string, tool string, partial bool) (*partSet, error) {
	files, err := partPaths(paths)
	if err != nil {
		return nil, err
	}
	s := &partSet{}
	var damaged, bad []error
	var left []string // the same as damaged where the result is saved: without paths of this machine
	for _, path := range files {
		r, err := part.Open(path)
		switch {
		case err == nil:
			s.parts = append(s.parts, r)
		case errors.Is(err, part.ErrDamaged):
			damaged = append(damaged, fmt.Errorf("%s: %w (%s)", path, err, rerunOf(path)))
			left = append(left, fmt.Sprintf("%s: %v (%s); it counts as missing", filepath.Base(path), err, rerunOf(filepath.Base(path))))
		case errors.Is(err, part.ErrForeign):
			bad = append(bad, fmt.Errorf("%s: %w (move it elsewhere)", path, err))
		default:
			return nil, again(fmt.Errorf("%s: %w", path, trace.WithoutPath(err)), err)
		}
	}
	switch {
	case len(bad) > 0:
		return nil, eachOf(ErrUnlike, firstErrors(bad))
	case len(damaged) > 0 && (!partial || len(s.parts) == 0):
		return nil, eachOf(ErrIncomplete, firstErrors(damaged))
	}
	for _, text := range left {
		s.warn("", text)
	}
	if err := s.alike(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnlike, err)
	}
	if by := s.parts[0].Tool; by != toolOf(tool) {
		return nil, fmt.Errorf("%w: they were measured by %s, and this is %s (merge with the perfdiff that measured)", ErrUnlike, by, toolOf(tool))
	}
	if err := s.once(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnlike, err)
	}
	return s, nil
}

// shownErrors is how many errors about parts are shown: a job has thousands.
const shownErrors = 8

func firstErrors(all []error) []error {
	if more := len(all) - shownErrors; more > 0 {
		return append(all[:shownErrors:shownErrors], fmt.Errorf("and %d more parts", more))
	}
	return all
}

// dir returns the directory of the first part.
func (s *partSet) dir() string { return filepath.Dir(s.parts[0].Path) }

// eachOf joins several faults with one cause, each on a line of its own.
func eachOf(cause error, faults []error) error {
	out := make([]error, len(faults))
	for i, err := range faults {
		out[i] = fmt.Errorf("%w: %w", cause, err)
	}
	return errors.Join(out...)
}

// rerunOf says how a part is made again. Where its run set and plan lie is not known: parts keep no paths. Nor is
// the directory named where path is a name alone, as in what is saved.
func rerunOf(path string) string {
	dir, name := filepath.Split(path)
	var shard, shards int
	if n, _ := fmt.Sscanf(name, "shard-%d-of-%d.part", &shard, &shards); n == 2 && part.NameOf(shard, shards) == name {
		return "make it again: " + rerun([]int{shard}, shards, "", dir) + ", with the same --plan if there was one"
	}
	return "make it again on the machine that it is of: perfdiff summarize RUNSET --shard local -o " + placeOf(dir)
}

// placeOf returns a directory of parts as a command names it, PARTS where it is not said.
func placeOf(dir string) string {
	if dir == "" {
		return "PARTS"
	}
	return trace.ShellPath(filepath.Clean(dir))
}

// rerun returns the command that measures shards again. plan is the ID of their plan, "" without one: measured without
// the plan of the others, a shard would have other profiles, and in an incomplete array nothing else says how many
// shards there are. dir is where their parts belong, "" in what is saved.
func rerun(shards []int, of int, plan, dir string) string {
	const shown = 64
	list := make([]string, 0, len(shards))
	for _, n := range shards[:min(len(shards), shown)] {
		list = append(list, fmt.Sprint(n))
	}
	if len(shards) > shown {
		list = append(list, "...")
	}
	index, each := list[0], ""
	if len(list) > 1 {
		index, each = "I", " for I in "+strings.Join(list, " ")
	}
	if plan == "" {
		return fmt.Sprintf("perfdiff summarize RUNSET --shard %s/%d -o %s%s", index, of, placeOf(dir), each)
	}
	return fmt.Sprintf("perfdiff summarize RUNSET --shard %s/%d --plan PLAN -o %s%s, or sbatch --array=%s with the plan",
		index, of, placeOf(dir), each, strings.Join(list, ","))
}

// partPaths returns the sorted paths of the parts at paths. In a directory it takes files with the ending of parts; a
// file that was still being written when its process ended does not have it.
func partPaths(paths []string) ([]string, error) {
	var out []string
	for _, at := range paths {
		info, err := os.Stat(at)
		if err != nil {
			return nil, again(fmt.Errorf("%s: %w", at, trace.WithoutPath(err)), nil)
		}
		if !info.IsDir() {
			out = append(out, at)
			continue
		}
		entries, err := os.ReadDir(at)
		if err != nil {
			return nil, again(fmt.Errorf("%s: %w", at, trace.WithoutPath(err)), err)
		}
		before := len(out)
		for _, e := range entries {
			if name := e.Name(); strings.HasSuffix(name, part.Ext) && !strings.HasPrefix(name, ".") {
				out = append(out, filepath.Join(at, name))
			}
		}
		if len(out) == before {
			return nil, fmt.Errorf("%w: %s: holds no parts (perfdiff summarize RUNSET --shard I/N -o %s writes them)", ErrIncomplete, at, trace.ShellPath(at))
		}
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}

// twoNames returns names of two parts for messages: their paths if their file names are the same, as for the parts of
// one shard in two directories.
func twoNames(p, q *part.Reader) (a, b string) {
	if a, b = filepath.Base(p.Path), filepath.Base(q.Path); a == b {
		return p.Path, q.Path
	}
	return a, b
}

// alike returns the error of parts that were not divided or measured alike.
func (s *partSet) alike() error {
	first := &s.parts[0].Header
	for _, r := range s.parts[1:] {
		h := &r.Header
		if first.Same(h) {
			continue
		}
		a, b := twoNames(s.parts[0], r)
		switch {
		case first.Tool != h.Tool:
			return fmt.Errorf("%s was measured by %s and %s by %s (measure all shards with one perfdiff)", a, first.Tool, b, h.Tool)
		case first.Options != h.Options:
			return fmt.Errorf("%s and %s were measured with different options (give all shards the same --step-range, --policy and the like)", a, b)
		case first.Local != h.Local:
			return fmt.Errorf("%s and %s: one machine took what it saw (--shard local), and other parts are shares of one directory (move the parts of the other attempt elsewhere)", a, b)
		case first.Plan != h.Plan:
			return fmt.Errorf("%s and %s are of two plans (move the parts of the other plan elsewhere, or measure all shards by one plan)", a, b)
		case first.Shards != h.Shards:
			return fmt.Errorf("%s is of %d shards and %s of %d (move the parts of the other attempt elsewhere)", a, first.Shards, b, h.Shards)
		case first.Label != h.Label:
			return fmt.Errorf("%s is of run set %s and %s of %s (give each run set a directory of parts)", a, first.Label, b, h.Label)
		}
		return fmt.Errorf("%s and %s were made when the run set held other files (measure all shards again, now that no file comes any more)", a, b)
	}
	return nil
}

// once sorts the parts, leaves out a part that is there twice, and finds the shards without one.
// Two parts of a shard that differ are an error.
func (s *partSet) once() error {
	first := &s.parts[0].Header
	if first.Local {
		slices.SortFunc(s.parts, func(a, b *part.Reader) int { return strings.Compare(a.Name(), b.Name()) })
	} else {
		slices.SortStableFunc(s.parts, func(a, b *part.Reader) int { return a.Shard - b.Shard })
	}
	var out []*part.Reader
	for _, r := range s.parts {
		if n := len(out); n > 0 && (first.Local && out[n-1].Sum == r.Sum || !first.Local && out[n-1].Shard == r.Shard) {
			a, b := twoNames(out[n-1], r)
			if out[n-1].Sum != r.Sum {
				return fmt.Errorf("%s and %s are both %s, and differ: its profiles changed between (move both elsewhere, then %s)",
					a, b, r.Title(), rerun([]int{r.Shard}, r.Shards, r.Plan, filepath.Dir(r.Path)))
			}
			s.warn(b, "is the same part as "+a+"; one of them is taken")
			continue
		}
		out = append(out, r)
	}
	s.parts = out
	at := 0
	for n := range first.Shards {
		if at < len(out) && out[at].Shard == n {
			at++
			continue
		}
		s.missing = append(s.missing, n)
	}
	return nil
}

func (s *partSet) warn(file, text string) {
	s.warnings = append(s.warnings, trace.Warning{File: file, Text: text})
}

// incomplete returns the error of shards without a part: which ranks and files these are, and what makes
// them.
func (s *partSet) incomplete() error {
	if len(s.missing) == 0 {
		return nil
	}
	of := s.parts[0].Shards
	var names []string
	for _, f := range s.listed {
		if slices.Contains(s.missing, f.Shard) {
			names = append(names, f.Name)
		}
	}
	return fmt.Errorf("%w: %d of %d shards: %s: %s (%s; or --allow-missing for a result without them)",
		ErrIncomplete, len(s.missing), of, someNumbers(s.missing), namedRanks(names), rerun(s.missing, of, s.parts[0].Plan, s.dir()))
}

// someNumbers writes the first numbers of a list.
func someNumbers(list []int) string {
	const shown = 16
	var out []string
	for _, n := range list[:min(len(list), shown)] {
		out = append(out, fmt.Sprint(n))
	}
	if more := len(list) - shown; more > 0 {
		out = append(out, fmt.Sprintf("%d more", more))
	}
	return strings.Join(out, ", ")
}

// namedRanks says which profiles are missing: by rank, where all names say one.
func namedRanks(names []string) string {
	var ranks []int
	for _, n := range names {
		if r := source.RankOfName(filepath.Base(n)); r.Rank >= 0 {
			ranks = append(ranks, r.Rank)
		}
	}
	if len(ranks) == len(names) && len(ranks) > 0 {
		slices.Sort(ranks)
		return "ranks " + someNumbers(slices.Compact(ranks)) + " by the names of their profiles"
	}
	const shown = 4
	text := strings.Join(names[:min(len(names), shown)], ", ")
	if more := len(names) - shown; more > 0 {
		text += fmt.Sprintf(" and %d more profiles", more)
	}
	return text
}
