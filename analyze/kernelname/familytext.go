package kernelname

import (
	"bytes"
	"strings"
	"sync"
)

// text is a part of a name and the three-letter sequences in it: most of the table's hundreds of words are ruled out
// by their first and last sequence, without a search.
type text struct {
	of     []byte
	threes [64]uint64
}

// add appends words and notes their threes.
func (t *text) add(s []byte) {
	from := max(0, len(t.of)-2)
	t.of = append(t.of, s...)
	var n uint
	for i, c := range t.of[from:] {
		if n = next(n, c); i >= 2 {
			t.threes[n/64] |= 1 << (n % 64)
		}
	}
}

func (t *text) clear() { t.of, t.threes = t.of[:0], [64]uint64{} }

// next returns the number, below 4096, of the last three letters: of the one before and the
// letter that follows. Others share it.
func next(three uint, c byte) uint { return (three<<4 ^ uint(c)) % 4096 }

// three returns the number of the first three letters of s.
func three(s string) uint { return next(next(next(0, s[0]), s[1]), s[2]) }

func (t *text) contains(word string) bool {
	for _, n := range [2]uint{three(word), three(word[len(word)-3:])} {
		if t.threes[n/64]>>(n%64)&1 == 0 {
			return false
		}
	}
	return bytes.Contains(t.of, []byte(word))
}

// kernelText is a kernel's name as the table reads it. Names are kilobytes long, so
// that their room is used again.
type kernelText struct {
	head, args, whole text
	parts             [3][]byte
}

var texts = sync.Pool{New: func() any { return new(kernelText) }}

// noise are words that say nothing about what a kernel does and hold ones that
// would: "fbgemm" is a library, mostly of embeddings.
var noise = strings.NewReplacer("fbgemm_gpu", "fb", "fbgemm", "fb")

func (t *kernelText) read(kernel string) {
	if strings.Contains(kernel, "fbgemm") {
		kernel = noise.Replace(kernel)
	}
	t.head.clear()
	t.args.clear()
	t.whole.clear()
	t.parts[0], t.parts[1] = splitArgs(t.parts[0][:0], t.parts[1][:0], kernel)
	t.parts[2] = words(t.parts[2][:0], t.parts[0])
	t.head.add(t.parts[2])
	t.whole.add(t.parts[2])
	if len(t.parts[1]) > 0 {
		t.parts[2] = words(t.parts[2][:0], t.parts[1])
		t.args.add(t.parts[2])
		t.whole.add(t.parts[2])
	}
}

// splitArgs splits a name into the text outside and inside of angle brackets, appended to head and args: f<int>::g is
// "f::g" and "<int>".
func splitArgs(head, args []byte, name string) (h, a []byte) {
	if strings.IndexByte(name, '<') < 0 {
		return append(head, name...), args
	}
	var n nesting
	for at := 0; at < len(name); {
		// Up to a bracket all bytes stand where the first does.
		end := at
		for end < len(name) && !bracket(name[end]) {
			end++
		}
		to := &head
		if n.angles > 0 {
			to = &args
		}
		*to = append(*to, name[at:end]...)
		if at = end + 1; end == len(name) {
			break
		}
		before := n.angles
		n.step(name[end])
		if before > 0 || n.angles > 0 {
			args = append(args, name[end])
		} else {
			head = append(head, name[end])
		}
	}
	return head, args
}

func bracket(c byte) bool {
	switch c {
	case '<', '(', '[', '{', '>', ')', ']', '}':
		return true
	}
	return false
}

// words writes a name in lower case with one "_" between, before and after its words: those of CamelCase are words
// too, "CUDAFunctor" is "_cuda_functor_". It writes into b, which is empty.
func words(b, name []byte) []byte {
	b = append(b, '_')
	var before byte // what came before, as it was
	for i := range len(name) {
		c := name[i]
		switch {
		case !alphanumeric(c):
			if b[len(b)-1] != '_' {
				b = append(b, '_')
			}
		case upper(c):
			next := i+1 < len(name) && lower(name[i+1])
			if (lower(before) || digit(before) || upper(before) && next) && b[len(b)-1] != '_' {
				b = append(b, '_')
			}
			b = append(b, c|0x20)
		default:
			b = append(b, c)
		}
		before = c
	}
	if b[len(b)-1] != '_' {
		b = append(b, '_')
	}
	return b
}
