package render

import (
	"bytes"
	"fmt"
	"html/template"
	"io"
	"math"

	"perfdiff/analyze/source/ncu"
	"perfdiff/diff"
	"perfdiff/diff/compute"
	"perfdiff/diff/verdict"
	"perfdiff/render/html"
	"perfdiff/render/number"
	"perfdiff/render/words"
)

// WriteReplay writes a comparison of kernels that Nsight Compute replayed, with the same promises as
// Write: as text, Markdown, JSON or a page.
func WriteReplay(w io.Writer, r *compute.Report, tool string, format Format, opt Options) error {
	switch format {
	case Text:
		return writeReplayText(w, r, opt)
	case Markdown:
		return writeReplayMarkdown(w, r)
	case JSON:
		return writeIndented(w, replayDocument(r, tool))
	case HTML:
		var page bytes.Buffer
		if err := html.WriteReplay(&page, r, tool); err != nil {
			return err
		}
		_, err := w.Write(replaceInvisible(page.Bytes(), replacementMark))
		return err
	}
	return fmt.Errorf("kernels of Nsight Compute are written as text, Markdown, JSON or a page, not in format %d", int(format))
}

// KernelLinks returns the addresses, on the page of replays next to a report's page, of the kernels of its timeline.
func KernelLinks(r *diff.Report, replays *compute.Report, page string) map[string]string {
	out := map[string]string{}
	for i := range r.Kernels {
		if at := replays.Find(r.Kernels[i].Name); at >= 0 && html.ReplayID(at) != "" {
			out[r.Kernels[i].Name] = "./" + page + "#" + html.ReplayID(at)
		}
	}
	return out
}

// shownReplays is how many kernels a summary shows, by how much time their change is of.
const shownReplays = 8

func writeReplayText(w io.Writer, r *compute.Report, opt Options) error {
	t := newText(opt)
	t.paintedLine("strong", words.ReplayTag(r)+"  ", 0, words.ReplayHeadline(r))
	t.WriteString("\n")
	t.line("  ", 2, words.ReplayBasis)
	for i := range r.Differences {
		t.line("", 2, replayDifferenceText(&r.Differences[i]))
	}
	if s := words.ReplayUnknown(r); s != "" {
		t.line("", 0, s)
	}
	if len(r.Kernels) > 0 {
		t.heading("Kernels")
		s := replaySheet(r).first(shownReplays)
		t.grid(s.heads, s.texts())
	}
	for i := range r.Kernels[:min(len(r.Kernels), shownReplays)] {
		if k := &r.Kernels[i]; math.Abs(k.Time.Estimate) >= r.Threshold {
			replayed(t, k)
		} else if i == 0 { // what is missing of one is mostly missing of all
			lines(t, "  ", words.ReplayMissing(k))
		}
	}
	if n := len(r.Kernels) - shownReplays; n > 0 {
		t.line("", 0, number.Counted(n, "more kernel")+" are in the page and in JSON (-o).")
	}
	t.replayRest(r)
	if opt.Page != "" {
		t.line("", 0, "All metrics, stalls and rooflines: "+opt.Page)
	}
	_, err := io.WriteString(w, t.String())
	return err
}

// replaySheet returns a row for each kernel.
func replaySheet(r *compute.Report) *sheet {
	s := &sheet{align: "lrrrrl", heads: []string{"kernel", "launches", "time", "change", number.Setting(1-r.Alpha) + " interval", "verdict"}}
	for i := range r.Kernels {
		k := &r.Kernels[i]
		row := nameAndCells(replayName(k.Name), words.ReplayLaunches(k), replayTimes(k), words.ReplayPercent(k), words.ReplayInterval(k), words.ReplayOutcome(k))
		v := k.Time.Verdict
		row[5].bold = v == verdict.Regressed || v == verdict.Improved
		s.add(row...)
	}
	return s
}

// replayedSheet shows the numbers of one kernel.
func replayedSheet(k *compute.Kernel) *sheet {
	s := &sheet{align: "lrrr", heads: []string{"metric", baseline, candidate, "change"}}
	for i := range k.Quantities {
		s.add(cells(replayRow(&k.Quantities[i], k.Quantities[i].Name)...)...)
	}
	for i := range k.Stalls[:min(len(k.Stalls), shownStalls)] {
		s.add(cells(replayRow(&k.Stalls[i], "Stall "+words.ReplayStall(k.Stalls[i].ID))...)...)
	}
	return s
}

// replayed writes all about one kernel.
func replayed(t *text, k *compute.Kernel) {
	t.WriteString("\n")
	t.paintedLine("strong", replayName(k.Name), 2, "")
	if s := words.ReplaySizes(k.Grid, k.Block); s != "" {
		t.line("  ", 4, cleanLine(s))
	}
	lines(t, "  ", replayLines(k))
	s := replayedSheet(k)
	t.grid(s.heads, s.texts())
	for side, name := range []string{baseline, candidate} {
		for i := range k.Rooflines[side] {
			x := &k.Rooflines[side][i]
			t.line("  ", 4, fmt.Sprintf("Roofline, %s precision, %s: %s", x.Precision, name, words.ReplayRoofline(x)))
		}
	}
	lines(t, "  ", words.ReplayMissing(k))
}

