package render

import (
	"strings"

	"github.com/mattn/go-runewidth"

	"perfdiff/diff/number"
)

// screen measures columns. It is not the package's default, which looks at the
// language of the environment: the same report must give the same bytes.
var screen = runewidth.Condition{StrictEmojiNeutral: true}

func columns(s string) int { return screen.StringWidth(s) }

// unbreakable holds what belongs together on one line.
const unbreakable = "\u00a0"

// spaces makes the spaces of typesetters plain ones: every terminal draws
// those one column wide, and people can search for them.
var spaces = strings.NewReplacer(unbreakable, " ", number.Space, " ", number.Comma, " ")

// wrap breaks text into lines of at most width columns at its plain spaces;
// what is longer than a line is broken anywhere. The first line begins with
// first, the others with as many spaces as rest says.
func wrap(first string, rest int, text string, width int) []string {
	var lines []string
	line, empty := first, true
	flush := func() {
		lines = append(lines, line)
		line, empty = strings.Repeat(" ", rest), true
	}
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return r == ' ' }) {
		if !empty && columns(line)+1+columns(word) > width {
			flush()
		}
		if !empty {
			line += " "
		}
		for columns(line)+columns(word) > width {
			head := screen.Truncate(word, max(1, width-columns(line)), "")
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

// pad brings s to width columns, at its left or right.
func pad(s string, width int, right bool) string {
	fill := strings.Repeat(" ", max(0, width-columns(s)))
	if right {
		return fill + s
	}
	return s + fill
}

// The escape sequences of colours, by what they are for.
var sequences = map[string]string{"better": "\x1b[32m", "worse": "\x1b[31m", "strong": "\x1b[1m"}

// paint colours s, where colours are wanted and class has one.
func (t *text) paint(class, s string) string {
	if !t.color || sequences[class] == "" {
		return s
	}
	return sequences[class] + s + "\x1b[0m"
}
