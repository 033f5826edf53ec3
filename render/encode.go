package render

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"perfdiff/analyze/trace"
	"perfdiff/diff"
	"perfdiff/render/words"
)

// encoder writes values as JSON for people and programs: two spaces a level, a list of plain values on one line. The
// tags "report" of the fields say which members an object has, see package diff; sayings says which members are words.
type encoder struct {
	w       io.Writer
	out     []byte
	depth   int
	oneLine bool // for programs alone: all of it on one line, with the characters that HTML obeys as they are
	err     error
}

// flushFrom is how many bytes are gathered before they are written. Chosen, not measured.
const flushFrom = 64 << 10

// answered is a report as its document has it: beside its answer, which is made once.
type answered struct {
	*diff.Report `report:"."`
	words.Answer `report:"verdict."`
}

// writeJSON writes the report, including its sentences.
func writeJSON(w io.Writer, r *diff.Report, _ Options) error {
	return writeIndented(w, &answered{r, words.AnswerOf(r)})
}

// writeIndented writes v, a pointer, as a JSON document.
func writeIndented(w io.Writer, v any) error {
	return (&encoder{w: w}).write(v)
}

func (e *encoder) write(v any) error {
	e.value(reflect.ValueOf(v))
	e.out = append(e.out, '\n')
	e.flush()
	return e.err
}

func (e *encoder) flush() {
	if e.err == nil {
		_, e.err = e.w.Write(e.out)
	}
	e.out = e.out[:0]
}

// newline begins a line of the present depth.
func (e *encoder) newline() {
	if len(e.out) >= flushFrom {
		e.flush()
	}
	if e.oneLine {
		return
	}
	e.out = append(e.out, '\n')
	for range e.depth {
		e.out = append(e.out, "  "...)
	}
}

// next begins a line for one more entry of a list or object that has n so far.
func (e *encoder) next(n int) {
	if n > 0 {
		e.out = append(e.out, ',')
	}
	e.newline()
}

// open and close write the ends of a list or object; close is told how many entries it has.
func (e *encoder) open(c byte) {
	e.out = append(e.out, c)
	e.depth++
}

func (e *encoder) close(c byte, n int) {
	e.depth--
	if n > 0 {
		e.newline()
	}
	e.out = append(e.out, c)
}

// value writes any value as its type says.
func (e *encoder) value(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			e.out = append(e.out, "null"...)
			return
		}
		e.value(v.Elem())
	case reflect.Struct:
		e.object(v)
	case reflect.Map:
		e.mapped(v)
	case reflect.Array, reflect.Slice:
		e.list(v)
	default:
		e.plain(v)
	}
}

// plain writes a string, a boolean or a number; a value of a type that has a word for it as that word.
func (e *encoder) plain(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		e.text(v.String())
	case reflect.Bool:
		e.out = strconv.AppendBool(e.out, v.Bool())
	case reflect.Float32, reflect.Float64:
		e.number(v.Float())
	default:
		e.integer(v)
	}
}

// integer writes a number, or the word that its type has for it.
func (e *encoder) integer(v reflect.Value) {
	if v.Type().PkgPath() != "" {
		if word, ok := v.Interface().(fmt.Stringer); ok {
			e.text(word.String())
			return
		}
	}
	if v.CanUint() {
		e.out = strconv.AppendUint(e.out, v.Uint(), 10)
		return
	}
	e.out = strconv.AppendInt(e.out, v.Int(), 10)
}

// number writes v as encoding/json does, and null where it is not finite: such a value is missing.
func (e *encoder) number(v float64) {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		e.out = append(e.out, "null"...)
		return
	}
	if abs := math.Abs(v); abs == 0 || abs >= 1e-6 && abs < 1e21 {
		e.out = strconv.AppendFloat(e.out, v, 'f', -1, 64)
		return
	}
	b := strconv.AppendFloat(e.out, v, 'e', -1, 64)
	if end := len(b) - 4; string(b[end:len(b)-1]) == "e-0" { // e-09 is e-9
		b[end+2], b = b[end+3], b[:end+3]
	}
	e.out = b
}

