package compute

import (
	"cmp"
	"math"
	"slices"
	"sort"
	"strings"

	"perfdiff/analyze/source/ncu"
	"perfdiff/diff/policy"
	"perfdiff/diff/stat"
	"perfdiff/diff/verdict"
)

// sizes is what launches of one kernel share.
type sizes struct{ name, grid, block string }

// pairing is a kernel of both sides while it is compared.
type pairing struct {
	sets     [2]*ncu.Set
	launches [2][]*ncu.Launch
}

// Compare compares two sides. The result depends on what they hold and not on the order of files.
func Compare(base, cand *ncu.Set, p policy.Policy) *Report {
	r := &Report{
		Sides: [2]Side{sideOf(base), sideOf(cand)}, Alpha: p.Alpha, Threshold: p.Threshold, Floor: p.Floor, State: NotJudged,
		NotCompared: mismatches(base, cand), Incomplete: base.Incomplete || cand.Incomplete,
	}
	for side, set := range []*ncu.Set{base, cand} {
		for _, w := range set.Warnings {
			r.Warnings = append(r.Warnings, Warning{side, w})
		}
	}
	groups := [2]map[sizes][]*ncu.Launch{grouped(base), grouped(cand)}
	var pairs []pairing
	for _, key := range sortedSizes(groups[0]) {
		if other := groups[1][key]; other != nil {
			pairs = append(pairs, pairing{[2]*ncu.Set{base, cand}, [2][]*ncu.Launch{groups[0][key], other}})
		}
	}
	r.Alone = [2][]Lone{alone(groups[0], groups[1]), alone(groups[1], groups[0])}
	r.differences(base, cand, pairs)
	for i := range pairs {
		r.Kernels = append(r.Kernels, pairs[i].kernel(r))
	}
	r.void(base, cand)
	r.judge(pairs, p)
	sort.SliceStable(r.Kernels, func(i, j int) bool { return r.Kernels[i].weight() > r.Kernels[j].weight() })
	return r
}

func sideOf(set *ncu.Set) Side {
	out := Side{Label: set.Label, Files: set.Files, Launches: len(set.Launches), Facts: map[string]string{}}
	for _, name := range ncu.Facts() {
		if v := set.Fact(name); v != "" {
			out.Facts[name] = v
		}
	}
	return out
}

func grouped(set *ncu.Set) map[sizes][]*ncu.Launch {
	out := map[sizes][]*ncu.Launch{}
	for i := range set.Launches {
		l := &set.Launches[i]
		key := sizes{l.Kernel, l.Grid, l.Block}
		out[key] = append(out[key], l)
	}
	return out
}

func sortedSizes(groups map[sizes][]*ncu.Launch) []sizes {
	out := make([]sizes, 0, len(groups))
	for key := range groups {
		out = append(out, key)
	}
	sort.Slice(out, func(i, j int) bool {
		a, b := &out[i], &out[j]
		return cmp.Or(strings.Compare(a.name, b.name), strings.Compare(a.grid, b.grid), strings.Compare(a.block, b.block)) < 0
	})
	return out
}

// alone returns the kernels of a side that the other does not have.
func alone(own, other map[sizes][]*ncu.Launch) (out []Lone) {
	names := map[string]bool{}
	for key := range other {
		names[key.name] = true
	}
	for _, key := range sortedSizes(own) {
		if other[key] == nil {
			out = append(out, Lone{key.name, key.grid, key.block, len(own[key]), names[key.name]})
		}
	}
	return out
}

// mismatches returns metrics whose units on the two sides cannot be converted.
func mismatches(base, cand *ncu.Set) (out []Mismatch) {
	type metric struct{ section, name string }
	units := func(set *ncu.Set) map[metric][]string {
		out := map[metric][]string{}
		for _, k := range set.Keys {
			out[metric{k.Section, k.Name}] = append(out[metric{k.Section, k.Name}], k.Unit)
		}
		return out
	}
	a, b := units(base), units(cand)
	for m, of := range a {
		if other := b[m]; other != nil && !slices.ContainsFunc(of, func(u string) bool { return slices.Contains(other, u) }) {
			out = append(out, Mismatch{m.section, m.name, [2]string{of[0], other[0]}})
		}
	}
	sort.Slice(out, func(i, j int) bool {
		return cmp.Or(strings.Compare(out[i].Section, out[j].Section), strings.Compare(out[i].Name, out[j].Name)) < 0
	})
	return out
}

// weight returns how much time the change of a kernel is of: in s, over the launches that both sides have.
func (k *Kernel) weight() float64 {
	t := k.quantity(ncu.Duration)
	if t == nil || math.IsNaN(t.Base.Median+t.Cand.Median) {
		return -1
	}
	return math.Abs(t.Cand.Median-t.Base.Median) * float64(min(t.Base.N, t.Cand.N))
}

