package analyze

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"perfdiff/analyze/part"
	"perfdiff/analyze/picture"
	"perfdiff/analyze/run"
	"perfdiff/analyze/saved"
	"perfdiff/analyze/trace"
)

// MergeParts puts a run set together from the parts at paths: each is a part, or a directory of parts, that the
// program tool wrote. The set is the same as Load makes from the profiles, since the same functions assemble it from
// the same measurements. Options that measuring depends on have no effect.
//
// The warnings are about parts and are not in the set. Missing parts are an ErrIncomplete; with partial set, their
// profiles are instead files of the set that could not be read. Parts that do not belong together are an ErrUnlike.
func MergeParts(ctx context.Context, paths []string, tool string, partial bool, opt Options) (*run.Set, []trace.Warning, error) {
	s, err := openParts(paths, tool, partial)
	if err != nil {
		return nil, nil, err
	}
	room := opt.room()
	beside, err := s.readBeside(room)
	if err != nil {
		return nil, nil, err
	}
	if err := s.incomplete(); err != nil && !partial {
		return nil, nil, err
	}
	found, entries, err := s.discovered(beside)
	if err != nil {
		return nil, nil, err
	}
	read, err := s.readEntries(ctx, entries, opt, room)
	if err != nil {
		return nil, nil, err
	}
	own, said, err := forLogs(found.files, read, opt)
	if err == nil {
		err = s.oneMarker(found.files, read)
	}
	if err != nil {
		return nil, nil, err
	}
	set := newSet(found, read, own)
	set.Warnings = sortWarnings(append(set.Warnings, said...))
	if err := loadError(set, found.label, opt.Strict); err != nil {
		return nil, nil, corrupt{err}
	}
	if err := s.missingRanks(set, partial); err != nil {
		return nil, nil, err
	}
	return set, s.warnings, nil
}

// readBeside reads what the parts say about the whole run set: from the first part if they divide one set, from all if
// machines took files by themselves.
func (s *partSet) readBeside(room *saved.MemoryBudget) (all part.Beside, err error) {
	for i, r := range s.parts {
		if i > 0 && !r.Local {
			break
		}
		b, err := r.BesideProfiles(room)
		if err != nil {
			return all, s.readError(r, err)
		}
		all.Listed = append(all.Listed, b.Listed...)
		all.Ignored, all.Warnings = append(all.Ignored, b.Ignored...), append(all.Warnings, b.Warnings...)
		all.OtherDirs = append(all.OtherDirs, b.OtherDirs...)
	}
	if s.parts[0].Local {
		slices.SortFunc(all.Ignored, func(a, b run.File) int { return comparePaths(a.Name, b.Name) })
		all.Ignored = slices.CompactFunc(all.Ignored, func(a, b run.File) bool { return a.Name == b.Name })
		all.Warnings = sortWarnings(all.Warnings)
		slices.Sort(all.OtherDirs)
		all.OtherDirs = slices.Compact(all.OtherDirs)
	} else if len(all.Listed) != s.parts[0].Total {
		return all, s.readError(s.parts[0], errors.New("it lists other profiles than it says"))
	}
	s.listed = all.Listed
	return all, nil
}

// readError returns the error of a part whose checksum is right, and which cannot be decoded.
func (s *partSet) readError(r *part.Reader, err error) error {
	name := r.Path
	switch {
	case errors.Is(err, saved.ErrMemory):
		return fmt.Errorf("%s: needs %w for parts (raise --max-memory)", name, saved.ErrMemory)
	case mayComeBack(err):
		return fmt.Errorf("%s: %w (%w)", name, trace.WithoutPath(err), ErrAgain)
	}
	return fmt.Errorf("%w: %s: %w (%s)", ErrIncomplete, name, err, rerunOf(r.Path))
}

// partEntry is a profile of the run set, and where its record is.
type partEntry struct {
	from  *part.Reader // nil: of a shard without a part
	at    int          // index of the entry
	file  part.Listed
	alike int // profiles in its run
}

// discovered returns what discover would find if all the profiles were in one place, and where the record of each file
// is.
func (s *partSet) discovered(b part.Beside) (discovered, []*partEntry, error) {
	out := discovered{label: s.parts[0].Label, ignored: b.Ignored, warnings: b.Warnings, leftOutDirs: b.OtherDirs}
	entries, err := s.entries()
	if err != nil {
		return out, nil, err
	}
	ofRun := map[string]int{}
	single := len(entries) == 1
	for _, e := range entries {
		f := file{name: e.file.Name, run: out.label, size: e.file.Bytes}
		if dir := path.Dir(f.name); dir != "." {
			f.run, f.part = dir, dir
			if above := path.Dir(dir); above != "." {
				f.parentPart = above
			}
		} else if single && e.file.Name == out.label { // the run set is a file
			f.run = out.label
		}
		ofRun[f.run]++
		out.files = append(out.files, f)
	}
	for i := range entries {
		out.files[i].filesOfRun = ofRun[out.files[i].run]
		entries[i].alike = out.files[i].filesOfRun
	}
	return out, entries, nil
}

