package html

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"perfdiff/diff/cause"
	"perfdiff/diff/policy"
	"perfdiff/diff/verdict"
	"perfdiff/render/number"
	"perfdiff/render/words"
)

// nextSection says how short a step could get: without what the first finding is about, then without other things.
func (s *sheet) nextSection() section {
	sec := section{ID: "next", Nav: "Most to be gained", Title: "What is the most that could be gained?"}
	sec.Reading = s.nextReading()
	if t := s.boundTable(); t != nil {
		sec.Blocks = append(sec.Blocks, block{Table: t,
			Note: "Bounds, each for itself: what is recorded less one part, step by step, the median rank standing for all. Other work may take the place of what is left out, so that a step takes this long at least."})
	}
	if len(sec.Blocks) == 0 {
		return section{}
	}
	return sec
}

// boundOfKind is what costs nothing once a finding of a kind is gone.
var boundOfKind = map[policy.Kind]cause.Scenario{
	policy.KindStraggler: cause.NoWait, policy.KindLateRanks: cause.NoWait, policy.KindWait: cause.NoWait, policy.KindComputeSkew: cause.NoWait,
	policy.KindCommunication: cause.AllHidden, policy.KindTransfer: cause.AllHidden, policy.KindOverlap: cause.AllHidden,
	policy.KindInputWait: cause.FreeInput, policy.KindReadThroughput: cause.FreeInput, policy.KindReadBursts: cause.FreeInput,
	policy.KindIdle: cause.NeverIdle, policy.KindIdleCause: cause.NeverIdle,
}

// boundsInOrder returns the bounds behind that of the step as it is: first that of a kind of finding, then those that
// save most in the candidate.
func (s *sheet) boundsInOrder(of policy.Kind) []cause.Bound {
	first := boundOfKind[of]
	out := slices.Clone(s.r.Bounds[1:])
	slices.SortStableFunc(out, func(a, b cause.Bound) int {
		if (a.If == first) != (b.If == first) {
			return boolRank(a.If == first) - boolRank(b.If == first)
		}
		return cmp.Compare(a.Cand, b.Cand)
	})
	return out
}

// firstWorse returns the kind of the first finding that stands out and is not better; "" without any.
func (s *sheet) firstWorse() policy.Kind {
	for i := range s.r.Findings {
		if f := &s.r.Findings[i]; standsOut(f.Class) && f.Class != verdict.ClassBetter {
			return f.Kind
		}
	}
	return ""
}

// mostGains is how many gains the line names. Chosen, not measured.
const mostGains = 3

// nextReading names the gains that are worth it, as the program says of which.
func (s *sheet) nextReading() string {
	none := "What the mean step would take without one of its parts."
	if len(s.r.Bounds) == 0 {
		return none
	}
	var gains []string
	all, of := s.r.Bounds[0].Cand, s.firstWorse()
	for i := range s.r.Waterfall.Parts {
		if p := &s.r.Waterfall.Parts[i]; p.Kind == "compute" && p.Delta >= cause.LeastSaving*all && (of == policy.KindCompute || of == policy.KindKernelAlone) {
			gains = append(gains, s.ms.With(p.Delta)+" if compute took as long as in the baseline")
		}
	}
	for _, b := range s.boundsInOrder(of) {
		if gain := all - b.Cand; gain >= cause.LeastSaving*all && len(gains) < mostGains && b.If != cause.NeverIdle {
			name, _ := words.Bound(&b)
			gains = append(gains, s.ms.With(gain)+" "+name)
		}
	}
	if gains == nil {
		return none
	}
	return "Of the candidate's step of " + s.ms.With(all) + " at most " + strings.Join(gains, ", ") + " could go, each for itself."
}

func (s *sheet) boundTable() *table {
	if len(s.r.Bounds) == 0 || math.IsNaN(s.r.Bounds[0].Cand) {
		return nil
	}
	t := &table{Label: "What a step could take", Heads: heads("Mean step", "Baseline, "+s.ms.Name, "less, %", "Candidate, "+s.ms.Name, "less, %")}
	t.Heads = append(t.Heads, head{Text: "How", Left: true})
	for i, b := range append(s.r.Bounds[:1:1], s.boundsInOrder(s.firstWorse())...) {
		name, method := words.Bound(&b)
		cells := []cell{headCell(number.Capital(name))}
		for _, v := range [][2]float64{{b.Base, s.r.Bounds[0].Base}, {b.Cand, s.r.Bounds[0].Cand}} {
			share := number.None
			if !math.IsNaN(v[0]) && v[1] > 0 && i > 0 {
				share = number.Format(100 * (1 - v[0]/v[1]))
			}
			cells = append(cells, numberCell(v[0]*s.ms.Factor), textCell(share, ""))
		}
		t.Rows = append(t.Rows, row{Cells: append(cells, leftCell(method)), Total: i == 0})
	}
	return t
}
