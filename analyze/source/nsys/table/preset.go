package table

import (
	"encoding/hex"
	"math"
	"regexp"
	"strconv"
	"strings"

	"perfdiff/analyze/source/nsys/table/btree"
)

// Rows from before a column was added end before it, and have the value that its DEFAULT
// says. SQLite lets only literals be one of a column that is added.

// affinity is what a column makes of values that are put into it
// (https://www.sqlite.org/datatype3.html#type_affinity). Those in records are what came of it.
type affinity int

const (
	asTheyAre affinity = iota // BLOB in SQLite's words
	asText
	asNumber // INTEGER and NUMERIC, which make the same of any value here
	asReal
)

// affinityOf is that of a column by its declared kind. Of the words in that, SQLite heeds
// parts, the first of which wins in this order.
func affinityOf(kind string, strict bool) affinity {
	kind = string(appendFolded(nil, unquoteKind(kind)))
	has := func(parts ...string) bool {
		for _, p := range parts {
			if strings.Contains(kind, p) {
				return true
			}
		}
		return false
	}
	switch {
	case has("int"):
		return asNumber
	case has("char", "clob", "text"):
		return asText
	case kind == "", has("blob"), strict && kind == "any":
		return asTheyAre
	case has("real", "floa", "doub"):
		return asReal
	}
	return asNumber
}

// declaredKind is the kind of a column without the words that its grammar takes for a part.
func declaredKind(text string) string {
	const first, last = "GENERATED", "ALWAYS"
	if rest := len(text) - len(last); rest >= len(first) && strings.EqualFold(text[rest:], last) {
		text = strings.TrimRight(text[:rest], " \t\n\f\r")
		if rest = len(text) - len(first); rest >= 0 && strings.EqualFold(text[rest:], first) {
			text = strings.TrimRight(text[:rest], " \t\n\f\r")
		}
	}
	return text
}

// unquoteKind is a kind as SQLite compares it: without the quotes that all of it stands in,
// or of several words the first if that stands in quotes.
func unquoteKind(kind string) string {
	const quotes = "\"`['"
	if len(kind) < 2 || !strings.Contains(quotes, kind[:1]) {
		return kind
	}
	if inner := kind[1 : len(kind)-1]; !strings.ContainsAny(inner, quotes) {
		return inner
	}
	return unquote(kind[:max(1, wordLength(kind))])
}

// literal is what a DEFAULT says.
type literal struct {
	kind literalKind
	text string // of a number with its sign, of a text or blob its bytes
}

type literalKind int

const (
	isNull literalKind = iota // there is no DEFAULT, or it says NULL
	isInteger
	isFloat
	isText
	isBlob
	isTruth
	isComputed // by an expression
)

// literalOfDefault reads what follows DEFAULT.
func (d *declaration) literalOfDefault() literal {
	switch {
	case d.word == "(":
		before := *d
		d.scan()
		l := d.signedLiteral(0)
		if l.kind == isComputed || !d.take(")") {
			*d = before
			d.parentheses()
			return literal{kind: isComputed}
		}
		return l
	case d.word == "+", d.word == "-":
		return d.signedLiteral(0)
	case d.first() == '"', d.first() == '`', d.first() == '[':
		return literal{isText, d.name()}
	}
	l := d.literal()
	if l.kind == isComputed && !d.failed {
		switch word := strings.ToUpper(d.word); {
		case word == "CURRENT_TIME", word == "CURRENT_DATE", word == "CURRENT_TIMESTAMP":
			d.scan()
		default:
			return literal{isText, d.name()}
		}
	}
	return l
}

// maxSigns is how many signs and parentheses a literal can stand in, which nobody writes.
const maxSigns = 100

// signedLiteral reads a literal with signs before it, in parentheses or not, within so many
// others; one that is computed has not been read to its end.
func (d *declaration) signedLiteral(depth int) literal {
	switch {
	case d.failed || depth > maxSigns:
	case d.take("+"):
		return d.signedLiteral(depth + 1)
	case d.take("-"):
		if l := d.signedLiteral(depth + 1); l.kind == isInteger || l.kind == isFloat {
			if rest, ok := strings.CutPrefix(l.text, "-"); ok {
				return literal{l.kind, rest}
			}
			return literal{l.kind, "-" + l.text}
		}
		return literal{kind: isComputed}
	case d.take("("):
		l := d.signedLiteral(depth + 1)
		if l.kind != isComputed {
			d.need(")")
		}
		return l
	default:
		return d.literal()
	}
	return literal{kind: isComputed}
}

// literal reads a literal without signs; where none comes it is computed and nothing was read.
func (d *declaration) literal() literal {
	word, l := d.word, literal{kind: isComputed}
	switch upper, c := strings.ToUpper(word), d.first(); {
	case upper == "NULL":
		l = literal{kind: isNull}
	case upper == "TRUE":
		l = literal{isTruth, "1"}
	case upper == "FALSE":
		l = literal{isTruth, "0"}
	case c == '\'':
		l = literal{isText, unquote(word)}
	case len(word) > 2 && word[1] == '\'':
		bytes, err := hex.DecodeString(word[2 : len(word)-1])
		d.failed = d.failed || err != nil
		l = literal{isBlob, string(bytes)}
	case isDigit(c) || c == '.' && len(word) > 1:
		l = numberLiteral(strings.ReplaceAll(word, "_", ""))
	default:
		return l
	}
	d.scan()
	return l
}

func numberLiteral(word string) literal {
	if len(word) > 1 && word[1]|0x20 == 'x' {
		v, err := strconv.ParseUint(word[2:], 16, 64)
		if err != nil {
			return literal{kind: isComputed}
		}
		return literal{isInteger, strconv.FormatInt(int64(v), 10)}
	}
	if strings.Trim(word, "0123456789") == "" {
		return literal{isInteger, word}
	}
	return literal{isFloat, word}
}

// preset is the value of a literal in a column, as a btree.Column has it.
func (l literal) preset(as affinity) any {
	switch l.kind {
	case isNull:
		return nil
	case isComputed:
		return btree.Computed
	case isBlob:
		return l.text
	case isText:
		if as < asNumber || !isNumber.MatchString(l.text) {
			return l.text
		}
	case isFloat:
		if as == asText {
			return l.text
		}
	default:
		if v, err := strconv.ParseInt(l.text, 10, 64); as == asText && err == nil {
			return strconv.FormatInt(v, 10)
		} else if as == asText {
			return l.text
		}
	}
	text := strings.TrimSpace(l.text)
	v, err := strconv.ParseInt(text, 10, 64)
	if err == nil && as != asReal {
		return v
	}
	x, _ := strconv.ParseFloat(text, 64) // beyond what there is it is infinite, as SQLite has it
	whole := int64(x)
	if as == asTheyAre || x <= math.MinInt64 || x >= math.MaxInt64 || float64(whole) != x {
		return x
	}
	if as == asReal {
		return float64(whole) // which is never -0
	}
	return whole
}

// isNumber tells texts that columns of numbers make numbers of.
var isNumber = regexp.MustCompile(`^[ \t\n\v\f\r]*[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?[ \t\n\v\f\r]*$`)
