package kernelname

// HoldsAny reports whether a name may contain one of several words in lower case, in whatever case; true for any name
// with letters that are not ASCII. It is a test before an expression that matches only such names and takes twenty
// times as long.
func HoldsAny(name string, words ...string) bool {
	var first [128]bool
	for _, w := range words {
		first[w[0]] = true
	}
	for i := range len(name) {
		c := name[i]
		if c >= 0x80 {
			return true
		}
		if first[lowered(c)] && beginsAny(name[i:], words) {
			return true
		}
	}
	return false
}

// wordSet is words that are looked for in many names, by how they begin.
type wordSet [128][]string

// newWordSet returns the set of some words in lower case, of two letters or more.
func newWordSet(words ...string) *wordSet {
	set := new(wordSet)
	for _, w := range words {
		set[w[0]] = append(set[w[0]], w)
	}
	return set
}

// in does what HoldsAny does for the words of the set.
func (set *wordSet) in(name string) bool {
	for i := range len(name) {
		c := name[i]
		if c >= 0x80 {
			return true
		}
		if list := set[lowered(c)]; list != nil && i+1 < len(name) {
			second := lowered(name[i+1])
			for _, w := range list {
				if w[1] == second && len(name)-i >= len(w) && equalLower(name[i:i+len(w)], w) {
					return true
				}
			}
		}
	}
	return false
}

func beginsAny(s string, words []string) bool {
	for _, w := range words {
		if len(s) >= len(w) && equalLower(s[:len(w)], w) {
			return true
		}
	}
	return false
}

func equalLower(s, w string) bool {
	for i := range len(w) {
		if lowered(s[i]) != w[i] {
			return false
		}
	}
	return true
}

func lowered(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}
