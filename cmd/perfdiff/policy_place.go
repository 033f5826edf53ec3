package main

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// policyDoc is a policy file as it was written, so that every complaint names
// line and column.
type policyDoc struct {
	name    string   // as errors call the file
	root    ast.Node // nil of an empty file
	anchors map[string]ast.Node
}

// openPolicy reads the text of a policy file and holds it to what one may say, in
// words of the file: the decoder's errors speak of Go.
func openPolicy(name string, text []byte) (*policyDoc, error) {
	d := &policyDoc{name: name, anchors: map[string]ast.Node{}}
	if err := d.checkDepth(text); err != nil {
		return nil, err
	}
	file, err := parser.ParseBytes(text, 0)
	if err != nil {
		return nil, d.syntax(err)
	}
	for i, doc := range file.Docs {
		if i == 0 {
			d.root = doc.Body
		} else if doc.Body != nil {
			return nil, d.wrong(start(doc.Body), "a second document begins here, and one is read: put all into the first")
		}
	}
	if d.root == nil {
		return d, nil
	}
	return d, d.check(d.root, &policyShape, "")
}

// syntax is an error of the YAML library with its place.
func (d *policyDoc) syntax(err error) error {
	var e yaml.Error
	if errors.As(err, &e) && e.GetToken() != nil {
		return d.wrong(e.GetToken(), e.GetMessage())
	}
	return fmt.Errorf("%s: %w", d.name, err)
}

func (d *policyDoc) wrong(at *token.Token, text string) error {
	if at == nil || at.Position == nil {
		return fmt.Errorf("%s: %s", d.name, text)
	}
	return fmt.Errorf("%s:%d:%d: %s", d.name, at.Position.Line, at.Position.Column, text)
}

// at puts the place of a value in front of an error about it: where holds the
// keys and the places in lists that lead to it. Nil stays nil.
func (d *policyDoc) at(err error, where ...any) error {
	if err == nil {
		return nil
	}
	node := d.root
	for _, step := range where {
		next := child(node, step)
		if next == nil {
			break // what is missing has the place of what it is missing in
		}
		node = next
	}
	return d.wrong(start(node), err.Error())
}

// placed puts the place of a value in front of errors about it.
func (d *policyDoc) placed(where ...any) func(error) error {
	return func(err error) error { return d.at(err, where...) }
}

// text is a single value as it was written; "" where there is none.
func (d *policyDoc) text(where ...any) string {
	node := d.root
	for _, step := range where {
		if node = child(node, step); node == nil {
			return ""
		}
	}
	if alias, ok := plainNode(node).(*ast.AliasNode); ok {
		node = d.anchors[alias.Value.GetToken().Value]
	}
	if node = plainNode(node); node == nil || node.GetToken() == nil {
		return ""
	}
	return node.GetToken().Value
}

func child(n ast.Node, step any) ast.Node {
	switch n := plainNode(n).(type) {
	case *ast.MappingNode:
		for _, v := range n.Values {
			if v.Key.GetToken().Value == step {
				return v.Value
			}
		}
	case *ast.SequenceNode:
		if i, ok := step.(int); ok && i < len(n.Values) {
			return n.Values[i]
		}
	}
	return nil
}

// plainNode is a value without its anchor and tag.
func plainNode(n ast.Node) ast.Node {
	for {
		switch v := n.(type) {
		case *ast.AnchorNode:
			n = v.Value
		case *ast.TagNode:
			n = v.Value
		default:
			return n
		}
	}
}

// start is where a value begins: the library places a block of keys at its
// first colon.
func start(n ast.Node) *token.Token {
	if n == nil {
		return nil
	}
	if m, ok := plainNode(n).(*ast.MappingNode); ok && !m.IsFlowStyle && len(m.Values) > 0 {
		return m.Values[0].Key.GetToken()
	}
	return n.GetToken()
}

// shape is what a value of a policy file must be.
type shape struct {
	want  string               // "a number, as in 0.05"
	keys  map[string]*shape    // of a mapping
	other *shape               // of its further keys; nil: there are none
	list  *shape               // of what is in a list
	is    func(ast.Node) error // of a single value
}

