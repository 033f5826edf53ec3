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
	at, weight := m.strokes[0][0], ""
	if m.strong {
		weight = "650"
	}
	fmt.Fprintf(b, `<text x="%s" y="%s"`, Px(at.X), Px(at.Y))
	attributes(b, "text-anchor", unless(m.anchor, "start"), "fill", unless(m.fill, p.Ink2), "font-size", unless(Px(m.size), Px(p.Small)), "font-weight", weight)
	fmt.Fprintf(b, ">%s</text>", escaped(m.text))
}

// paint writes how a shape looks and what it says.
func (m *Mark) paint(b *strings.Builder) {
	fill, width, limit, corner := m.fill, "", "", ""
	if m.stroke != "" {
		switch width = Px(m.width); {
		case len(m.strokes[0]) == 1:
			limit = "round"
		case len(m.strokes[0]) > 2:
			fill, corner = "none", "round"
		}
	}
	attributes(b, "fill", fill, "stroke", m.stroke, "stroke-width", width, "stroke-linecap", limit, "stroke-linejoin", corner,
		"opacity", unless(strconv.FormatFloat(m.Opacity, 'f', -1, 64), "0"), "stroke-dasharray", m.Dash, "data-hint", m.Hint)
	b.WriteString(m.More)
}

// attributes writes names with their values, without those whose value is "".
func attributes(b *strings.Builder, pairs ...string) {
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			fmt.Fprintf(b, ` %s="%s"`, pairs[i], escaped(pairs[i+1]))
		}
	}
}

// unless returns a value that is not the usual one, and else "".
func unless(value, usual string) string {
	if value == usual {
		return ""
	}
	return value
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
