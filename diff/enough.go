package diff

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"perfdiff/diff/number"
)

// A gate passes only on what was measured. Where ranks, files or steps are lost there is
// something to compare and a verdict on it, but not on the job: then the gate is not
// judged, unless the policy allows it.

// What Policy.Allow can name.
const (
	allowRanks  = "missing-rank"
	allowFiles  = "missing-file"
	allowSteps  = "few-steps"
	allowCommon = "no-common-steps"
	allowMetric = "no-metric"
)

// Allowable are what Policy.Allow can name: shares of ranks and of files beyond a quarter
// of a side, too few steps to see a change of usual size, steps without a common number
// that change over time, and none of the gating metrics in the captures.
func Allowable() []string {
	return []string{allowRanks, allowFiles, allowSteps, allowCommon, allowMetric}
}

// mostLost is the share of a side's ranks, or files, of which the rest still stands for
// it. Chosen, not measured: golden/gate.txt lists what passes and what does not.
const mostLost = 0.25

// lack is one reason for which too little was measured.
type lack struct {
	name string // of Allowable
	text string // a clause
	lost bool   // a part of a side, which the headline does not say
}

// lacks are the reasons that hold and that the policy does not allow.
func (p *Causes) lacks(gate *Comparison) []lack {
	var all []lack
	for _, s := range []*side{p.base, p.cand} {
		if bad, of := s.files(); float64(bad) > mostLost*float64(of) {
			text := fmt.Sprintf("%d of %s of the %s could not be read", bad, number.Counted(of, "file"), s.name)
			all = append(all, lack{allowFiles, text, true})
		}
	}
	for _, s := range []*side{p.base, p.cand} {
		if lost, of := p.lostRanks(s); float64(lost) > mostLost*float64(of) {
			are := map[bool]string{true: "is", false: "are"}[lost == 1]
			text := fmt.Sprintf("%d of %s of the %s %s missing", lost, number.Counted(of, "rank"), s.name, are)
			all = append(all, lack{allowRanks, text, true})
		}
	}
	switch {
	case gate.Verdict != Inconclusive:
	case gate.Reason == ReasonTooFewSteps:
		all = append(all, lack{name: allowSteps, text: lower(p.stepsHeld(gate.StepsUsed))})
	case p.moving && (gate.Reason == ReasonNoCommonSteps || !p.plan.paired && p.plan.disjoint):
		all = append(all, lack{name: allowCommon, text: p.inCommon()})
	}
	return slices.DeleteFunc(all, func(l lack) bool { return slices.Contains(p.policy.Allow, l.name) })
}

// files are how many profiles of a side could not be read, of so many: files of a known
// format, and empty ones, which were to be some. A settings file in JSON beside them is none.
func (s *side) files() (bad, of int) {
	for _, f := range s.set.Files {
		switch {
		case f.Err != "" && (f.Format != "" || f.Bytes == 0):
			bad++
			of++
		case len(f.Ranks) > 0:
			of++
		}
	}
	return bad, of
}

// lostRanks are how many ranks a side lacks of those that either captured, all its runs
// together. Sides that share no rank number are compared whole, and jobs of different size
// by force: then only a side with fewer ranks lacks some, and none.
func (p *Causes) lostRanks(s *side) (lost, of int) {
	other := p.base
	if s == p.base {
		other = p.cand
	}
	asked := func(n int) bool { return !slices.Contains(s.set.NotAsked, n) }
	mine, all := s.numbers(), slices.Concat(s.numbers(), other.numbers())
	slices.Sort(all)
	all = slices.DeleteFunc(slices.Compact(all), func(n int) bool { return !asked(n) })
	switch {
	case p.otherSize || len(mine) == 0 || slices.Contains(all, -1):
		return 0, 0
	case len(all) == len(mine)+len(other.numbers()): // not one is common
		return max(0, other.captured()-s.captured()), max(other.captured(), s.captured())
	}
	for _, r := range s.runs {
		lost += len(all) - len(r.ranks)
	}
	return max(0, lost), len(all) * len(s.runs)
}

// tooLittle puts what too little was measured of in front of what was, where nothing
// regressed in that.
func (p *Causes) tooLittle(r *Report, lacks []lack) {
	var lost []string
	for _, l := range lacks {
		if l.lost {
			lost = append(lost, l.text)
		}
	}
	if len(lost) == 0 || r.Verdict == Regressed || !r.Judged {
		return
	}
	r.Basis = "Of what is left: " + lower(r.Headline) + " " + r.Basis
	r.Verdict, r.Reason, r.Key = Inconclusive, ReasonTooLittle, ""
	r.Headline = tooLittleLeft(lost)
}

func tooLittleLeft(lost []string) string {
	return "Too little is left to judge: " + strings.Join(lost, "; ") + "."
}

// lacking are what was too little, as causes of a gate: the headline, or a sentence where
// that says something else, and what to do.
func (r *Report) lacking(lacks []lack) []string {
	var texts, names []string
	for _, l := range lacks {
		texts = append(texts, l.text)
		if !slices.Contains(names, l.name) {
			names = append(names, l.name)
		}
	}
	first := r.Headline
	if r.Verdict == Regressed {
		first = tooLittleLeft(texts)
	}
	return []string{first, "What was not measured does not pass: record it, or allow it with --allow " + strings.Join(names, ",") + "."}
}

// withoutMetric reports whether nothing is judged because the captures, or the history,
// do not hold what the gating metrics are measured from.
func (r *Report) withoutMetric() bool {
	return slices.Contains([]string{ReasonNotRecorded, ReasonNotJudged, ReasonNeedsHistory, ReasonKinds}, r.Reason)
}

// movingSteps reports whether unpaired steps of the step time change over a run by what
// would be a change.
func (p *Judged) movingSteps(c *Comparison, moving bool) {
	if c.Key == stepTime {
		p.moving = moving && !math.IsNaN(c.Estimate)
	}
}
