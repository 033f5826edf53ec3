package diff

import (
	"cmp"
	"slices"
	"time"

	"perfdiff/analyze/run"
	"perfdiff/diff/history"
	"perfdiff/diff/policy"
	"perfdiff/diff/sides"
	"perfdiff/diff/verdict"
)

// Store holds the past runs of main that a candidate is compared with.
type Store struct {
	Base    *run.Set          // the newest runs of the level on which main stands; nil: there is none
	Line    *history.Line     // all runs of the job
	NoMatch []verdict.PastRun // the runs with why they are not like the candidate; nil: some are
	// CandidateRuns are the names of the candidate's runs in the store; nil: it is not there, or
	// not all of its runs are.
	CandidateRuns []string

	with    *history.Line // Line with the candidate as main's newest run; nil where it is not main's
	entries []*run.Set    // that are used, in order
}

// StoreContents is what a store holds.
type StoreContents struct {
	Sets   []*run.Set                   // in the order of saving
	Saved  func(*run.Set) history.Saved // what the store says of one; nil: nothing
	Events []history.Event              // that count
	Now    time.Time
	Dir    string // as commands to paste name it; "" unknown
	Main   bool   // the candidate is main's next run, and not a pull request's
}

// OnlyCandidate reports whether the store holds the candidate and nothing else.
func (out *Store) OnlyCandidate() bool {
	return len(out.Line.Runs) > 0 && !slices.ContainsFunc(out.Line.Runs, func(r history.Run) bool { return r.Why.Kind != verdict.IsCandidate })
}

// NewStore chooses the past runs that a candidate is compared with. If none is like the candidate it takes the largest
// group of runs that are alike: then Compare says why nothing can be judged, or that something is missing. The
// candidate itself, if it is among them, does not count. label is the name of the baseline.
func NewStore(label string, cand *run.Set, in StoreContents, policy policy.Policy) *Store {
	out, like := &Store{}, cand
	h, all := runsLike(like, cand, in.Sets, policy)
	out.CandidateRuns = already(all, len(cand.Runs))
	if before := beforeRuns(in.Sets, out.CandidateRuns); len(before) > 0 { // it is told what it was told then
		in.Sets = before
		h, all = runsLike(like, cand, in.Sets, policy)
	}
	if h == nil {
		out.NoMatch = all
		like = verdict.MostCommonSet(in.Sets)
		h, all = runsLike(like, cand, in.Sets, policy)
	}
	of := sides.Of(cand, &run.Set{}, policy.Force)
	fits := func(r *sides.Run) bool { return verdict.Fits(of, r) }
	past := history.Input{Past: h, Runs: all, Sets: in.Sets, Saved: in.Saved, Events: in.Events, Policy: policy, Now: in.Now, Fits: fits}
	main := in.Main && h != nil && out.NoMatch == nil
	if main { // the others are followed with the candidate
		past.Only = append(resultsIn(cand), run.StepTime, run.StepTimeMean)
	}
	out.Line = history.Of(past)
	out.Line.Store = in.Dir
	if h == nil {
		return out
	}
	out.entries = entriesOf(in.Sets, h)
	if out.Base = out.Line.Base(label, verdict.MaxLevelRuns); out.Base == nil {
		out.Base = newest(label, like, out.entries, policy)
	}
	if main {
		out.with = withNewest(cand, in, policy)
		out.with.Store = in.Dir
	}
	return out
}

// resultsIn lists the numbers that the runs of a set printed.
func resultsIn(set *run.Set) (names []string) {
	for _, m := range set.Metrics {
		if m.OfResult {
			names = append(names, m.Name)
		}
	}
	return names
}

// beforeRuns returns the sets before the first that holds one of the runs; nil where there are no such runs.
func beforeRuns(sets []*run.Set, runs []string) []*run.Set {
	for i, set := range sets {
		for j := range set.Runs {
			if slices.Contains(runs, verdict.NameOf(set, &set.Runs[j])) {
				return sets[:i]
			}
		}
	}
	return nil
}

// JobOf returns the history of the job that most runs of a store are of.
func JobOf(name string, in StoreContents, policy policy.Policy) *history.Job {
	l := LineOf(in, policy)
	l.Name = name
	return &l.Job
}

// LineOf returns the same with what it is made of.
func LineOf(in StoreContents, policy policy.Policy) *history.Line {
	like := verdict.MostCommonSet(in.Sets)
	h, all := verdict.PastOf(sides.Of(like, &run.Set{}, policy.Force), in.Sets, map[string]verdict.LeftOut{}, verdict.AgainstUsed)
	return history.Of(history.Input{Past: h, Runs: all, Sets: in.Sets, Saved: in.Saved, Events: in.Events, Policy: policy, Now: in.Now})
}

