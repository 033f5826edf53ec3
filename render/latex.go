package render

import (
	"strings"

	"perfdiff/diff"
)

// latexTables returns all tables of a write-up for a LaTeX document, in one file.
func latexTables(r *diff.Report) []byte {
	var b strings.Builder
	b.WriteString("% Needs \\usepackage{booktabs}; \\input{tables} puts them in.\n")
	for _, t := range []*sheet{metricsTable(r), partsTable(r), kernelsTable(r), setupTable(r)} {
		if s := t.latex(); s != "" {
			b.WriteString("\n" + s)
		}
	}
	return []byte(b.String())
}

// latexOf are the characters that LaTeX takes for its own or that its fonts do not have, as it
// writes them.
var latexOf = map[rune]string{
	'\\': `\textbackslash{}`, '{': `\{`, '}': `\}`, '$': `\$`, '&': `\&`, '#': `\#`, '%': `\%`, '_': `\_`,
	'^': `\textasciicircum{}`, '~': `\textasciitilde{}`, '<': `\textless{}`, '>': `\textgreater{}`, '|': `\textbar{}`,
	'"': `\textquotedbl{}`, '`': `\textasciigrave{}`, '\'': `\textquotesingle{}`, '-': `{-}`,
	'−': `\ensuremath{-}`, '–': `--`, '—': `---`, '±': `\ensuremath{\pm}`, '×': `\ensuremath{\times}`, '·': `\ensuremath{\cdot}`,
	'→': `\ensuremath{\to}`, '≤': `\ensuremath{\le}`, '≥': `\ensuremath{\ge}`, '∞': `\ensuremath{\infty}`, 'µ': `\ensuremath{\mu}`,
	'°': `\ensuremath{^{\circ}}`, '…': `\ldots{}`, '“': "``", '”': "''", '‘': "`", '’': "'",
	'\u202f': `\,`, '\u2009': `\,`, '\u00a0': `~`, '²': `\ensuremath{^2}`, 'σ': `\ensuremath{\sigma}`, 'α': `\ensuremath{\alpha}`,
}

// latexText returns s as text of a LaTeX document, in ASCII, with no character that acts as a command. Characters
// without a name here become "?".
func latexText(s string) string {
	var b strings.Builder
	for _, c := range Line(s) {
		switch as, ok := latexOf[c]; {
		case ok:
			b.WriteString(as)
		case c >= ' ' && c <= '~':
			b.WriteRune(c)
		default:
			b.WriteByte('?')
		}
	}
	return b.String()
}
