package render

import (
	"io"
	"regexp"
	"strings"
)

// Topic writes a text of Markdown for a terminal: its heading, paragraphs, lists, tables and
// lines of code. The text is the program's own.
func Topic(w io.Writer, markdown string, opt Options) error {
	t := newText(opt)
	for _, block := range topicBlocks(markdown) {
		t.topicBlock(block)
	}
	_, err := io.WriteString(w, strings.TrimPrefix(t.String(), "\n"))
	return err
}

// topicBlocks returns the blocks of lines between empty ones. Items of a list are blocks of their own, and marks of
// generated parts are left out.
func topicBlocks(markdown string) [][]string {
	var out [][]string
	open := false
	for line := range strings.Lines(markdown) {
		line = strings.TrimRight(line, "\n")
		switch {
		case strings.HasPrefix(line, "<!--") || line == "":
			open = false
			continue
		case !open || strings.HasPrefix(line, "- "):
			out = append(out, nil)
		}
		last := len(out) - 1
		out[last], open = append(out[last], line), true
	}
	return out
}

func (t *text) topicBlock(block []string) {
	first := block[0]
	code := strings.HasPrefix(first, "    ")
	if item := strings.HasPrefix(first, "- "); !item {
		t.WriteString("\n")
	}
	switch {
	case code: // as it stands, however long, so that it can be copied
		for _, line := range block {
			t.WriteString(strings.TrimPrefix(line, "  ") + "\n")
		}
	case strings.HasPrefix(first, "|"):
		t.topicTable(block)
	case strings.HasPrefix(first, "#"):
		t.WriteString(t.paint("strong", strings.TrimLeft(first, "# ")) + "\n")
	case strings.HasPrefix(first, "- "):
		t.line("- ", 2, plainWords(strings.TrimPrefix(strings.Join(block, " "), "- ")))
	default:
		t.line("", 0, plainWords(strings.Join(block, " ")))
	}
}

func (t *text) topicTable(block []string) {
	var rows [][]string
	for i, line := range block {
		if i == 1 {
			continue // the rule below the heads
		}
		var row []string
		for _, c := range strings.Split(strings.Trim(line, "|"), "|") {
			row = append(row, plainWords(strings.TrimSpace(c)))
		}
		rows = append(rows, row)
	}
	switch {
	case len(rows[0]) > 2 && widthOf(rows, 2, 2) > t.width:
		t.WriteString(wrappedTable(rows, t.width))
		return
	case len(rows[0]) > 2:
		t.grid(rows[0], rows[1:])
		return
	}
	for _, row := range rows[1:] { // a word and what it is
		t.line("  "+row[0]+": ", 6, row[1])
	}
}

// wrappedTable returns the lines of a table that is wider than the terminal: the columns that are wider than their share are wrapped.
func wrappedTable(rows [][]string, width int) string {
	const indent, gap = 2, 2
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], columnsOf(cell))
		}
	}
	left, wide := width-indent-gap*(len(widths)-1), len(widths)
	for changed := true; changed; { // narrow columns keep their width, the others share what is left
		changed = false
		for i, w := range widths {
			if w >= 0 && w <= left/max(wide, 1) {
				left, wide, changed, widths[i] = left-w, wide-1, true, -w-1
			}
		}
	}
	for i, w := range widths {
		if w < 0 {
			widths[i] = -w - 1
		} else {
			widths[i] = max(8, left/wide)
		}
	}
	var out strings.Builder
	for _, row := range rows {
		var cells [][]string
		lines := 0
		for i, cell := range row {
			cells = append(cells, wrapText("", 0, cell, widths[i]))
			lines = max(lines, len(cells[i]))
		}
		for n := range lines {
			line := strings.Repeat(" ", indent)
			for i, cell := range cells {
				part := ""
				if n < len(cell) {
					part = cell[n]
				}
				line += padTo(part, widths[i]+gap, false)
			}
			out.WriteString(strings.TrimRight(line, " ") + "\n")
		}
	}
	return out.String()
}

var emphasis = regexp.MustCompile("\\*\\*|`|  +")

// plainWords returns Markdown's text without its marks.
func plainWords(s string) string {
	return emphasis.ReplaceAllStringFunc(s, func(mark string) string {
		if mark[0] == ' ' {
			return " "
		}
		return ""
	})
}
