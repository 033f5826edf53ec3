package verdict

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
	"perfdiff/diff/number"
	"perfdiff/diff/sides"
	"perfdiff/diff/stat"
)

// Why a past run is left out that is one of those compared. The baseline is
// there on purpose: a pipeline puts the run of main into the history and compares
// with it. Nobody needs to be warned.
const (
	IsBaseline  = "it is the baseline itself"
	InBaseline  = "it is one of the runs of the baseline"
	IsCandidate = "it is the candidate itself"
	inCandidate = "it is one of the runs of the candidate"
)

// NewPast sorts out which past runs can say what repeats of this job differ by.
func (p *Judged) NewPast(sets []*run.Set) (*Past, []PastRun) {
	known := map[string]string{}
	note(known, p.Cand.Set, IsCandidate, inCandidate)
	if own := p.given(); own != nil {
		note(known, own, IsBaseline, InBaseline) // what is both is the baseline
	}
	h, all := p.PastOf(sets, known, "here it is")
	if p.Level.joined() {
		h.with(p.given())
		p.Level.mark(all)
	}
	if p.Like != nil {
		for i := range all {
			all[i].Why = cmp.Or(all[i].Why, "what runs differ by is not learned from steps of an inference engine: their loads differ from run to run")
		}
		return nil, all
	}
	if n := len(h.Runs()); n < stat.MinHistory {
		few := fmt.Sprintf("%d past runs are like the baseline; noise is learned from %d on", n, stat.MinHistory)
		if n == 1 {
			few = fmt.Sprintf("it is the only past run like the baseline; noise is learned from %d on", stat.MinHistory)
		}
		for i := range all {
			if all[i].Why == "" {
				all[i].Why = few
			}
		}
		return nil, all
	}
	return h, all
}

// PastOf are the runs of sets that are like the baseline, nil if none is, and
// all of them with why they are left out. known are the files that were seen
// already, by digest, each with what to say of a run that has it; those of sets
// are added. here introduces what the baseline has where a run has something
// else.
//
// Sets are taken in order of label and content, so that which of two copies
// counts does not depend on which was given first.
func (p *Judged) PastOf(sets []*run.Set, known map[string]string, here string) (*Past, []PastRun) {
	var out []PastRun
	all, files, names := &run.Set{}, map[string][]run.File{}, map[string]bool{}
	for _, set := range InOrder(sets) {
		if len(set.Runs) == 0 {
			out = append(out, PastRun{Name: set.Label, Why: cmp.Or(unread(set), "it has none of the ranks that are compared")})
			continue
		}
		s := sides.NewSide(set.Label, set)
		unlike := cmp.Or(sides.DoubtOf(set), configOf(s).unlike(configOf(p.Base), here))
		for i := range set.Runs {
			r := set.Runs[i]
			name := NameOf(set, &r)
			for names[name] {
				name += "'" // two histories hold files of one name
			}
			names[name] = true
			why := cmp.Or(unlike, seen(set, &r, known))
			if why == "" && slices.Contains(s.Left, r.Name) {
				why = "it has no steps"
			}
			out = append(out, PastRun{Name: name, Why: why, Began: sides.Began(&r)})
			for _, d := range sides.DigestsOf(set, &r) {
				known[d] = cmp.Or(known[d], "it is the same run as "+name)
			}
			if why == "" {
				files[name] = FilesOf(set, &r)
				r.Name = name
				all.Runs = append(all.Runs, r)
				all.Metrics = MergedMetrics(all.Metrics, set.Metrics)
			}
		}
	}
	timed := !slices.ContainsFunc(out, func(r PastRun) bool { return r.Why == "" && r.Began == 0 })
	slices.SortStableFunc(out, func(a, b PastRun) int { return inTime(timed, a.Began, b.Began, a.Name, b.Name) })
	if len(all.Runs) == 0 {
		return nil, out
	}
	h := &Past{Side: sides.NewSide("history", all), ordered: timed, Files: files}
	slices.SortStableFunc(h.Side.Runs, h.byTime)
	h.plan = sides.NewPlan(h.Side, &sides.Side{Set: &run.Set{}})
	return h, out
}

// FilesOf are the files that a run was read from.
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

