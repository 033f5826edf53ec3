package html

import (
	"fmt"
	"math"

	"perfdiff/analyze/run"
	"perfdiff/diff/cause"
	"perfdiff/render/number"
	"perfdiff/render/words"
)

// pathSection shows what the length of a step depends on.
func (s *sheet) pathSection() section {
	p := &s.r.Path
	if len(p.Parts) == 0 {
		return section{}
	}
	for i := range s.r.Parts { // the path is told in means, which add up
		if key := s.r.Parts[i].Key; key.Part != "" && s.r.Parts[i].Metric.Section == run.SectionPath {
			s.markKeyShown(key)
		}
	}
	sec := section{ID: run.SectionPath, Nav: "Critical path", Title: "What does the step's length depend on?", Reading: s.pathReading()}
	s.data.Charts["path"] = s.pathBars()
	sec.Blocks = []block{{
		Legend: pathLegend(p.Parts),
		Charts: []chart{{ID: "path", Label: "Parts of the critical path, baseline and candidate"}},
		Table:  s.pathTable("Critical path", p.Parts, true),
		Note: "The one chain of work and waiting that makes a step as long as it is: back from its end, what each start waited for last (" + words.PathSource(p) +
			"), on streams, on the host, and through collectives on the rank that arrived last. Means over ranks and steps; the parts are the step. " +
			"What is on it must get shorter for the step to get shorter; the waterfall accounts for all of the time." + s.pathElsewhere(),
		Values: s.pathDetails(),
	}}
	if t := s.boundSteps(); t != nil {
		s.data.Path = s.pathStrip()
		sec.Blocks = append(sec.Blocks, block{
			Heading: "What bounded which step", Charts: []chart{{ID: "bound", Label: "What most of the critical path is in each step, baseline and candidate"}}, Table: t,
			Note: "Each step has the colour of what most of its critical path is, as above; means over ranks, of the first run of each side.",
		})
	}
	if t := s.blockingTable(); t != nil {
		sec.Blocks = append(sec.Blocks, block{Heading: "Compute held up by communication", Table: t,
			Note: "Time in which compute was launched and its stream free, and it waited for a collective. Exposed communication may hold up nothing."})
	}
	return sec
}

// pathElsewhere says how much of the path is on other ranks than that whose step it is.
func (s *sheet) pathElsewhere() string {
	e := s.r.Path.Elsewhere
	if math.IsNaN(e[0]) || math.IsNaN(e[1]) || max(e[0], e[1]) <= 0 {
		return ""
	}
	return fmt.Sprintf(" A rank's path runs over other ranks for %s per step in the baseline and %s in the candidate: what it does there, as computing, is what this rank waits for.",
		s.ms.With(e[0]), s.ms.With(e[1]))
}

func (s *sheet) pathReading() string {
	p := &s.r.Path
	base := largestPart(p.Parts, func(x *cause.PathPart) float64 { return x.Base })
	cand := largestPart(p.Parts, func(x *cause.PathPart) float64 { return x.Cand })
	return fmt.Sprintf("Most of the baseline's critical path is %s, %s of %s per step; most of the candidate's is %s, %s of %s.",
		words.PathPart(base.Part), s.ms.Format(base.Base), s.ms.With(p.Base), words.PathPart(cand.Part), s.ms.Format(cand.Cand), s.ms.With(p.Cand))
}

// largestPart returns the part with the largest value.
func largestPart(parts []cause.PathPart, of func(*cause.PathPart) float64) (best *cause.PathPart) {
	for i := range parts {
		if best == nil || of(&parts[i]) > of(best) {
			best = &parts[i]
		}
	}
	return best
}

// pathTable returns one row for each part, and their sum.
func (s *sheet) pathTable(label string, parts []cause.PathPart, sum bool) *table {
	u := s.ms.Name
	t := &table{Label: label, Heads: heads("Part", "Baseline, "+u, "Candidate, "+u, "Change, "+u, "Interval, "+u)}
	base, cand, most := 0.0, 0.0, 0.0
	for i := range parts {
		base, cand, most = base+parts[i].Base, cand+parts[i].Cand, math.Max(most, math.Abs(parts[i].Delta))
	}
	digits := number.RowIn(s.ms, most)
	for i := range parts {
		t.Rows = append(t.Rows, pathRow(number.Capital(words.PathPartOf(parts[i].Key)), &parts[i], digits))
	}
	if sum {
		total := cause.PathPart{Base: base, Cand: cand, Delta: cand - base, Lo: math.NaN(), Hi: math.NaN()}
		last := pathRow("Step", &total, digits)
		last.Total = true
		t.Rows = append(t.Rows, last)
	}
	return t
}

func pathRow(name string, x *cause.PathPart, f number.Row) row {
	interval := number.None
	if !math.IsNaN(x.Lo) && !math.IsNaN(x.Hi) {
		interval = f.Signed(x.Lo) + " to " + f.Signed(x.Hi)
	}
	key := ""
	if x.Metric == run.PathTime {
		key = words.PathColour(x.Part)
	}
	return row{Cells: []cell{{Text: name, Key: key, Head: true}, digitsCell(f, x.Base), digitsCell(f, x.Cand), {Text: alignNumber(f.Signed(x.Delta))}, textCell(interval, "")}}
}

// pathDetails returns the families of kernels and the dimensions of parallelism on the path.
func (s *sheet) pathDetails() *table {
	p := &s.r.Path
	if len(p.Families)+len(p.Dimensions) == 0 {
		return nil
	}
	t := s.pathTable("Kernels on the critical path", p.Families, false)
	t.Rows = append(t.Rows, s.pathTable("", p.Dimensions, false).Rows...)
	return t
}

// boundSteps lists what bounds which steps, on either side.
func (s *sheet) boundSteps() *table {
	t := &table{Label: "What bounded which step", Heads: heads("Side")}
	t.Heads = append(t.Heads, head{Text: "Most of the critical path", Left: true})
	for i, side := range []string{"Baseline", "Candidate"} {
		if text := words.BoundStep(&s.r.Path, i); text != "" {
			t.Rows = append(t.Rows, row{Cells: []cell{headCell(side), {Text: text, Left: true, Class: "wrapc"}}})
		}
	}
	if len(t.Rows) == 0 {
		return nil
	}
	return t
}

// blockingTable returns the time in which compute could not start because of communication.
func (s *sheet) blockingTable() *table {
	t := &table{Label: "Compute held up by communication", Heads: heads("Time per step", "Baseline", "Candidate", "Change")}
	for _, m := range []struct{ name, text string }{{run.BlockingCommTime, "Held up"}, {run.ExposedCommTime, "Exposed communication"}} {
		if c := s.anyMetric(m.name); c != nil {
			t.Rows = append(t.Rows, row{Cells: append([]cell{headCell(m.text)}, s.threeCells(c)...)})
		}
	}
	if s.anyMetric(run.BlockingCommTime) == nil {
		return nil
	}
	return t
}
