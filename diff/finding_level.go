package diff

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"perfdiff/analyze/run"
	"perfdiff/diff/number"
	"perfdiff/diff/stat"
)

// sideLevel is the change of level of a side: that of the run in the middle of those that
// have one.
type sideLevel struct {
	*LevelChange
	side     *side
	run      string
	runs, of int
}

// levelOf is the change of level of a side; nil where no run has one.
func levelOf(s *side, list []Conduct) *sideLevel {
	out := &sideLevel{side: s, of: len(list)}
	var all []Conduct
	for _, c := range list {
		if c.Level != nil {
			all = append(all, c)
		}
	}
	if out.runs = len(all); out.runs == 0 {
		return nil
	}
	slices.SortStableFunc(all, func(a, b Conduct) int { return cmp.Compare(a.Level.Change, b.Level.Change) })
	middle := all[(len(all)-1)/2]
	out.LevelChange, out.run = middle.Level, middle.Run
	return out
}

// most reports whether more than half of the runs have it.
func (l *sideLevel) most() bool { return l != nil && 2*l.runs > l.of }

// levelFinding says that the runs of a side change their level and those of the other do
// not, or by another amount. It is sure where the test of the drift is, whose value for
// such a run is the size of the change; else it is worth a look.
func (p *pair) levelFinding(r *Report) []Finding {
	c, step := metricOf(r.Metrics, run.Drift), metricOf(r.Metrics, stepTime.Metric)
	b, d := levelOf(p.base, r.Base.Conduct), levelOf(p.cand, r.Cand.Conduct)
	if c == nil || step == nil || b == nil && d == nil {
		return nil
	}
	sure := c.differs() && (b.most() || d.most())
	if !sure && b.most() == d.most() && b.most() {
		return nil // what all runs do at some step is no change between the sides
	}
	tells, other := d, b // the one that the sentence begins with: that with the larger change
	if d == nil || b.most() && !d.most() || b.most() == d.most() && b != nil && math.Abs(b.Change) > math.Abs(d.Change) {
		tells, other = b, d
	}
	rest := p.cand
	if tells.side == p.cand {
		rest = p.base
	}
	f := KindLevelChange.finding()
	f.of(c)
	f.Metric, f.Class, f.Section, f.Steps, f.Ranks = run.Drift, "look", "steps", []int64{tells.Step}, tells.Ranks
	f.Text, f.Advice, f.Evidence = tells.words()+rest.beside(other, step)+".", tells.advice(), tells.evidence()
	if sure {
		f.tested(c)
	} else { // the mean over runs is not what the sentence speaks of
		f.Delta = tells.Change * map[bool]float64{true: 1, false: -1}[tells == d]
	}
	switch from, to := trendOf(c.Base), trendOf(c.Cand); {
	case !sure || from != grows && to != grows:
	case c.Delta > 0:
		f.Class = "worse"
	default:
		f.Class, f.Advice = "better", ""
	}
	for _, l := range []*sideLevel{b, d} {
		if l.most() {
			f.Effect += float64(l.Cost * map[bool]float64{true: 1, false: -1}[l == d])
		}
	}
	return []Finding{f}
}

// words are the sentence about a change of level, without its end.
func (l *sideLevel) words() string {
	sc := number.ScaleOf("s", math.Max(l.Before, l.After))
	text := fmt.Sprintf("From step %d on the %s's steps take %s %s, %s in place of %s", l.Step, l.side.name,
		number.Share(math.Abs(l.Change)), longerOrLess(l.Change), sc.Format(l.After), sc.With(l.Before))
	if l.of > 1 {
		text += fmt.Sprintf(" (in %d of %d runs)", l.runs, l.of)
	}
	return text + l.cause(sc)
}

