package trace

// A capture can have a name of its own for every range: "aten::mm, sizes = [[12, 4096]]".
// What is asked of names with regular expressions is asked once for those that differ in
// their numbers alone, and behind a look for the words that a match must hold.

// Alike returns one of the names that are id's but for their numbers, the same one for
// all of them. Digits behind a letter are no number but a part of a word: c10, conv2d.
func (n *Names) Alike(id NameID) NameID {
	if int(id) >= len(n.text) {
		return id
	}
	if len(n.alike) < len(n.text) {
		n.alike = append(n.alike, make([]NameID, len(n.text)-len(n.alike))...)
	}
	if n.alike[id] == 0 {
		n.alike[id] = n.firstAlike(id) + 1
	}
	return n.alike[id] - 1
}

func (n *Names) firstAlike(id NameID) NameID {
	var numbers bool
	if n.scratch, numbers = withoutNumbers(n.scratch[:0], n.text[id]); !numbers {
		return id
	}
	if first, ok := n.folded[string(n.scratch)]; ok {
		return first
	}
	if n.folded == nil {
		n.folded = make(map[string]NameID)
	}
	n.folded[string(n.scratch)] = id
	return id
}

// withoutNumbers appends a name to out, with one digit in place of each number, and
// reports whether it has any.
func withoutNumbers(out []byte, name string) (folded []byte, numbers bool) {
	word, number := false, false // behind a letter or what follows one; within a number
	for i := range len(name) {
		c := name[i]
		switch {
		case !digit(c):
			word, number = alphanumeric(c), false
		case number:
			continue
		case !word:
			c, number, numbers = '0', true, true
		}
		out = append(out, c)
	}
	return out, numbers
}

// Ask returns the answers to a question about names, which is asked once for each.
func (n *Names) Ask(question func(name string) bool) func(NameID) bool {
	answers := make([]int8, len(n.text)) // 0 not asked, 1 yes, -1 no
	return func(id NameID) bool {
		if answers[id] == 0 {
			answers[id] = -1
			if question(n.text[id]) {
				answers[id] = 1
			}
		}
		return answers[id] > 0
	}
}

// AskAlike is Ask for a question whose answer does not depend on what numbers a name
// holds: it is asked once for all that differ in them.
func (n *Names) AskAlike(question func(name string) bool) func(NameID) bool {
	ask := n.Ask(question)
	return func(id NameID) bool { return ask(n.Alike(id)) }
}

// HoldsAny reports whether a name may hold one of several words in lower case, in
// whatever case: true of any name with letters that are not ASCII. It is the test
// before an expression that matches nothing else and takes twenty times as long.
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

// newWordSet is the set of some words in lower case, of two letters or more.
func newWordSet(words ...string) *wordSet {
	set := new(wordSet)
	for _, w := range words {
		set[w[0]] = append(set[w[0]], w)
	}
	return set
}

// in is HoldsAny for the words of the set.
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
