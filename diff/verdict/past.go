package verdict

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"perfdiff/analyze/order"
	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
	"perfdiff/diff/sides"
	"perfdiff/diff/stat"
)

// NewPast sorts out which past runs can say what repeats of this job differ by. level is the level from which the
// baseline was joined; nil: the baseline is as it was given.
func NewPast(p *sides.Lined, level *CurrentLevel, sets []*run.Set) (*Past, []PastRun) {
	known := map[string]LeftOut{}
	note(known, p.Cand.Set, IsCandidate, InCandidate)
	if own := given(p, level); own != nil {
		note(known, own, IsBaseline, InBaseline) // what is both is the baseline
	}
	h, all := PastOf(p, sets, known, AgainstPair)
	if level.joined() {
		h.with(given(p, level))
		level.mark(all)
	}
	if p.Loads != nil {
		for i := range all {
			all[i].Why = all[i].Why.or(LeftOut{Kind: EngineNoise})
		}
		return nil, all
	}
	if n := len(h.Runs()); n < stat.MinHistory {
		for i := range all {
			all[i].Why = all[i].Why.or(LeftOut{Kind: FewAlike, Have: n, Need: stat.MinHistory})
		}
		return nil, all
	}
	return h, all
}

// PastOf returns the runs of sets that are like the baseline, nil if none is, and a list of all of them that says why
// some are left out. known holds the files seen so far, by digest, each with the reason not to count a run that has
// it; the files of sets are added. against says whose setup they are compared with.
//
// Sets are taken in order of label and content, so that which of two copies counts does not depend on which was given
// first.
func PastOf(p *sides.Lined, sets []*run.Set, known map[string]LeftOut, against Against) (*Past, []PastRun) {
	var out []PastRun
	all, files, names := &run.Set{}, map[string][]run.File{}, map[string]bool{}
	places := map[string]int{}
	for _, set := range SortSets(sets) {
		if len(set.Runs) == 0 {
			out = append(out, PastRun{Name: set.Label, Why: unread(set).or(LeftOut{Kind: WithoutRanks})})
			continue
		}
		s := sides.NewSide(set.Label, set)
		unlike := inDoubt(set).or(configOf(s).unlike(configOf(p.Base), against))
		for i := range set.Runs {
			r := set.Runs[i]
			name := NameOf(set, &r)
			for names[name] {
				name += "'" // two histories hold files of one name
			}
			names[name] = true
			if set.Place > 0 {
				places[name] = set.Place
			}
			why := unlike.or(seen(set, &r, known))
			if slices.Contains(s.RunsLeftOut, r.Name) {
				why = why.or(LeftOut{Kind: WithoutSteps})
			}
			out = append(out, PastRun{Name: name, Why: why, Began: sides.Began(&r)})
			for _, d := range sides.DigestsOf(set, &r) {
				known[d] = known[d].or(LeftOut{Kind: SameRun, Other: name})
			}
			if !why.Is() {
				files[name] = FilesOf(set, &r)
				r.Name = name
				all.Runs = append(all.Runs, r)
				all.Metrics = MergedMetrics(all.Metrics, set.Metrics)
			}
		}
	}
	h := &Past{places: places}
	h.ordered = len(places) == 0 && !slices.ContainsFunc(out, func(r PastRun) bool { return !r.Why.Is() && r.Began == 0 })
	if len(places) == 0 {
		slices.SortStableFunc(out, func(a, b PastRun) int { return h.inTime(a.Began, b.Began, a.Name, b.Name) })
	}
	if len(all.Runs) == 0 {
		return nil, out
	}
	h.Side, h.Files = sides.NewSide("history", all), files
	p.Reads.PutIn(h.Side)
	slices.SortStableFunc(h.Side.Runs, h.byTime)
	h.plan = sides.NewPlan(h.Side, &sides.Side{Set: &run.Set{}})
	return h, out
}

