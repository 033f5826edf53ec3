package policyfile

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"
)

// value is a value of a policy file. Whoever reads it says what it must be, as in "a number, as
// in 0.05"; the first value that is something else is what the document reports as its error.
type value struct {
	doc  *document
	path string       // as errors name it: waivers[1].up_to
	node ast.Node     // nil: it is left out or empty, which is the same
	at   *token.Token // where it begins; of one that is left out, what it is missing in
}

// reused follows what stands for something written elsewhere in the file. Anchors (&a), aliases
// (*a) and merged keys (<<) are refused: the place of a value would be another than where a
// person reads it, and a waiver or an alpha could come in unseen.
const reused = ": what is written elsewhere (&, *, <<) is not taken from there: write the value here"

func (d *document) value(path string, n ast.Node) value {
	v := value{doc: d, path: path, at: start(n)}
	for tag, ok := n.(*ast.TagNode); ok; tag, ok = n.(*ast.TagNode) {
		n = tag.Value
	}
	switch n.(type) {
	case *ast.AnchorNode, *ast.AliasNode:
		v.refuse(errors.New(path + reused))
	case *ast.NullNode:
	default:
		v.node = n
	}
	return v
}

// start is where a value begins: the library places a block of keys at its first colon.
func start(n ast.Node) *token.Token {
	if n == nil {
		return nil
	}
	if m, ok := n.(*ast.MappingNode); ok && !m.IsFlowStyle && len(m.Values) > 0 {
		return m.Values[0].Key.GetToken()
	}
	return n.GetToken()
}

// refuse puts the place of a value in front of an error about it, and keeps it where it is the
// first. Nil is no error.
func (v value) refuse(err error) {
	if err != nil && v.doc.err == nil {
		v.doc.err = v.doc.wrong(v.at, err.Error())
	}
}

// as is a value of a kind; one of another kind is refused.
func as[T ast.Node](v value, want string) (T, bool) {
	n, ok := v.node.(T)
	if !ok && v.node != nil {
		v.refuse(errors.New(strings.TrimPrefix(v.path+": expected "+want, ": ")))
	}
	return n, ok
}

// keys are the keys of a mapping, each of which must be one of names where there are any.
func (v value) keys(want string, names ...string) []string {
	m, ok := as[*ast.MappingNode](v, want)
	if !ok {
		return nil
	}
	slices.Sort(names)
	var written []string
	for _, pair := range m.Values {
		key := pair.Key.GetToken()
		here := value{doc: v.doc, at: key}
		if _, merge := pair.Key.(*ast.MergeKeyNode); merge {
			here.refuse(errors.New(key.Value + reused))
		} else if len(names) > 0 && !slices.Contains(names, key.Value) {
			here.refuse(fmt.Errorf("unknown field %q: there are %s", key.Value, strings.Join(names, ", ")))
		}
		written = append(written, key.Value)
	}
	return written
}

// get is the value of a key, whose mapping was read.
func (v value) get(key string) value {
	if m, ok := v.node.(*ast.MappingNode); ok {
		for _, pair := range m.Values {
			if pair.Key.GetToken().Value == key {
				return v.doc.value(strings.TrimPrefix(v.path+"."+key, "."), pair.Value)
			}
		}
	}
	return value{doc: v.doc, at: v.at}
}

// list are the values of a list.
func (v value) list(want string) []value {
	list, ok := as[*ast.SequenceNode](v, want)
	if !ok {
		return nil
	}
	items := make([]value, len(list.Values))
	for i, n := range list.Values {
		items[i] = v.doc.value(fmt.Sprintf("%s[%d]", v.path, i+1), n)
	}
	return items
}

// text is text in one of few words or free. Numbers count as text, but for true and false nobody
// wrote what they mean.
func (v value) text(want string) (text string) {
	n, ok := as[ast.ScalarNode](v, want)
	if _, yesNo := v.node.(*ast.BoolNode); yesNo {
		v.refuse(fmt.Errorf("%s: expected %s, not %s", v.path, want, n.GetToken().Value))
	} else if ok {
		if err := yaml.NodeToValue(n, &text); err != nil && v.doc.err == nil {
			v.doc.err = v.doc.syntax(err)
		}
	}
	return text
}

// texts are those of a list.
func (v value) texts(want, item string) []string {
	var out []string
	for _, one := range v.list(want) {
		out = append(out, one.text(item))
	}
	return out
}

// either is one of two words, or "".
func (v value) either(one, other string) string {
	want := one + " or " + other
	text := v.text(want)
	if text != "" && text != one && text != other {
		v.refuse(fmt.Errorf("%s is %q: write %s", v.path, text, want))
	}
	return text
}

// oneOf is one of several words, or "".
func (v value) oneOf(words []string) string {
	text := v.text("one of " + strings.Join(words, ", "))
	if text != "" && !slices.Contains(words, text) {
		v.refuse(fmt.Errorf("%s is %q: write one of %s", v.path, text, strings.Join(words, ", ")))
	}
	return text
}

// plain is a single value as it is written, which must be what fits says.
func (v value) plain(want string, fits func(text string) bool) string {
	n, ok := as[ast.ScalarNode](v, want)
	if !ok {
		return ""
	}
	text := n.GetToken().Value
	if !fits(text) {
		v.refuse(fmt.Errorf("%s: expected %s, not %q", v.path, want, text))
	}
	return text
}

func (v value) yes() bool {
	b, ok := v.node.(*ast.BoolNode)
	v.plain("true or false", func(string) bool { return ok })
	return ok && b.Value
}

func (v value) whole(example string) (n int) {
	v.plain("a whole number, as in "+example, func(text string) (fits bool) {
		var err error
		n, err = strconv.Atoi(text)
		return err == nil && n >= 0
	})
	return n
}

// amount is a fraction, written 2%, 2 % or 0.02, or a plain number: which of them the metric
// beside it says.
func (v value) amount(example string) float64 {
	size, _ := v.number(example, true)
	return size
}

// count is a plain number.
func (v value) count(example string) float64 {
	size, _ := v.number(example, false)
	return size
}

// fraction is a fraction, which may be written in per cent.
func (v value) fraction(example string) float64 {
	size, text := v.number(example, true)
	switch {
	case size >= 1 && strings.HasSuffix(text, "%"):
		v.refuse(fmt.Errorf("%s: %s is too much: it must be below 100%%", v.path, text))
	case size >= 1:
		v.refuse(fmt.Errorf("%s: %s would be %g%%: write %s%%", v.path, text, 100*size, text))
	}
	return size
}

func (v value) number(example string, percent bool) (size float64, written string) {
	written = v.plain("a number, as in "+example, func(text string) bool {
		digits, of100 := strings.CutSuffix(strings.TrimSpace(text), "%")
		var err error
		if size, err = strconv.ParseFloat(strings.TrimSpace(digits), 64); of100 {
			size /= 100
		}
		return err == nil && size >= 0 && !math.IsInf(size, 0) && (percent || !of100)
	})
	return size, written
}
