package render

import (
	"encoding/xml"
	"fmt"
	"strings"
)

// svg returns f as plain SVG without script, and without fonts or colours that a printer would lose.
func (f *figure) svg() []byte {
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %g %g" width="%g" height="%g" role="img" font-family="Helvetica, Arial, sans-serif" font-size="13">`,
		f.width, f.height, f.width, f.height)
	fmt.Fprintf(&b, `<title>%s</title><rect width="100%%" height="100%%" fill="#fff"/>`, xmlText(f.title))
	for i := range f.marks {
		f.marks[i].svg(&b)
	}
	b.WriteString("</svg>\n")
	return []byte(b.String())
}

func (m *mark) svg(b *strings.Builder) {
	at := m.points[0]
	switch m.shape {
	case shapeText:
		fmt.Fprintf(b, `<text x="%.1f" y="%.1f" text-anchor="%s" fill="%s">%s</text>`, at.x, at.y, m.anchor, m.fill, xmlText(m.text))
	case shapeCircle:
		fmt.Fprintf(b, `<circle cx="%.1f" cy="%.1f" r="%g"%s/>`, at.x, at.y, m.radius, m.svgPaint())
	case shapePath, shapeArea:
		fmt.Fprintf(b, `<path d="M%.1f %.1f`, at.x, at.y)
		for _, p := range m.points[1:] {
			fmt.Fprintf(b, "L%.1f %.1f", p.x, p.y)
		}
		if m.shape == shapeArea {
			b.WriteString("Z")
		}
		fmt.Fprintf(b, `"%s/>`, m.svgPaint())
	}
}

func (m *mark) svgPaint() string {
	paint := ` fill="none"`
	if m.fill != "" {
		paint = fmt.Sprintf(` fill="%s"`, m.fill)
	}
	if m.faint {
		paint += fmt.Sprintf(` fill-opacity="%g"`, faintness)
	}
	if m.stroke != "" {
		paint += fmt.Sprintf(` stroke="%s" stroke-width="%g"`, m.stroke, m.width)
	}
	return paint
}

// faintness is how much of the colour a faint area has. Chosen, not measured: two of them over
// each other leave lines and grid to be seen.
const faintness = 0.18

func xmlText(s string) string {
	var b strings.Builder
	if err := xml.EscapeText(&b, []byte(Line(s))); err != nil {
		return ""
	}
	return b.String()
}
