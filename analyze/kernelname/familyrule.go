package kernelname

import (
	"slices"
	"strings"
)

// familyRule is one row of the table. Words are looked for in a name as words writes it,
// "_at_native_vectorized_elementwise_kernel_4_at_native_cuda_functor_add_float_", so that "_cast_" is the word alone,
// "gemm_" the end of one and "elementwise" stands anywhere; they have three letters or more. A row matches if each of
// its lists that is not empty has a word there.
type familyRule struct {
	family string
	head   []string // in the function's own name
	args   []string // in its template arguments; in all of a name without any
	any    []string // anywhere
	only   []string // behind the head's word nothing but these and numbers
}

func (r *familyRule) matches(head, args, whole *text) bool {
	if len(args.of) == 0 {
		args = whole
	}
	return holdsAny(head, r.head) && holdsAny(args, r.args) && holdsAny(whole, r.any) &&
		(len(r.only) == 0 || nothingBut(string(head.of), r.head, r.only))
}

// holdsAny reports whether one of the words is in t, or there are none.
func holdsAny(t *text, words []string) bool {
	for _, w := range words {
		if t.contains(w) {
			return true
		}
	}
	return len(words) == 0
}

// nothingBut reports whether text begins with one of heads and has only allowed words and numbers after it.
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