// withNewest follows the runs of a job with the candidate as the newest.
func withNewest(cand *run.Set, in StoreContents, policy policy.Policy) *history.Line {
	last := *cand
	last.Place, last.Label = len(in.Sets)+1, "this run"
	sets := append(slices.Clone(in.Sets), &last)
	of := sides.Of(cand, &run.Set{}, policy.Force)
	h, all := verdict.PastOf(of, sets, notAsRequired(of.Base, sets, &policy), verdict.AgainstCandidate)
	fits := func(r *sides.Run) bool { return verdict.Fits(of, r) }
	return history.Of(history.Input{Past: h, Runs: all, Sets: sets, Saved: in.Saved, Events: in.Events, Policy: policy, Fits: fits, Now: in.Now})
}

// newest returns the newest past runs of a job that has no step to follow: an inference engine, whose loads differ.
func newest(label string, like *run.Set, sets []*run.Set, policy policy.Policy) *run.Set {
	h, _ := verdict.PastOf(sides.Of(like, &run.Set{}, policy.Force), sets, map[string]verdict.LeftOut{}, verdict.AgainstPair)
	if h == nil {
		return nil
	}
	out := &run.Set{Label: label, Metrics: h.Side.Set.Metrics}
	for _, r := range h.Side.Runs[max(0, len(h.Side.Runs)-verdict.MaxLevelRuns):] {
		verdict.AddRun(out, *r.Source, h.Files[r.Name])
	}
	return out
}

// runsLike returns the runs that are like one set, without those that the candidate holds.
func runsLike(like, cand *run.Set, sets []*run.Set, policy policy.Policy) (*verdict.Past, []verdict.PastRun) {
	of, known, against := sides.Of(like, &run.Set{}, policy.Force), map[string]verdict.LeftOut{}, verdict.AgainstMost
	if like == cand {
		known, against = notAsRequired(of.Base, sets, &policy), verdict.AgainstCandidate
	}
	for _, d := range sides.Digests(cand) {
		known[d] = verdict.LeftOut{Kind: verdict.IsCandidate}
	}
	return verdict.PastOf(of, sets, known, against)
}

// notAsRequired are the files of runs that differ from a candidate in what the policy requires to be equal, with why.
func notAsRequired(cand *sides.Side, sets []*run.Set, p *policy.Policy) map[string]verdict.LeftOut {
	out := map[string]verdict.LeftOut{}
	if len(p.RequireEqual) == 0 || p.Force {
		return out
	}
	for _, set := range sets {
		if len(set.Runs) == 0 {
			continue
		}
		if why := verdict.NotAsRequired(sides.NewSide(set.Label, set), cand, p); why.Is() {
			for _, d := range sides.Digests(set) {
				out[d] = why
			}
		}
	}
	return out
}

// already returns the names of a candidate's runs, of so many, that are among the past runs.
func already(runs []verdict.PastRun, of int) (names []string) {
	for _, r := range runs {
		if r.Why.Kind == verdict.IsCandidate {
			names = append(names, r.Name)
		}
	}
	if len(names) < of {
		return nil
	}
	return names
}

// entriesOf returns the sets of a history in order of their first run, each with the runs that count.
func entriesOf(sets []*run.Set, h *verdict.Past) (out []*run.Set) {
	at := map[string]int{}
	for i, r := range h.Side.Runs {
		at[r.Name] = i + 1
	}
	first := map[*run.Set]int{}
	for _, set := range verdict.SortSets(sets) {
		kept := &run.Set{Label: set.Label, Place: set.Place, Metrics: set.Metrics, Warnings: set.Warnings, Digest: set.Digest}
		files := map[string]bool{}
		for i := range set.Runs {
			n := at[verdict.NameOf(set, &set.Runs[i])]
			if n == 0 {
				continue
			}
			kept.Runs = append(kept.Runs, set.Runs[i])
			for _, f := range verdict.FilesOf(set, &set.Runs[i]) {
				if !files[f.Name] {
					files[f.Name], kept.Files = true, append(kept.Files, f)
				}
			}
			first[kept] = min(n, cmp.Or(first[kept], n))
		}
		if len(kept.Runs) == len(set.Runs) && len(kept.Runs) > 0 {
			first[set] = first[kept]
			kept = set
		}
		if len(kept.Runs) > 0 {
			out = append(out, kept)
		}
	}
	slices.SortStableFunc(out, func(a, b *run.Set) int { return cmp.Compare(first[a], first[b]) })
	return out
}

// learnedRuns is from how many of the newest runs the noise of metrics is learned that main is not followed by.
// Simulated for the step time, which is followed: diff/series.
const learnedRuns = 60

// Unlike lists the runs of a set that are not like the job that most runs of a store are of, with why; nil where all are.
func (in *StoreContents) Unlike(set *run.Set) (out []verdict.PastRun) {
	like := verdict.MostCommonSet(in.Sets)
	_, all := verdict.PastOf(sides.Of(like, &run.Set{}, false), []*run.Set{set}, map[string]verdict.LeftOut{}, verdict.AgainstUsed)
	for _, r := range all {
		if r.Why.Is() {
			out = append(out, r)
		}
	}
	return out
}
