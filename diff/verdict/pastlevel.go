package verdict

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
	"perfdiff/diff/number"
	"perfdiff/diff/policy"
	"perfdiff/diff/sides"
	"perfdiff/diff/stat"
)

// MostLevel is how many runs of a level stand for it, the newest. More of them gain
// little, five lose 4 of 100 regressions by 5 % that eight find (simulated), and the
// older they are the more of a slow creep they hold, which no test of the level sees.
const MostLevel = 8

// CurrentLevel is where a history stands: the runs up to the newest, or to the baseline that was
// given, among which the step time did not change its level.
type CurrentLevel struct {
	// Base is what to compare with: the baseline that was given with the newest runs of
	// its level. Where none of the history counts it is the baseline as it was given, and
	// nil where none was given.
	Base *run.Set
	Runs []PastRun // all that were given, in order of time; Why: it is none of Base, "" it is one
	Why  string    // why none of the history is a run of Base, a clause; "" some are
	// Warnings are what a reader must know: a run, or the baseline itself, far off all others.
	Warnings []string

	given *run.Set // the baseline that was given, nil none
}

// LevelOf are the runs of a history that a candidate can be compared with: of its
// configuration, with its steps, under one driver, and on one level up to the newest. With
// a baseline (base may be nil) they are those of the baseline's own level, and stand beside
// its runs. A baseline that stands apart from the history stays alone, and so does one whose
// history is all of other hosts.
//
// No run counts twice: what the baseline holds is no past run as well, and what the
// candidate holds is none at all. A single run far off all others of its level is left out
// and named. The order of the history has no influence, and no set is changed. Give Base to
// Compare, with the level and the same history in its Options.
func LevelOf(base, cand *run.Set, history []*run.Set, policy policy.Policy) *CurrentLevel {
	out := &CurrentLevel{Base: base, given: base}
	p, known := Undecided(sides.Of(cand, &run.Set{}, policy.Force), policy), map[string]string{}
	if base != nil {
		p = Undecided(sides.Of(base, cand, policy.Force), policy)
		note(known, base, IsBaseline, InBaseline)
	}
	note(known, cand, IsCandidate, inCandidate)
	h, all := p.PastOf(history, known, "here it is")
	out.Runs = all
	switch {
	case p.Like != nil:
		out.none("steps of an inference engine have other loads from run to run")
	case p.Plan.Steps < sides.MinSteps || len(p.Base.Runs) == 0:
		out.none("there are too few steps to compare it by")
	case !p.Plan.Paired:
		out.none(p.InCommon())
	case len(h.Runs()) == 0:
		out.none("no past run is like this job")
	case base != nil && h.otherHosts(p.Base) != "":
		out.none("the past runs are of other hosts: " + h.otherHosts(p.Base))
	default:
		out.choose(p, h)
	}
	return out
}

// note notes the files of a set, by digest, with what to say of a run that has them.
func note(known map[string]string, set *run.Set, whole, part string) {
	why := whole
	if len(set.Runs) > 1 {
		why = part
	}
	for _, d := range sides.Digests(set) {
		known[d] = why
	}
}

// none says why no run of the history counts.
func (l *CurrentLevel) none(why string) {
	l.Why = why
	for i := range l.Runs {
		l.Runs[i].Why = cmp.Or(l.Runs[i].Why, why)
	}
}

func (l *CurrentLevel) warn(text string) { l.Warnings = append(l.Warnings, text) }

// leave says of one run why it does not count.
func (l *CurrentLevel) leave(name, why string) {
	i := slices.IndexFunc(l.Runs, func(r PastRun) bool { return r.Name == name })
	l.Runs[i].Why = why
}

// Member is a run that may be of the level.
type Member struct {
	*sides.Run
	given bool    // with the baseline
	at    string  // name in the history; "" of one that is not in it
	Value float64 // of its step time, on logs, beside those of the others
}

