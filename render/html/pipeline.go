package html

import (
	"math"
	"strconv"

	"perfdiff/diff/cause"
	"perfdiff/render/number"
	"perfdiff/render/words"
)

// stageParts returns words.StageParts with the keys of their colours: busy has the colour of compute, the parts of the
// bubble those of waiting and idle.
func stageParts() (out []stepPart) {
	for i, key := range []string{"compute", "wait", "dependency", "idle"} {
		out = append(out, stepPart{key, words.StageParts[i]})
	}
	return out
}

// maxStageBars is how many stages are drawn; the table has them all.
const maxStageBars = 64

// pipelineBlocks show what each stage of a pipeline does in a step: how long it is busy, and its
// bubble while the pipeline fills, while it is full and while it drains.
func (s *sheet) pipelineBlocks() []block {
	p := s.r.Pipeline
	if p == nil {
		return nil
	}
	out := block{Heading: "What do the stages of the pipeline wait for?", Note: s.pipelineNote()}
	out.Table = s.stageTable().cutRows()
	for _, part := range stageParts() {
		out.Legend = append(out.Legend, legend{part.key, part.name})
	}
	top := 0.0
	for i := range p {
		for k := range p[i].Loads {
			top = max(top, largestMagnitude(existing([]float64{p[i].Loads[k].Step})...))
		}
	}
	for i, side := range []struct{ id, label, heading, side string }{
		{"stages-b", "Busy time and bubble of each stage, baseline", "Baseline", "b"}, {"stages-c", "Busy time and bubble of each stage, candidate", "Candidate", "c"},
	} {
		if len(p[i].Loads) > 0 && top > 0 {
			s.data.Charts[side.id] = s.stageChart(side.id, &p[i], top)
			out.Charts = append(out.Charts, chart{ID: side.id, Label: side.label, Heading: side.heading, Side: side.side})
		}
	}
	return []block{out}
}

func (s *sheet) pipelineNote() string {
	b, c := &s.r.Pipeline[0], &s.r.Pipeline[1]
	text := number.Capital(words.Schedule(b, c)) + "."
	if share := ofBothSides(b.Share, c.Share); share != "" {
		text += " The bubble is " + share + " of the step in the median"
		if ideal := ofBothSides(b.Ideal, c.Ideal); ideal != "" {
			text += ", ideally " + ideal
		}
		text += "."
	}
	return text + " A bubble is time in which a device neither computes nor transfers: it idles, or waits for another stage. " +
		"Busy is all the rest, waiting for ranks of the same stage included. Warm-up: until the stage has its first gradient; drain: from its last forward message on; steady: between. Means over ranks and steps."
}

// ofBothSides returns a share of each side, "27.0 % and 41.8 %", or of the one where it is known; "" of
// neither.
func ofBothSides(base, cand float64) string {
	switch {
	case math.IsNaN(base) && math.IsNaN(cand):
		return ""
	case math.IsNaN(cand):
		return number.Share(base) + " in the baseline"
	case math.IsNaN(base):
		return number.Share(cand) + " in the candidate"
	}
	return number.Share(base) + " and " + number.Share(cand)
}

// stageTable returns one row for each stage.
func (s *sheet) stageTable() *table {
	t := &table{Label: "Stages of the pipeline", Heads: heads("Stage")}
	t.Heads = append(t.Heads, head{Text: "Ranks", Unit: "base"}, head{Text: "\u00a0", Unit: "cand."})
	for _, what := range words.StageParts {
		t.Heads = append(t.Heads, head{Text: what, Unit: "base, " + s.ms.Name}, head{Text: "\u00a0", Unit: "cand."})
	}
	p := s.r.Pipeline
	for stage := range max(len(p[0].Loads), len(p[1].Loads)) {
		cells := []cell{headCell(strconv.Itoa(stage))}
		var times [2][4]float64
		for i := range p {
			text := number.None
			times[i] = [4]float64{math.NaN(), math.NaN(), math.NaN(), math.NaN()}
			if stage < len(p[i].Loads) {
				text, times[i] = number.Count(len(p[i].Loads[stage].Ranks)), words.StageTimes(&p[i].Loads[stage])
			}
			cells = append(cells, textCell(text, ""))
		}
		for k := range words.StageParts {
			cells = append(cells, numberCell(times[0][k]*s.ms.Factor), numberCell(times[1][k]*s.ms.Factor))
		}
		t.Rows = append(t.Rows, row{Cells: cells})
	}
	return t
}

// stageChart draws one side: a bar for each stage. Both sides have the same axis.
func (s *sheet) stageChart(id string, p *cause.Pipeline, top float64) chartData {
	loads := p.Loads[:min(len(p.Loads), maxStageBars)]
	names, bars := make([]string, len(loads)), make([][]float64, len(loads))
	for i := range loads {
		times := words.StageTimes(&loads[i])
		names[i], bars[i] = strconv.Itoa(loads[i].Stage), times[:]
	}
	return chartData{Option: s.stackedBars(id, names, stageParts(), bars, top), Height: 74 + 24*len(loads), Title: "Stage", Unit: s.ms.Name}
}
