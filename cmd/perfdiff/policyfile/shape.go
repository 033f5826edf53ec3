package policyfile

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"
)

// shape is what a value of a policy file must be.
type shape struct {
	want  string               // "a number, as in 0.05"
	keys  map[string]*shape    // of a mapping
	other *shape               // of its further keys; nil: there are none
	list  *shape               // of what is in a list
	is    func(ast.Node) error // of a single value
}

// reused follows what stands for something written elsewhere in the file. Anchors (&a), aliases
// (*a) and merged keys (<<) are refused: the place of a value would be another than where a
// person reads it, and a waiver or an alpha could come in unseen.
const reused = ": what is written elsewhere (&, *, <<) is not taken from there: write the value here"

// check holds a value to its shape. What is left empty counts as not written.
func (d *document) check(n ast.Node, s *shape, path string) error {
	switch v := n.(type) {
	case *ast.AnchorNode, *ast.AliasNode:
		return d.wrong(n.GetToken(), path+reused)
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

func (d *document) checkKeys(m *ast.MappingNode, s *shape, path string) error {
	for _, pair := range m.Values {
		key := pair.Key.GetToken()
		of, below := s.keys[key.Value], strings.TrimPrefix(path+"."+key.Value, ".")
		if _, merge := pair.Key.(*ast.MergeKeyNode); merge {
			return d.wrong(key, key.Value+reused)
		}
		if of == nil {
			of = s.other
		}
		if of == nil {
			return d.wrong(key, fmt.Sprintf("unknown field %q: there are %s", key.Value, strings.Join(slices.Sorted(maps.Keys(s.keys)), ", ")))
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