// choose takes the newest runs of the level out of a history that is like the pair.
func (l *CurrentLevel) choose(p *Judged, h *Past) {
	members := l.fit(p, h)
	switch n := len(members); {
	case !Valued(members):
		l.none("the step times of the runs cannot be compared one by one")
		return
	case l.given != nil && n < stat.MinHistory:
		l.none(fmt.Sprintf("a level takes %d runs, and there are %s with the baseline",
			stat.MinHistory, number.Counted(n, "run")))
		return
	}
	on, ok := stretch(members)
	if !ok {
		l.none("the runs of the baseline stand on several levels of the history")
		l.warn(l.Why + ": none of its runs stands beside them")
		return
	}
	for _, m := range members {
		if !m.given && !slices.Contains(on, m) {
			l.leave(m.Name, "it stands on another level")
		}
	}
	on = l.withoutOdd(on, p.Policy.Floor)
	if by, chance := differs(on, members, p.Policy.Floor); chance < apartError && math.Abs(by) > leastApart {
		l.none("the step time of the baseline differs from that of the past runs, by " + percentOf(by))
		if chance < sureApart {
			l.warn(l.Why + ": it is compared alone (are they runs of this job, and was the baseline's disturbed?)")
		}
		return
	}
	l.join(h, on)
}

// fit are the runs of the baseline and those of a history that fit its steps, in order.
func (l *CurrentLevel) fit(p *Judged, h *Past) (members []Member) {
	for _, r := range h.Side.Runs {
		if why := p.unfit(r); why != "" {
			l.leave(r.Name, why)
			continue
		}
		members = append(members, Member{Run: r, at: r.Name})
	}
	if l.given != nil {
		at := l.nameOfBaseline()
		for _, r := range p.Base.Runs {
			members = append(members, Member{Run: r, given: true, at: at})
		}
	}
	slices.SortStableFunc(members, h.before)
	return members
}

// before is the order of two members. One that says neither its time nor its name in the
// history is the newest.
func (h *Past) before(a, b Member) int {
	unknown := func(m Member) bool { return h.ordered && m.Began == 0 || !h.ordered && m.at == "" }
	if u, v := unknown(a), unknown(b); u || v {
		return map[bool]int{true: 1}[u] - map[bool]int{true: 1}[v]
	}
	return inTime(h.ordered, a.Began, b.Began, a.at, b.at)
}

// nameOfBaseline is what the history calls the one run of the baseline; "" where it does
// not hold it, or there are several.
func (l *CurrentLevel) nameOfBaseline() string {
	i := slices.IndexFunc(l.Runs, func(r PastRun) bool { return r.Why == IsBaseline })
	if i < 0 {
		return ""
	}
	return l.Runs[i].Name
}

// mostSteps is the share of the steps of a pair that a past run must have to stand beside
// its baseline: steps are compared that all runs have. Chosen, not measured: a run that
// was cut short may lose a quarter.
const mostSteps = 0.75

// unfit is why a past run cannot stand beside the baseline; "" it can.
func (p *Judged) unfit(r *sides.Run) string {
	first := p.Base.Runs[0]
	has := 0
	for _, n := range first.Used {
		if _, ok := slices.BinarySearch(r.Kept, n); ok && n >= settled(r) {
			has++
		}
	}
	if float64(has) < mostSteps*float64(len(first.Used)) {
		return fmt.Sprintf("it has %d of the %s that are compared", has, number.Counted(len(first.Used), "step"))
	}
	if own, here := factsOf(r, trace.FactDriver), factsOf(first, trace.FactDriver); own != "" && here != "" && own != here {
		return fmt.Sprintf("its driver is %s, here it is %s", own, here)
	}
	if share, known := kernelsOf(r, slices.Concat(p.Base.Runs, p.Cand.Runs)); known && share < leastKernels {
		return fmt.Sprintf("it is of another job: kernels that run here took %s of its kernel time", number.Share(share))
	}
	return ""
}

// leastKernels is the share of a past run's kernel time that kernels of the pair must
// have: names change with compilers and libraries, and another model has others
// altogether. Chosen, not measured: half of a model is not another one.
const leastKernels = 0.5

// kernelsOf is the share of a run's kernel time that kernels have which any of the others
// runs as well; not known where either side's were not recorded.
func kernelsOf(r *sides.Run, others []*sides.Run) (share float64, known bool) {
	here := map[string]bool{}
	for _, o := range others {
		for _, k := range o.Ranks {
			for _, w := range k.Work {
				here[w.Kernel] = true
			}
		}
	}
	all, common := int64(0), int64(0)
	for _, k := range r.Ranks {
		for _, w := range k.Work {
			if all += w.Time; here[w.Kernel] {
				common += w.Time
			}
		}
	}
	if all == 0 || len(here) == 0 {
		return 0, false
	}
	return float64(common) / float64(all), true
}

// settled is the number of the first step behind the run's own warm-up.
func settled(r *sides.Run) int64 {
	steps := slices.Concat(r.Warm, r.Used)
	if r.Own >= len(steps) {
		return math.MaxInt64
	}
	return steps[r.Own]
}