// entries returns the profiles of all parts, in the order in which one machine would read them.
func (s *partSet) entries() ([]*partEntry, error) {
	if s.parts[0].Local {
		return s.localEntries()
	}
	at := map[string]*partEntry{}
	for _, r := range s.parts {
		for i, e := range r.Entries {
			at[e.Name] = &partEntry{from: r, at: i}
		}
	}
	out, have := make([]*partEntry, 0, len(s.listed)), 0
	for _, f := range s.listed {
		e, there := at[f.Name]
		if there != !slices.Contains(s.missing, f.Shard) || there && e.from.Shard != f.Shard {
			r := s.parts[0]
			if there {
				r = e.from
			}
			return nil, s.readError(r, fmt.Errorf("%s: is not in the part of its shard, %d", f.Name, f.Shard))
		}
		if !there {
			e = &partEntry{}
		}
		if e.file = f; there {
			e.file.Bytes = e.from.Entries[e.at].Bytes
			have++
		}
		out = append(out, e)
	}
	if have != len(at) {
		return nil, s.readError(s.parts[0], errors.New("other parts hold profiles that it does not list"))
	}
	return out, nil
}

// localEntries returns the profiles that machines took by themselves. A profile that several machines saw is taken
// once. If machines have different profiles of one name, each machine's get a directory of their own.
func (s *partSet) localEntries() ([]*partEntry, error) {
	var all []*partEntry
	first := map[string]*partEntry{}
	again, apart := 0, false
	owner := map[rankOfDir]*partEntry{}
	for _, r := range s.parts {
		for i, e := range r.Entries {
			x := &partEntry{from: r, at: i, file: part.Listed{Name: e.Name, Bytes: e.Bytes}}
			before, met := first[e.Name]
			if !met {
				if err := claimRanks(owner, x); err != nil {
					return nil, err
				}
				first[e.Name] = x
				all = append(all, x)
				continue
			}
			b := before.from.Entries[before.at]
			switch {
			case b.Bytes == e.Bytes && b.Digest == e.Digest && !b.Err && !e.Err:
				again++
				continue
			case sharedRank(b.Ranks, e.Ranks) >= 0:
				return nil, fmt.Errorf("%w: rank %d is in %s and in %s, both as %s, and differs (move the part of the wrong attempt elsewhere)",
					ErrUnlike, sharedRank(b.Ranks, e.Ranks), before.from.Path, r.Path, e.Name)
			}
			apart = true
			all = append(all, x)
		}
	}
	if again > 0 {
		s.warn("", fmt.Sprintf("profiles that are in the parts of several machines, with one content: %d; each is taken once (where all machines see one directory, --shard auto divides it)", again))
	}
	if apart {
		place := map[*part.Reader]int{}
		for i, r := range s.parts {
			place[r] = i
		}
		for i := range all {
			all[i].file.Name = fmt.Sprintf("machine-%0*d/%s", len(fmt.Sprint(len(s.parts))), place[all[i].from]+1, all[i].file.Name)
		}
	}
	slices.SortStableFunc(all, func(a, b *partEntry) int { return comparePaths(a.file.Name, b.file.Name) })
	return all, nil
}

// rankOfDir is a rank of the profiles in a directory.
type rankOfDir struct {
	dir  string
	rank int
}

// claimRanks notes which machine has the ranks that a profile itself states. It returns an error if another machine
// has the rank in a profile of another name: if a job was started again on other machines, the disks of the first ones
// hold profiles of an attempt that did not end.
func claimRanks(owner map[rankOfDir]*partEntry, x *partEntry) error {
	for _, n := range x.from.Entries[x.at].Ranks {
		at := rankOfDir{path.Dir(x.file.Name), n}
		have, taken := owner[at]
		if taken && have.from != x.from && n >= 0 {
			return fmt.Errorf("%w: rank %d is in %s as %s and in %s as %s (move the part of the wrong attempt elsewhere)",
				ErrUnlike, n, have.from.Path, have.file.Name, x.from.Path, x.file.Name)
		}
		owner[at] = x
	}
	return nil
}

// sharedRank returns a rank that both lists hold; -1 if none.
func sharedRank(a, b []int) int {
	for _, n := range a {
		if n >= 0 && slices.Contains(b, n) {
			return n
		}
	}
	return -1
}

// comparePaths puts paths in the order in which directories are read: by one name after the other.
func comparePaths(a, b string) int {
	return slices.Compare(strings.Split(a, "/"), strings.Split(b, "/"))
}

