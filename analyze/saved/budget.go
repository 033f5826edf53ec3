package saved

import (
	"errors"
	"reflect"

	"perfdiff/analyze/run"
)

// MemoryBudget is how much memory may still be taken by what is read of saved summaries, in
// bytes. What one needs is taken before it is made, so that a small file that claims to
// be large costs nothing.
type MemoryBudget struct{ Bytes int64 }

// ErrMemory is the cause when a summary needs more memory than there is.
var ErrMemory = errors.New("more memory than is allowed")

// take takes so many bytes and reports whether they were there.
func (r *MemoryBudget) take(bytes int64) bool {
	if bytes > r.Bytes {
		return false
	}
	r.Bytes -= bytes
	return true
}

const (
	// maxExpansion is how many times longer than its file a summary can be: real ones are 3
	// to 12 times, and those of jobs in which all steps are alike some 40 times.
	maxExpansion = 100
	// minBodyLimit is what a summary may be whatever its file has: of a small one the text
	// is alike from rank to rank.
	minBodyLimit = 8 << 20
	// maxDepth is how many lists and objects of a summary's text lie in each other; real
	// ones have 9.
	maxDepth = 32
	// objectBytes is more than an object of the text becomes that is no rank, and ofText and
	// ofNumber what a text and a number in a list do, in bytes.
	objectBytes, textBytes, numberBytes = 512, 16, 8
	// rankDepth is how deep the list of ranks lies: the set, its runs, a run, its ranks.
	rankDepth = 4
)

func sizeOf[T any]() int64 { return int64(reflect.TypeFor[T]().Size()) }

// decodedSize is the most memory that the text of a summary can take once it is decoded, in
// bytes: of every element of a list as much as the largest thing that can stand there,
// twice, since lists grow by doubling.
func decodedSize(text []byte) (int64, error) {
	total, depth, lists := int64(len(text)), 0, [maxDepth + 1]bool{}
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case '"':
			i = endOfText(text, i)
		case '{', '[':
			if depth++; depth > maxDepth {
				return 0, errors.New("its text is nested too deeply")
			}
			lists[depth] = c == '['
		case '}', ']':
			depth = max(0, depth-1)
		}
		if c := text[min(i, len(text)-1)]; (c == '[' || c == ',') && lists[depth] {
			total += 2 * elementSize(text[i+1:], depth)
		}
	}
	return total, nil
}

// elementSize is what the element of a list becomes that rest begins with.
func elementSize(rest []byte, depth int) int64 {
	for len(rest) > 0 && rest[0] <= ' ' {
		rest = rest[1:]
	}
	switch {
	case len(rest) == 0, rest[0] == ']':
		return 0
	case rest[0] == '"':
		return textBytes
	case rest[0] == '-', rest[0] >= '0' && rest[0] <= '9':
		return numberBytes
	case depth == rankDepth:
		return sizeOf[run.Rank]() + sizeOf[run.WholeCapture]()
	}
	return objectBytes
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
