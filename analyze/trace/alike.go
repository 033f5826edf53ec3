package trace

import "perfdiff/analyze/kernelname"

// A capture can have a name of its own for every range: "aten::mm, sizes = [[12, 4096]]".
// What is asked of names with regular expressions is asked once for those that differ in
// their numbers alone, and behind a look for the words that a match must hold.

// Alike returns the name that stands for all names that differ from id's only in their numbers. Digits after a letter
// are no number but a part of a word: c10, conv2d.
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

// firstAlike looks a name up by its text without numbers. Successive names mostly differ only in their numbers, and
// are just compared.
func (n *Names) firstAlike(id NameID) NameID {
	if n.lastAlike != 0 && kernelname.IsWithoutNumbers(n.scratch, n.text[id]) {
		return n.lastAlike
	}
	var numbers bool
	if n.scratch, numbers = kernelname.WithoutNumbers(n.scratch[:0], n.text[id]); !numbers {
		n.lastAlike = 0
		return id
	}
	first, ok := n.folded[string(n.scratch)]
	if !ok {
		if n.folded == nil {
			n.folded = make(map[string]NameID)
		}
		first, n.folded[string(n.scratch)] = id, id
	}
	n.lastAlike = first
	return first
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

// AskAlike does what Ask does for a question whose answer does not depend on the numbers in a name: it asks once for
// all names that differ only in them.
func (n *Names) AskAlike(question func(name string) bool) func(NameID) bool {
	ask := n.Ask(question)
	return func(id NameID) bool { return ask(n.Alike(id)) }
}
