package diff

import (
	"sort"
	"strings"

	"perfdiff/analyze/trace"
	"perfdiff/diff/cause"
	"perfdiff/diff/sides"
	"perfdiff/diff/verdict"
)

// warnings returns the comparison's own warnings, then those of both sides, each text once. far holds those about the
// runs that make the baseline.
func warnings(p *cause.Causes, far []verdict.LevelWarning) []Warning {
	out := ownWarnings(p)
	type place struct {
		sides map[string]bool
		files map[string]bool
		count int
		aside bool
		cut   string
	}
	places := map[string]*place{}
	for _, s := range []*sides.Side{p.Base, p.Cand} {
		for _, w := range s.Set.Warnings {
			at := places[w.Text]
			if at == nil {
				at = &place{sides: map[string]bool{}, files: map[string]bool{}, aside: true, cut: w.Cut}
				places[w.Text] = at
			}
			at.sides[s.Name], at.files[w.File] = true, true
			at.count++
			at.aside = at.aside && w.Aside
		}
	}
	var own []Warning
	for _, text := range sides.SortedKeys(places) {
		at := places[text]
		w := Warning{Warning: trace.Warning{Text: text, Aside: at.aside, Cut: at.cut}, Count: at.count}
		if len(at.sides) == 1 {
			w.Side = sides.SortedKeys(at.sides)[0]
		}
		if files := sides.SortedKeys(at.files); len(files) == 1 {
			w.File = files[0]
		} else {
			w.First = files[0]
		}
		own = append(own, w)
	}
	for i := range far {
		own = append(own, Warning{Kind: WarnLevel, Side: p.Base.Name, Level: &far[i], Count: 1})
	}
	sort.SliceStable(own, func(i, j int) bool {
		a, b := &own[i], &own[j]
		if (a.Cut == "") != (b.Cut == "") {
			return a.Cut != "" // what they lack is what others warn of
		}
		return strings.Compare(a.Side+"\x00"+a.File, b.Side+"\x00"+b.File) < 0
	})
	return append(out, own...)
}

// unused returns warnings about runs of a history that were left out, each reason once; runs that are there on purpose
// need none.
func unused(runs []verdict.PastRun) (out []Warning) {
	for _, left := range verdict.ByReason(runs) {
		if left.Why.Kind != verdict.IsBaseline && left.Why.Kind != verdict.InBaseline {
			out = append(out, Warning{Kind: WarnPastOut, Past: left.Why, Runs: left.Names, Count: 1})
		}
	}
	return out
}

// ownWarnings returns the warnings of the comparison about itself.
func ownWarnings(p *cause.Causes) []Warning {
	var out []Warning
	if fewInCommon(p) {
		out = append(out, Warning{Kind: WarnUnpaired, Unpaired: p.Unpaired(), Count: 1})
	}
	for i := range p.Doubts {
		out = append(out, Warning{Kind: WarnDoubt, Side: p.Doubts[i].Side, Doubt: &p.Doubts[i], Count: 1})
	}
	for i := range p.Copies {
		out = append(out, Warning{Kind: WarnCopies, Side: p.Copies[i].Side, Copies: &p.Copies[i], Count: 1})
	}
	for _, s := range cause.Silences(p.Loads) {
		out = append(out, Warning{Kind: WarnSilent, Silent: &s, Count: 1})
	}
	for i := range p.Forced {
		out = append(out, Warning{Kind: WarnForced, Forced: &p.Forced[i], Count: 1})
	}
	if len(p.ForcedUnequal) > 0 {
		out = append(out, Warning{Kind: WarnForced, Unequal: p.ForcedUnequal, Count: 1})
	}
	for i := range p.Lost {
		out = append(out, Warning{Kind: WarnLost, Lost: &p.Lost[i], Count: 1})
	}
	out = append(out, unused(p.History)...)
	if p.Level != nil {
		for i := range p.Level.Warnings {
			out = append(out, Warning{Kind: WarnLevel, Level: &p.Level.Warnings[i], Count: 1})
		}
	}
	if p.Elsewhere.Is() {
		out = append(out, Warning{Kind: WarnElsewhere, Elsewhere: &p.Elsewhere, Size: p.Policy.Floor, Count: 1})
	}
	if p.Plan.Unsettled {
		out = append(out, Warning{Kind: WarnUnsettled, Count: 1})
	}
	if few := p.Plan.Steps * p.StepsALine(); p.Plan.Paired && p.Plan.Steps >= sides.MinSteps && few < sides.EnoughSteps {
		out = append(out, Warning{Kind: WarnFewSteps, Steps: few, Size: p.Policy.FewFloor, Count: 1})
	}
	for _, s := range []*sides.Side{p.Base, p.Cand} {
		for _, run := range s.RunsLeftOut {
			out = append(out, Warning{Kind: WarnNoSteps, Side: s.Name, Runs: []string{run}, Count: 1})
		}
	}
	return out
}
