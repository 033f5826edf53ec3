package saved

import (
	"errors"
	"reflect"

	"perfdiff/analyze/run"
)

// Room is how much memory may still be taken by what is read of saved summaries, in
// bytes. What one needs is taken before it is made, so that a small file that claims to
// be large costs nothing.
type Room struct{ Left int64 }

// ErrRoom is the cause when a summary needs more memory than there is.
var ErrRoom = errors.New("more memory than is allowed")

// take takes so many bytes and reports whether they were there.
func (r *Room) take(bytes int64) bool {
	if bytes > r.Left {
		return false
	}
	r.Left -= bytes
	return true
}

const (
	// mostPacked is how many times longer than its file a summary can be: real ones are 3
	// to 12 times, and those of jobs in which all steps are alike some 40 times.
	mostPacked = 100
	// leastBody is what a summary may be whatever its file has: of a small one the text
	// is alike from rank to rank.
	leastBody = 8 << 20
	// deepest is how many lists and objects of a summary's text lie in each other; real
	// ones have 9.
	deepest = 32
	// ofObject is more than an object of the text becomes that is no rank, and ofText and
	// ofNumber what a text and a number in a list do, in bytes.
	ofObject, ofText, ofNumber = 512, 16, 8
	// rankDepth is how deep the list of ranks lies: the set, its runs, a run, its ranks.
	rankDepth = 4
)

func sizeOf[T any]() int64 { return int64(reflect.TypeFor[T]().Size()) }

// weight is the most memory that the text of a summary can take once it is decoded, in
// bytes: of every element of a list as much as the largest thing that can stand there,
// twice, since lists grow by doubling.
func weight(text []byte) (int64, error) {
	total, deep, lists := int64(len(text)), 0, [deepest + 1]bool{}
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case '"':
			i = endOfText(text, i)
		case '{', '[':
			if deep++; deep > deepest {
				return 0, errors.New("its text is nested too deeply")
			}
			lists[deep] = c == '['
		case '}', ']':
			deep = max(0, deep-1)
		}
		if c := text[min(i, len(text)-1)]; (c == '[' || c == ',') && lists[deep] {
			total += 2 * ofElement(text[i+1:], deep)
		}
	}
	return total, nil
}

// ofElement is what the element of a list becomes that rest begins with.
func ofElement(rest []byte, deep int) int64 {
	for len(rest) > 0 && rest[0] <= ' ' {
		rest = rest[1:]
	}
	switch {
	case len(rest) == 0, rest[0] == ']':
		return 0
	case rest[0] == '"':
		return ofText
	case rest[0] == '-', rest[0] >= '0' && rest[0] <= '9':
		return ofNumber
	case deep == rankDepth:
		return sizeOf[run.Rank]() + sizeOf[run.Whole]()
	}
	return ofObject
}

// endOfText is the index of the quote that ends the text that begins at i.
func endOfText(text []byte, i int) int {
	for i++; i < len(text) && text[i] != '"'; i++ {
		if text[i] == '\\' {
			i++
		}
	}
	return min(i, len(text)-1)
}
