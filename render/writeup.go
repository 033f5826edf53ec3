package render

import (
	"fmt"
	"strings"

	"perfdiff/diff"
	"perfdiff/render/number"
	"perfdiff/render/picture"
	"perfdiff/render/words"
)

// Attachment is one file of a write-up.
type Attachment struct {
	Name string
	Text []byte
}

// maxKernelRows is how many kernels the table of a write-up names; the CSV file has all.
const maxKernelRows = 12

// WriteUp is r as a text about before and after, for a page or a paper: Markdown that shows SVG
// figures, with CSV files of the data behind both. Equal reports give equal bytes.
func WriteUp(r *diff.Report) ([]Attachment, error) {
	files := []Attachment{{Name: "write-up.md", Text: writeUpText(r)}, {Name: "verdict.svg", Text: replaceInvisible(picture.File(r), replacementMark)}}
	for _, figure := range svgFigures(r) {
		files = append(files, Attachment{figure.name, figure.svg()})
	}
	tables, err := csvTables(r)
	return append(files, tables...), err
}

func writeUpText(r *diff.Report) []byte {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	headline := escapeMarkdown(shortSentence(strings.TrimSuffix(words.Headline(&r.Headline), ".")))
	if title := titleText(r); title != "" {
		line("# %s\n\n**%s.**", escapeMarkdown(title), headline)
	} else {
		line("# %s", headline)
	}
	line("\n%s", escapeMarkdown(shortSentence(words.Basis(r))))
	if p := words.PolicyLine(&r.Policy); p != "" {
		line("\n%s", escapeMarkdown(cleanLine(p)))
	}
	if f := picture.Of(r); f != nil {
		line("\n![%s](verdict.svg)\n\n*%s*", headline, escapeMarkdown(f.Caption))
	}
	if len(r.Findings) > 0 {
		line("\n## %s\n", findingsHeading(r))
		for _, f := range words.Findings(r) {
			line("- %s%s%s", bold(numberText(f)), escapeMarkdown(shortSentence(f.Text)), inBrackets(f.Interval))
		}
	}
	writeUpSuspects(line, r)
	for _, f := range svgFigures(r) {
		line("\n![%s](%s)\n\n*%s*", escapeMarkdown(f.title), f.name, escapeMarkdown(f.caption))
	}
	writeUpParts(line, r)
	writeUpDimensions(line, r)
	writeUpGroups(line, r)
	writeUpPipeline(line, r)
	writeUpPath(line, r)
	writeUpMetrics(line, r)
	writeUpKernels(line, r)
	writeUpSetup(line, r)
	return []byte(b.String())
}

// writeUpParts writes the waterfall as a table.
func writeUpParts(line func(string, ...any), r *diff.Report) {
	w := &r.Waterfall
	if len(w.Parts) == 0 {
		return
	}
	line("\n## Where the time went\n\nMean over runs, ranks and steps; the parts add up exactly. Of a part below the noise floor of runs there is no interval.\n")
	line("| Part of the step | %s, ms | %s, ms | Change, ms | Interval, ms |\n|:--|--:|--:|--:|--:|", writeUpHeads(r)[0], writeUpHeads(r)[1])
	ms := number.Milliseconds
	for i := range w.Parts {
		p := &w.Parts[i]
		line("| %s | %s | %s | %s | %s |", escapeMarkdown(words.StepPart(p.StepPart)), ms.Format(p.Base), ms.Format(p.Cand), preciseChange(ms, p.Delta), words.PartInterval(&p.PartChange, ms))
	}
	line("| **Step, mean** | **%s** | **%s** | **%s** | |", ms.Format(w.Base), ms.Format(w.Cand), ms.Signed(w.Delta))
	line("| Step, median | %s | %s | %s | |", ms.Format(w.MedianBase), ms.Format(w.MedianCand), ms.Signed(w.MedianCand-w.MedianBase))
}

func writeUpMetrics(line func(string, ...any), r *diff.Report) {
	if len(r.Metrics) == 0 {
		return
	}
	line("\n## Metrics\n\n| Metric | %s | %s | Change | %s | Verdict |\n|:--|--:|--:|--:|--:|:--|", writeUpHeads(r)[0], writeUpHeads(r)[1], escapeMarkdown(intervalHeading(r)))
	for i := range r.Metrics {
		if o := rowOf(&r.Metrics[i]); o.missing == "" {
			line("| %s | %s | %s | %s | %s | %s |", codeSpan(o.metric), o.base, o.cand, o.change, o.intervalWithUnit(), o.verdict)
		}
	}
}

func writeUpKernels(line func(string, ...any), r *diff.Report) {
	if len(r.Kernels) == 0 {
		return
	}
	line("\n## Kernels that changed most\n\n| Kernel | %s, ms a step | %s, ms a step | Change, ms | by calls | by duration |\n|:--|--:|--:|--:|--:|--:|", writeUpHeads(r)[0], writeUpHeads(r)[1])
	ms := number.Milliseconds
	for i := range r.Kernels[:min(maxKernelRows, len(r.Kernels))] {
		if k := &r.Kernels[i]; k.Others == 0 {
			line("| %s | %s | %s | %s | %s | %s |", codeSpan(shorten(shortName(k.Name), 80)), ms.Format(k.BaseTime), ms.Format(k.CandTime), ms.Signed(k.Delta), ms.Signed(k.Calls), ms.Signed(k.Slower))
		}
	}
}

// writeUpSetup says what was compared and how it was judged.
func writeUpSetup(line func(string, ...any), r *diff.Report) {
	line("\n## Setup\n\n| | %s | %s |\n|:--|:--|:--|", writeUpHeads(r)[0], writeUpHeads(r)[1])
	both := func(what string, of func(*diff.Side) string) {
		if base, cand := of(&r.Base), of(&r.Cand); base != "" || cand != "" {
			line("| %s | %s | %s |", what, orNone(base), orNone(cand))
		}
	}
	both("Run set", func(s *diff.Side) string { return codeSpan(shortName(s.Label)) })
	both("Captured on", func(s *diff.Side) string { return words.Captured(s.Captured) })
	both("Digest of what was read", func(s *diff.Side) string { return codeSpan(shortDigest(s.Digest)) })
	both("Ranks", func(s *diff.Side) string { return escapeMarkdown(ranksText(s)) })
	both("Runs", func(s *diff.Side) string { return number.Count(len(s.Runs)) })
	both("GPUs", func(s *diff.Side) string { return codeSpans(s.GPUs) })
	both("Steps found by", func(s *diff.Side) string { return codeSpan(markerText(&s.Steps)) })
	both("Steps", func(s *diff.Side) string { return escapeMarkdown(stepsText(&s.Steps)) })
	for _, d := range r.Differences {
		name, base, cand := words.Differs(&d)
		line("| %s | %s | %s |", escapeMarkdown(shortName(name)), orNone(codeSpan(shortName(base))), orNone(codeSpan(shortName(cand))))
	}
	p := &r.Policy
	line("\nA change counts where the %s interval excludes zero (a t test over runs whose variance is moderated by a prior, Smyth 2004, doi:10.2202/1544-6115.1027) and it is at least %s. The run is the unit, and steps are paired by number: changes are estimated from the same steps of both sides, and can differ from the difference of two medians. %s",
		number.Setting(1-p.Alpha), number.Setting(p.Threshold), escapeMarkdown(shortName(r.Tool))+".")
}