// readEntries reads the records of all profiles, in their order.
func (s *partSet) readEntries(ctx context.Context, entries []*partEntry, opt Options, room *saved.MemoryBudget) ([]result, error) {
	if opt.Progress != nil {
		bytes := int64(0)
		for _, e := range entries {
			bytes += e.file.Bytes
		}
		opt.Progress.Found(len(entries), bytes)
	}
	read := make([]result, len(entries))
	for i, e := range entries {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if e.from == nil {
			read[i].file = run.File{Name: e.file.Name, Bytes: e.file.Bytes, Err: fmt.Sprintf(
				"%s: was not measured: the part of shard %d of %d is missing (%s)",
				path.Base(e.file.Name), e.file.Shard, s.parts[0].Shards, rerun([]int{e.file.Shard}, s.parts[0].Shards, s.parts[0].Plan, ""))}
		} else {
			f, err := e.from.File(e.at, room)
			if err != nil {
				return nil, s.readError(e.from, err)
			}
			read[i] = resultOf(f)
			s.place(&read[i], e)
		}
		if opt.Progress != nil {
			opt.Progress.Read(e.file.Bytes)
			opt.Progress.Done()
		}
	}
	return read, nil
}

// place changes a result to what it would be in the whole run set, of which a machine that took its own files saw only
// a part: its name, and strips with as many bars as a run of so many ranks has room for.
func (s *partSet) place(r *result, e *partEntry) {
	if !e.from.Local {
		return
	}
	for i := range r.captures {
		c := &r.captures[i]
		for k := range c.cuts {
			strip := picture.Trim(c.cuts[k].Strip(), picture.BarsToPropose(e.alike*len(r.captures)))
			c.cuts[k] = picture.CutOf(&strip, c.cuts[k].Step)
		}
		renameFile(c, r.file.Name, e.file.Name)
	}
	r.file.Name = e.file.Name
}

// renameFile gives a file another name where a capture says it.
func renameFile(c *capture, from, to string) {
	if from == to {
		return
	}
	for i := range c.warn {
		if c.warn[i].File == from {
			c.warn[i].File = to
		}
	}
	for i := range c.rank.Files {
		if c.rank.Files[i] == from {
			c.rank.Files[i] = to
		}
	}
}

// oneMarker returns the error of shards whose steps were found by different markers: on one machine the
// best that all ranks have would have been chosen, and only the profiles tell which.
func (s *partSet) oneMarker(files []file, read []result) error {
	var first *result
	if s.parts[0].Shards == 1 {
		return nil // it was chosen among all
	}
	for i := range read {
		m := markerOf(&read[i])
		switch {
		case m.Marker == "":
		case first == nil:
			first = &read[i]
		case markerOf(first).By != m.By:
			return fmt.Errorf("%w: the steps of %s were found by %s, and those of %s by %s (measure all shards again and say "+
				"what a step is: --step-range REGEX or --step-kernel REGEX)", ErrUnlike, first.file.Name, markerOf(first).Marker,
				files[i].name, m.Marker)
		}
	}
	return nil
}

// markerOf returns the receipt of the first steps that were found in a file by a marker.
func markerOf(r *result) run.Receipt {
	for i := range r.captures {
		if x := r.captures[i].rank.Receipts; len(x) > 0 && x[0].By != (run.Marker{}) {
			return x[0]
		}
	}
	return run.Receipt{}
}

// missingRanks returns an error about ranks that should exist by the size of the job and that no machine took. Where
// parts divide a directory, its listing is complete, and a rank that was not recorded is not a missing part. With
// partial set they are warnings.
func (s *partSet) missingRanks(set *run.Set, partial bool) error {
	if !s.parts[0].Local {
		return nil
	}
	for i := range set.Runs {
		r := &set.Runs[i]
		world, have := 0, map[int]bool{}
		for k := range r.Ranks {
			world = max(world, r.Ranks[k].WorldSize)
			have[r.Ranks[k].Rank] = true
		}
		if world == 0 {
			s.warn("", fmt.Sprintf("no profile of %s says how many ranks the job had: whether a machine is missing beside these %d cannot be told",
				cmp.Or(r.Name, set.Label), len(s.parts)))
		}
		var missing []int
		for n := 0; n < world && world <= largestWorld; n++ {
			if _, asked := slices.BinarySearch(set.NotAsked, n); !have[n] && !asked {
				missing = append(missing, n)
			}
		}
		if len(missing) > 0 && partial {
			s.warn("", fmt.Sprintf("%s: %d of %d ranks of the job are in no part: %s; they are left out",
				cmp.Or(r.Name, set.Label), len(missing), world, someNumbers(missing)))
			continue
		}
		if len(missing) > 0 {
			return fmt.Errorf("%w: %s: %d of %d ranks of the job are in no part: %s (%s; or --allow-missing for a result without them)",
				ErrIncomplete, cmp.Or(r.Name, set.Label), len(missing), world, someNumbers(missing),
				"run perfdiff summarize RUNSET --shard local -o "+placeOf(s.dir())+" on the machines that have them")
		}
	}
	return nil
}
