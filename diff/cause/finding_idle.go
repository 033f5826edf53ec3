package cause

import (
	"cmp"
	"math"
	"slices"
	"sort"

	"perfdiff/analyze/run"
	"perfdiff/diff/policy"
	"perfdiff/diff/verdict"
)

// adviceOfIdle returns the advice about a cause of idle time.
func adviceOfIdle(cause string) Advice {
	return Advice{Kind: AdviceIdleCause, Of: run.Key{Metric: run.IdleTime, Part: cause}}
}

// besideOf is the share of a change from which on another cause is named with the main one. Chosen, not measured: a
// fifth of a change is what is left to say.
const besideOf = 0.2

// Delta returns the change of a reason, in s a step.
func Delta(x *Reason) float64 { return x.Cand - x.Base }

// Parts of idle time, other than its causes, that can be a reason.
const (
	OtherCauses = "other"           // they go the other way
	HostOrNot   = "host or unknown" // other work of the host, of which one side recorded more
)

// IdleParts returns the causes of idle time as the waterfall has them. Where the sides recorded different things of
// the host, its work and what was not recorded are joined in one part.
func (p *Causes) IdleParts() (whole Reason, parts []Reason) {
	whole, alike, joined := Reason{Metric: run.IdleTime}, hostAlike(p), -1
	for i := range p.Waterfall.Parts {
		x := &p.Waterfall.Parts[i]
		if x.Metric != run.IdleTime || x.Part == "" {
			continue
		}
		whole.Base, whole.Cand = whole.Base+x.Base, whole.Cand+x.Cand
		part := Reason{Metric: x.Metric, Part: x.Part, Base: x.Base, Cand: x.Cand}
		if !alike && (x.Part == "host" || x.Part == "unknown") {
			if part.Part = HostOrNot; joined >= 0 {
				parts[joined].Base, parts[joined].Cand = parts[joined].Base+x.Base, parts[joined].Cand+x.Cand
				continue
			}
			joined = len(parts)
		}
		parts = append(parts, part)
	}
	return whole, parts
}

// idleReasons returns the causes that explain a change of idle time: those that moved with it and, where they add up
// to more than the change, the rest. It returns nil where they do not explain most of it, or where the mean, which
// they are parts of, moved against the median.
func idleReasons(whole Reason, parts []Reason, c *verdict.Comparison) []Reason {
	all, rest := Delta(&whole), whole
	if !(all*c.Delta > 0) {
		return nil
	}
	parts = slices.DeleteFunc(slices.Clone(parts), func(x Reason) bool {
		return !(Delta(&x)*all > 0) || math.Abs(Delta(&x)) < besideOf*math.Abs(all)
	})
	sort.SliceStable(parts, func(i, j int) bool {
		a, b := &parts[i], &parts[j]
		return cmp.Compare(math.Abs(Delta(b)), math.Abs(Delta(a))) < 0
	})
	sum := 0.0
	for _, x := range parts {
		sum, rest.Base, rest.Cand = sum+Delta(&x), rest.Base-x.Base, rest.Cand-x.Cand
	}
	switch {
	case math.Abs(sum) < mostOf*math.Abs(all):
		return nil
	case math.Abs(sum) > math.Abs(all)*(1+BesideThis):
		rest.Part = OtherCauses
		return append(parts, rest)
	}
	return parts
}

// BesideThis is by how much of the whole its parts may exceed it without the rest being
// named: nobody sees it in three digits. Chosen, not measured: it is a matter of digits.
const BesideThis = 0.005

// IdleWhy says which causes of idle time changed, and whether launches came late.
func (p *Causes) IdleWhy(c *verdict.Comparison) (why []Clause, advice Advice, reasons []Reason) {
	whole, parts := p.IdleParts()
	if reasons = idleReasons(whole, parts, c); reasons == nil {
		return nil, Advice{}, nil
	}
	for i := range reasons {
		if x := &reasons[i]; x.Part == "host" {
			x.Places, x.Most = placesOf(p, Delta(x))
		}
	}
	late := partOf(p, partMeasure{StepPart: StepPart{Key: run.Key{Metric: run.GapBoundTime, Part: "launch"}}})
	if late.Delta*Delta(&whole) > 0 && math.Abs(late.Delta) >= mostOf*math.Abs(Delta(&whole)) {
		why = append(why, ClauseLaunchesLate.by(c.Delta)) // of another partition: without its figures
	}
	why = append(why, ClauseIdleCauses.clause())
	if x := p.Part(run.Key{Metric: run.LaunchRunning}); x != nil && !math.IsNaN(x.Delta) {
		why = append(why, ClauseRunning.fromTo(x.Base, x.Cand))
	}
	return why, adviceOfIdle(reasons[0].Part), reasons
}

// idleOfInput says how long a wait for input left the device idle, as the waterfall has it, if that changed by less
// than the wait: the rest was hidden by the device's work.
func idleOfInput(p *Causes, wait *verdict.Comparison) []Clause {
	x := p.Part(run.Key{Metric: run.IdleTime, Part: "input"})
	if x == nil || x.NotRecorded != [2]verdict.Need{} {
		return nil
	}
	delta := x.CandMean - x.BaseMean
	if !(math.Abs(wait.Delta)-math.Abs(delta) >= p.Least()) || delta*wait.Delta <= 0 {
		return nil
	}
	return []Clause{ClauseInputIdle.fromTo(x.BaseMean, x.CandMean)}
}

// idleCauses returns findings about causes of idle time that the finding about idle time as a whole does not mention:
// those that moved against it, or that a change of input hides. whole is the change in that finding, 0 without one.
func idleCauses(p *Causes, whole float64, told *explainedByLate) (out []Finding) {
	if whole == 0 && !launchedAlike(p) {
		return nil
	}
	for i := range p.Parts {
		x := &p.Parts[i]
		if x.Metric.Name != run.IdleTime || x.Part == "" || x.Part == "input" || !(math.Abs(x.Delta) >= p.Least()) || x.Delta*whole > 0 || !x.Changed() || told.explains(x) {
			continue
		}
		if (x.Part == "host" || x.Part == "unknown") && !hostAlike(p) {
			continue
		}
		f := changeFinding(p, subject{run.IdleTime, "gaps", policy.KindIdleCause}, x)
		f.Part = x.Part
		if x.Part == "host" {
			if places, most := placesOf(p, x.Delta); len(places) > 0 {
				where := ClausePlaces.clause(places...)
				where.Most = most
				f.add(where)
			}
		}
		if f.addMean(x); f.Class == verdict.ClassWorse {
			f.Advice = adviceOfIdle(x.Part)
		}
		out = append(out, f)
	}
	return out
}
