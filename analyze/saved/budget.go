package saved

import (
	"errors"
	"reflect"

	"perfdiff/analyze/run"
)

// MemoryBudget is how many bytes of memory may still be used to read saved summaries. They are taken off before memory
// is allocated, so that a small file that claims to hold much costs nothing.
type MemoryBudget struct{ Bytes int64 }

// ErrMemory is the cause where a summary needs more memory than is left.
var ErrMemory = errors.New("more memory than is allowed")

// take takes bytes and reports whether so many were left.
func (r *MemoryBudget) take(bytes int64) bool {
	if bytes > r.Bytes {
		return false
	}
	r.Bytes -= bytes
	return true
}

const (
	// maxExpansion is how many times as long as its file the body of a summary may be: real ones
	// are 3 to 12 times as long, those of jobs whose steps are all alike some 40 times.
	maxExpansion = 100
	// minBodyLimit is how long a body may be however small the file is, in bytes: the text of a
	// small summary is nearly the same from rank to rank.
	minBodyLimit = 8 << 20
	// maxDepth is how many lists and objects may lie within each other in the text of a summary;
	// real ones have 9.
	maxDepth = 32
	// objectBytes is more memory than any object in a list takes that is no rank, textBytes what
	// a text and numberBytes what a number in a list takes, in bytes.
	objectBytes, textBytes, numberBytes = 512, 16, 8
	// rankDepth is how deep the list of ranks lies: the set, its runs, a run, its ranks.
	rankDepth = 4
)

func sizeOf[T any]() int64 { return int64(reflect.TypeFor[T]().Size()) }

// decodedSize returns the most memory that the text of a summary can take once it is decoded, in
// bytes. Each element of a list counts as the largest thing that can stand there, twice, since
// lists grow by doubling.
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

// elementSize returns the most memory that the element of a list takes whose text rest begins with.
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

// endOfText returns the index of the quote that ends the text which begins at i.
func endOfText(text []byte, i int) int {
	for i++; i < len(text) && text[i] != '"'; i++ {
		if text[i] == '\\' {
			i++
		}
	}
	return min(i, len(text)-1)
}
