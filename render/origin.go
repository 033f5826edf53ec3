package render

import (
	"strings"

	"perfdiff/analyze/run"
	"perfdiff/diff"
)

// originCells writes where runs come from as Markdown, each with its link. A link was
// checked when it was read: it holds no character of markup.
func originCells(all []run.Origin) string {
	var out []string
	for _, o := range all[:min(mostCodes, len(all))] {
		out = append(out, originCell(o))
	}
	if more := fold(len(all), mostCodes, ""); more != "" {
		out = append(out, strings.TrimSpace(more))
	}
	return strings.Join(out, ", ")
}

// originCell is one of them, "" where nobody said.
func originCell(o run.Origin) string {
	text := escape(name(diff.OriginText(o)))
	if o.Link == "" {
		return text
	}
	if o.Commit == "" && o.Label == "" {
		text = "page"
	}
	return "[" + text + "](<" + o.Link + ">)"
}
