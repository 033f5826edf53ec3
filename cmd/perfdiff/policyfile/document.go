package policyfile

import (
	"errors"
	"fmt"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// document is a policy file as it was written, so that every complaint names
// line and column.
type document struct {
	name string   // as errors call the file
	root ast.Node // nil of an empty file
}

// open reads the text of a policy file and holds it to what one may say, in
// words of the file: the decoder's errors speak of Go.
func open(name string, text []byte) (*document, error) {
	d := &document{name: name}
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
	return d, d.check(d.root, &everything, "")
}

// syntax is an error of the YAML library with its place.
func (d *document) syntax(err error) error {
	var e yaml.Error
	if errors.As(err, &e) && e.GetToken() != nil {
		if strings.Contains(e.GetMessage(), "character '\t'") {
			return d.wrong(e.GetToken(), "a tab stands before the text: indent with spaces")
		}
		return d.wrong(e.GetToken(), e.GetMessage())
	}
	return fmt.Errorf("%s: %w", d.name, err)
}

func (d *document) wrong(at *token.Token, text string) error {
	if at == nil || at.Position == nil {
		return fmt.Errorf("%s: %s", d.name, text)
	}
	return fmt.Errorf("%s:%d:%d: %s", d.name, at.Position.Line, at.Position.Column, text)
}

// at puts the place of a value in front of an error about it: where holds the
// keys and the places in lists that lead to it. Nil stays nil.
func (d *document) at(err error, where ...any) error {
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

// said puts the place and the key of a value in front of an error about it. Nil stays nil.
func (d *document) said(err error, key string, where ...any) error {
	if err == nil {
		return nil
	}
	return d.at(fmt.Errorf("%s: %w", key, err), where...)
}

// placed puts the place of a value in front of errors about it.
func (d *document) placed(where ...any) func(error) error {
	return func(err error) error { return d.at(err, where...) }
}

// text is a single value as it was written; "" where there is none.
func (d *document) text(where ...any) string {
	node := d.root
	for _, step := range where {
		if node = child(node, step); node == nil {
			return ""
		}
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

// plainNode is a value without its tag.
func plainNode(n ast.Node) ast.Node {
	for {
		tag, ok := n.(*ast.TagNode)
		if !ok {
			return n
		}
		n = tag.Value
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
