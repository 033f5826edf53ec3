package kineto

import "bytes"

// Calls of one operator repeat: a layer has the same sizes in each step, and a model has a few dozen
// layers. What a call computes is counted once for each text of its sizes, and later calls are
// recognised by comparing the text. Reading the numbers again would cost three times as much.

// sizedForm is the part of a call's arguments that tells its sizes, as a text.
type sizedForm struct {
	text string // from the first such argument up to the last
	call int32  // index in counting.calls
	next int    // index of the form that came after this one
}

// sizedForms are the forms of calls with one head.
type sizedForms struct {
	list []sizedForm
	last int // the form that came last
}

// Bounds of forms: if texts are longer, or a head has more of them, each call is read.
const (
	maxForms = 64
	maxForm  = 1 << 9
)

// saysSizes reports whether an argument tells what a call computes.
func saysSizes(key []byte) bool {
	switch string(key) {
	case "Input Dims", "Input dims", "Input type", "Concrete Inputs":
		return true
	}
	return false
}

// followForm recognises the arguments of a call whose work was counted before; b[i] is the first byte after the brace.
// It returns the index after the event, 0 for any other text.
func (e *event) followForm(b []byte, i int) int {
	f := &e.head.forms
	if len(f.list) == 0 {
		return 0
	}
	for {
		if i = skipSpace(b, i); i == len(b) || b[i] == '}' {
			return 0
		}
		key, at, err := memberKey(b, i)
		if err != nil {
			return 0
		}
		if saysSizes(key) {
			break
		}
		_, end, _, err := scalarAt(b, at)
		if err != nil {
			return 0
		}
		if i, err = separator(b, end); err != nil {
			return 0
		}
	}
	form := f.find(b[i:])
	if form == nil {
		return 0
	}
	i += len(form.text)
	end, err := endOfEvent(b, i)
	if err != nil || bytes.IndexByte(b[i:end], '[') >= 0 { // another list may say something else
		return 0
	}
	e.counted = form.call + 1
	return end
}

// find returns the known form with which a text begins, nil if there is none. Layers follow each other in the same
// order in each step.
func (f *sizedForms) find(text []byte) *sizedForm {
	last := &f.list[f.last]
	for k, at := 0, last.next; k <= len(f.list); k, at = k+1, k {
		if x := &f.list[at]; len(text) > len(x.text) && string(text[:len(x.text)]) == x.text {
			last.next, f.last = at, at
			return x
		}
	}
	return nil
}

// learn remembers the form of a call.
func (f *sizedForms) learn(text []byte, call int32) {
	if len(text) == 0 || len(text) > maxForm || len(f.list) == maxForms {
		return
	}
	if at := len(f.list); at > 0 {
		f.list[f.last].next, f.last = at, at
	}
	f.list = append(f.list, sizedForm{text: string(text), call: call})
}

// formOf is the text of the arguments between two that say sizes.
type formOf struct{ from, to int }

// add adds an argument, from the quote of its key to the end of its value. Only lists show where they end: a number
// may be the start of a longer one.
func (f *formOf) add(key []byte, from, end int, isList bool) {
	switch {
	case f.from < 0 || !saysSizes(key) && bytes.IndexByte(key, '\\') < 0:
	case !isList || bytes.IndexByte(key, '\\') >= 0:
		f.from = -1
	case f.to == 0:
		f.from, f.to = from, end
	default:
		f.to = end
	}
}

// of returns the text in b, nil if it is none that another call can be recognised by.
func (f *formOf) of(b []byte) []byte {
	if f.from < 0 {
		return nil
	}
	return b[f.from:f.to]
}
