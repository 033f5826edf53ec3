package cause

import (
	"math"

	"perfdiff/analyze/trace"
	"perfdiff/diff/policy"
	"perfdiff/diff/sides"
	"perfdiff/diff/verdict"
)

// From when on a mix or a size is another one. Chosen, not measured: in the story
// serving-mixed a class goes from 40 to 20 % of the steps.
const (
	otherMix  = 0.05 // difference of a class's share of the steps
	otherSize = 0.10 // of the median size of a class's steps, a share
)

// The kinds of differences in the mix of engine steps.
const (
	MixShare   = "share"   // of a class in the steps of a side, fractions
	MixContext = "context" // that the steps of a class read, medians
	MixSize    = "size"    // of the steps of a class, medians
	MixGroup   = "group"   // a group that one side alone has, in steps
)

// MixChange is one thing that differs in the mix of engine steps.
type MixChange struct {
	Kind  string           `report:"kind"`
	Class string           `report:"class"` // of the steps, and what sizes and contexts count
	Unit  string           `report:"unit,said"`
	Base  float64          `report:"value.baseline"` // as the kind says
	Cand  float64          `report:"value.candidate"`
	Group *sides.LoadGroup `report:"group"` // of MixGroup; else nil
}

// changes returns the differences in the mix: shares of classes, contexts and sizes within them, and kinds of steps
// that only one side has.
func changes(l *sides.Loads) []MixChange {
	var out []MixChange
	for _, class := range sides.SortedKeys(l.Shares[0]) {
		if b, c := l.Shares[0][class], l.Shares[1][class]; math.Abs(c-b) >= otherMix {
			out = append(out, MixChange{Kind: MixShare, Class: class, Base: b, Cand: c})
		}
	}
	if len(out) == 2 && len(l.Shares[0]) == 2 {
		out = out[:1] // of two classes one share says the other
	}
	another := func(b, c sides.ClassSize) bool {
		return math.Abs(c.Median-b.Median) >= otherSize*math.Min(b.Median, c.Median)
	}
	for _, class := range sides.SortedKeys(l.Contexts[0]) {
		if b, c := l.Contexts[0][class], l.Contexts[1][class]; c.Median > 0 && another(b, c) {
			out = append(out, MixChange{Kind: MixContext, Class: class, Unit: b.Unit, Base: b.Median, Cand: c.Median})
		}
	}
	told := map[string]bool{}
	for _, class := range sides.SortedKeys(l.Sizes[0]) {
		if b, c := l.Sizes[0][class], l.Sizes[1][class]; b.Unit == c.Unit && another(b, c) {
			told[class] = true
			out = append(out, MixChange{Kind: MixSize, Class: class, Unit: b.Unit, Base: b.Median, Cand: c.Median})
		}
	}
	for i := range l.Groups {
		g := &l.Groups[i]
		if told[g.Class] || l.Shares[0][g.Class] == 0 || l.Shares[1][g.Class] == 0 {
			continue // its class is told
		}
		if b, c := g.Base.Steps, g.Cand.Steps; min(b, c) == 0 && math.Max(g.Base.Share, g.Cand.Share) >= otherMix {
			out = append(out, MixChange{Kind: MixGroup, Class: g.Class, Unit: g.Unit, Base: float64(b), Cand: float64(c), Group: g})
		}
	}
	return out
}

// mixFinding says that the sides do other work, and what is compared all the same.
func mixFinding(p *Causes) []Finding {
	if p.Loads == nil {
		return nil
	}
	changes := changes(p.Loads)
	if len(changes) == 0 {
		return nil
	}
	f := NewFinding(policy.KindLoadMix)
	f.Metric, f.Class, f.Section, f.Mix = sides.StepTime.Metric, verdict.ClassLook, "loads", changes
	f.Evidence, f.Advice.Kind = Evidence{Kind: EvidenceLoads, Counts: p.Loads.Steps}, AdviceRequests
	switch {
	case p.Loads.Compared > 0:
		f.add(ClauseLikeWithLike.clause())
	case p.Policy.Force:
		f.add(ClauseForced.clause())
	}
	return []Finding{f}
}

// SilenceKind says what the names of engine steps leave open.
type SilenceKind string

// The kinds.
const (
	SilentSize    SilenceKind = "size"    // neither requests nor tokens
	SilentContext SilenceKind = "context" // how long the contexts are that attention reads
)

// Silence names something that the names of a class's steps do not say and that would look like a change of speed if
// it differed.
type Silence struct {
	Kind  SilenceKind
	Class string // "prefill", "decode", "mixed"; "": the names do not say that either
}

// Silences returns what the names of the compared steps leave open.
func Silences(l *sides.Loads) (out []Silence) {
	if l == nil {
		return nil
	}
	told := map[string]bool{}
	for i := range l.Groups {
		if g := &l.Groups[i]; g.Unit == "" && g.Base.Compared > 0 {
			out = append(out, Silence{SilentSize, g.Class})
		} else if g.Base.Compared > 0 && g.Class != trace.Prefill.String() && math.IsNaN(g.Base.Context+g.Cand.Context) && !told[g.Class] {
			told[g.Class] = true
			out = append(out, Silence{SilentContext, g.Class})
		}
	}
	return out
}
