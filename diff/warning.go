package diff

import (
	"fmt"
	"slices"
	"strings"

	"perfdiff/analyze/trace"
	"perfdiff/diff/number"
)

// warnings are those of the comparison itself, then those of both sides, each
// text once.
func (p *Causes) warnings() []Warning {
	out := p.ownWarnings()
	type place struct {
		sides map[string]bool
		files map[string]bool
		count int
		aside bool
	}
	places := map[string]*place{}
	for _, s := range []*side{p.base, p.cand} {
		for _, w := range s.set.Warnings {
			at := places[w.Text]
			if at == nil {
				at = &place{sides: map[string]bool{}, files: map[string]bool{}, aside: true}
				places[w.Text] = at
			}
			at.sides[s.name], at.files[w.File] = true, true
			at.count++
			at.aside = at.aside && w.Aside
		}
	}
	var own []Warning
	for _, text := range sortedKeys(places) {
		at := places[text]
		w := Warning{Warning: trace.Warning{Text: text, Aside: at.aside}, Count: at.count}
		if len(at.sides) == 1 {
			w.Side = sortedKeys(at.sides)[0]
		}
		if files := sortedKeys(at.files); len(files) == 1 {
			w.File = files[0]
		} else {
			w.First = files[0]
		}
		own = append(own, w)
	}
	slices.SortStableFunc(own, func(a, b Warning) int {
		return strings.Compare(a.Side+"\x00"+a.File, b.Side+"\x00"+b.File)
	})
	return append(out, own...)
}

// ownWarnings are what the comparison found out about its own ground.
func (p *Causes) ownWarnings() []Warning {
	var out []Warning
	add := func(side, text string) {
		out = append(out, Warning{Side: side, Warning: trace.Warning{Text: text}, Count: 1})
	}
	if p.plan.steps >= minSteps && !p.plan.paired {
		add("", p.inCommon()+": steps are not compared one by one, and where step times change over a run nothing is decided, since the sides may stand at other places of one trend (record the same steps on both sides)")
	}
	for i := range p.doubts {
		d := &p.doubts[i]
		add(d.side, d.Text+" ("+d.Hint+")")
	}
	for i := range p.copies {
		add(p.copies[i].side, p.copies[i].said())
	}
	for _, text := range p.like.warnings() {
		add("", text)
	}
	for _, text := range p.forced {
		add("", "compared only because of --force: "+text)
	}
	for _, text := range p.lost {
		add("", text)
	}
	for _, text := range unused(p.history) {
		add("", text)
	}
	if p.level != nil {
		for _, text := range p.level.Warnings {
			add("", text)
		}
	}
	if p.elsewhere != "" {
		add("", p.elsewhere+": runs are taken to differ by "+number.Setting(p.policy.Floor)+" at least (save runs of where it runs now into the history)")
	}
	if p.plan.unsettled {
		add("", "the step times keep falling and do not settle within the run: no verdict (record more steps, or use --skip-first)")
	}
	if p.plan.paired && p.plan.steps >= minSteps && p.plan.steps < enoughSteps {
		add("", fmt.Sprintf("%s: runs are taken to differ by %s (record at least %d steps after the warm-up)",
			strings.ToLower(p.stepsHeld(p.plan.steps)), number.Setting(p.policy.FewFloor), goodSteps))
	}
	for _, s := range []*side{p.base, p.cand} {
		for _, run := range s.left {
			add(s.name, "run "+run+" is left out: none of its steps is kept")
		}
	}
	return out
}
