package trace

import (
	"regexp"
	"slices"
	"strings"
)

// FamilyRule puts kernels whose canonical name matches into a family.
type FamilyRule struct {
	Family string
	Name   *regexp.Regexp
}

// Families are the names of all families, in the order in which they are shown.
// Graphs are replays of unknown content.
var Families = []string{"GEMM", "attention", "convolution", "normalization", "elementwise", "reduction", "optimizer", "memory movement", "graph", "other"}

// Family is the family of a compute kernel by its canonical name: by own rules
// first, then by the table; "other" if nothing matches.
func Family(kernel string, own []FamilyRule) string {
	for _, r := range own {
		if r.Name.MatchString(kernel) {
			return r.Family
		}
	}
	return familyMemo.get(kernel, familyOf)
}

var familyMemo memo

// familyOf is that of the table.
func familyOf(kernel string) string {
	t := textOf(kernel)
	for i := range families {
		if families[i].matches(&t) {
			return families[i].family
		}
	}
	if t.whole.of == t.head.of { // it is given nothing
		return "other"
	}
	// The function is a wrapper without a meaning of its own: what it is given decides.
	t.head = t.whole
	for i := range families {
		if families[i].matches(&t) {
			return families[i].family
		}
	}
	return "other"
}

// familyRule is one row of the table. Words are looked for in a name as words writes
// it, "_at_native_vectorized_elementwise_kernel_4_at_native_cuda_functor_add_float_", so
// that "_cast_" is the word alone, "gemm_" the end of one and "elementwise" stands
// anywhere; they have three letters or more. A row matches if each of its lists that is
// not empty has a word there.
type familyRule struct {
	family string
	head   []string // in the function's own name
	args   []string // in its template arguments; in all of a name without any
	any    []string // anywhere
	only   []string // behind the head's word nothing but these and numbers
}

func (r *familyRule) matches(t *kernelText) bool {
	for _, l := range []struct {
		words []string
		text  text
	}{{r.head, t.head}, {r.args, t.args}, {r.any, t.whole}} {
		if len(l.words) > 0 && !containsAny(l.text, l.words) {
			return false
		}
	}
	return len(r.only) == 0 || nothingBut(t.head.of, r.head, r.only)
}

func containsAny(t text, words []string) bool {
	for _, w := range words {
		if t.contains(w) {
			return true
		}
	}
	return false
}

// nothingBut reports whether text begins with one of heads and holds only words and
// numbers behind it.
func nothingBut(text string, heads, allowed []string) bool {
	for _, h := range heads {
		rest, ok := strings.CutPrefix(text, h)
		if !ok {
			continue
		}
		for w := range strings.SplitSeq(strings.Trim(rest, "_"), "_") {
			if strings.Trim(w, "0123456789") != "" && !slices.Contains(allowed, w) {
				return false
			}
		}
		return true
	}
	return false
}

// text is a part of a name with the threes of letters in it: most of the table's
// hundreds of words are ruled out by the first and last of theirs, without a search.
type text struct {
	of     string
	threes *[64]uint64
}

func newText(s string) text {
	t := text{s, new([64]uint64)}
	var n uint
	for i := range len(s) {
		if n = next(n, s[i]); i >= 2 {
			t.threes[n/64] |= 1 << (n % 64)
		}
	}
	return t
}

// next is the number, below 4096, of the last three letters: of the one before and the
// letter that follows. Others share it.
func next(three uint, c byte) uint { return (three<<4 ^ uint(c)) % 4096 }

// three is the number of the first three letters of s.
func three(s string) uint { return next(next(next(0, s[0]), s[1]), s[2]) }

// and is both texts, one behind the other.
func (t text) and(u text) text {
	out := text{t.of + u.of, new([64]uint64)}
	for i := range out.threes {
		out.threes[i] = t.threes[i] | u.threes[i]
	}
	for i := max(len(t.of)-2, 0); i < min(len(t.of), len(out.of)-2); i++ { // where they meet
		n := three(out.of[i:])
		out.threes[n/64] |= 1 << (n % 64)
	}
	return out
}

func (t text) contains(word string) bool {
	for _, n := range [2]uint{three(word), three(word[len(word)-3:])} {
		if t.threes[n/64]>>(n%64)&1 == 0 {
			return false
		}
	}
	return strings.Contains(t.of, word)
}

// kernelText is a kernel's name as the table reads it.
type kernelText struct{ head, args, whole text }

// noise are words that say nothing about what a kernel does and hold ones that
// would: "fbgemm" is a library, mostly of embeddings.
var noise = strings.NewReplacer("fbgemm_gpu", "fb", "fbgemm", "fb")

func textOf(kernel string) kernelText {
	if strings.Contains(kernel, "fbgemm") {
		kernel = noise.Replace(kernel)
	}
	head, args := splitArgs(kernel)
	t := kernelText{head: newText(words(head))}
	if args == "" {
		t.args, t.whole = t.head, t.head
		return t
	}
	t.args = newText(words(args))
	t.whole = t.head.and(t.args)
	return t
}

// splitArgs parts a name into what stands outside and what stands inside of angle
// brackets: f<int>::g is "f::g" and "int".
func splitArgs(name string) (head, args string) {
	if strings.IndexByte(name, '<') < 0 {
		return name, ""
	}
	var n nesting
	in, out := make([]byte, 0, len(name)), make([]byte, 0, len(name))
	for at := 0; at < len(name); {
		// Up to a bracket all bytes stand where the first does.
		end := at
		for end < len(name) && !bracket(name[end]) {
			end++
		}
		if n.angles > 0 {
			in = append(in, name[at:end]...)
		} else {
			out = append(out, name[at:end]...)
		}
		if at = end + 1; end < len(name) {
			before := n.angles
			if n.step(name[end]); before > 0 || n.angles > 0 {
				in = append(in, name[end])
			} else {
				out = append(out, name[end])
			}
		}
	}
	return string(out), string(in)
}

func bracket(c byte) bool {
	switch c {
	case '<', '(', '[', '{', '>', ')', ']', '}':
		return true
	}
	return false
}

// words writes a name in lower case with one "_" between, before and after its words:
// those of CamelCase are words too, "CUDAFunctor" is "_cuda_functor_".
func words(name string) string {
	b := make([]byte, 1, len(name)+len(name)/8+2)
	b[0] = '_'
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
	return string(b)
}
