package render

import (
	"strings"

	"perfdiff/analyze/run"
	"perfdiff/render/words"
)

// originCells writes label, commit and link of runs as Markdown. A link was checked when it was
// read, so that it holds no markup.
func originCells(all []run.Origin) string {
	var out []string
	for _, o := range all[:min(maxNamesInCell, len(all))] {
		out = append(out, originCell(o))
	}
	if more := notShownText(len(all), maxNamesInCell, ""); more != "" {
		out = append(out, strings.TrimSpace(more))
	}
	return strings.Join(out, ", ")
}

// originCell returns the text for one run, "" if the user said nothing about it.
func originCell(o run.Origin) string {
	text := escapeMarkdown(shortName(words.Origin(o)))
	if o.Link == "" {
		return text
	}
	if o.Commit == "" && o.Label == "" {
		text = "page"
	}
	return "[" + text + "](<" + o.Link + ">)"
}
