package render

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"perfdiff/diff"
	"perfdiff/render/picture"
	"perfdiff/render/table"
	"perfdiff/render/words"
)

// Attachment is one file of a write-up.
type Attachment struct {
	Name string
	Text []byte
}

// WriteUp returns r as a text about before and after, for a page or a paper: Markdown that shows SVG figures, the
// figures and tables for LaTeX, and CSV files with their data. Equal reports give equal bytes.
func WriteUp(r *diff.Report) ([]Attachment, error) {
	files := []Attachment{{Name: "write-up.md", Text: writeUpText(r)}, {Name: "verdict.svg", Text: replaceInvisible(picture.File(r), replacementMark)}}
	for _, f := range figures(r) {
		files = append(files, Attachment{f.Name + ".svg", replaceInvisible(f.File(0), replacementMark)}, Attachment{f.Name + ".tex", f.TikZ(latexText)})
	}
	files = append(files, Attachment{"tables.tex", latexTables(r)})
	tables, err := writeUpTables(r)
	return append(files, tables...), err
}

// writeUpTableNames are the tables that a write-up has copies of, as --csv writes them.
var writeUpTableNames = []string{"findings", "kernels", "metrics", "parts", "runs", "step_times"}

func writeUpTables(r *diff.Report) (out []Attachment, err error) {
	for _, t := range TablesOf(r).All() {
		if !slices.Contains(writeUpTableNames, t.Name) {
			continue
		}
		var b bytes.Buffer
		if err := table.WriteCSV(&b, &t); err != nil {
			return nil, err
		}
		out = append(out, Attachment{t.Name + ".csv", b.Bytes()})
	}
	return out, nil
}

// WriteUpNames returns the names that files of a write-up have.
func WriteUpNames() []string {
	names := []string{"write-up.md", "verdict.svg", "steps.svg", "steps.tex", "parts.svg", "parts.tex", "tables.tex"}
	for _, table := range writeUpTableNames {
		names = append(names, table+".csv")
	}
	return names
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
	a := words.AnswerOf(r)
	line("\n%s", escapeMarkdown(shorten(a.Text(), 2*maxSentence)))
	if a := words.NotAlike(r); a != "" {
		line("\n%s", escapeMarkdown(shorten(a, 2*maxSentence)))
	}
	if p := words.PolicyLine(&r.Policy); p != "" {
		line("\n%s", escapeMarkdown(cleanLine(p)))
	}
	if f := picture.Of(r); f != nil {
		line("\n![%s](verdict.svg)\n\n*%s*", headline, escapeMarkdown(f.Caption))
	}
	if a.Sum != nil {
		sumSheet(a.Sum).writeInto(line)
	}
	if len(a.Also) > 0 {
		line("\n## %s\n", map[bool]string{true: "What else changed", false: findingsHeading(r)}[a.Sum != nil])
		for _, f := range a.Also {
			line("- %s%s%s", bold(numberText(f)), escapeMarkdown(shortSentence(f.Text)), inBrackets(f.Interval))
		}
	}
	writeUpSuspects(line, r)
	for _, f := range figures(r) {
		line("\n![%s](%s.svg)\n\n*%s*", escapeMarkdown(f.Title), f.Name, escapeMarkdown(f.Caption))
	}
	partsTable(r).writeInto(line)
	dimensionSheet(r).capital(r).writeInto(line)
	for _, s := range loadSheets(r) {
		s.first(maxCommentGroups).capital(r).writeInto(line)
	}
	pipelineSheet(r).capital(r).writeInto(line)
	pathSheet(r).capital(r).writeInto(line)
	metricsTable(r).writeInto(line)
	kernelsTable(r).writeInto(line)
	setupTable(r).writeInto(line)
	line("\n## Methods\n\n%s", escapeMarkdown(methods(r)))
	return []byte(b.String())
}
