package html

import (
	"bytes"
	"cmp"
	"fmt"
	"html/template"
	"io"
	"math"
	"slices"
	"sort"
	"strconv"

	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/diff/cause"
	"perfdiff/render/number"
	"perfdiff/render/plot"
	"perfdiff/render/words"
)

// portraitPage is the data of portrait.tmpl: one run set by itself. Its pictures are drawn here and need no script.
type portraitPage struct {
	Style                                template.CSS
	Theme                                template.JS
	ScriptPolicy, Title, Name, Job, Tool string
	From                                 runOrigin
	Answer                               words.RunAnswer
	Policy                               string
	Sections                             []portraitSection
}

// portraitSection is a section with a picture drawn on the server.
type portraitSection struct {
	section
	Drawn []headed
	Key   []legend
}

// headed is a picture with its heading; "" it has none.
type headed struct {
	Heading string
	SVG     template.HTML
}

// portraitSheet is a portrait, with what its sections share.
type portraitSheet struct {
	*sheet
	p *diff.Portrait
}

// WritePortrait writes the page of one run set. The same portrait gives the same bytes.
func WritePortrait(w io.Writer, p *diff.Portrait) error {
	page := portraitPageOf(p)
	page.Style, page.Theme, page.ScriptPolicy = template.CSS(embeddedFile("page.css")+embeddedFile("style/first.css")), template.JS(themeAndHints()), scriptPolicy(digest(themeAndHints()))
	var out bytes.Buffer
	if err := parsed().ExecuteTemplate(&out, "portrait.tmpl", page); err != nil {
		return err
	}
	_, err := w.Write(out.Bytes())
	return err
}

func portraitPageOf(p *diff.Portrait) *portraitPage {
	s := &portraitSheet{&sheet{r: p.Report, ms: stepScale(p.Report)}, p}
	page := &portraitPage{
		Title: titleOf(&p.Side), Name: p.Side.Label, Job: jobText(p.Report), Tool: p.Report.Tool, From: originOf(&p.Side), Answer: words.AnswerOfRun(p, false),
		Policy: words.PolicyLine(&p.Report.Policy),
	}
	for _, build := range []func() portraitSection{
		s.steps, s.parts, s.ranks, s.rankSteps, s.timeline, s.activity, s.groups, s.pipeline, s.path, s.gaps, s.reads, s.kernels, s.metrics, s.facts, s.found, s.warnings,
	} {
		if sec := build(); sec.ID != "" {
			page.Sections = append(page.Sections, sec)
		}
	}
	return page
}

// of returns a section with one block.
func of(id, nav, title, reading string, blocks ...block) portraitSection {
	return portraitSection{section: section{ID: id, Nav: nav, Title: title, Reading: reading, Blocks: blocks}}
}

// steps shows the step times, with the reach of the ranks.
func (s *portraitSheet) steps() portraitSection {
	sec := of("steps", "Step by step", "How does the step time develop?", "")
	if len(s.r.Steps) == 0 {
		sec.Blocks = []block{{Empty: &empty{What: "No steps in these captures.", How: cmp.Or(s.p.Side.Steps.Hint, "Record a range around each step.")}}}
		return sec
	}
	cols, each := columnsOf(s.r.Steps)
	var mid, lo, hi []float64
	t := &table{Label: "step times", Heads: heads("Step", "Median over ranks, "+s.ms.Name, "Fastest rank, "+s.ms.Name, "Slowest rank, "+s.ms.Name)}
	for _, c := range cols {
		side, left := c.cand, math.NaN()
		if c.dropped != "" {
			side = cause.StepSide{Median: left, Min: left, Max: left}
		}
		mid, lo, hi = append(mid, side.Median*s.ms.Factor), append(lo, side.Min*s.ms.Factor), append(hi, side.Max*s.ms.Factor)
		cells := []cell{headCell(c.name), numberCell(c.cand.Median * s.ms.Factor), numberCell(c.cand.Min * s.ms.Factor), numberCell(c.cand.Max * s.ms.Factor)}
		if c.dropped != "" {
			cells[0].Small = "left out: " + c.dropped
		}
		t.Rows = append(t.Rows, row{Cells: cells})
	}
	l := lines{label: "Step time over steps", unit: s.ms.Name, first: "step " + cols[0].name, last: cols[len(cols)-1].name, all: []curve{{plot.PageInk.Cand, mid, lo, hi}}}
	sec.Drawn = []headed{{SVG: l.draw(wideFrame)}}
	note := "Line: median over ranks. Band: from the fastest to the slowest rank. The line breaks where steps are left out."
	if each > 1 {
		note += fmt.Sprintf(" Each point is the median of %d steps, and the band has the shortest and the longest of them.", each)
	}
	sec.Reading, sec.Blocks = s.stepReading(), []block{{Note: note, Values: cutTable(t)}}
	return sec
}