// cause says on which ranks, and what changed there.
func (l *sideLevel) cause(sc number.Scale) string {
	where := ""
	switch {
	case l.Part == "":
		return ""
	case l.All && len(l.Ranks) > 1:
		where = ", on all ranks"
	case !l.All && len(l.Ranks) == 1:
		where = fmt.Sprintf(", because of rank %d", l.Ranks[0])
	case !l.All && len(l.Ranks) > 1:
		where = ", because of ranks " + number.Ranges(l.Ranks)
	}
	verb := "grew"
	if l.PartAfter < l.PartBefore {
		verb = "fell"
	}
	what, how := lower(l.Part), ""
	switch {
	case l.MoreCalls:
		what, how = "compute of all kernels alike", ", in another number of launches"
	case l.AllKernels:
		what, how = "compute of all kernels alike", ", as with another clock"
	case l.Kernel != "":
		how = ", most of it " + shortKernel(l.Kernel)
	}
	before, after := sc.Format(l.PartBefore), sc.With(l.PartAfter)
	return fmt.Sprintf("%s: %s %s from %s to %s a step%s", where, what, verb, before, after, how)
}

// beside says what the other side does meanwhile.
func (s *side) beside(l *sideLevel, step *Comparison) string {
	if l != nil {
		runs := ""
		if l.of > 1 {
			runs = fmt.Sprintf(" (in %d of %d runs)", l.runs, l.of)
		}
		size := number.Share(math.Abs(l.Change))
		return fmt.Sprintf("; the %s's take %s %s from step %d on%s", s.name, size, longerOrLess(l.Change), l.Step, runs)
	}
	median := step.Base
	if s.name == "candidate" {
		median = step.Cand
	}
	var rises []float64
	for _, x := range logCurves(s) {
		rises = append(rises, math.Expm1(stat.Rise(x).Value))
	}
	sc := step.scale()
	if trend := trendOf(stat.Mean(rises)); trend != level {
		return fmt.Sprintf("; the %s's go %s", s.name, s.course(median, trend, sc))
	}
	return fmt.Sprintf("; the %s's show no such change (%s)", s.name, sc.With(median))
}

// advice is what to look at: what can change by itself at some step.
func (l *sideLevel) advice() string {
	alone := len(l.Ranks) > 0 && !l.All
	switch {
	case l.AllKernels && !l.MoreCalls && alone:
		return "Look at the clock, power limit and temperature of these devices at that step, " +
			"and compare them with the others'."
	case l.AllKernels && !l.MoreCalls:
		return "Look at clocks, power limits and temperatures of the devices at that step: " +
			"one kernel's code is not the cause."
	case l.Part == "Input wait" || l.Part == idleNames["input"]:
		return "Look at what the input does from that step on: a page cache that is full, the end of a local copy, " +
			"storage that others use as well."
	case l.Part == "Exposed transfer" || l.Part == "Exposed communication":
		return "Look at the links from that step on: errors and retries of a port, a link that runs at a part of its rate, " +
			"other jobs on the network."
	case l.Part == "Compute":
		return "Look at what the steps compute from there on: shapes, lengths of sequences, " +
			"another algorithm of a library."
	}
	return "See which part changes at that step (Ranks \u00d7 steps)."
}

func (l *sideLevel) evidence() string {
	f := number.PercentFor(l.Change, l.Lo, l.Hi)
	size := f.Signed(l.Lo) + " to " + f.Signed(l.Hi) + number.Space + "%"
	return fmt.Sprintf("%s on the new level in run %s: %s", number.Counted(l.Steps, "step"), l.run, size)
}

// levelNote says beside the verdict that the steps of one side stand on two levels, since
// one number then says little about them.
func (p *pair) levelNote(r *Report, c *Comparison) string {
	if c.Key != stepTime {
		return ""
	}
	b, d := levelOf(p.base, r.Base.Conduct), levelOf(p.cand, r.Cand.Conduct)
	if b.most() == d.most() {
		return ""
	}
	l := d
	if b.most() {
		l = b
	}
	size := number.Share(math.Abs(l.Change))
	return fmt.Sprintf("From step %d on the %s's steps take %s %s. ", l.Step, l.side.name, size, longerOrLess(l.Change))
}
