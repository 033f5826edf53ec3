package verdict

import (
	"math"
	"slices"

	"perfdiff/analyze/run"
	"perfdiff/diff/policy"
	"perfdiff/diff/sides"
	"perfdiff/diff/stat"
)

// CurrentLevel is the current level of a history: the runs up to the newest, or to the given baseline, during which
// the step time did not change its level.
type CurrentLevel struct {
	// Base is what to compare with: the baseline that was given with the newest runs of
	// its level. Where none of the history counts it is the baseline as it was given, and
	// nil where none was given.
	Base *run.Set
	Runs []PastRun // all that were given, in order of time; Why: it is none of Base, "" it is one
	Why  LeftOut   // why none of the history is a run of Base; none: some are
	// Warnings are what a reader must know: a run, or the baseline itself, far off all others.
	Warnings []LevelWarning

	given   *run.Set            // the baseline that was given, nil none
	rulings map[run.Key]*Ruling // what the history of main says of the candidate
}

// FindCurrentLevel finds the runs of a history that a candidate can be compared with: of its configuration, with its
// steps, under one driver, and on one level up to the newest. With a baseline (base may be nil) it finds the runs on
// the baseline's level and adds them to its runs. A baseline that stands apart from the history stays alone, and so
// does one whose history is all from other hosts.
//
// No run counts twice: a run of the baseline is no past run as well, and a run of the candidate is left out. A single
// run far off all others of its level is left out and named. The order of the history has no influence, and no set is
// changed. Give Base to Compare, with the level and the same history in its Options.
func FindCurrentLevel(base, cand *run.Set, history []*run.Set, policy policy.Policy) *CurrentLevel {
	out := &CurrentLevel{Base: base, given: base}
	p, known := sides.Of(cand, &run.Set{}, policy.Force), map[string]LeftOut{}
	if base != nil {
		p = sides.Of(base, cand, policy.Force)
		note(known, base, IsBaseline, InBaseline)
	}
	note(known, cand, IsCandidate, InCandidate)
	h, all := PastOf(p, history, known, AgainstPair)
	out.Runs = all
	switch {
	case p.Loads != nil:
		out.none(LeftOut{Kind: EngineLoads})
	case p.Plan.Steps < sides.MinSteps || len(p.Base.Runs) == 0:
		out.none(LeftOut{Kind: FewSteps})
	case !p.Plan.Paired:
		out.none(LeftOut{Kind: StepsUnpaired, Steps: unpaired(p)})
	case len(h.Runs()) == 0:
		out.none(LeftOut{Kind: NoneAlike})
	default:
		if base != nil {
			if then, now := h.otherHosts(p.Base); then != nil {
				out.none(LeftOut{Kind: OtherHosts, Then: then, Now: now})
				return out
			}
		}
		out.choose(p, policy, h)
	}
	return out
}

// note notes the files of a set, by digest, with why a run that has them does not count.
func note(known map[string]LeftOut, set *run.Set, whole, part LeftOutKind) {
	why := LeftOut{Kind: whole}
	if len(set.Runs) > 1 {
		why.Kind = part
	}
	for _, d := range sides.Digests(set) {
		known[d] = why
	}
}

// none says why no run of the history counts.
func (l *CurrentLevel) none(why LeftOut) {
	l.Why = why
	for i := range l.Runs {
		l.Runs[i].Why = l.Runs[i].Why.or(why)
	}
}

// warn adds a warning about a run or, if name is "", about the baseline.
func (l *CurrentLevel) warn(name string, why LeftOut) {
	l.Warnings = append(l.Warnings, LevelWarning{name, why})
}

// leave notes why a run does not count.
func (l *CurrentLevel) leave(name string, why LeftOut) {
	i := slices.IndexFunc(l.Runs, func(r PastRun) bool { return r.Name == name })
	l.Runs[i].Why = why
}

// LevelRun is a run that may be of the level.
type LevelRun struct {
	*sides.Run
	given bool    // with the baseline
	at    string  // name in the history; "" of one that is not in it
	Value float64 // of its step time, on logs, beside those of the others
}

// choose takes the newest runs of the level out of a history that is like the pair.
func (l *CurrentLevel) choose(p *sides.Lined, policy policy.Policy, h *Past) {
	members := l.fit(p, h)
	switch n := len(members); {
	case !Valued(members):
		l.none(LeftOut{Kind: NotOneByOne})
		return
	case l.given != nil && n < stat.MinHistory:
		l.none(LeftOut{Kind: FewForLevel, Have: n, Need: stat.MinHistory})
		return
	}
	on, ok := stretch(members)
	if !ok {
		l.none(LeftOut{Kind: SeveralLevels})
		l.warn("", l.Why)
		return
	}
	for _, m := range members {
		if !m.given && !slices.Contains(on, m) {
			l.leave(m.Name, LeftOut{Kind: OtherLevel})
		}
	}
	on = l.withoutOdd(on, policy.Floor)
	if by, chance := differs(on, members, policy.Floor); chance < apartError && math.Abs(by) > leastApart {
		l.none(LeftOut{Kind: BaselineApart, Size: Settled(math.Expm1(by))})
		if chance < sureApart {
			l.warn("", l.Why)
		}
		return
	}
	l.join(h, on)
}

