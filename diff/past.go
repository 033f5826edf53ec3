package diff

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
	"perfdiff/diff/number"
	"perfdiff/diff/stat"
)

// Why a past run is left out that is one of those compared. The baseline is
// there on purpose: a pipeline puts the run of main into the history and compares
// with it. Nobody needs to be warned.
const (
	isBaseline  = "it is the baseline itself"
	inBaseline  = "it is one of the runs of the baseline"
	isCandidate = "it is the candidate itself"
	inCandidate = "it is one of the runs of the candidate"
)

// newPast sorts out which past runs can say what repeats of this job differ by.
func (p *Judged) newPast(sets []*run.Set) (*past, []PastRun) {
	known := map[string]string{}
	note(known, p.cand.set, isCandidate, inCandidate)
	if own := p.given(); own != nil {
		note(known, own, isBaseline, inBaseline) // what is both is the baseline
	}
	h, all := p.pastOf(sets, known, "here it is")
	if p.level.joined() {
		h.with(p.given())
		p.level.mark(all)
	}
	if p.like != nil {
		for i := range all {
			all[i].Why = cmp.Or(all[i].Why, "what runs differ by is not learned from steps of an inference engine: their loads differ from run to run")
		}
		return nil, all
	}
	if n := len(h.runs()); n < stat.MinHistory {
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

// pastOf are the runs of sets that are like the baseline, nil if none is, and
// all of them with why they are left out. known are the files that were seen
// already, by digest, each with what to say of a run that has it; those of sets
// are added. here introduces what the baseline has where a run has something
// else.
//
// Sets are taken in order of label and content, so that which of two copies
// counts does not depend on which was given first.
func (p *Judged) pastOf(sets []*run.Set, known map[string]string, here string) (*past, []PastRun) {
	var out []PastRun
	all, files, names := &run.Set{}, map[string][]run.File{}, map[string]bool{}
	for _, set := range inOrder(sets) {
		if len(set.Runs) == 0 {
			out = append(out, PastRun{Name: set.Label, Why: cmp.Or(unread(set), "it has none of the ranks that are compared")})
			continue
		}
		s := newSide(set.Label, set)
		unlike := cmp.Or(doubtOf(set), configOf(s).unlike(configOf(p.base), here))
		for i := range set.Runs {
			r := set.Runs[i]
			name := nameOf(set, &r)
			for names[name] {
				name += "'" // two histories hold files of one name
			}
			names[name] = true
			why := cmp.Or(unlike, seen(set, &r, known))
			if why == "" && slices.Contains(s.left, r.Name) {
				why = "it has no steps"
			}
			out = append(out, PastRun{Name: name, Why: why, Began: began(&r)})
			for _, d := range digestsOf(set, &r) {
				known[d] = cmp.Or(known[d], "it is the same run as "+name)
			}
			if why == "" {
				files[name] = filesOf(set, &r)
				r.Name = name
				all.Runs = append(all.Runs, r)
				all.Metrics = mergedMetrics(all.Metrics, set.Metrics)
			}
		}
	}
	timed := !slices.ContainsFunc(out, func(r PastRun) bool { return r.Why == "" && r.Began == 0 })
	slices.SortStableFunc(out, func(a, b PastRun) int { return inTime(timed, a.Began, b.Began, a.Name, b.Name) })
	if len(all.Runs) == 0 {
		return nil, out
	}
	h := &past{side: newSide("history", all), ordered: timed, files: files}
	slices.SortStableFunc(h.side.runs, h.byTime)
	h.plan = newPlan(h.side, &side{set: &run.Set{}})
	return h, out
}

// filesOf are the files that a run was read from.
func filesOf(set *run.Set, r *run.Run) []run.File {
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
func (h *past) byTime(a, b *oneRun) int { return inTime(h.ordered, a.began, b.began, a.name, b.name) }

// inTime is the order in which two runs were recorded: by start where all say it, else by
// name, numbers in it as numbers: a history without times would otherwise have no order,
// and a change of level in it would be taken for noise.
func inTime(timed bool, began, otherBegan int64, name, other string) int {
	if timed {
		return cmp.Or(cmp.Compare(began, otherBegan), byNumber(name, other))
	}
	return byNumber(name, other)
}

// byNumber compares names as people count: run9 comes before run10.
func byNumber(a, b string) int {
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

// inOrder are sets in order of label, then of content.
func inOrder(sets []*run.Set) []*run.Set {
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
	own := digestsOf(set, r)
	for _, d := range own {
		if known[d] != "" {
			return known[d]
		}
	}
	if own != nil {
		return ""
	}
	for _, d := range digests(set) {
		if known[d] != "" {
			return "its summary holds a run that counts already, and does not say which of its runs that is"
		}
	}
	return ""
}

// digestsOf are the digests of the files that a run was read from, nil where a
// set of several runs does not say them all.
func digestsOf(set *run.Set, r *run.Run) []string {
	if len(set.Runs) == 1 {
		return digests(set)
	}
	of := map[string]string{}
	for _, f := range set.Files {
		of[f.Name] = f.Digest
	}
	var out []string
	for i := range r.Ranks {
		for _, f := range r.Ranks[i].Files {
			if of[f] == "" {
				return nil
			}
			out = append(out, of[f])
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// config is what must be alike for runs to say something about each other's
// noise.
type config struct {
	steps                     bool
	gpus, size, ranks, marker string
}

func configOf(s *side) config {
	return config{
		steps: len(s.runs) > 0 && len(s.runs[0].kept) > 0,
		gpus:  strings.Join(s.values(func(k *oneRank) string { return factOf(k, trace.FactGPU) }), ", "),
		size:  fmt.Sprint(s.world()), ranks: number.Ranges(s.numbers()),
		marker: s.markers(),
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

// mostAlike is a set of the configuration that most runs have, each counted
// once; of two that as many have the one of the later run, by start, then by
// name. Runs without steps have none.
func mostAlike(sets []*run.Set) *run.Set {
	type group struct {
		first *run.Set
		runs  int
		began int64
		label string
	}
	var groups []*group
	at, met := map[config]*group{}, map[string]bool{}
	for _, set := range inOrder(sets) {
		if len(set.Runs) == 0 || len(set.Doubts) > 0 || set.Digest != "" && met[set.Digest] {
			continue
		}
		met[set.Digest] = true
		c := configOf(newSide(set.Label, set))
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
			g.began = max(g.began, began(&set.Runs[i]))
		}
	}
	if len(groups) == 0 {
		return &run.Set{}
	}
	return slices.MaxFunc(groups, func(a, b *group) int {
		return cmp.Or(cmp.Compare(a.runs, b.runs), cmp.Compare(a.began, b.began), strings.Compare(a.label, b.label))
	}).first
}
