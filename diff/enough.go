package diff

import (
	"fmt"
	"slices"
	"strings"

	"perfdiff/diff/cause"
	"perfdiff/diff/number"
	"perfdiff/diff/policy"
	"perfdiff/diff/sides"
	"perfdiff/diff/verdict"
)

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
func lacks(p *cause.Causes, gate *verdict.Comparison) []lack {
	var all []lack
	for _, s := range []*sides.Side{p.Base, p.Cand} {
		if bad, of := files(s); float64(bad) > mostLost*float64(of) {
			text := fmt.Sprintf("%d of %s of the %s could not be read", bad, number.Counted(of, "file"), s.Name)
			all = append(all, lack{policy.AllowFiles, text, true})
		}
	}
	for _, s := range []*sides.Side{p.Base, p.Cand} {
		if lost, of := lostRanks(p, s); float64(lost) > mostLost*float64(of) {
			are := map[bool]string{true: "is", false: "are"}[lost == 1]
			text := fmt.Sprintf("%d of %s of the %s %s missing", lost, number.Counted(of, "rank"), s.Name, are)
			all = append(all, lack{policy.AllowRanks, text, true})
		}
	}
	switch {
	case gate.Verdict != verdict.Inconclusive:
	case gate.Reason == verdict.ReasonTooFewSteps:
		all = append(all, lack{name: policy.AllowSteps, text: sides.Lower(p.StepsHeld(gate.StepsUsed))})
	case p.Moving && (gate.Reason == verdict.ReasonNoCommonSteps || !p.Plan.Paired && p.Plan.Disjoint):
		all = append(all, lack{name: policy.AllowCommon, text: p.InCommon()})
	}
	return slices.DeleteFunc(all, func(l lack) bool { return slices.Contains(p.Policy.Allow, l.name) })
}

// files are how many profiles of a side could not be read, of so many: files of a known
// format, and empty ones, which were to be some. A settings file in JSON beside them is none.
func files(s *sides.Side) (bad, of int) {
	for _, f := range s.Set.Files {
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
func lostRanks(p *cause.Causes, s *sides.Side) (lost, of int) {
	other := p.Base
	if s == p.Base {
		other = p.Cand
	}
	asked := func(n int) bool { return !slices.Contains(s.Set.NotAsked, n) }
	mine, all := s.Numbers(), slices.Concat(s.Numbers(), other.Numbers())
	slices.Sort(all)
	all = slices.DeleteFunc(slices.Compact(all), func(n int) bool { return !asked(n) })
	switch {
	case p.OtherSize || len(mine) == 0 || slices.Contains(all, -1):
		return 0, 0
	case len(all) == len(mine)+len(other.Numbers()): // not one is common
		return max(0, other.Captured()-s.Captured()), max(other.Captured(), s.Captured())
	}
	for _, r := range s.Runs {
		lost += len(all) - len(r.Ranks)
	}
	return max(0, lost), len(all) * len(s.Runs)
}

// tooLittle puts what too little was measured of in front of what was, where nothing
// regressed in that.
func tooLittle(p *cause.Causes, r *Report, lacks []lack) {
	var lost []string
	for _, l := range lacks {
		if l.lost {
			lost = append(lost, l.text)
		}
	}
	if len(lost) == 0 || r.Verdict == verdict.Regressed || !r.Judged {
		return
	}
	r.Left = r.Headline
	r.Verdict, r.Reason = verdict.Inconclusive, verdict.ReasonTooLittle
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
	if r.Verdict == verdict.Regressed {
		first = tooLittleLeft(texts)
	}
	return []string{first, "What was not measured does not pass: record it, or allow it with --allow " + strings.Join(names, ",") + "."}
}

// WithoutMetric reports whether nothing is judged because the captures, or the history,
// do not hold what the gating metrics are measured from.
func (r *Report) WithoutMetric() bool {
	return slices.Contains([]string{verdict.ReasonNotRecorded, verdict.ReasonNotJudged, verdict.ReasonNeedsHistory, verdict.ReasonKinds}, r.Reason)
}
