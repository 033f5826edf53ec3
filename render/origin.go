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
		text := escape(name(diff.OriginText(o)))
		if o.Link != "" {
			if o.Commit == "" && o.Label == "" {
				text = "page"
			}
			text = "[" + text + "](<" + o.Link + ">)"
		}
		out = append(out, text)
	}
	if more := fold(len(all), mostCodes, ""); more != "" {
		out = append(out, strings.TrimSpace(more))
	}
	return strings.Join(out, ", ")
}
