package main

import (
	"html"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// shownTable is a table as people see it.
type shownTable struct {
	name  string
	heads []string
	rows  [][]string
}

var (
	pageTable  = regexp.MustCompile(`(?s)aria-label="([^"]*)">(<table[^>]*>.*?</table>)`)
	smallPrint = regexp.MustCompile(`(?s)<small>.*?</small>`)
	// cellNumber is a number with its unit, alone in a cell; what follows in brackets is not looked at.
	cellNumber = regexp.MustCompile(`^([+−]?[0-9.]+)(e−[0-9]+)? ?([^0-9 ]*)(?: \(.*\))?$`)
)

// plainCell is the text of a cell of the page, without what stands below it.
func plainCell(cell string) string {
	return strings.Join(strings.Fields(spacesPlain.Replace(html.UnescapeString(pageTag.ReplaceAllString(cell, " ")))), " ")
}

// tablesOfPage are the tables of a page.
func tablesOfPage(page []byte) (out []shownTable) {
	for _, m := range pageTable.FindAllStringSubmatch(string(page), -1) {
		x := shownTable{name: html.UnescapeString(m[1])}
		for i, row := range pageRow.FindAllString(m[2], -1) {
			var cells []string
			for _, c := range pageCell.FindAllStringSubmatch(row, -1) {
				if i > 0 {
					c[1] = smallPrint.ReplaceAllString(c[1], "")
				}
				cells = append(cells, plainCell(c[1]))
			}
			if i == 0 {
				x.heads = cells
			} else {
				x.rows = append(x.rows, cells)
			}
		}
		out = append(out, x)
	}
	return out
}

// tablesOfMarkdown are the tables of a comment or a write-up.
func tablesOfMarkdown(text string) (out []shownTable) {
	var x shownTable
	for line := range strings.Lines(spacesPlain.Replace(text) + "\n\n") {
		if !strings.HasPrefix(line, "|") {
			if len(x.rows) > 0 {
				x.name = x.heads[0]
				out = append(out, x)
			}
			x = shownTable{}
			continue
		}
		var cells []string
		for cell := range strings.SplitSeq(strings.Trim(strings.TrimSpace(line), "|"), "|") {
			cells = append(cells, strings.TrimSpace(regexp.MustCompile(`<sup>.*?</sup>|\*`).ReplaceAllString(cell, "")))
		}
		switch {
		case x.heads == nil:
			x.heads = cells
		case !strings.HasPrefix(line, "|:"):
			x.rows = append(x.rows, cells)
		}
	}
	return out
}

// shown is a number that people see: its value in the unit of its text, and how much of it rounding leaves open.
type shown struct {
	value, half float64
	unit        string
}

// shownOf reads a cell; its head may hold the unit. It is false for what is no number by itself.
func shownOf(cell, head string) (x shown, is bool) {
	m := cellNumber.FindStringSubmatch(strings.ReplaceAll(cell, "\u2008", ""))
	if m == nil {
		return x, false
	}
	v, err := strconv.ParseFloat(strings.NewReplacer("−", "-", "+", "").Replace(m[1]+m[2]), 64)
	_, decimals, _ := strings.Cut(m[1], ".")
	x = shown{value: v, half: 0.5 * math.Pow(10, -float64(len(decimals))), unit: m[3]}
	if x.unit == "" {
		for word := range strings.FieldsSeq(head) {
			if word = strings.Trim(word, ","); unitFactors[word] != 0 || word == "%" || word == "points" {
				x.unit = word
			}
		}
	}
	if x.unit == "points" {
		x.unit = "%"
	}
	return x, err == nil
}

// off is by how much of a change two numbers and theirs disagree, in units of what rounding leaves open: at
// most 1 where they agree.
func off(base, cand, change shown) float64 {
	b, c := unitOr(base), unitOr(cand)
	from, to := base.value/b, cand.value/c
	if change.unit == "%" && base.unit != "%" && cand.unit != "%" { // a share of the baseline
		if from == 0 {
			return 0
		}
		open := 100 * (cand.half/c + math.Abs(to/from)*base.half/b) / from
		return math.Abs(change.value-100*(to/from-1)) / (open + change.half)
	}
	d := unitOr(change)
	return math.Abs(change.value/d-(to-from)) / (base.half/b + cand.half/c + change.half/d)
}

// unitOr is how many of a number's unit are one of its base unit, and 1 of what has none.
func unitOr(x shown) float64 {
	if f := unitFactors[x.unit]; f != 0 {
		return f
	}
	return 1
}

// addUp reports rows whose change is not the difference of the two numbers beside it, subtracted and then rounded.
func (x *shownTable) addUp(t *testing.T, where string) (rows int) {
	t.Helper()
	at := func(names ...string) int {
		return slices.IndexFunc(x.heads, func(head string) bool {
			first, _, _ := strings.Cut(strings.TrimSuffix(strings.ToLower(head), "."), " ")
			return slices.Contains(names, strings.Trim(first, ",."))
		})
	}
	base, cand, change := at("baseline", "base"), at("candidate", "cand"), at("change", "difference")
	if base < 0 || cand < 0 || change < 0 || strings.Contains(x.heads[base], "→") {
		return 0
	}
	for _, row := range x.rows {
		if len(row) <= max(base, cand, change) {
			continue
		}
		b, isB := shownOf(row[base], x.heads[base])
		c, isC := shownOf(row[cand], x.heads[cand])
		d, isD := shownOf(row[change], x.heads[change])
		if !isB || !isC || !isD {
			continue
		}
		rows++
		if by := off(b, c, d); !(by <= 1.0001) {
			t.Errorf("%s, %s: %q: %s and %s are not %s apart (%.1f)", where, x.name, row[0], row[base], row[cand], row[change], by)
		}
	}
	return rows
}

var (
	stillText  = regexp.MustCompile(`No other single part of the (?:step|critical path) moved by more than ([0-9.]+) (\S+)\.`)
	mostOfSum  = regexp.MustCompile(`"most_of_others": ([0-9.e-]+)`)
	otherParts = regexp.MustCompile(`(?m)^  Everything else +([0-9.]+) +([0-9.]+) +~`)
)

// nothingElseMoved holds what the answer says of the parts that its sum does not name to what they did: no one of them
// moved by more, and where all of them together show no change both of their values are alike but for rounding.
func nothingElseMoved(t *testing.T, texts map[string][]byte) {
	t.Helper()
	text := spacesPlain.Replace(string(texts[".txt"]))
	m, most := stillText.FindStringSubmatch(flat(text)), mostOfSum.FindSubmatch(texts[".json"])
	if m == nil || most == nil {
		return
	}
	said, _ := strconv.ParseFloat(m[1], 64)
	real, _ := strconv.ParseFloat(string(most[1]), 64)
	if said/unitFactors[m[2]] < real {
		t.Errorf("%q: one of them moved by %g s", m[0], real)
	}
	if row := otherParts.FindStringSubmatch(text); row != nil {
		base, _ := strconv.ParseFloat(row[1], 64)
		cand, _ := strconv.ParseFloat(row[2], 64)
		if math.Abs(cand-base) > 3*said+1e-9 {
			t.Errorf("%q beside %q", m[0], strings.TrimSpace(row[0]))
		}
	}
}

// rowsAddUp holds all tables of a comparison's outputs to their own numbers; dir has the write-up, "" none.
func rowsAddUp(t *testing.T, texts map[string][]byte, dir string) (rows int) {
	t.Helper()
	all := map[string][]shownTable{"page": tablesOfPage(texts[".html"]), "Markdown": tablesOfMarkdown(string(texts[".md"]))}
	if text, err := os.ReadFile(filepath.Join(dir, "write-up.md")); err == nil {
		all["write-up"] = tablesOfMarkdown(string(text))
	}
	for where, tables := range all {
		for i := range tables {
			rows += tables[i].addUp(t, where)
		}
	}
	return rows
}