// FilesOf returns the files that a run was read from.
func FilesOf(set *run.Set, r *run.Run) []run.File {
	if len(set.Runs) == 1 {
		return set.Files
	}
	own := map[string]bool{}
	for i := range r.Ranks {
		for _, name := range r.Ranks[i].Files {
			own[name] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(set.Files), func(f run.File) bool { return !own[f.Name] })
}

// byTime returns the order of two runs of the history.
func (h *Past) byTime(a, b *sides.Run) int {
	return h.inTime(a.Began, b.Began, a.Name, b.Name)
}

// inTime orders two runs by when they were saved in a store, else by when they were recorded: by start if all runs say
// it, else by name, numbers in it as numbers. A history without times would otherwise have no order, and a change of
// level in it would be taken for noise.
func (h *Past) inTime(began, otherBegan int64, name, other string) int {
	if len(h.places) > 0 {
		return cmp.Compare(h.placeOf(name), h.placeOf(other))
	}
	if h.ordered {
		return cmp.Or(cmp.Compare(began, otherBegan), order.Names(name, other))
	}
	return order.Names(name, other)
}

// placeOf returns the place of a run in its store; one that is not in it is the newest.
func (h *Past) placeOf(name string) int {
	return cmp.Or(h.places[name], math.MaxInt)
}

// SortSets returns sets in the order of a store, where they were read from one, else of label, then of content.
func SortSets(sets []*run.Set) []*run.Set {
	out := slices.Clone(sets)
	slices.SortStableFunc(out, func(a, b *run.Set) int {
		return cmp.Or(cmp.Compare(a.Place, b.Place), strings.Compare(a.Label, b.Label), strings.Compare(a.Digest, b.Digest))
	})
	return out
}

// unread returns why nothing could be read of a set; none if something could.
func unread(set *run.Set) LeftOut {
	if len(set.Runs) == 0 && len(set.Files) == 1 && set.Files[0].Err != "" {
		return LeftOut{Kind: Unreadable, Said: set.Files[0].Err}
	}
	return LeftOut{}
}

// inDoubt returns what is not known about the runs or ranks of a set; none if all is known.
func inDoubt(set *run.Set) LeftOut {
	if len(set.Doubts) == 0 {
		return LeftOut{}
	}
	return LeftOut{Kind: InDoubt, Said: set.Doubts[0].Text, Hint: set.Doubts[0].Hint}
}

// seen returns why a run that was met before does not count; none if it is new.
func seen(set *run.Set, r *run.Run, known map[string]LeftOut) LeftOut {
	own := sides.DigestsOf(set, r)
	for _, d := range own {
		if why := known[d]; why.Is() {
			return why
		}
	}
	if own != nil {
		return LeftOut{}
	}
	for _, d := range sides.Digests(set) {
		if _, ok := known[d]; ok {
			return LeftOut{Kind: SharedFile}
		}
	}
	return LeftOut{}
}

// config holds what must be alike for runs to say something about each other's noise.
type config struct {
	steps                     bool
	gpus, size, ranks, marker string
}

func configOf(s *sides.Side) config {
	return config{
		steps: len(s.Runs) > 0 && len(s.Runs[0].Kept) > 0,
		gpus:  strings.Join(s.DistinctValues(func(k *sides.Rank) string { return k.Fact(trace.FactGPU) }), ", "),
		size:  fmt.Sprint(s.WorldSize()), ranks: sides.Ranges(s.Numbers()),
		marker: s.Markers(),
	}
}

// unlike returns why a run of configuration c says nothing about the noise of one of configuration now; none if it
// does.
func (c config) unlike(now config, against Against) LeftOut {
	if !c.steps {
		return LeftOut{Kind: WithoutSteps}
	}
	for _, x := range []struct {
		what      Setup
		past, now string
	}{
		{SetupGPU, c.gpus, now.gpus}, {SetupSize, c.size, now.size}, {SetupRanks, c.ranks, now.ranks}, {SetupMarker, c.marker, now.marker},
	} {
		if x.past != x.now {
			return LeftOut{Kind: OtherSetup, Differs: x.what, Then: []string{x.past}, Now: []string{x.now}, Against: against}
		}
	}
	return LeftOut{}
}

// MostCommonSet returns a set of the configuration that most runs have, each run counted once; if two have as many,
// the one with the later run, by start, then by name. Runs without steps have no configuration.
func MostCommonSet(sets []*run.Set) *run.Set {
	type group struct {
		first *run.Set
		runs  int
		began int64
		label string
	}
	var groups []*group
	at, met := map[config]*group{}, map[string]bool{}
	for _, set := range SortSets(sets) {
		if len(set.Runs) == 0 || len(set.Doubts) > 0 || set.Digest != "" && met[set.Digest] {
			continue
		}
		met[set.Digest] = true
		c := configOf(sides.NewSide(set.Label, set))
		g := at[c]
		if g == nil {
			g = &group{first: set}
			at[c], groups = g, append(groups, g)
		}
		if c.steps {
			g.runs += len(set.Runs)
		}
		g.label = set.Label // they come in order of it
		for i := range set.Runs {
			g.began = max(g.began, sides.Began(&set.Runs[i]))
		}
	}
	if len(groups) == 0 {
		return &run.Set{}
	}
	return slices.MaxFunc(groups, func(a, b *group) int {
		return cmp.Or(cmp.Compare(a.runs, b.runs), cmp.Compare(a.began, b.began), strings.Compare(a.label, b.label))
	}).first
}
