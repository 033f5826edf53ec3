package render

import (
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"strings"

	"perfdiff/diff"
)

// WriteReportSchema writes the JSON Schema (draft 2020-12) of what -o report.json holds. It is made of the same lists of
// members as the document, so that they cannot part. Members may be added within a major schema_version: the schema
// allows those that it does not know.
func WriteReportSchema(w io.Writer) error {
	s := schema{}
	root := s.of(reflect.TypeFor[answered]())
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(map[string]any{
		"$schema": "https://json-schema.org/draft/2020-12/schema",
		"title":   "perfdiff report " + diff.SchemaVersion,
		"description": "Times are in s, sizes in bytes, rates in bytes/s, shares and changes in fractions (0.02 is 2 %). " +
			"A number that is missing is null.",
		"$ref": root["$ref"], "$defs": s,
	})
}

// schema holds the definition of each struct, by its name.
type schema map[string]any

// of returns what the encoder writes for any value of a type.
func (s schema) of(t reflect.Type) map[string]any {
	switch t.Kind() {
	case reflect.Pointer:
		return orNull(s.of(t.Elem()))
	case reflect.Interface:
		return map[string]any{}
	case reflect.Struct:
		return s.reference(t)
	case reflect.Map:
		return map[string]any{"type": "object", "additionalProperties": s.of(t.Elem())}
	case reflect.Array, reflect.Slice:
		return listOfItems(s.of(t.Elem()))
	case reflect.String:
		return typed("string")
	case reflect.Bool:
		return typed("boolean")
	case reflect.Float32, reflect.Float64:
		return typed("number", "null")
	}
	if t.PkgPath() != "" && t.Implements(reflect.TypeFor[fmt.Stringer]()) {
		return typed("string")
	}
	return typed("integer")
}

// reference returns a reference to the definition of a struct, which it makes where it is not yet there.
func (s schema) reference(t reflect.Type) map[string]any {
	name := strings.ReplaceAll(t.String(), "[", "-of-")
	name = strings.NewReplacer("]", "", "/", ".", "*", "").Replace(name)
	if s[name] == nil {
		s[name] = map[string]any{} // a struct may hold its own kind
		s[name] = s.object(t, membersOf(t))
	}
	return map[string]any{"$ref": "#/$defs/" + name}
}

// object returns the members of an object, and which of them are always there.
func (s schema) object(t reflect.Type, all []*member) map[string]any {
	properties, required := map[string]any{}, []string{}
	for _, m := range all {
		if m.parts != nil {
			properties[m.key] = s.object(t, m.parts)
		} else {
			properties[m.key] = s.member(t, m)
		}
		if !m.mayBeLeftOut() {
			required = append(required, m.key)
		}
	}
	return map[string]any{"type": "object", "properties": properties, "required": required}
}

// member returns what is written for a member in its form, as (*encoder).member writes it.
func (s schema) member(t reflect.Type, m *member) map[string]any {
	of := m.says
	if m.say == nil {
		of = t.FieldByIndex(m.index).Type
	}
	switch {
	case m.has("null"):
		return orNull(s.of(of))
	case m.has("clock") && !m.has("ns"):
		return typed("integer", "null")
	case m.has("half"):
		return listOfItems(typed("number", "null"))
	case m.has("ns"), m.has("clock"):
		return typed("number", "null")
	case isPair(of) && !m.has("list"):
		return s.pair(of)
	}
	return s.of(of)
}

// pair returns the object of a value of each side.
func (s schema) pair(t reflect.Type) map[string]any {
	if t.Kind() == reflect.Pointer {
		return orNull(s.pair(t.Elem()))
	}
	properties := map[string]any{}
	for _, side := range sideNames {
		properties[side] = s.of(t.Elem())
	}
	return map[string]any{"type": "object", "properties": properties, "required": sideNames}
}

// mayBeLeftOut reports whether an object may lack a member.
func (m *member) mayBeLeftOut() bool {
	for _, p := range m.parts {
		if !p.has("omitnan") {
			return false
		}
	}
	return m.parts != nil || m.has("omitnan") || m.has("omitempty")
}

func typed(names ...string) map[string]any {
	if len(names) == 1 {
		return map[string]any{"type": names[0]}
	}
	return map[string]any{"type": names}
}

func listOfItems(of map[string]any) map[string]any {
	return map[string]any{"type": "array", "items": of}
}

func orNull(of map[string]any) map[string]any {
	return map[string]any{"anyOf": []any{of, typed("null")}}
}
