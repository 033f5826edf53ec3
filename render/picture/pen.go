package picture

import (
	"fmt"
	"html"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Ink are the colours of a picture: of a page they are its variables, so that the picture
// follows the theme.
type Ink struct{ Paper, Ink, Ink2, Rule, Rule2, Base, Cand, Better, Worse, Hold string }

// PageInk are the variables of the page's style, and PlainInk their values in the light theme.
var (
	PageInk  = Ink{"var(--paper)", "var(--ink)", "var(--ink2)", "var(--rule)", "var(--rule2)", "var(--base)", "var(--cand)", "var(--better)", "var(--worse)", "var(--hold)"}
	PlainInk = Ink{"#fff", "#15171c", "#454a54", "#dcdee3", "#868c98", "#646b78", "#2457c5", "#0b6e66", "#b83a06", "#6b4a00"}
)

// pen writes elements of an SVG.
type pen struct {
	strings.Builder
	Ink
	small, size, large float64 // of letters, px: ticks, names, the change
}

// px returns a coordinate, to a tenth of a pixel.
func px(v float64) string {
	if s := strconv.FormatFloat(math.Round(v*10)/10, 'f', -1, 64); s != "-0" {
		return s
	}
	return "0"
}

// write writes a text; x is its middle, "start" or "end"; strong is bold.
func (p *pen) write(x, y float64, anchor, color string, size float64, strong bool, text string) {
	fmt.Fprintf(p, `<text x="%s" y="%s"`, px(x), px(y))
	if anchor != "start" {
		fmt.Fprintf(p, ` text-anchor="%s"`, anchor)
	}
	if color != p.Ink2 {
		fmt.Fprintf(p, ` fill="%s"`, color)
	}
	if size != p.small {
		fmt.Fprintf(p, ` font-size="%s"`, px(size))
	}
	if strong {
		p.WriteString(` font-weight="650"`)
	}
	fmt.Fprintf(p, ">%s</text>", html.EscapeString(text))
}

func (p *pen) line(x1, y1, x2, y2 float64, color string, width float64, more string) {
	fmt.Fprintf(p, `<path d="M%s %sL%s %s" stroke="%s" stroke-width="%s"%s/>`, px(x1), px(y1), px(x2), px(y2), color, px(width), more)
}

func (p *pen) rect(x, y, w, h float64, color string) {
	fmt.Fprintf(p, `<path d="M%s %sh%sv%sh%sz" fill="%s"/>`, px(x), px(y), px(w), px(h), px(-w), color)
}

// marks draws dots as lines without a length and with round ends, which takes a tenth of the bytes of circles. The
// baseline's are hollow.
func (p *pen) marks(side int, at [][2]float64, size float64, more string) {
	if len(at) == 0 {
		return
	}
	var d strings.Builder
	for _, c := range at {
		fmt.Fprintf(&d, "M%s %sh0", px(c[0]), px(c[1]))
	}
	color := []string{p.Base, p.Cand}[side]
	fmt.Fprintf(p, `<path d="%s" stroke="%s" stroke-width="%s" stroke-linecap="round" data-side="%d"%s/>`, d.String(), color, px(size), side, more)
	if hole := size - math.Max(2, float64(size*0.32)); side == 0 && size >= 6 {
		fmt.Fprintf(p, `<path d="%s" stroke="%s" stroke-width="%s" stroke-linecap="round"/>`, d.String(), p.Paper, px(hole))
	}
}

// textWidth returns about how wide a text is: no font is at hand where the picture is drawn.
func textWidth(text string, size float64, strong bool) float64 {
	each := 0.55
	if strong {
		each = 0.61
	}
	return float64(size * each * float64(utf8.RuneCountInString(text)))
}
