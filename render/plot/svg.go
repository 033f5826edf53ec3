package plot

import (
	"fmt"
	"html"
	"math"
	"strconv"
	"strings"
)

// SVG returns the picture as an element of a page; more is put into its first tag.
func (p *Plot) SVG(more string) string {
	return fmt.Sprintf(`<svg viewBox="0 0 %s %s" fill="%s" font-size="%s"%s>%s</svg>`, Px(p.Width), Px(p.Height), p.Ink2, Px(p.Small), more, p.Body())
}

// File returns the picture as a file of its own, with so much paper around it. It needs no font, style or script from
// elsewhere.
func (p *Plot) File(edge float64) []byte {
	width, height := p.Width+2*edge, p.Height+2*edge
	return fmt.Appendf(nil, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="%s %s %s %s" width="%[3]s" height="%[4]s" role="img" fill="%s" font-size="%s" font-family="Inter, system-ui, Helvetica, Arial, sans-serif"><title>%s</title><rect x="%[1]s" y="%[2]s" width="100%%" height="100%%" fill="%[8]s"/>%[9]s</svg>
`, Px(-edge), Px(-edge), Px(width), Px(height), p.Ink2, Px(p.Small), escaped(p.Title), p.Paper, p.Body())
}

// Body returns the marks as elements of SVG.
func (p *Plot) Body() string {
	var b strings.Builder
	for _, m := range p.marks {
		switch {
		case m.raw != "":
			b.WriteString(m.raw)
		case m.anchor != "":
			p.svgText(&b, m)
		default:
			fmt.Fprintf(&b, `<path d="%s"`, m.path())
			m.paint(&b)
			b.WriteString("/>")
		}
	}
	return b.String()
}

func (p *Plot) svgText(b *strings.Builder, m *Mark) {
	at := m.strokes[0][0]
	fmt.Fprintf(b, `<text x="%s" y="%s"`, Px(at.X), Px(at.Y))
	if m.anchor != "start" {
		fmt.Fprintf(b, ` text-anchor="%s"`, m.anchor)
	}
	if m.fill != p.Ink2 {
		fmt.Fprintf(b, ` fill="%s"`, m.fill)
	}
	if m.size != p.Small {
		fmt.Fprintf(b, ` font-size="%s"`, Px(m.size))
	}
	if m.strong {
		b.WriteString(` font-weight="650"`)
	}
	fmt.Fprintf(b, ">%s</text>", escaped(m.text))
}

// paint writes how a shape looks and what it says.
func (m *Mark) paint(b *strings.Builder) {
	if m.stroke != "" {
		fmt.Fprintf(b, ` stroke="%s" stroke-width="%s"`, escaped(m.stroke), Px(m.width))
		if len(m.strokes[0]) == 1 {
			b.WriteString(` stroke-linecap="round"`)
		} else if len(m.strokes[0]) > 2 {
			b.WriteString(` stroke-linejoin="round"`)
		}
	}
	if m.stroke == "" {
		fmt.Fprintf(b, ` fill="%s"`, escaped(m.fill))
	} else if len(m.strokes[0]) > 2 {
		b.WriteString(` fill="none"`)
	}
	if m.Opacity != 0 {
		fmt.Fprintf(b, ` opacity="%s"`, strconv.FormatFloat(m.Opacity, 'f', -1, 64))
	}
	if m.Dash != "" {
		fmt.Fprintf(b, ` stroke-dasharray="%s"`, m.Dash)
	}
	if m.Hint != "" {
		fmt.Fprintf(b, ` data-hint="%s"`, escaped(m.Hint))
	}
	b.WriteString(m.More)
}

// path writes points to a tenth of a pixel, each in the shortest form: along an axis by how far it goes, else as a
// place, which needs no letter behind another one.
func (m *Mark) path() string {
	var b []byte
	for _, s := range m.strokes {
		x, y := tenths(s[0].X), tenths(s[0].Y)
		b = appendTenths(append(appendTenths(append(b, 'M'), x), ' '), y)
		if len(s) == 1 {
			b = append(b, "h0"...)
		}
		last := byte('L')
		for _, p := range s[1:] {
			nx, ny := tenths(p.X), tenths(p.Y)
			switch {
			case ny == y:
				b, last = appendTenths(append(b, 'h'), nx-x), 'h'
			case nx == x:
				b, last = appendTenths(append(b, 'v'), ny-y), 'v'
			default:
				if last == 'L' {
					b = append(b, ' ')
				} else {
					b = append(b, 'L')
				}
				b, last = appendTenths(append(appendTenths(b, nx), ' '), ny), 'L'
			}
			x, y = nx, ny
		}
		if m.closed {
			b = append(b, 'z')
		}
	}
	return string(b)
}

func tenths(v float64) int64 { return int64(math.Round(v * 10)) }

func appendTenths(b []byte, n int64) []byte {
	return strconv.AppendFloat(b, float64(n)/10, 'f', -1, 64)
}

// Px returns a coordinate, to a tenth of a pixel.
func Px(v float64) string { return string(appendTenths(nil, tenths(v))) }

func escaped(s string) string { return html.EscapeString(s) }
