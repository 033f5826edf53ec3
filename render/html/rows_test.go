package html

import (
	"html/template"
	"strings"
	"testing"
)

// rowsTemplate is what Body is held to: what is escaped, and how, is the library's.
const rowsTemplate = `{{range .Rows}}<tr{{if .Total}} class="tot"{{end}}{{with .Rank}} data-rank="{{.}}"{{end}}{{with .Step}} data-step="{{.}}"{{end}}{{with .Pick}} data-kernel="{{.}}"{{end}}{{with .Collective}} data-collective="{{.}}"{{end}}>{{range .Cells}}{{if .Head}}<th scope="row"{{else}}<td{{end}}{{if or .Class .Left .Wide}} class="{{.Class}}{{if .Left}} l{{end}}{{if .Wide}} kx{{end}}"{{end}}{{with .Title}} title="{{.}}"{{end}}{{with .Value}} data-v="{{.}}"{{end}}{{with .Of}} data-of="{{.}}"{{end}}>{{with .Key}}<i class="k-{{.}}"></i>{{end}}{{.Text}}{{if or .Small .Link}}<small>{{.Small}}{{with .Link}} <a href="{{.}}">Nsight Compute</a>{{end}}</small>{{end}}{{with .Bars}}<span class="bars" aria-hidden="true">{{range .}}<b class="{{.Class}}" style="left:{{printf "%.1f" .From}}%;width:{{printf "%.1f" .Wide}}%"></b>{{end}}</span>{{end}}{{if .Head}}</th>{{else}}</td>{{end}}{{end}}</tr>
{{end}}`

// FuzzBody: rows are those that the library's template writes, whatever is in them.
func FuzzBody(f *testing.F) {
	for _, s := range []string{"", "a", "<script>alert(1)</script>", "a\"b'c&d+e\x00f", "javascript:alert(1)", "report ncu.html#k-1", "\xff<\u2028>`", "void f<int>(T&&)"} {
		f.Add(s, "x", uint16(0xffff), 12.345, -0.05)
		f.Add("x", s, uint16(0x5555), 0.0, 1e9)
	}
	want := template.Must(template.New("rows").Parse(rowsTemplate))
	f.Fuzz(func(t *testing.T, a, b string, set uint16, from, wide float64) {
		bit := func(n int) bool { return set>>n&1 == 1 }
		when := func(n int, s string) string {
			if bit(n) {
				return s
			}
			return ""
		}
		c := cell{Text: a, Class: when(0, b), Title: when(1, a), Small: when(2, b), Key: when(3, b), Value: when(4, a), Of: when(5, b),
			Link: when(6, a), Head: bit(7), Left: bit(8), Wide: bit(9)}
		if bit(10) && from-from == 0 && wide-wide == 0 { // no NaN, no infinity
			c.Bars = []bar{{"k" + b, from, wide}, {"x", wide, from}}
		}
		tab := &table{Rows: []row{{Cells: []cell{c, {Text: b}}, Total: bit(11), Rank: when(12, a), Step: when(13, b), Pick: when(14, a), Collective: when(15, b)}, {}}}
		var out strings.Builder
		if err := want.Execute(&out, tab); err != nil {
			t.Fatal(err)
		}
		if got, err := tab.Body(); err != nil || string(got) != out.String() {
			t.Errorf("got\n%s (%v), want\n%s", got, err, out.String())
		}
	})
}
