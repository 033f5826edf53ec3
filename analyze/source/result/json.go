package result

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
)

// An object is a JSON object, whose members stay in order.
type object []member

type member struct {
	key   string
	value any // object, []any, json.Number, string, bool or nil
}

// Limits of what is kept of a document: files come from anywhere. Chosen, not measured: results are small.
const (
	mostRepeats = 10_000
	mostValues  = 1 << 20 // all that a document holds, but for what is left out
	deepest     = 64
)

var errTooMuch = errors.New("it holds more than a million values, or is nested too deep, and results are few " +
	"(give the summary that the benchmark prints)")

// decoder reads documents. Lists within lists are left out, and of lists what is behind the most repeats: they hold
// what single requests took.
type decoder struct {
	*json.Decoder
	left int
}

func decoderOf(text []byte) *decoder {
	d := &decoder{json.NewDecoder(bytes.NewReader(text)), mostValues}
	d.UseNumber()
	return d
}

// value reads the next value. With an error it returns what stands before it.
func (d *decoder) value(depth int, inList bool) (any, error) {
	token, err := d.Token()
	if err != nil {
		return nil, err
	}
	if d.left--; d.left < 0 || depth > deepest {
		return nil, errTooMuch
	}
	switch token {
	case json.Delim('{'):
		out := object{}
		for d.More() {
			key, err := d.Token()
			if err != nil {
				return out, err
			}
			v, err := d.value(depth+1, false)
			out = append(out, member{key.(string), v})
			if err != nil {
				return out, err
			}
		}
		_, err := d.Token()
		return out, err
	case json.Delim('['):
		out := []any{}
		for d.More() {
			v, err := d.value(depth+1, true)
			if inList || len(out) > mostRepeats {
				d.left++
			} else if v != nil || err == nil {
				out = append(out, v)
			}
			if err != nil {
				return out, err
			}
		}
		_, err := d.Token()
		return out, err
	}
	return token, nil
}

// documents reads a text of one JSON document, or of one on each line. A document that does not end is returned as far
// as it goes, with the error; of lines, bad counts those that are none.
func documents(text []byte) (docs []any, bad int, err error) {
	text = plainNumbers(bytes.TrimSpace(bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))))
	d := decoderOf(text)
	first, err := d.value(0, false)
	if err != nil {
		return []any{first}, 0, err
	}
	if _, err := d.Token(); err == io.EOF {
		return []any{first}, 0, nil
	}
	left := mostValues
	for line := range bytes.Lines(text) {
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		d := decoderOf(line)
		d.left = left
		doc, err := d.value(0, false)
		left = d.left
		switch {
		case err == errTooMuch:
			return docs, bad, err
		case err != nil:
			bad++
		default:
			docs = append(docs, doc)
		}
	}
	return docs, bad, nil
}

// plainNumbers writes an empty text over NaN and Infinity, which Python writes and JSON does not know.
func plainNumbers(text []byte) []byte {
	if !bytes.Contains(text, []byte("NaN")) && !bytes.Contains(text, []byte("Infinity")) {
		return text
	}
	text = bytes.Clone(text)
	quoted := false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case !quoted && (c == 'N' || c == 'I' || c == '-'):
			for _, word := range []string{"NaN", "Infinity", "-Infinity"} {
				if bytes.HasPrefix(text[i:], []byte(word)) {
					copy(text[i:], `""`+strings.Repeat(" ", len(word)-2))
					i += len(word) - 1
					break
				}
			}
		}
	}
	return text
}

// get returns a member, as T; the zero value if it is none.
func get[T any](o object, key string) (out T) {
	for _, m := range o {
		if m.key == key {
			out, _ = m.value.(T)
			return out
		}
	}
	return out
}

func (o object) has(keys ...string) bool {
	return slices.ContainsFunc(o, func(m member) bool { return slices.Contains(keys, m.key) })
}

// number returns a member that is a number.
func (o object) number(key string) (float64, bool) {
	f, err := get[json.Number](o, key).Float64()
	return f, err == nil
}

// list returns the objects in a member that is a list.
func (o object) list(key string) (out []object) {
	for _, v := range get[[]any](o, key) {
		if x, ok := v.(object); ok {
			out = append(out, x)
		}
	}
	return out
}