func lines(t *text, indent string, all []string) {
	for _, s := range all {
		t.line(indent, len(indent)+2, s)
	}
}

// shownStalls is how many stalls a summary shows, those that changed most.
const shownStalls = 5

// replayLines returns the sentences on a kernel.
func replayLines(k *compute.Kernel) (out []string) {
	for _, s := range append([]string{words.ReplayChange(k), words.ReplayWhy(k)}, words.ReplayCauses(k)...) {
		if s != "" {
			out = append(out, s)
		}
	}
	return out
}

func replayName(name string) string { return shortName(name) }

// replayTimes returns the times of both sides, in one unit.
func replayTimes(k *compute.Kernel) string {
	for i := range k.Quantities {
		if m := &k.Quantities[i]; m.ID == ncu.Duration {
			sc := number.ScaleOf("s", larger(m.Base.Median, m.Cand.Median))
			return words.ReplaySample(&m.Base, sc) + " → " + words.ReplaySample(&m.Cand, sc)
		}
	}
	return number.None
}

// larger returns the larger of two values, one of which may be NaN.
func larger(a, b float64) float64 {
	if math.IsNaN(a) || b > a {
		return b
	}
	return a
}

// replayRow returns a metric in a table: its name, both sides, the change.
func replayRow(m *compute.Measure, name string) []string {
	sc := words.ReplayScale(m.Unit, larger(m.Base.Median, m.Cand.Median))
	return []string{shortName(name), words.ReplaySample(&m.Base, sc), words.ReplaySample(&m.Cand, sc), words.ReplayDelta(m)}
}

func replayDifferenceText(d *compute.Difference) string {
	name, base, cand, effect := words.ReplayDifference(d)
	return cleanLine("Differs: " + name + ", " + base + " and " + cand + ": " + effect + ".")
}

// replayRest writes what is not compared, and warnings.
func (t *text) replayRest(r *compute.Report) {
	for _, s := range replayRest(r) {
		t.line("", 2, cleanLine(s))
	}
}

// shownRest is how many entries of each list a summary names.
const shownRest = 6

// replayRest lists kernels and metrics that are not compared, files that could not be read and warnings.
func replayRest(r *compute.Report) (out []string) {
	cut := func(n int, what string) {
		if n > shownRest {
			out = append(out, number.Count(n-shownRest)+" more "+what+" are in the page and in JSON.")
		}
	}
	for side := range r.Alone {
		for i := range r.Alone[side][:min(len(r.Alone[side]), shownRest)] {
			l := &r.Alone[side][i]
			out = append(out, "Not compared: "+replayName(l.Name)+" ("+words.ReplaySizes(l.Grid, l.Block)+"): "+words.ReplayLone(l, side)+".")
		}
		cut(len(r.Alone[side]), "kernels of one side")
	}
	for i := range r.NotCompared[:min(len(r.NotCompared), shownRest)] {
		out = append(out, "Not compared: "+replayMetric(r.NotCompared[i].Section, r.NotCompared[i].Name)+": "+words.ReplayMismatch(&r.NotCompared[i])+".")
	}
	cut(len(r.NotCompared), "metrics")
	for side, name := range []string{baseline, candidate} {
		for _, f := range r.Sides[side].Files {
			if f.Err != "" {
				out = append(out, "Warning: "+name+": "+f.Name+": could not be read: "+f.Err)
			}
		}
	}
	for _, w := range r.Warnings {
		out = append(out, "Warning: "+[]string{baseline, candidate}[w.Side]+": "+w.File+": "+w.Text)
	}
	return out
}

// replayMetric returns the name of a metric with its section.
func replayMetric(section, name string) string {
	if section == "" {
		return name
	}
	return section + ": " + name
}

// writeReplayMarkdown writes the comparison as a comment.
func writeReplayMarkdown(w io.Writer, r *compute.Report) error {
	var c comment
	c.line("### " + words.ReplayTag(r) + ": " + escapeMarkdown(words.ReplayHeadline(r)))
	c.line("\n" + escapeMarkdown(words.ReplayBasis))
	for i := range r.Differences {
		c.line("\n" + escapeMarkdown(replayDifferenceText(&r.Differences[i])))
	}
	if len(r.Kernels) > 0 {
		c.line("")
		c.table(replaySheet(r))
	}
	for i := range r.Kernels[:min(len(r.Kernels), shownReplays)] {
		k := &r.Kernels[i]
		c.folded(template.HTMLEscapeString(replayName(k.Name)), func() {
			for _, s := range append(replayLines(k), words.ReplayMissing(k)...) {
				c.line("- " + escapeMarkdown(s))
			}
			c.line("")
			c.table(replayedSheet(k))
		})
	}
	rest := replayRest(r)
	if s := words.ReplayUnknown(r); s != "" {
		rest = append(rest, s)
	}
	for i, s := range rest {
		rest[i] = escapeMarkdown(cleanLine(s))
	}
	c.list("What is not compared, and warnings", rest)
	if c.full {
		c.WriteString("\nThe rest is cut; the page and JSON hold everything.\n")
	}
	_, err := io.WriteString(w, c.String())
	return err
}
