package html

import (
	"fmt"
	"math"

	"perfdiff/analyze/run"
	"perfdiff/analyze/source/remedy"
	"perfdiff/diff/cause"
	"perfdiff/render/number"
	"perfdiff/render/words"
)

// stepPart is a component of a step. Its colour is the same on the whole page.
type stepPart struct{ key, name string }

// stepParts returns the components in this report, in their fixed order.
func (s *sheet) stepParts() []stepPart {
	var out []stepPart
	for i := range s.r.Waterfall.Parts {
		out = append(out, stepPart{s.r.Waterfall.Parts[i].Kind, words.StepPart(s.r.Waterfall.Parts[i].StepPart)})
	}
	return out
}

// partLegend returns the legend of the components, which stands once on the page.
func (s *sheet) partLegend() []legend {
	var out []legend
	for _, p := range s.stepParts() {
		out = append(out, legend{p.key, p.name})
	}
	return out
}

func (s *sheet) changeSection() section {
	sec := section{ID: "change", Nav: "Where the time went", Title: "Where did the time go?"}
	w := &s.r.Waterfall
	if len(w.Parts) == 0 {
		sec.Reading = "Not known: only step time was measured on both sides."
		sec.Blocks = []block{{Empty: lacks(remedy.Kernels)}}
		return sec
	}
	biggest := &w.Parts[0].PartChange
	for i := range w.Parts {
		if p := &w.Parts[i].PartChange; math.Abs(p.Delta) > math.Abs(biggest.Delta) {
			biggest = p
		}
	}
	sec.Reading = s.changeReading(biggest)
	t := s.waterfallTable()
	sec.Blocks = []block{{
		Table:  &t,
		Note:   "Mean over ranks and steps, so that the parts add up exactly; the verdict is about medians, and the last rows lead from one to the other. Intervals hold for one row each, in the same way as that of the verdict; a part that is below the noise floor of runs on both sides has none.",
		Values: s.familyTable(),
	}}
	return sec
}

func (s *sheet) changeReading(p *cause.PartChange) string {
	w := &s.r.Waterfall
	if math.Abs(p.Delta*s.ms.Factor) < 0.005 {
		return "No part of the step moved."
	}
	text := fmt.Sprintf("%s moved most: from %s to %s per step", words.StepPart(p.StepPart), s.ms.Format(p.Base), s.ms.With(p.Cand))
	if share := p.Delta / w.Delta; share > 0.05 && share < 1.005 {
		return text + fmt.Sprintf(", %s of the whole change.", number.Count(int(math.Round(share*100)))+number.Space+"%")
	}
	return text + fmt.Sprintf("; the whole step changed by %s.", s.ms.SignedWith(w.Delta))
}

func (s *sheet) waterfallTable() table {
	w, u := &s.r.Waterfall, s.ms.Name
	t := table{Label: "Parts of the step", Heads: heads("Part of the step", "Baseline, "+u, "Candidate, "+u, "Change, "+u, "Interval, "+u)}
	for i := range w.Parts {
		t.Rows = append(t.Rows, s.partRow(words.StepPart(w.Parts[i].StepPart), &w.Parts[i].PartChange))
	}
	total := s.partRow("Step, mean", &cause.PartChange{Base: w.Base, Cand: w.Cand, Delta: w.Delta, Lo: math.NaN(), Hi: math.NaN()})
	total.Total = true
	t.Rows = append(t.Rows, total)
	if !math.IsNaN(w.Residual) && w.MedianBase > 0 {
		rest := s.partRow("Median less mean", &cause.PartChange{Base: w.MedianBase - w.Base, Cand: w.MedianCand - w.Cand, Delta: w.Residual, Lo: math.NaN(), Hi: math.NaN()})
		median := s.partRow("Step, median", &cause.PartChange{StepPart: cause.StepPart{Key: run.Key{Metric: run.StepTime}}, Base: w.MedianBase, Cand: w.MedianCand, Delta: w.MedianCand - w.MedianBase, Lo: math.NaN(), Hi: math.NaN()})
		median.Total = true
		t.Rows = append(t.Rows, rest, median)
	}
	return t
}

// partRow shows one part on both sides, by its name. Its change has the colour of the part's verdict.
func (s *sheet) partRow(name string, p *cause.PartChange) row {
	s.markKeyShown(p.Key)
	f := s.ms.Factor
	change := s.changeCell(alignNumber(coarseSigned(p.Delta*f)), s.r.Comparison(p.Key), p.Delta)
	return row{Cells: []cell{{Text: name, Key: p.Kind, Head: true}, numberCell(p.Base * f), numberCell(p.Cand * f), change, textCell(words.PartInterval(p, s.ms), "")}}
}

// familyTable returns compute by families of kernels; nil if no family is known.
func (s *sheet) familyTable() *table {
	for i := range s.r.Waterfall.Parts {
		p := &s.r.Waterfall.Parts[i]
		if len(p.Within) == 0 || p.Metric != run.ComputeTime {
			continue
		}
		u := s.ms.Name
		t := &table{Label: words.StepPart(p.StepPart) + " by kernel family", Heads: heads("Family", "Baseline, "+u, "Candidate, "+u, "Change, "+u, "Interval, "+u)}
		for j := range p.Within {
			x := p.Within[j]
			x.Kind = ""
			t.Rows = append(t.Rows, s.partRow(words.StepPart(x.StepPart), &x))
		}
		total := s.partRow(words.StepPart(p.StepPart), &p.PartChange)
		total.Total = true
		t.Rows = append(t.Rows, total)
		return t
	}
	return nil
}
