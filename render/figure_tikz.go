package render

import (
	"fmt"
	"slices"
	"strings"
)

// tikzUnit is the width of a pixel in a paper, in points of TeX. Chosen, not measured: a figure
// of 760 pixels is as wide as a column of the article class, 345 points.
const tikzUnit = 0.45

// tikz returns f as a picture of TikZ, for \input in a LaTeX document that has the package tikz.
func (f *figure) tikz() []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "%% %s. Needs \\usepackage{tikz}; \\input{%s} puts it in.\n", latexText(f.title), f.name)
	for _, c := range f.colours() {
		fmt.Fprintf(&b, "\\definecolor{%s}{HTML}{%s}%%\n", tikzColour(c), strings.ToUpper(c[1:]))
	}
	fmt.Fprintf(&b, "\\begin{tikzpicture}[x=%gpt,y=-%gpt,inner sep=0pt,font=\\fontsize{6}{7}\\selectfont]\n", tikzUnit, tikzUnit)
	for i := range f.marks {
		f.marks[i].tikz(&b)
	}
	b.WriteString("\\end{tikzpicture}%\n")
	return []byte(b.String())
}

// colours returns all that the marks have, in order.
func (f *figure) colours() []string {
	var out []string
	for _, m := range f.marks {
		for _, c := range []string{m.stroke, m.fill} {
			if c != "" {
				out = append(out, c)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// tikzColour returns the name of a colour in a document.
func tikzColour(c string) string { return "perfdiff" + c[1:] }

func (m *mark) tikz(b *strings.Builder) {
	at := m.points[0]
	switch m.shape {
	case shapeText:
		side := map[string]string{"start": "base west", "middle": "base", "end": "base east"}[m.anchor]
		fmt.Fprintf(b, "\\node[anchor=%s,text=%s] at (%.1f,%.1f) {%s};\n", side, tikzColour(m.fill), at.x, at.y, latexText(m.text))
	case shapeCircle:
		fmt.Fprintf(b, "\\path[%s] (%.1f,%.1f) circle[radius=%gpt];\n", m.tikzPaint(), at.x, at.y, m.radius*tikzUnit)
	case shapePath, shapeArea:
		var path []string
		for _, p := range m.points {
			path = append(path, fmt.Sprintf("(%.1f,%.1f)", p.x, p.y))
		}
		if m.shape == shapeArea {
			path = append(path, "cycle")
		}
		fmt.Fprintf(b, "\\path[%s] %s;\n", m.tikzPaint(), strings.Join(path, " -- "))
	}
}

func (m *mark) tikzPaint() string {
	var paint []string
	if m.fill != "" {
		paint = append(paint, "fill="+tikzColour(m.fill))
	}
	if m.faint {
		paint = append(paint, fmt.Sprintf("fill opacity=%g", faintness))
	}
	if m.stroke != "" {
		paint = append(paint, "draw="+tikzColour(m.stroke), fmt.Sprintf("line width=%gpt", m.width*tikzUnit))
	}
	return strings.Join(paint, ",")
}