func (s *portraitSheet) stepReading() string {
	var v []float64
	for i := range s.r.Steps {
		if x := &s.r.Steps[i]; !x.Omission.Omitted() && !math.IsNaN(x.Cand.Median) {
			v = append(v, x.Cand.Median)
		}
	}
	if len(v) == 0 {
		return "Every step was left out."
	}
	slices.Sort(v)
	if len(v) == 1 {
		return "One step is used: it takes " + s.ms.With(v[0]) + "."
	}
	return fmt.Sprintf("Steps take %s to %s; nine in ten at most %s.", s.ms.Format(v[0]), s.ms.With(v[len(v)-1]), s.ms.With(interpolatedQuantile(v, 0.9)))
}

// cutTable cuts a table where it is long. There is no other form to point to.
func cutTable(t *table) *table {
	if n := len(t.Rows); n > maxRows {
		t.Rows, t.More = t.Rows[:maxRows], number.Counted(n-maxRows, "more row")+" left out."
	}
	return t
}

// parts shows where the time of the mean step goes.
func (s *portraitSheet) parts() portraitSection {
	sec := of("change", "Where the time goes", "Where does the time of a step go?", "")
	parts := s.r.Waterfall.Parts
	if len(parts) == 0 {
		if len(s.r.Steps) > 0 {
			sec.Blocks = []block{{Empty: &empty{What: "Step time only: no GPU activity in these captures.", How: s.recordKernels() + "."}}}
			return sec
		}
		return portraitSection{}
	}
	t := &table{Label: "parts of the mean step", Heads: heads("Part", "A step, "+s.ms.Name, "Share, %")}
	within := &table{Label: "what the parts are made of", Heads: heads("Part", "A step, "+s.ms.Name, "Share, %")}
	for i := range parts {
		p := &parts[i]
		t.Rows = append(t.Rows, s.partRow(words.StepPart(p.StepPart), p.Kind, p.Cand))
		for k := range p.Within {
			within.Rows = append(within.Rows, s.partRow(words.StepPart(p.StepPart)+": "+words.StepPart(p.Within[k].StepPart), "", p.Within[k].Cand))
		}
	}
	total := s.partRow("Step", "", s.p.Mean)
	total.Total = true
	t.Rows = append(t.Rows, total)
	sec.Blocks = []block{{Table: t, Note: "Means over ranks and steps, which add up to the mean step exactly."}}
	if len(within.Rows) > 0 {
		sec.Blocks[0].Values = cutTable(within)
	}
	return sec
}

func (s *portraitSheet) partRow(name, key string, v float64) row {
	first := headCell(number.Capital(name))
	first.Key = key
	return row{Cells: []cell{first, numberCell(v * s.ms.Factor), numberCell(s.p.PartShare(v) * 100)}}
}

