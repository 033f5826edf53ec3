package policyfile

import (
	"errors"
	"fmt"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// document is a policy file as it is read: every complaint names line and column, in words of
// the file, as the library's decoder speaks of Go.
type document struct {
	name string // as errors call the file
	root value  // that holds all; without a node of an empty file
	err  error  // the first thing that is wrong with a value; nil: nothing so far
}

// open reads the text of a policy file.
func (d *document) open(text []byte) error {
	if err := d.checkDepth(text); err != nil {
		return err
	}
	file, err := parser.ParseBytes(text, 0)
	if err != nil {
		return d.syntax(err)
	}
	d.root = value{doc: d}
	for i, doc := range file.Docs {
		if i == 0 && doc.Body != nil {
			d.root = d.value("", doc.Body)
		} else if doc.Body != nil {
			return d.wrong(start(doc.Body), "a second document begins here, and one is read: put all into the first")
		}
	}
	return d.err
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
