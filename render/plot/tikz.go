package plot

import (
	"fmt"
	"slices"
	"strings"
)

// tikzUnit is the width of a pixel in a paper, in points of TeX. Chosen, not measured: a figure
// of 760 pixels is as wide as a column of the article class, 345 points.
const tikzUnit = 0.45

// TikZ returns the picture for \input in a LaTeX document that has the package tikz. Its colours are those of
// PlainInk; text writes plain text as LaTeX.
func (p *Plot) TikZ(text func(string) string) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "%% %s. Needs \\usepackage{tikz}; \\input{%s} puts it in.\n", text(p.Title), p.Name)
	for _, c := range p.colours() {
		fmt.Fprintf(&b, "\\definecolor{%s}{HTML}{%s}%%\n", tikzColour(c), strings.ToUpper(c[1:]))
	}
	fmt.Fprintf(&b, "\\begin{tikzpicture}[x=%gpt,y=-%gpt,inner sep=0pt,font=\\fontsize{6}{7}\\selectfont]\n", tikzUnit, tikzUnit)
	for _, m := range p.marks {
		m.tikz(&b, text)
	}
	b.WriteString("\\end{tikzpicture}%\n")
	return []byte(b.String())
}

// colours returns all that the marks have, in order.
func (p *Plot) colours() []string {
	var out []string
	for _, m := range p.marks {
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
func tikzColour(c string) string { return "perfdiff" + strings.TrimPrefix(c, "#") }

func (m *Mark) tikz(b *strings.Builder, text func(string) string) {
	if m.anchor != "" {
		at, side := m.strokes[0][0], map[string]string{"start": "base west", "middle": "base", "end": "base east"}[m.anchor]
		fmt.Fprintf(b, "\\node[anchor=%s,text=%s] at (%.1f,%.1f) {%s};\n", side, tikzColour(m.fill), at.X, at.Y, text(m.text))
		return
	}
	for _, s := range m.strokes {
		if len(s) == 1 {
			fmt.Fprintf(b, "\\fill[%s] (%.1f,%.1f) circle[radius=%gpt];\n", tikzColour(m.stroke), s[0].X, s[0].Y, m.width/2*tikzUnit)
			continue
		}
		var path []string
		for _, at := range s {
			path = append(path, fmt.Sprintf("(%.1f,%.1f)", at.X, at.Y))
		}
		if m.closed {
			path = append(path, "cycle")
		}
		fmt.Fprintf(b, "\\path[%s] %s;\n", m.tikzPaint(), strings.Join(path, " -- "))
	}
}

func (m *Mark) tikzPaint() string {
	paint := fmt.Sprintf("draw=%s,line width=%gpt", tikzColour(m.stroke), m.width*tikzUnit)
	if m.stroke == "" {
		paint = "fill=" + tikzColour(m.fill)
	}
	if m.Opacity != 0 {
		paint += fmt.Sprintf(",opacity=%g", m.Opacity)
	}
	if m.Dash != "" {
		paint += ",dashed"
	}
	return paint
}
