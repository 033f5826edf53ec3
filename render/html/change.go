package html

import (
	"fmt"
	"math"

	"perfdiff/diff"
	"perfdiff/diff/number"
)

// parts are the disjoint components of a step, in their fixed order, with the
// colour each has on the whole page.
var parts = []struct{ key, name, metric string }{
	{"compute", "Compute", "compute_time"},
	{"comm", "Exposed communication", "exposed_comm_time"},
	{"memory", "Exposed memory", "exposed_memory_time"},
	{"idle", "Idle", "idle_time"},
}

// partLegend is the one legend of parts.
func partLegend() []legend {
	var out []legend
	for _, p := range parts {
		out = append(out, legend{p.key, p.name})
	}
	return out
}

// fallData is the waterfall: the parts on both sides, in the page's unit. The
// totals are their sums, so that the bars meet.
type fallData struct {
	Unit  string     `json:"unit"`
	Parts []fallPart `json:"parts"`
	Base  float64    `json:"base"`
	Cand  float64    `json:"cand"`
	Text  [2]string  `json:"text"` // the totals as the table writes them
}

type fallPart struct {
	Key  string  `json:"key"`
	Name string  `json:"name"`
	Base float64 `json:"base"`
	Cand float64 `json:"cand"`
	Text string  `json:"text"` // the change as the table writes it
}

func (s *sheet) change() section {
	sec := section{ID: "change", Nav: "Where the time went", Title: "Where did the time go?"}
	f := &fallData{Unit: s.ms.Name}
	var biggest fallPart
	for _, p := range parts {
		c := s.metric(p.metric)
		if c == nil || math.IsNaN(c.BaseMean) || math.IsNaN(c.CandMean) {
			sec.Reading = "Not known: only step time was measured on both sides."
			sec.Blocks = []block{{Empty: &empty{"Step time only: no GPU activity in these captures.", "Record kernels with --trace=cuda, or with ProfilerActivity.CUDA, and compare again."}}}
			return sec
		}
		part := fallPart{Key: p.key, Name: p.name, Base: float64(c.BaseMean * s.ms.Factor), Cand: float64(c.CandMean * s.ms.Factor)}
		part.Text = number.Signed(part.Cand - part.Base)
		f.Parts, f.Base, f.Cand = append(f.Parts, part), f.Base+part.Base, f.Cand+part.Cand
		if math.Abs(part.Cand-part.Base) > math.Abs(biggest.Cand-biggest.Base) {
			biggest = part
		}
	}
	f.Text = [2]string{number.Format(f.Base), number.Format(f.Cand)}
	s.data.Fall = f
	sec.Reading = s.changeReading(f, biggest)
	sec.Blocks = []block{{
		Tall: &fall{Chart: chart{ID: "fall", Label: fmt.Sprintf("Waterfall from %s to %s %s", number.Format(f.Base), number.Format(f.Cand), f.Unit)}, Table: s.fallTable(f)},
		Note: "Mean over ranks and steps, so that the parts add up exactly. The verdict uses paired medians; this is why the totals here and the medians above may differ slightly.",
	}}
	return sec
}

func (s *sheet) changeReading(f *fallData, p fallPart) string {
	total, delta := f.Cand-f.Base, p.Cand-p.Base
	if math.Abs(delta) < 0.005 {
		return "No part of the step moved."
	}
	text := fmt.Sprintf("%s moved most: from %s to %s%s%s a step", p.Name, number.Format(p.Base), number.Format(p.Cand), number.Space, f.Unit)
	if share := delta / total; share > 0.05 && share < 1.005 {
		return text + fmt.Sprintf(", %s of the whole change.", number.Count(int(math.Round(share*100)))+number.Space+"%")
	}
	return text + fmt.Sprintf("; the whole step changed by %s%s%s.", number.Signed(total), number.Space, f.Unit)
}

func (s *sheet) fallTable(f *fallData) table {
	t := table{Label: "Parts of the step", Heads: heads("Part of the step", "Baseline, "+f.Unit, "Candidate, "+f.Unit, "Change, "+f.Unit)}
	least := 0.01 * max(f.Base, f.Cand)
	for _, p := range f.Parts {
		t.Rows = append(t.Rows, row{Cells: []cell{{Text: p.Name, Key: p.Key, Head: true}, numberCell(p.Base), numberCell(p.Cand), s.changeCell(p.Cand-p.Base, least, true)}})
	}
	t.Rows = append(t.Rows, row{Total: true, Cells: []cell{headCell("Step, mean"), numberCell(f.Base), numberCell(f.Cand), s.changeCell(f.Cand-f.Base, least, true)}})
	return t
}

// inParts are the parts of a step in their fixed order.
func inParts(b diff.Breakdown) []float64 {
	return []float64{b.Compute, b.ExposedComm, b.ExposedMemory, b.Idle}
}