// text writes a string. Invisible characters, and those with a meaning in HTML, are escaped.
func (e *encoder) text(s string) {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' || c == '<' || c == '>' || c == '&' {
			e.out = append(e.out, replaceInvisible(e.quoted(s), jsonEscape)...)
			return
		}
	}
	e.out = append(append(append(e.out, '"'), s...), '"')
}

// quoted returns a string as encoding/json writes it.
func (e *encoder) quoted(s string) []byte {
	var out bytes.Buffer
	j := json.NewEncoder(&out)
	j.SetEscapeHTML(!e.oneLine)
	e.err = errors.Join(e.err, j.Encode(s))
	return bytes.TrimSuffix(out.Bytes(), []byte("\n"))
}

// list writes a list; plain values stand on one line.
func (e *encoder) list(v reflect.Value) {
	if isPlain(v.Type().Elem()) {
		e.out = append(e.out, '[')
		for i := range v.Len() {
			if i > 0 {
				e.out = append(e.out, ',')
			}
			e.plain(v.Index(i))
		}
		e.out = append(e.out, ']')
		return
	}
	e.open('[')
	for i := range v.Len() {
		e.next(i)
		e.value(v.Index(i))
	}
	e.close(']', v.Len())
}

func isPlain(t reflect.Type) bool {
	return !slices.Contains([]reflect.Kind{reflect.Pointer, reflect.Interface, reflect.Struct, reflect.Map, reflect.Array, reflect.Slice}, t.Kind())
}

// mapped writes a map, by its keys as text.
func (e *encoder) mapped(v reflect.Value) {
	values := make(map[string]reflect.Value, v.Len())
	for it := v.MapRange(); it.Next(); {
		values[fmt.Sprint(it.Key())] = it.Value()
	}
	e.open('{')
	for i, key := range slices.Sorted(maps.Keys(values)) {
		e.next(i)
		e.key(key)
		e.value(values[key])
	}
	e.close('}', len(values))
}

func (e *encoder) key(name string) {
	e.text(name)
	if e.out = append(e.out, ':'); !e.oneLine {
		e.out = append(e.out, ' ')
	}
}

// object writes a struct with the members that its type has.
func (e *encoder) object(v reflect.Value) {
	if !v.CanAddr() { // sayings ask for the address
		own := reflect.New(v.Type()).Elem()
		own.Set(v)
		v = own
	}
	e.members(v, membersOf(v.Type()))
}

func (e *encoder) members(v reflect.Value, all []*member) {
	n := 0
	e.open('{')
	for _, m := range all {
		if m.isLeftOut(v) {
			continue
		}
		e.next(n)
		e.key(m.key)
		n++
		if m.parts != nil {
			e.members(v, m.parts)
		} else {
			e.member(m, m.of(v))
		}
	}
	e.close('}', n)
}

// member writes the value of a member in its form.
func (e *encoder) member(m *member, v reflect.Value) {
	nilSlice := v.Kind() == reflect.Slice && v.IsNil()
	switch {
	case nilSlice && m.has("null"):
		e.out = append(e.out, "null"...)
	case m.has("clock") && v.Int() == trace.NoTime:
		e.out = append(e.out, "null"...)
	case m.has("half"):
		e.each(v, func(x reflect.Value) { e.number(float64(x.Uint()) / 200) })
	case v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Float32:
		e.each(v, func(x reflect.Value) { e.number(shortest(x.Float())) })
	case m.has("ns") && v.CanInt():
		e.number(float64(v.Int()) / 1e9)
	case m.has("ns"):
		e.number(v.Float() * 1e-9)
	case isPair(v.Type()) && !m.has("list"):
		e.pair(v)
	default:
		e.value(v)
	}
}

// each writes a list on one line.
func (e *encoder) each(v reflect.Value, write func(reflect.Value)) {
	e.out = append(e.out, '[')
	for i := range v.Len() {
		if i > 0 {
			e.out = append(e.out, ',')
		}
		write(v.Index(i))
	}
	e.out = append(e.out, ']')
}

// shortest returns a single-precision value with the digits that it has.
func shortest(v float64) float64 {
	exact, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', -1, 32), 64)
	if err != nil {
		return math.NaN()
	}
	return exact
}

