package picture

import (
	"fmt"
	"strings"

	"perfdiff/diff"
	"perfdiff/render/plot"
	"perfdiff/render/words"
)

// File returns a report's answer as an SVG of its own: its title, the headline, the basis, how the policy differs from
// the default, and the first picture, where there is one. It needs no font, style or script from elsewhere.
func File(r *diff.Report) []byte {
	const edge = 20.0 // px around it
	a := words.AnswerOf(r)
	p := &plot.Plot{Ink: plot.PlainInk, Title: Label(&a), Width: Wide, Small: 13.5}
	y := -4.0
	write := func(text string, size float64, strong bool, color string) {
		for _, line := range wrapped(text, Wide, size, strong) {
			y += float64(size * 1.35)
			p.Text(0, y, "start", color, size, strong, line)
		}
	}
	write(r.About.Title, 15, false, p.Ink2)
	write(a.Headline, 25, true, p.Ink.Ink)
	y += 4
	write(a.Text(), 13.5, false, p.Ink2)
	write(words.PolicyLine(&r.Policy), 13.5, false, p.Ink2)
	if f := Of(r); f != nil {
		d := f.draw(Wide, plot.PlainInk)
		y += 18
		fmt.Fprintf(p, `<g transform="translate(0 %s)" font-size="%s">%s</g>`, plot.Px(y), plot.Px(d.Small), d.Body())
		y += d.Height
		for _, line := range wrapped(f.Caption, Wide, p.Small, false) {
			y += 20
			p.Label(0, y, "start", line)
		}
	}
	p.Height = y
	return p.File(edge)
}

// wrapped returns a text in lines of about so many pixels.
func wrapped(text string, width, size float64, strong bool) (lines []string) {
	line := ""
	for _, word := range strings.Split(text, " ") { // and at no other space: "4.3 %" stays whole
		if next := strings.TrimPrefix(line+" "+word, " "); line == "" || plot.TextWidth(next, size, strong) <= width {
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