// before orders two members. A member with neither a time nor a name in the history counts as the newest.
func (h *Past) before(a, b LevelRun) int {
	unknown := func(m LevelRun) bool { return h.ordered && m.Began == 0 || !h.ordered && m.at == "" }
	if u, v := unknown(a), unknown(b); u || v {
		return map[bool]int{true: 1}[u] - map[bool]int{true: 1}[v]
	}
	return h.inTime(a.Began, b.Began, a.at, b.at)
}

// nameOfBaseline returns what the history calls the one run of the baseline; "" if the history does not hold it, or if
// there are several.
func (l *CurrentLevel) nameOfBaseline() string {
	i := slices.IndexFunc(l.Runs, func(r PastRun) bool { return r.Why.Kind == IsBaseline })
	if i < 0 {
		return ""
	}
	return l.Runs[i].Name
}

// Valued gives members their step times over the steps that all have.
func Valued(members []LevelRun) bool {
	s := &sides.Side{Set: &run.Set{}}
	for _, m := range members {
		s.Runs = append(s.Runs, m.Run)
	}
	h := &Past{Side: s, plan: sides.NewPlan(s, &sides.Side{Set: &run.Set{}})}
	values := h.scalars(sides.StepTime, Scale{LogScale: true})
	if len(values) != len(members) {
		return false
	}
	for i := range members {
		members[i].Value = values[i]
	}
	return len(members) > 0
}

func valuesOf(members []LevelRun) (out []float64) {
	for _, m := range members {
		out = append(out, m.Value)
	}
	return out
}

// stretch returns the members on the level of the given runs, or else of the newest; not ok where the given ones stand
// on several levels.
func stretch(members []LevelRun) (on []LevelRun, ok bool) {
	starts := append(stat.Stretches(valuesOf(members)), len(members))
	of := func(i int) int { return slices.IndexFunc(starts, func(start int) bool { return start > i }) - 1 }
	at := of(len(members) - 1)
	if first := slices.IndexFunc(members, func(m LevelRun) bool { return m.given }); first >= 0 {
		at = of(first)
		for i := range members {
			if members[i].given && of(i) != at {
				return nil, false
			}
		}
	}
	return members[starts[at]:starts[at+1]], true
}

// withoutOdd leaves out a single run far off all others.
func (l *CurrentLevel) withoutOdd(on []LevelRun, floor float64) []LevelRun {
	values := valuesOf(on)
	at, _ := stat.Odd(values, floor)
	if at < 0 || on[at].given {
		return on
	}
	why := LeftOut{Kind: ApartFromAll, Size: Settled(math.Expm1(values[at] - stat.Median(values)))}
	l.leave(on[at].Name, why)
	l.warn(on[at].Name, why)
	return slices.Delete(slices.Clone(on), at, at+1)
}

// A baseline is compared alone if so few histories of one level would show a difference as large as its own
// (apartError), and warned about if even fewer would (sureApart). A candidate must not be blamed for what was merged
// before it, and to compare alone costs little: at one in twenty, an unchanged candidate failed in 6 % of cases where
// +5 % had been merged by the newest of ten runs, at one in five in 2 %, and +5 % was found in 80 % in place of 82 %
// where nothing had (simulated, runs that differ by 1.3 %).
const (
	apartError = 0.2
	sureApart  = 0.01
	leastApart = 0.01 // difference of logs that matters, whatever runs differ by
)

// differs returns by how much, on logs, the given runs differ from the others on a level, and how often chance makes
// as much. The noise is learned from all past runs.
func differs(on, all []LevelRun, floor float64) (by, chance float64) {
	var past []float64
	for _, m := range all {
		if !m.given {
			past = append(past, m.Value)
		}
	}
	s := stat.Sides{DF: 1}
	for _, m := range on {
		if m.given {
			s.Cand = append(s.Cand, m.Value)
		} else {
			s.Base = append(s.Base, m.Value)
		}
	}
	if len(s.Base) == 0 || len(s.Cand) == 0 {
		return 0, 1
	}
	learned := stat.Learn(limitOutlier(past, floor))
	learned.Base = true
	e := stat.Learned(s, learned.Moderated(floor))
	return e.Estimate, e.P()
}