// activity shows how busy the devices are over time.
func (s *portraitSheet) activity() portraitSection {
	all := s.r.Activity.Cand
	busy := meanOfRanks(all, func(a *diff.RankActivity) []uint8 { return a.Busy })
	if len(busy) == 0 {
		return portraitSection{}
	}
	sec := of("utilization", "Utilization", "When are the devices busy?", "")
	length := float64(len(busy)) * s.r.Activity.Bin
	l := lines{label: "Share of time in which devices are busy, over time", unit: "%", top: 100, first: "0 s", last: number.ScaleOf("s", length).With(length), all: []curve{
		thinned(plot.PageInk.Base, busy, plotPoints, mean),
		thinned("var(--k-compute)", meanOfRanks(all, func(a *diff.RankActivity) []uint8 { return a.Compute }), plotPoints, mean),
		thinned("var(--k-comm)", meanOfRanks(all, func(a *diff.RankActivity) []uint8 { return a.Comm }), plotPoints, mean),
	}}
	sec.Drawn = []headed{{SVG: l.draw(wideFrame)}}
	sec.Key = []legend{{"b", "any work"}, {"compute", "Compute"}, {"comm", "Communication"}}
	sec.Reading = "On average the devices have work in " + number.Share(mean(busy)/100) + " of the capture."
	if c := s.mainMetric(run.Overlap); c != nil && !math.IsNaN(c.Cand) {
		sec.Reading += " Compute hides " + number.Share(c.Cand) + " of the communication."
	}
	sec.Blocks = []block{{Note: "Mean over ranks, from the start of each rank's own capture."}}
	return sec
}

// groups shows the communication of ranks with each other.
func (s *portraitSheet) groups() portraitSection {
	sec := of("collectives", "Collectives", "What do ranks do together?", "")
	ms := func(v float64) cell { return numberCell(v * s.ms.Factor) }
	u := s.ms.Name
	t := &table{Label: "groups of ranks", Heads: heads("Ranks", "Calls per step", "Time, "+u, "Exposed, "+u, "Wait, "+u, "Transfer, "+u, "Bus, GB/s")}
	for i := range s.r.Groups {
		g := &s.r.Groups[i]
		if g.Cand.Calls == 0 {
			continue
		}
		first := headCell(g.Label)
		first.Small = cmp.Or(g.Dimension, g.Purpose)
		t.Rows = append(t.Rows, row{Cells: []cell{first, numberCell(g.Cand.Calls), ms(g.Cand.Time), ms(g.Cand.Exposed), ms(g.Cand.Wait), ms(g.Cand.Transfer), numberCell(g.Cand.Bandwidth * 1e-9)}})
	}
	if len(t.Rows) == 0 {
		sec.Reading = "No communication between ranks was recorded."
		return sec
	}
	sec.Reading = "Time of a rank in a mean step, by the ranks that communicate with each other."
	sec.Blocks = []block{{Table: cutTable(t), Note: "Transfer is the shortest duration of a call over the ranks, wait is the rest. A dash: the two cannot be told apart."}}
	return sec
}

// pipeline shows the stages of a pipeline, where the set has one.
func (s *portraitSheet) pipeline() portraitSection {
	if s.r.Pipeline == nil || len(s.r.Pipeline[1].Loads) == 0 {
		return portraitSection{}
	}
	p := &s.r.Pipeline[1]
	t := &table{Label: "stages of the pipeline", Heads: heads("Stage", "Ranks")}
	for _, what := range words.StageParts {
		t.Heads = append(t.Heads, head{Text: what, Unit: s.ms.Name})
	}
	for i := range p.Loads {
		cells := []cell{headCell(strconv.Itoa(p.Loads[i].Stage)), textCell(number.Count(len(p.Loads[i].Ranks)), "")}
		for _, v := range words.StageTimes(&p.Loads[i]) {
			cells = append(cells, numberCell(v*s.ms.Factor))
		}
		t.Rows = append(t.Rows, row{Cells: cells})
	}
	reading := number.Capital(words.Schedule(p, p)) + "."
	if !math.IsNaN(p.Share) {
		reading += " The bubble is " + number.Share(p.Share) + " of the step in the median"
		if !math.IsNaN(p.Ideal) {
			reading += ", ideally " + number.Share(p.Ideal)
		}
		reading += "."
	}
	return of("pipeline", "Pipeline", "What do the stages of the pipeline wait for?", reading, block{Table: cutTable(t)})
}

