package render

import (
	"strings"

	"github.com/mattn/go-runewidth"
	"perfdiff/render/number"
)

// screenWidth measures columns on a terminal. The package's default would follow the language
// of the environment; the same report must give the same bytes.
var screenWidth = runewidth.Condition{StrictEmojiNeutral: true}

func columnsOf(s string) int { return screenWidth.StringWidth(s) }

// unbreakable is a space at which a line is not broken.
const unbreakable = "\u00a0"

// spaces replaces typographic spaces by plain ones: every terminal draws those one column wide,
// and people can search for them.
var spaces = strings.NewReplacer(unbreakable, " ", number.Space, " ", number.Comma, " ")

// wrapText breaks text at its plain spaces into lines of at most width columns. A word longer
// than a line is broken anywhere. The first line begins with first, the others with rest
// spaces.
func wrapText(first string, rest int, text string, width int) []string {
	var lines []string
	line, empty := first, true
	flush := func() {
		lines = append(lines, line)
		line, empty = strings.Repeat(" ", rest), true
	}
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return r == ' ' }) {
		if !empty && columnsOf(line)+1+columnsOf(word) > width {
			flush()
		}
		if !empty {
			line += " "
		}
		for columnsOf(line)+columnsOf(word) > width {
			head := screenWidth.Truncate(word, max(1, width-columnsOf(line)), "")
			if head == "" { // not even one character fits
				break
			}
			line, word = line+head, word[len(head):]
			if word != "" {
				flush()
			}
		}
		line, empty = line+word, false
	}
	flush()
	for i := range lines {
		lines[i] = strings.TrimRight(spaces.Replace(lines[i]), " ")
	}
	return lines
}

// padTo fills s with spaces to width columns: at its left if right is set, else at its right.
func padTo(s string, width int, right bool) string {
	fill := strings.Repeat(" ", max(0, width-columnsOf(s)))
	if right {
		return fill + s
	}
	return s + fill
}

// colourSequences are the escape sequences of a terminal, by class.
var colourSequences = map[string]string{"better": "\x1b[32m", "worse": "\x1b[31m", "strong": "\x1b[1m"}

// paint colours s by class, if colours are wanted and the class has one.
func (t *text) paint(class, s string) string {
	if !t.color || colourSequences[class] == "" {
		return s
	}
	return colourSequences[class] + s + "\x1b[0m"
}