// check holds a value to its shape. What is left empty counts as not written.
func (d *policyDoc) check(n ast.Node, s *shape, path string) error {
	switch v := n.(type) {
	case *ast.AnchorNode:
		err := d.check(v.Value, s, path)
		d.anchors[v.Name.GetToken().Value] = v.Value // only now: it cannot hold itself
		return err
	case *ast.AliasNode:
		if name := v.Value.GetToken().Value; d.anchors[name] != nil {
			return d.check(d.anchors[name], s, path)
		}
	case *ast.TagNode:
		return d.check(v.Value, s, path)
	case *ast.NullNode:
		return nil
	case *ast.MappingNode:
		if s.keys != nil {
			return d.checkKeys(v, s, path)
		}
	case *ast.SequenceNode:
		for i := range v.Values {
			if s.list == nil {
				break
			}
			if err := d.check(v.Values[i], s.list, fmt.Sprintf("%s[%d]", path, i+1)); err != nil {
				return err
			}
		}
		if s.list != nil {
			return nil
		}
	default:
		if s.is == nil {
			break
		}
		if err := s.is(n); err != nil {
			return d.wrong(start(n), fmt.Sprintf("%s: %v", path, err))
		}
		return nil
	}
	return d.wrong(start(n), strings.TrimPrefix(path+": expected "+s.want, ": "))
}

func (d *policyDoc) checkKeys(m *ast.MappingNode, s *shape, path string) error {
	for _, pair := range m.Values {
		key := pair.Key.GetToken()
		of, below := s.keys[key.Value], strings.TrimPrefix(path+"."+key.Value, ".")
		if _, merge := pair.Key.(*ast.MergeKeyNode); merge {
			of, below = s, path
		}
		if of == nil {
			of = s.other
		}
		if of == nil {
			return d.wrong(key, fmt.Sprintf("unknown field %q: there are %s", key.Value, strings.Join(sortedKeys(s.keys), ", ")))
		}
		if err := d.check(pair.Value, of, below); err != nil {
			return err
		}
	}
	return nil
}

// number is a size: a fraction, which may be written in per cent, or with count a
// plain number.
func number(example string, count bool) *shape {
	expected := "a number, as in " + example
	return &shape{want: expected, is: func(n ast.Node) error {
		text := n.GetToken().Value
		v, err := parseSize(text)
		percent := strings.HasSuffix(text, "%")
		switch {
		case err != nil || !(v >= 0) || math.IsInf(v, 0) || isBool(n) || count && percent:
			return fmt.Errorf("expected %s, not %q", expected, text)
		case v >= 1 && !count && percent:
			return fmt.Errorf("%s is too much: it must be below 100%%", text)
		case v >= 1 && !count:
			return fmt.Errorf("%s would be %g%%: write %s%%", text, 100*v, text)
		}
		return nil
	}}
}

// amount is a fraction, which may be written in per cent, or a plain number: which of them
// the metric beside it says.
func amount(example string) *shape {
	expected := "a number, as in " + example
	return &shape{want: expected, is: func(n ast.Node) error {
		if v, err := parseSize(n.GetToken().Value); err != nil || !(v >= 0) || math.IsInf(v, 0) || isBool(n) {
			return fmt.Errorf("expected %s, not %q", expected, n.GetToken().Value)
		}
		return nil
	}}
}

// parseSize reads 2%, 2 % or 0.02.
func parseSize(text string) (float64, error) {
	digits, percent := strings.CutSuffix(strings.TrimSpace(text), "%")
	v, err := strconv.ParseFloat(strings.TrimSpace(digits), 64)
	if percent {
		v /= 100
	}
	return v, err
}

func isBool(n ast.Node) bool {
	_, ok := n.(*ast.BoolNode)
	return ok
}

// word is text in one of few words or free; numbers count as text, but for true
// and false nobody wrote what they mean.
func word(example string) *shape {
	expected := example
	return &shape{want: expected, is: func(n ast.Node) error {
		if isBool(n) {
			return fmt.Errorf("expected %s, not %s", expected, n.GetToken().Value)
		}
		return nil
	}}
}

// yesNo is true or false.
func yesNo() *shape {
	return &shape{want: "true or false", is: func(n ast.Node) error {
		if !isBool(n) {
			return fmt.Errorf("expected true or false, not %q", n.GetToken().Value)
		}
		return nil
	}}
}

func whole(example string) *shape {
	expected := "a whole number, as in " + example
	return &shape{want: expected, is: func(n ast.Node) error {
		if v, err := strconv.Atoi(n.GetToken().Value); err != nil || v < 0 {
			return fmt.Errorf("expected %s, not %q", expected, n.GetToken().Value)
		}
		return nil
	}}
}

func listOf(want string, each *shape) *shape { return &shape{want: want, list: each} }

func sortedKeys[V any](m map[string]V) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}
