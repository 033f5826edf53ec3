package picture

import (
	"fmt"
	"html"
	"strings"

	"perfdiff/diff"
	"perfdiff/render/words"
)

// File returns a report's answer as an SVG of its own: its title, the headline, the basis, how the policy differs from
// the default, and the first picture, where there is one. It needs no font, style or script from elsewhere.
func File(r *diff.Report) []byte {
	const edge = 20.0 // px around it
	p := &pen{Ink: PlainInk, small: 13.5}
	y := -4.0
	write := func(text string, size float64, strong bool, color string) {
		for _, line := range wrapped(text, Wide, size, strong) {
			y += float64(size * 1.35)
			p.write(0, y, "start", color, size, strong, line)
		}
	}
	a := words.AnswerOf(r)
	write(r.About.Title, 15, false, p.Ink2)
	write(a.Headline, 25, true, p.Ink.Ink)
	y += 4
	write(a.Text(), 13.5, false, p.Ink2)
	write(words.PolicyLine(&r.Policy), 13.5, false, p.Ink2)
	if f := Of(r); f != nil {
		d := f.draw(Wide, PlainInk)
		y += 18
		fmt.Fprintf(p, `<g transform="translate(0 %s)" font-size="%s">%s</g>`, px(y), px(d.small), d.String())
		y += d.y
		for _, line := range wrapped(f.Caption, Wide, p.small, false) {
			y += 20
			p.write(0, y, "start", p.Ink2, p.small, false, line)
		}
	}
	width, height := Wide+2*edge, y+2*edge
	return fmt.Appendf(nil, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="%s %s %s %s" width="%s" height="%s" role="img" fill="%s" font-size="%s" font-family="Inter, system-ui, Helvetica, Arial, sans-serif"><title>%s</title><rect x="%s" y="%s" width="100%%" height="100%%" fill="%s"/>%s</svg>
`, px(-edge), px(-edge), px(width), px(height), px(width), px(height), p.Ink2, px(p.small), html.EscapeString(Label(&a)), px(-edge), px(-edge), p.Paper, p.String())
}

// wrapped returns a text in lines of about so many pixels.
func wrapped(text string, width, size float64, strong bool) (lines []string) {
	line := ""
	for _, word := range strings.Split(text, " ") { // and at no other space: "4.3 %" stays whole
		if next := strings.TrimPrefix(line+" "+word, " "); line == "" || textWidth(next, size, strong) <= width {
			line = next
			continue
		}
		lines, line = append(lines, line), word
	}
	if line == "" {
		return lines
	}
	return append(lines, line)
}
