package render

import (
	"strings"
	"testing"

	"perfdiff/render/table"
)

// TestSheetOf: values of a table as people read them. A number has the unit of its column or of its row.
func TestSheetOf(t *testing.T) {
	x := table.Table{Schema: table.Schema{Doc: "rows", Columns: table.ParseColumns(`name text: a
		unit text: of value
		value float @unit: b
		long_part_ratio float ratio: c
		count integer: d
		on boolean: e`)}}
	x.Rows = func(emit func([]table.Cell) error) error {
		return emit([]table.Cell{table.TextCell("a|b\n*c*"), table.TextCell("B"), table.FloatCell(2e6), table.FloatCell(.031), {}, table.BoolCell(true)})
	}
	s, err := sheetOf(&x)
	if err != nil {
		t.Fatal(err)
	}
	want := "| name | unit | value | long part | count | on |\n|:--|:--|--:|--:|--:|:--|\n" + `| a\|b \*c\* | B | 2.00 MB | 3.10 % | – | yes |`
	if got := strings.Join(s.markdown(), "\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestSheetForms: one table in each form. Names of programs are no markup, and rows that are too many are left out.
func TestSheetForms(t *testing.T) {
	s := &sheet{name: "x", heading: "Rows", intro: "50% of", align: "lr", heads: []string{"a_b", "c"}}
	s.add(nameAndCells("k_1|", "<2")...)
	s.add(inBold(cells("sum", ""))...)
	if got := strings.Join(s.markdown(), "\n"); got != "| a\\_b | c |\n|:--|--:|\n| `k_1\\|` | &lt;2 |\n| **sum** |  |" {
		t.Errorf("Markdown: got\n%s", got)
	}
	if got := s.first(1).latex(); !strings.Contains(got, "\\begin{tabular}{lr}\n") || strings.Contains(got, "sum") ||
		!strings.Contains(got, "\\texttt{k\\_1\\textbar{}} & \\textless{}2 \\\\\n") || !strings.Contains(got, "{Rows. 50\\% of}") {
		t.Errorf("LaTeX: got\n%s", got)
	}
	x := &text{width: 80}
	x.lay(append([][]string{s.heads}, s.texts()...), s.align, 2, 1, nil)
	if got := x.String(); got != "  a_b   c\n  k_1| <2\n  sum\n" {
		t.Errorf("text: got\n%s", got)
	}
	var c comment
	c.foldedTable(&sheet{heading: "Nothing", align: "l", heads: []string{"a"}})
	if c.Len() > 0 {
		t.Errorf("no rows: got\n%s", c.String())
	}
}
