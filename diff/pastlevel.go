package diff

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
	"perfdiff/diff/number"
	"perfdiff/diff/stat"
)

// mostLevel is how many runs of a level stand for it, the newest. More of them gain
// little, five lose 4 of 100 regressions by 5 % that eight find (simulated), and the
// older they are the more of a slow creep they hold, which no test of the level sees.
const mostLevel = 8

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
func LevelOf(base, cand *run.Set, history []*run.Set, policy Policy) *CurrentLevel {
	out := &CurrentLevel{Base: base, given: base}
	p, known := undecided(lineUp(cand, &run.Set{}, policy.Force), policy), map[string]string{}
	if base != nil {
		p = undecided(lineUp(base, cand, policy.Force), policy)
		note(known, base, isBaseline, inBaseline)
	}
	note(known, cand, isCandidate, inCandidate)
	h, all := p.pastOf(history, known, "here it is")
	out.Runs = all
	switch {
	case p.like != nil:
		out.none("steps of an inference engine have other loads from run to run")
	case p.plan.steps < minSteps || len(p.base.runs) == 0:
		out.none("there are too few steps to compare it by")
	case !p.plan.paired:
		out.none(p.inCommon())
	case len(h.runs()) == 0:
		out.none("no past run is like this job")
	case base != nil && h.otherHosts(p.base) != "":
		out.none("the past runs are of other hosts: " + h.otherHosts(p.base))
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
	for _, d := range digests(set) {
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

// member is a run that may be of the level.
type member struct {
	*oneRun
	given bool    // with the baseline
	at    string  // name in the history; "" of one that is not in it
	value float64 // of its step time, on logs, beside those of the others
}

// choose takes the newest runs of the level out of a history that is like the pair.
func (l *CurrentLevel) choose(p *Judged, h *past) {
	members := l.fit(p, h)
	switch n := len(members); {
	case !valued(members):
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
			l.leave(m.name, "it stands on another level")
		}
	}
	on = l.withoutOdd(on, p.policy.Floor)
	if by, chance := differs(on, members, p.policy.Floor); chance < apartError && math.Abs(by) > leastApart {
		l.none("the step time of the baseline differs from that of the past runs, by " + percentOf(by))
		if chance < sureApart {
			l.warn(l.Why + ": it is compared alone (are they runs of this job, and was the baseline's disturbed?)")
		}
		return
	}
	l.join(h, on)
}

// fit are the runs of the baseline and those of a history that fit its steps, in order.
func (l *CurrentLevel) fit(p *Judged, h *past) (members []member) {
	for _, r := range h.side.runs {
		if why := p.unfit(r); why != "" {
			l.leave(r.name, why)
			continue
		}
		members = append(members, member{oneRun: r, at: r.name})
	}
	if l.given != nil {
		at := l.nameOfBaseline()
		for _, r := range p.base.runs {
			members = append(members, member{oneRun: r, given: true, at: at})
		}
	}
	slices.SortStableFunc(members, h.before)
	return members
}

// before is the order of two members. One that says neither its time nor its name in the
// history is the newest.
func (h *past) before(a, b member) int {
	unknown := func(m member) bool { return h.ordered && m.began == 0 || !h.ordered && m.at == "" }
	if u, v := unknown(a), unknown(b); u || v {
		return map[bool]int{true: 1}[u] - map[bool]int{true: 1}[v]
	}
	return inTime(h.ordered, a.began, b.began, a.at, b.at)
}

// nameOfBaseline is what the history calls the one run of the baseline; "" where it does
// not hold it, or there are several.
func (l *CurrentLevel) nameOfBaseline() string {
	i := slices.IndexFunc(l.Runs, func(r PastRun) bool { return r.Why == isBaseline })
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
func (p *Judged) unfit(r *oneRun) string {
	first := p.base.runs[0]
	has := 0
	for _, n := range first.used {
		if _, ok := slices.BinarySearch(r.kept, n); ok && n >= r.settled() {
			has++
		}
	}
	if float64(has) < mostSteps*float64(len(first.used)) {
		return fmt.Sprintf("it has %d of the %s that are compared", has, number.Counted(len(first.used), "step"))
	}
	if own, here := r.factsOf(trace.FactDriver), first.factsOf(trace.FactDriver); own != "" && here != "" && own != here {
		return fmt.Sprintf("its driver is %s, here it is %s", own, here)
	}
	if share, known := r.kernelsOf(slices.Concat(p.base.runs, p.cand.runs)); known && share < leastKernels {
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
func (r *oneRun) kernelsOf(others []*oneRun) (share float64, known bool) {
	here := map[string]bool{}
	for _, o := range others {
		for _, k := range o.ranks {
			for _, w := range k.Work {
				here[w.Kernel] = true
			}
		}
	}
	all, common := int64(0), int64(0)
	for _, k := range r.ranks {
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
func (r *oneRun) settled() int64 {
	steps := slices.Concat(r.warm, r.used)
	if r.own >= len(steps) {
		return math.MaxInt64
	}
	return steps[r.own]
}

// factsOf are the values of a fact over the ranks of a run.
func (r *oneRun) factsOf(key string) string {
	var values []string
	for _, k := range r.ranks {
		values = append(values, factOf(k, key))
	}
	return list(values)
}

// valued gives members their step times over the steps that all have.
func valued(members []member) bool {
	s := &side{set: &run.Set{}}
	for _, m := range members {
		s.runs = append(s.runs, m.oneRun)
	}
	h := &past{side: s, plan: newPlan(s, &side{set: &run.Set{}})}
	values := h.scalars(stepTime, scale{logs: true})
	if len(values) != len(members) {
		return false
	}
	for i := range members {
		members[i].value = values[i]
	}
	return len(members) > 0
}

func valuesOf(members []member) (out []float64) {
	for _, m := range members {
		out = append(out, m.value)
	}
	return out
}

// stretch are the members on the level of those that were given, or of the newest; not ok
// where those stand on several.
func stretch(members []member) (on []member, ok bool) {
	starts := append(stat.Stretches(valuesOf(members)), len(members))
	of := func(i int) int { return slices.IndexFunc(starts, func(start int) bool { return start > i }) - 1 }
	at := of(len(members) - 1)
	if first := slices.IndexFunc(members, func(m member) bool { return m.given }); first >= 0 {
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
func (l *CurrentLevel) withoutOdd(on []member, floor float64) []member {
	values := valuesOf(on)
	at, _ := stat.Odd(values, floor)
	if at < 0 || on[at].given {
		return on
	}
	why := "its step time stands apart from all others, by " + percentOf(values[at]-stat.Median(values))
	l.leave(on[at].name, why)
	l.warn("past run " + on[at].name + " does not stand beside the baseline: " + why)
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
func differs(on, all []member, floor float64) (by, chance float64) {
	var past []float64
	for _, m := range all {
		if !m.given {
			past = append(past, m.value)
		}
	}
	s := stat.Sides{DF: 1}
	for _, m := range on {
		if m.given {
			s.Cand = append(s.Cand, m.value)
		} else {
			s.Base = append(s.Base, m.value)
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
func (l *CurrentLevel) join(h *past, on []member) {
	past := slices.DeleteFunc(slices.Clone(on), func(m member) bool { return m.given })
	room := max(0, mostLevel-(len(on)-len(past)))
	for _, m := range past[:max(0, len(past)-room)] {
		l.leave(m.name, fmt.Sprintf("%d newer runs of its level count", mostLevel))
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
	out.Digest, out.Metrics = "", mergedMetrics(out.Metrics, h.side.set.Metrics)
	for _, m := range past {
		addRun(out, *m.of, h.files[m.name])
	}
	l.Base = out
}

// addRun adds a run with its files to a set, under names that the set does not have.
func addRun(set *run.Set, r run.Run, files []run.File) {
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
	if p.level.joined() {
		return p.level.given
	}
	return p.base.set
}

// with counts the runs of a baseline that was given among the past ones, which the others
// of it are already.
func (h *past) with(given *run.Set) {
	h.base = true
	if given == nil {
		return
	}
	given, _ = once("given", given)
	for _, r := range newSide("given", given).runs {
		h.ordered = h.ordered && r.began != 0
		h.side.runs = append(h.side.runs, r)
	}
	slices.SortStableFunc(h.side.runs, h.byTime)
	h.plan = newPlan(h.side, &side{set: &run.Set{}})
}

// otherPlace says in what the pair differs from the past runs that the noise is learned
// from, so that the floor counts again: all of them were on other hosts than a side, or under
// another driver; "" where they were not.
func (p *Judged) otherPlace() string {
	if p.past == nil {
		return ""
	}
	for _, s := range []*side{p.base, p.cand} {
		if hosts := p.past.otherHosts(s); hosts != "" {
			return "the past runs are of other hosts than the " + s.name + ": " + hosts
		}
		if then, now := p.past.side.factOf(trace.FactDriver), s.factOf(trace.FactDriver); then != nil && now != nil &&
			!slices.ContainsFunc(now, func(v string) bool { return slices.Contains(then, v) }) {
			return fmt.Sprintf("the past runs are of another driver than the %s: %s and %s",
				s.name, strings.Join(then, ", "), strings.Join(now, ", "))
		}
	}
	return ""
}

// factOf are the distinct values of a fact over the ranks of a side, nil where none is known.
func (s *side) factOf(key string) []string {
	return without(distinct(s.values(func(k *oneRank) string { return factOf(k, key) })))
}

// fewPlaces is under how many sets of hosts a history is one of those hosts alone: runs
// on three sets and more differ by what hosts differ by. Simulated for one set of hosts:
// of a history on one quiet node golden/rates.txt has the false alarms. That three are
// enough was chosen.
const fewPlaces = 3

// otherHosts says that a history is all of other hosts than a side; "" where it is not, or
// where that is not known.
func (h *past) otherHosts(s *side) string {
	places, there, folded := map[string]bool{}, map[string]bool{}, false
	for _, r := range h.runs() {
		folded = folded || r.of.Folded
		var hosts []string
		for _, k := range r.ranks {
			hosts = append(hosts, k.Host)
			there[k.Host] = true
		}
		places[list(hosts)] = true
	}
	own := distinct(s.values(func(k *oneRank) string { return k.Host }))
	for _, r := range s.runs {
		folded = folded || r.of.Folded
	}
	common := slices.ContainsFunc(own, func(host string) bool { return there[host] })
	if folded || common || there[""] || len(own) == 0 || len(places) >= fewPlaces {
		return ""
	}
	return fmt.Sprintf("theirs are %s, here they are %s",
		someNames(sortedKeys(there), mostNamed), someNames(own, mostNamed))
}