// byTime is the order of two runs of the history.
func (h *Past) byTime(a, b *sides.Run) int {
	return inTime(h.ordered, a.Began, b.Began, a.Name, b.Name)
}

// inTime is the order in which two runs were recorded: by start where all say it, else by
// name, numbers in it as numbers: a history without times would otherwise have no order,
// and a change of level in it would be taken for noise.
func inTime(timed bool, began, otherBegan int64, name, other string) int {
	if timed {
		return cmp.Or(cmp.Compare(began, otherBegan), ByNumber(name, other))
	}
	return ByNumber(name, other)
}

// ByNumber compares names as people count: run9 comes before run10.
func ByNumber(a, b string) int {
	x, y := a, b
	for x != "" && y != "" {
		p, q := digitsOf(x), digitsOf(y)
		if p == "" || q == "" {
			if x[0] != y[0] {
				return cmp.Compare(x[0], y[0])
			}
			x, y = x[1:], y[1:]
			continue
		}
		m, n := strings.TrimLeft(p, "0"), strings.TrimLeft(q, "0")
		if c := cmp.Or(cmp.Compare(len(m), len(n)), strings.Compare(m, n)); c != 0 {
			return c
		}
		x, y = x[len(p):], y[len(q):]
	}
	return cmp.Or(cmp.Compare(len(x), len(y)), strings.Compare(a, b))
}

// digitsOf are the digits that a text begins with.
func digitsOf(s string) string { return s[:len(s)-len(strings.TrimLeft(s, "0123456789"))] }

// InOrder are sets in order of label, then of content.
func InOrder(sets []*run.Set) []*run.Set {
	out := slices.Clone(sets)
	slices.SortStableFunc(out, func(a, b *run.Set) int {
		return cmp.Or(strings.Compare(a.Label, b.Label), strings.Compare(a.Digest, b.Digest))
	})
	return out
}

// unread is why nothing could be read of a set; "" if something could.
func unread(set *run.Set) string {
	if len(set.Runs) == 0 && len(set.Files) == 1 {
		return set.Files[0].Err
	}
	return ""
}

// seen is why a run does not count that was met already; "" if it was not.
func seen(set *run.Set, r *run.Run, known map[string]string) string {
	own := sides.DigestsOf(set, r)
	for _, d := range own {
		if known[d] != "" {
			return known[d]
		}
	}
	if own != nil {
		return ""
	}
	for _, d := range sides.Digests(set) {
		if known[d] != "" {
			return "its summary holds a run that counts already, and does not say which of its runs that is"
		}
	}
	return ""
}

// config is what must be alike for runs to say something about each other's
// noise.
type config struct {
	steps                     bool
	gpus, size, ranks, marker string
}

func configOf(s *sides.Side) config {
	return config{
		steps: len(s.Runs) > 0 && len(s.Runs[0].Kept) > 0,
		gpus:  strings.Join(s.Values(func(k *sides.Rank) string { return FactOf(k, trace.FactGPU) }), ", "),
		size:  fmt.Sprint(s.World()), ranks: number.Ranges(s.Numbers()),
		marker: s.Markers(),
	}
}

// unlike is why a run of a configuration says nothing about the noise of
// another.
func (c config) unlike(now config, here string) string {
	if !c.steps {
		return "it has no steps"
	}
	for _, x := range []struct{ what, past, now string }{
		{"GPU", c.gpus, now.gpus}, {"number of ranks", c.size, now.size},
		{"list of captured ranks", c.ranks, now.ranks}, {"step marker", c.marker, now.marker},
	} {
		if x.past != x.now {
			return fmt.Sprintf("its %s is %s, %s %s", x.what, orUnknown(x.past), here, orUnknown(x.now))
		}
	}
	return ""
}

// MostAlike is a set of the configuration that most runs have, each counted
// once; of two that as many have the one of the later run, by start, then by
// name. Runs without steps have none.
func MostAlike(sets []*run.Set) *run.Set {
	type group struct {
		first *run.Set
		runs  int
		began int64
		label string
	}
	var groups []*group
	at, met := map[config]*group{}, map[string]bool{}
	for _, set := range InOrder(sets) {
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