func (k *Kernel) quantity(id string) *Measure {
	for i := range k.Quantities {
		if k.Quantities[i].ID == id {
			return &k.Quantities[i]
		}
	}
	return nil
}

// judge gives the verdicts on the times, and the state for a build.
func (r *Report) judge(pairs []pairing, p policy.Policy) {
	effects := make([]*stat.Effect, len(r.Kernels))
	var ps []float64
	for i := range r.Kernels {
		k := &r.Kernels[i]
		if k.Time.Reason = r.notJudged(k); k.Time.Reason != "" {
			continue
		}
		if effects[i] = pairs[i].effect(p); effects[i] == nil {
			k.Time.Reason = FewLaunches
			continue
		}
		ps = append(ps, effects[i].P())
	}
	qs := stat.FalseDiscoveries(ps)
	for i := range r.Kernels {
		if effects[i] == nil {
			continue
		}
		r.Kernels[i].Time.decide(effects[i], qs[0], p)
		qs = qs[1:]
	}
	r.State = r.state()
}

// notJudged returns why there is no verdict on a kernel, "" where there can be one.
func (r *Report) notJudged(k *Kernel) Reason {
	clock := k.quantity(ncu.Clock)
	switch {
	case r.Void != "":
		return Void
	case math.IsNaN(k.Time.Estimate):
		return NoTime
	case min(k.Launches[0], k.Launches[1]) < MinLaunches:
		return FewLaunches
	case clock != nil && apart(clock.Base.Median, clock.Cand.Median, r.Threshold):
		return OtherClock
	}
	return ""
}

// apart reports whether two values differ by at least a fraction; of values that are not known it is false.
func apart(a, b, by float64) bool { return math.Abs(math.Log(b/a)) >= math.Log1p(by) }

// decide sets the verdict by an effect on the log of the time.
func (c *Change) decide(e *stat.Effect, q float64, p policy.Policy) {
	half := e.HalfWidth(p.Alpha)
	c.Estimate, c.Lo, c.Hi, c.Q = math.Expm1(e.Estimate), math.Expm1(e.Estimate-half), math.Expm1(e.Estimate+half), q
	c.Reason = Decided
	limits := stat.Limits{Alpha: p.Alpha, Threshold: math.Log1p(p.Threshold), Equivalence: math.Log1p(p.Equal())}
	c.Shown = math.Expm1(stat.Shown(*e, limits))
	outcome := stat.Decide(*e, limits)
	switch {
	case outcome == stat.Equal:
		c.Verdict = verdict.Unchanged
	case outcome == stat.Unclear:
		c.Verdict, c.Reason = verdict.Inconclusive, WithinNoise
	case q > p.Alpha:
		c.Verdict, c.Reason = verdict.Inconclusive, ManyCompared
	case outcome == stat.Higher:
		c.Verdict = verdict.Regressed
	default:
		c.Verdict = verdict.Improved
	}
}

// minRow is the fewest launches of a file that count as a row of its own: by definition what package stat
// makes a scalar of.
const minRow = 3

// effect returns the change of the log of the time; nil where there are too few launches with one. Each file is a run
// with its launches: files of one side differ by more than launches of one file. If all files have as many launches
// they are paired in the order in which they ran, so that what every recording does in the same launch cancels.
func (p *pairing) effect(rules policy.Policy) *stat.Effect {
	var rows [2][][]float64
	fewest, alike := math.MaxInt, true
	for side := range rows {
		n := 0
		for _, row := range p.rows(side) {
			if len(row) >= minRow {
				rows[side] = append(rows[side], row)
				n += len(row)
				alike = alike && len(row) == len(rows[0][0])
			}
		}
		fewest = min(fewest, n)
	}
	if fewest < MinLaunches {
		return nil
	}
	sides := stat.Unpaired(rows[0], rows[1])
	if alike {
		sides = stat.Paired(rows[0], rows[1])
	}
	floor := rules.Floor
	if fewest < manyLaunches {
		floor = rules.FewFloor
	}
	e := stat.Moderated(sides, floor)
	return &e
}

// manyLaunches is from how many launches on recordings are taken to differ by policy.Floor and not
// by FewFloor, as with steps.
const manyLaunches = 10

// rows returns the logs of the times of each file of a side.
func (p *pairing) rows(side int) [][]float64 {
	set := p.sets[side]
	out := make([][]float64, len(set.Files))
	for _, l := range p.launches[side] {
		if v, ok := set.Get(l, duration); ok && v > 0 {
			out[l.File] = append(out[l.File], math.Log(v))
		}
	}
	return out
}