// isPair reports whether values of a type are one for each side.
func isPair(t reflect.Type) bool {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t.Kind() == reflect.Array && t.Len() == 2
}

// pair writes the values of both sides.
func (e *encoder) pair(v reflect.Value) {
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			e.out = append(e.out, "null"...)
			return
		}
		v = v.Elem()
	}
	e.open('{')
	for i, side := range sideNames {
		e.next(i)
		e.key(side)
		e.value(v.Index(i))
	}
	e.close('}', 2)
}

// member is one member of an object: a field, words about the whole, or an object of parts.
type member struct {
	key     string
	index   []int                               // of the field
	say     func(v reflect.Value) reflect.Value // of the struct at index; nil: it is the field
	says    reflect.Type                        // of what say returns
	options []string
	parts   []*member // of an object that several fields make up; nil: it is none
}

func (m *member) has(option string) bool { return slices.Contains(m.options, option) }

// of returns the value of a member of a struct.
func (m *member) of(v reflect.Value) reflect.Value {
	at := v.FieldByIndex(m.index)
	if m.say == nil {
		return at
	}
	if at.Kind() != reflect.Pointer {
		at = at.Addr()
	}
	return m.say(at)
}

// isLeftOut reports whether an object omits a member: it is empty, or not a number, and its tag says to omit it then,
// or that is true for all parts of it.
func (m *member) isLeftOut(v reflect.Value) bool {
	if m.parts != nil {
		return !slices.ContainsFunc(m.parts, func(p *member) bool { return !p.has("omitnan") || !p.isLeftOut(v) })
	}
	switch {
	case m.has("omitnan"):
		return math.IsNaN(m.of(v).Float())
	case m.has("omitempty"):
		x := m.of(v)
		return x.IsZero() || x.Kind() == reflect.Slice && x.Len() == 0
	}
	return false
}

// memberLists are the members of types that were asked for, by reflect.Type.
var memberLists sync.Map

// membersOf returns the members of a struct, in the order of its fields; words without a field of their own come last.
// It panics if a tag asks for words that no saying provides.
func membersOf(t reflect.Type) []*member {
	if all, ok := memberLists.Load(t); ok {
		return all.([]*member)
	}
	p := &plan{}
	p.add(t, nil, "")
	memberLists.Store(t, p.members)
	return p.members
}

// plan is the list of members in the making.
type plan struct{ members []*member }

// add adds the members of a struct that lies at index, each with a prefix.
func (p *plan) add(t reflect.Type, index []int, prefix string) {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	said := map[string]bool{}
	for i := range t.NumField() {
		f := t.Field(i)
		tag, ok := f.Tag.Lookup("report")
		if !ok || tag == "-" {
			continue
		}
		name, rest, _ := strings.Cut(tag, ",")
		options, at := strings.Split(rest, ","), append(slices.Clone(index), i)
		switch {
		case strings.HasSuffix(name, "."):
			p.add(f.Type, at, prefix+strings.TrimPrefix(name, "."))
		case slices.Contains(options, "said"):
			of, ok := sayings[saying{t, name}]
			if !ok {
				panic(fmt.Sprintf("render: nothing says %s of %s", name, t))
			}
			said[name] = true
			p.put(prefix+name, &member{index: index, say: of.value, says: of.says, options: options})
		default:
			p.put(prefix+name, &member{index: at, options: options})
		}
	}
	for _, s := range slices.SortedFunc(maps.Values(sayings), func(a, b sayer) int { return strings.Compare(a.key, b.key) }) {
		if s.of == t && !said[s.key] {
			p.put(prefix+s.key, &member{index: index, say: s.value, says: s.says})
		}
	}
}

// put puts a member in its place, in the object that its name begins with.
func (p *plan) put(name string, m *member) {
	list := &p.members
	for {
		group, rest, nested := strings.Cut(name, ".")
		if !nested {
			m.key = name
			*list = append(*list, m)
			return
		}
		at := slices.IndexFunc(*list, func(o *member) bool { return o.key == group && o.parts != nil })
		if at < 0 {
			*list = append(*list, &member{key: group, parts: []*member{}})
			at = len(*list) - 1
		}
		list, name = &(*list)[at].parts, rest
	}
}