// path shows what the length of a step depends on, and how short it could be.
func (s *portraitSheet) path() portraitSection {
	p := &s.r.Path
	if len(p.Parts) == 0 {
		return portraitSection{}
	}
	most := largestPart(p.Parts, func(x *cause.PathPart) float64 { return x.Cand })
	t := &table{Label: "critical path", Heads: heads("Part", "A step, "+s.ms.Name)}
	for i := range p.Parts {
		first := headCell(number.Capital(words.PathPartOf(p.Parts[i].Key)))
		first.Key = words.PathColour(p.Parts[i].Part)
		t.Rows = append(t.Rows, row{Cells: []cell{first, numberCell(p.Parts[i].Cand * s.ms.Factor)}})
	}
	sec := of(run.SectionPath, "Critical path", "What does the step's length depend on?",
		fmt.Sprintf("Most of the critical path is %s, %s of %s per step.", words.PathPart(most.Part), s.ms.Format(most.Cand), s.ms.With(p.Cand)),
		block{Table: t, Note: "What is on the path must get shorter for the step to get shorter."})
	bounds := &table{Label: "what a step could be", Heads: heads("What could be", "Mean step, "+s.ms.Name)}
	for i := range s.r.Bounds {
		if b := &s.r.Bounds[i]; !math.IsNaN(b.Cand) {
			name, method := words.Bound(b)
			first := headCell(number.Capital(name))
			first.Small = method
			bounds.Rows = append(bounds.Rows, row{Cells: []cell{first, numberCell(b.Cand * s.ms.Factor)}})
		}
	}
	if len(bounds.Rows) > 1 {
		sec.Blocks = append(sec.Blocks, block{Heading: "What a step could be", Table: bounds})
	}
	return sec
}

// gaps shows the gaps on the device.
func (s *portraitSheet) gaps() portraitSection {
	sec := of("gaps", "GPU gaps", "How long are the gaps on the GPU?", "")
	t := &table{Label: "gaps by their length", Heads: heads("From", "To", "Gaps per rank and "+s.perUnit())}
	for i := range s.r.Gaps {
		if b := &s.r.Gaps[i]; b.Cand > 0 {
			t.Rows = append(t.Rows, row{Cells: []cell{headCell(number.GapScale(b.From).With(b.From)), textCell(number.GapScale(b.To).With(b.To), ""), numberCell(b.Cand)}})
		}
	}
	if len(t.Rows) == 0 {
		sec.Reading = "Not known: no gaps were measured."
		return sec
	}
	if p90, total := s.anyMetric(run.GapP90), s.anyMetric(run.GapTime); total != nil && p90 != nil && !math.IsNaN(total.Cand+p90.Cand) {
		sec.Reading = fmt.Sprintf("Gaps take %s per step; nine in ten are at most %s.", s.ms.With(total.Cand), number.GapScale(p90.Cand).With(p90.Cand))
	}
	sec.Blocks = []block{{Table: s.longestGapTable(s.p.Side.Label, s.r.Longest[1]), Values: cutTable(t)}}
	if len(s.r.Longest[1]) == 0 {
		sec.Blocks[0].Table = nil
	}
	return sec
}

