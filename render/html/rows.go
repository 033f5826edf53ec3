package html

import (
	"html/template"
	"strconv"
	"strings"
)

// Body returns the rows of the table as they are in the page. They are written here and not by the template, which
// takes five microseconds for a cell: half of the time of a page. FuzzBody compares them with what the template wrote.
func (t *table) Body() (template.HTML, error) {
	w := &rowWriter{}
	for i := range t.Rows {
		w.row(&t.Rows[i])
	}
	return template.HTML(w.String()), w.err
}

// rowWriter writes rows. What comes out of a report goes through text or attribute, which
// escape it.
type rowWriter struct {
	strings.Builder
	err error // of a link
}

// escaper escapes texts and quoted attributes like html/template.
var escaper = strings.NewReplacer("\x00", "\uFFFD", `"`, "&#34;", "&", "&amp;", "'", "&#39;", "+", "&#43;", "<", "&lt;", ">", "&gt;")

func (w *rowWriter) text(s string) { _, _ = escaper.WriteString(w, s) } // a builder takes everything

// attribute writes an attribute, unless its value is "".
func (w *rowWriter) attribute(name, value string) {
	if value != "" {
		w.WriteString(" " + name + `="`)
		w.text(value)
		w.WriteByte('"')
	}
}

func (w *rowWriter) row(r *row) {
	w.WriteString("<tr")
	if r.Total {
		w.WriteString(` class="tot"`)
	}
	w.attribute("data-rank", r.Rank)
	w.attribute("data-step", r.Step)
	w.attribute("data-kernel", r.Pick)
	w.attribute("data-collective", r.Collective)
	w.WriteByte('>')
	for i := range r.Cells {
		w.cell(&r.Cells[i])
	}
	w.WriteString("</tr>\n")
}

func (w *rowWriter) cell(c *cell) {
	begin, end := "<td", "</td>"
	if c.Head {
		begin, end = `<th scope="row"`, "</th>"
	}
	w.WriteString(begin)
	class := c.Class
	if c.Left {
		class += " l"
	}
	if c.Wide {
		class += " kx"
	}
	w.attribute("class", class)
	w.attribute("title", c.Title)
	w.attribute("data-v", c.Value)
	w.attribute("data-of", c.Of)
	w.WriteByte('>')
	if c.Key != "" {
		w.WriteString("<i")
		w.attribute("class", "k-"+c.Key)
		w.WriteString("></i>")
	}
	w.text(c.Text)
	if c.Small != "" || c.Link != "" {
		w.WriteString("<small>")
		w.text(c.Small)
		w.link(c.Link)
		w.WriteString("</small>")
	}
	w.bars(c.Bars)
	w.WriteString(end)
}

// link writes a link, unless it is "", by the template, which knows what an address may be.
func (w *rowWriter) link(to string) {
	if to != "" && w.err == nil {
		w.err = parsed().ExecuteTemplate(w, "link", to)
	}
}

func (w *rowWriter) bars(bars []bar) {
	if len(bars) == 0 {
		return
	}
	w.WriteString(`<span class="bars" aria-hidden="true">`)
	for _, b := range bars {
		w.WriteString("<b")
		w.attribute("class", b.Class)
		w.attribute("style", "left:"+percent(b.From)+";width:"+percent(b.Wide))
		w.WriteString("></b>")
	}
	w.WriteString("</span>")
}

func percent(v float64) string { return strconv.FormatFloat(v, 'f', 1, 64) + "%" }
