package table

import "strings"

// ParseColumns are columns as a text has them, a line for each: name, kind and, of numbers with one,
// unit, and behind a colon what it is. A unit @unit is in the column "unit" of the row, and so is
// @relative, unless the column "relative" says that it is a fraction. A text is a tenth of
// what functions for each column are in the program.
func ParseColumns(text string) []Column {
	var out []Column
	for line := range strings.Lines(text) {
		head, doc, _ := strings.Cut(strings.TrimSpace(line), ": ")
		words := strings.Fields(head)
		if len(words) < 2 {
			continue
		}
		c := Column{Name: words[0], Kind: columnKinds[words[1]], Doc: doc}
		if len(words) > 2 && !strings.HasPrefix(words[2], "@") {
			c.Unit = words[2]
		}
		out = append(out, c)
	}
	return out
}

var columnKinds = map[string]Kind{"text": Text, "integer": Integer, "float": Float, "boolean": Bool}
