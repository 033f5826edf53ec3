package table

import "strings"

// ParseColumns reads columns from a text with a line for each: name, kind and, for numbers with one, unit, and after a
// colon what it is. A unit @unit is in the column "unit" of the row, and so is @relative, unless the column "relative"
// says that it is a fraction. A text takes a tenth of the space that functions for each column take in the program.
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