// reads shows how fast bytes are read and written.
func (s *portraitSheet) reads() portraitSection {
	sec := of("io", "Reads", "Does input keep up?", "")
	if c := s.mainMetric(run.InputWaitTime); c != nil && !math.IsNaN(c.Cand) {
		sec.Reading = "The host waits " + s.ms.With(c.Cand) + " per step for input."
	}
	rate, source := sumOfRanks(s.r.Activity.Cand, func(a *diff.RankActivity) ([]float32, string) { return a.Read, a.ReadSource })
	if len(rate) == 0 {
		sec.Blocks = []block{{Empty: &empty{What: "No bytes read were recorded.", How: s.recordBytes()}}}
		return sec
	}
	top := 0.0
	for _, v := range rate {
		top = max(top, v)
	}
	sc := number.ScaleOf("B/s", top)
	for i := range rate {
		rate[i] *= sc.Factor
	}
	length := float64(len(rate)) * s.r.Activity.Bin
	l := lines{label: "Bytes read per second, over time", unit: sc.Name, first: "0 s", last: number.ScaleOf("s", length).With(length), all: []curve{thinned(plot.PageInk.Cand, rate, plotPoints, mean)}}
	sec.Drawn = []headed{{SVG: l.draw(wideFrame)}}
	sec.Blocks = []block{{Note: "Sum over the ranks or nodes captured; source: " + orDash(source) + "."}}
	return sec
}

// maxPortraitKernels is how many kernels the page shows. Chosen, not measured: of the jobs that
// were looked at they have nearly all of the time.
const maxPortraitKernels = 40

func (s *portraitSheet) kernels() portraitSection {
	sec := of("kernels", "Kernels", "Which kernels take the time?", "")
	all := slices.Clone(s.r.Kernels)
	sort.SliceStable(all, func(i, j int) bool {
		a, b := &all[i], &all[j]
		return cmp.Compare(b.CandTime, a.CandTime) < 0
	})
	total := 0.0
	for i := range all {
		total += all[i].CandTime
	}
	if !(total > 0) {
		return portraitSection{}
	}
	t := &table{Label: "kernels", Heads: []head{{Text: "Kernel", Left: true}, {Text: "Kind", Left: true}, {Text: "Time", Unit: "ms per " + s.perUnit()}, {Text: "Share", Unit: "% of kernels"}, {Text: "Calls", Unit: "per " + s.perUnit()}, {Text: "Each", Unit: "\u00b5s"}}}
	shown := make([]*cause.Kernel, min(len(all), maxPortraitKernels))
	for i := range shown {
		shown[i] = &all[i]
	}
	names := kernelTexts(shown)
	for i, k := range shown {
		name := cell{Text: names[i], Title: k.Name, Head: true, Class: "kn"}
		if k.Others > 0 {
			name = headCell(names[i])
		}
		t.Rows = append(t.Rows, row{Cells: []cell{name, leftCell(cmp.Or(k.Family, k.Class)), numberCell(k.CandTime * 1e3), numberCell(k.CandTime / total * 100), numberCell(k.CandCalls), numberCell(k.CandTime / k.CandCalls * 1e6)}})
	}
	if n := len(all) - maxPortraitKernels; n > 0 {
		t.More = number.Counted(n, "shorter kernel") + " left out."
	}
	sec.Reading = fmt.Sprintf("%s takes most: %s of the time of all kernels.", shortenTo(all[0].Name, 64), number.Share(all[0].CandTime/total))
	sec.Blocks = []block{{Table: t, Note: s.kernelBasis()}}
	return sec
}

// metrics lists all main metrics, with what would record the missing ones.
func (s *portraitSheet) metrics() portraitSection {
	if len(s.r.Metrics) == 0 {
		return portraitSection{}
	}
	t := &table{Label: "main metrics", Heads: []head{{Text: "Metric", Left: true}, {Text: "Value"}, {Text: "What it is", Left: true}}}
	for i := range s.r.Metrics {
		c := &s.r.Metrics[i]
		value, what := valueText(number.ScaleOf(c.Metric.Unit, math.Abs(c.Cand)), c.Cand), c.Metric.Doc
		if need := c.NotRecorded[1]; math.IsNaN(c.Cand) && need.Is() {
			what += " Not recorded: " + asSentence(words.Need(need))
		}
		t.Rows = append(t.Rows, row{Cells: []cell{headCell(metricName(c.Metric.Name, c.Part)), textCell(value, ""), {Text: what, Left: true, Class: "wrapc"}}})
	}
	return of("metrics", "Main metrics", "What was measured?", "", block{Table: t, Note: "Each value is the median over steps of the median over ranks."})
}