// factsOf are the values of a fact over the ranks of a run.
func factsOf(r *sides.Run, key string) string {
	var values []string
	for _, k := range r.Ranks {
		values = append(values, FactOf(k, key))
	}
	return sides.List(values)
}

// Valued gives members their step times over the steps that all have.
func Valued(members []Member) bool {
	s := &sides.Side{Set: &run.Set{}}
	for _, m := range members {
		s.Runs = append(s.Runs, m.Run)
	}
	h := &Past{Side: s, plan: sides.NewPlan(s, &sides.Side{Set: &run.Set{}})}
	values := h.scalars(sides.StepTime, Scale{Logs: true})
	if len(values) != len(members) {
		return false
	}
	for i := range members {
		members[i].Value = values[i]
	}
	return len(members) > 0
}

func valuesOf(members []Member) (out []float64) {
	for _, m := range members {
		out = append(out, m.Value)
	}
	return out
}

// stretch are the members on the level of those that were given, or of the newest; not ok
// where those stand on several.
func stretch(members []Member) (on []Member, ok bool) {
	starts := append(stat.Stretches(valuesOf(members)), len(members))
	of := func(i int) int { return slices.IndexFunc(starts, func(start int) bool { return start > i }) - 1 }
	at := of(len(members) - 1)
	if first := slices.IndexFunc(members, func(m Member) bool { return m.given }); first >= 0 {
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
func (l *CurrentLevel) withoutOdd(on []Member, floor float64) []Member {
	values := valuesOf(on)
	at, _ := stat.Odd(values, floor)
	if at < 0 || on[at].given {
		return on
	}
	why := "its step time stands apart from all others, by " + percentOf(values[at]-stat.Median(values))
	l.leave(on[at].Name, why)
	l.warn("past run " + on[at].Name + " does not stand beside the baseline: " + why)
	return slices.Delete(slices.Clone(on), at, at+1)
}

// A baseline is compared alone where a difference of its size or more would be found in
// so few histories of one level, and this is warned of where in fewer still. What was
// merged last must not be laid to the next candidate, and to be alone costs little: at
// one in twenty, an unchanged candidate failed in 6 % of cases where +5 % had been merged
// by the newest of ten runs, at one in five in 2 %, and +5 % was found in 80 % in place
// of 82 % where nothing had (simulated, runs that differ by 1.3 %).
const (
	apartError = 0.2
	sureApart  = 0.01
	leastApart = 0.01 // difference of logs that matters, whatever runs differ by
)

// differs is by how much, on logs, the runs that were given differ from the others on a
// level, and how often chance makes as much. The noise is that of all past runs.
func differs(on, all []Member, floor float64) (by, chance float64) {
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
	learned := stat.Learn(tamed(past, floor))
	learned.Base = true
	e := stat.Learned(s, learned.Moderated(floor))
	return e.Estimate, e.P()
}

// percentOf writes a difference of logs.
func percentOf(logs float64) string {
	by := math.Expm1(logs)
	return number.PercentFor(by, 0, 0).Signed(by) + number.Space + "%"
}

// join puts the newest past runs of the level beside the baseline.
func (l *CurrentLevel) join(h *Past, on []Member) {
	past := slices.DeleteFunc(slices.Clone(on), func(m Member) bool { return m.given })
	room := max(0, MostLevel-(len(on)-len(past)))
	for _, m := range past[:max(0, len(past)-room)] {
		l.leave(m.Name, fmt.Sprintf("%d newer runs of its level count", MostLevel))
	}
	past = past[max(0, len(past)-room):]
	if len(past) == 0 {
		l.Why = "the baseline has runs enough"
		if l.given == nil {
			l.Why = "no past run is like this job"
		}
		return
	}
	out := &run.Set{Label: "history"}
	if l.given != nil {
		given := *l.given
		out = &given
		out.Runs, out.Files = slices.Clone(given.Runs), slices.Clone(given.Files)
	}
	out.Digest, out.Metrics = "", MergedMetrics(out.Metrics, h.Side.Set.Metrics)
	for _, m := range past {
		AddRun(out, *m.Of, h.Files[m.Name])
	}
	l.Base = out
}

// AddRun adds a run with its files to a set, under names that the set does not have.
func AddRun(set *run.Set, r run.Run, files []run.File) {
	taken := func() bool {
		return slices.ContainsFunc(set.Runs, func(have run.Run) bool { return have.Name == r.Name }) ||
			slices.ContainsFunc(set.Files, func(f run.File) bool { return strings.HasPrefix(f.Name, r.Name+"/") })
	}
	for taken() {
		r.Name += "'"
	}
	r.Ranks = slices.Clone(r.Ranks)
	for i := range r.Ranks {
		own := slices.Clone(r.Ranks[i].Files)
		for j := range own {
			own[j] = r.Name + "/" + own[j]
		}
		r.Ranks[i].Files = own
	}
	for _, f := range files {
		f.Name = r.Name + "/" + f.Name
		set.Files = append(set.Files, f)
	}
	set.Runs = append(set.Runs, r)
}

// joined reports whether past runs stand beside those of the baseline.
func (l *CurrentLevel) joined() bool { return l != nil && l.Base != l.given }

// mark notes which past runs stand beside those of the baseline.
func (l *CurrentLevel) mark(runs []PastRun) {
	for i := range runs {
		at := slices.IndexFunc(l.Runs, func(r PastRun) bool { return r.Name == runs[i].Name })
		runs[i].Level = at >= 0 && l.Runs[at].Why == ""
	}
}

// given is the baseline as it was given; nil where it is all of the history.
func (p *Judged) given() *run.Set {
	if p.Level.joined() {
		return p.Level.given
	}
	return p.Base.Set
}

// with counts the runs of a baseline that was given among the past ones, which the others
// of it are already.
func (h *Past) with(given *run.Set) {
	h.base = true
	if given == nil {
		return
	}
	given, _ = sides.Once("given", given)
	for _, r := range sides.NewSide("given", given).Runs {
		h.ordered = h.ordered && r.Began != 0
		h.Side.Runs = append(h.Side.Runs, r)
	}
	slices.SortStableFunc(h.Side.Runs, h.byTime)
	h.plan = sides.NewPlan(h.Side, &sides.Side{Set: &run.Set{}})
}

// OtherPlace says in what the pair differs from the past runs that the noise is learned
// from, so that the floor counts again: all of them were on other hosts than a side, or under
// another driver; "" where they were not.
func (p *Judged) OtherPlace() string {
	if p.Past == nil {
		return ""
	}
	for _, s := range []*sides.Side{p.Base, p.Cand} {
		if hosts := p.Past.otherHosts(s); hosts != "" {
			return "the past runs are of other hosts than the " + s.Name + ": " + hosts
		}
		if then, now := factOf(p.Past.Side, trace.FactDriver), factOf(s, trace.FactDriver); then != nil && now != nil &&
			!slices.ContainsFunc(now, func(v string) bool { return slices.Contains(then, v) }) {
			return fmt.Sprintf("the past runs are of another driver than the %s: %s and %s",
				s.Name, strings.Join(then, ", "), strings.Join(now, ", "))
		}
	}
	return ""
}

// factOf are the distinct values of a fact over the ranks of a side, nil where none is known.
func factOf(s *sides.Side, key string) []string {
	return sides.Without(sides.Distinct(s.Values(func(k *sides.Rank) string { return FactOf(k, key) })))
}

// fewPlaces is under how many sets of hosts a history is one of those hosts alone: runs
// on three sets and more differ by what hosts differ by. Simulated for one set of hosts:
// of a history on one quiet node golden/rates.txt has the false alarms. That three are
// enough was chosen.
const fewPlaces = 3

// otherHosts says that a history is all of other hosts than a side; "" where it is not, or
// where that is not known.
func (h *Past) otherHosts(s *sides.Side) string {
	places, there, folded := map[string]bool{}, map[string]bool{}, false
	for _, r := range h.Runs() {
		folded = folded || r.Of.Folded
		var hosts []string
		for _, k := range r.Ranks {
			hosts = append(hosts, k.Host)
			there[k.Host] = true
		}
		places[sides.List(hosts)] = true
	}
	own := sides.Distinct(s.Values(func(k *sides.Rank) string { return k.Host }))
	for _, r := range s.Runs {
		folded = folded || r.Of.Folded
	}
	common := slices.ContainsFunc(own, func(host string) bool { return there[host] })
	if folded || common || there[""] || len(own) == 0 || len(places) >= fewPlaces {
		return ""
	}
	return fmt.Sprintf("theirs are %s, here they are %s",
		SomeNames(sides.SortedKeys(there), MostNamed), SomeNames(own, MostNamed))
}
