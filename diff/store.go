package diff

import (
	"cmp"
	"fmt"
	"slices"

	"perfdiff/analyze/run"
	"perfdiff/diff/policy"
	"perfdiff/diff/sides"
	"perfdiff/diff/stat"
	"perfdiff/diff/verdict"
)

// DefaultAnchor is the anchor where nobody chose one: far enough for a creep of 0.5 % a run to be 10 %, and near
// enough for machine and drivers to be the same ones.
var DefaultAnchor = verdict.Anchor{Ago: 20}

// anchorShare is the anchor's share of alpha, and the level has the rest: together they are wrong as often as one
// comparison may be (Bonferroni). A creep is large when it counts, and a pull request is asked about its own change.
// Simulated: golden/rates.txt has how often the anchor fails alone, golden/year.txt what both find in a year of
// merges.
const anchorShare = 0.2

// Store holds the past runs that a candidate is compared with.
type Store struct {
	Base    *run.Set          // the newest runs of the level on which the store stands; nil: there is none
	Runs    []verdict.PastRun // all of the store, in order of time; Why: it is left out
	NoMatch []verdict.PastRun // the runs with why they are not like the candidate; nil: some are
	Anchor  *run.Set          // nil: there is none
	At      AnchorAt          // what the anchor is
	Trend   *verdict.Trend    // of the step time over the runs that are used
	// CandidateRuns are the names of the candidate's runs in the store; nil: it is not there, or
	// not all of its runs are.
	CandidateRuns []string

	entries []*run.Set // that are used, in order
	tagged  []*run.Set // of these, the anchor by name
	recent  []*run.Set // from which noise is learned

	far []verdict.LevelWarning // runs that are far off those of Base
}

// AnchorAt says what an anchor is: one of the three.
type AnchorAt struct {
	Tag   string // the runs that are called so
	Ago   int    // the level of so many runs ago
	First int    // the first so many runs of the store
}

// Entries returns the labels of the sets of the store that are used, in order.
func (out *Store) Entries() []string { return labelsOf(out.entries) }

// Tagged returns the labels of the sets that the anchor's tag names.
func (out *Store) Tagged() []string { return labelsOf(out.tagged) }

func labelsOf(sets []*run.Set) (out []string) {
	for _, set := range sets {
		out = append(out, set.Label)
	}
	return out
}

// OnlyCandidate reports whether the store holds the candidate and nothing else.
func (out *Store) OnlyCandidate() bool {
	return len(out.Runs) > 0 && !slices.ContainsFunc(out.Runs, func(r verdict.PastRun) bool { return r.Why.Kind != verdict.IsCandidate })
}

// NewStore chooses the past runs that a candidate is compared with. If none is like the candidate it takes the largest
// group of runs that are alike: then Compare says why nothing can be judged, or that something is missing. The
// candidate itself, if it is among them, does not count. label is the name of the baseline. The error says which tags
// there are.
func NewStore(label string, cand *run.Set, sets []*run.Set, policy policy.Policy, anchor verdict.Anchor) (*Store, error) {
	step := run.Metric{Name: sides.StepTime.Metric, Unit: "s", Better: run.Lower}
	out := &Store{Trend: &verdict.Trend{Metric: step, Least: stat.MinHistory}}
	like := cand
	h, all := runsLike(like, cand, sets, policy)
	if h == nil {
		out.NoMatch = all
		like = verdict.MostCommonSet(sets)
		h, all = runsLike(like, cand, sets, policy)
	}
	out.Runs, out.Trend.Runs, out.CandidateRuns = all, all, already(all, len(cand.Runs))
	if h == nil {
		return out, nil
	}
	out.Trend.Follow(h)
	out.entries = entriesOf(sets, h)
	if out.Base, out.far = storeLevel(label, like, out.entries, policy); out.Base == nil {
		out.Base = newest(label, like, out.entries, policy)
	}
	return out, out.setAnchor(like, policy, anchor)
}

// runsLike returns the runs that are like one set, without those that the candidate holds.
func runsLike(like, cand *run.Set, sets []*run.Set, policy policy.Policy) (*verdict.Past, []verdict.PastRun) {
	known := map[string]verdict.LeftOut{}
	for _, d := range sides.Digests(cand) {
		known[d] = verdict.LeftOut{Kind: verdict.IsCandidate}
	}
	against := verdict.AgainstCandidate
	if like != cand {
		against = verdict.AgainstMost
	}
	return verdict.PastOf(sides.Of(like, &run.Set{}, policy.Force), sets, known, against)
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

// leastAnchored is from how many runs on a store has an anchor that is not its level.
// Chosen, not measured: with fewer the level is all there is.
const leastAnchored = 4

// setAnchor finds the anchor among the runs of a store, in order, and the runs from which noise is learned: those
// since the anchor, since over more of them a creep would be taken for noise.
func (out *Store) setAnchor(like *run.Set, policy policy.Policy, anchor verdict.Anchor) error {
	entries := out.entries
	n, ago := len(entries), cmp.Or(anchor.Ago, DefaultAnchor.Ago)
	out.recent = entries[max(0, n-ago-verdict.MaxLevelRuns+1):]
	if anchor.Tag != "" {
		if out.tagged = taggedOf(entries, anchor.Tag); len(out.tagged) == 0 {
			return fmt.Errorf("no run of the store that is like the candidate is called %.100q, by label or commit (%w)",
				anchor.Tag, verdict.TagsOf(entries))
		}
		out.Anchor, _ = storeLevel("anchor", like, out.tagged, policy)
		out.At = AnchorAt{Tag: anchor.Tag}
		return nil
	}
	if anchor.Ago == 0 || n < leastAnchored {
		return nil
	}
	older := n - anchor.Ago + 1
	out.At = AnchorAt{Ago: anchor.Ago}
	if least := min(verdict.MaxLevelRuns, n/2); older < least {
		older, out.At = least, AnchorAt{First: least}
	}
	out.Anchor, _ = storeLevel("anchor", like, entries[:older], policy)
	return nil
}

// taggedOf returns the runs with a tag.
func taggedOf(entries []*run.Set, tag string) (out []*run.Set) {
	for _, set := range entries {
		if slices.ContainsFunc(set.Runs, func(r run.Run) bool { return r.Origin.Is(tag) }) {
			out = append(out, set)
		}
	}
	return out
}

// mixed is the number of runs below which runs on several levels say nothing about noise: among fewer, a change of
// level is taken for noise, see stat.Learn.
const mixed = 8

// past returns the runs, without the baseline's, from which noise is learned; nil where they are too few, which nobody
// needs to be told.
func (out *Store) past(base *run.Set) []*run.Set {
	used, on := map[string]bool{}, map[int]bool{}
	for _, d := range sides.Digests(base) {
		used[d] = true
	}
	n := 0
	for _, set := range out.recent {
		for i := range set.Runs {
			own := sides.DigestsOf(set, &set.Runs[i])
			if !slices.ContainsFunc(own, func(d string) bool { return used[d] }) {
				n++
				on[levelOf(out.Trend, verdict.NameOf(set, &set.Runs[i]))] = true
			}
		}
	}
	if n < stat.MinHistory || n < mixed && len(on) > 1 {
		return nil
	}
	return out.recent
}

// levelOf returns the index of the level on which a run stands; -1 not known.
func levelOf(t *verdict.Trend, name string) int {
	i := slices.IndexFunc(t.Points, func(p verdict.TrendPoint) bool { return p.Name == name })
	return slices.IndexFunc(t.Levels, func(l verdict.Stretch) bool { return i >= l.From && i < l.To })
}
