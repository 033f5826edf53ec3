package trace

import (
	"unsafe"

	"perfdiff/analyze/kernelname"
)

// NameID stands for an interned name; 0 is the empty name.
type NameID uint32

// Names interns the names of one trace: each text is held once and spans hold
// four bytes. It also remembers what a kernel's name says about the kernel, so
// that a name is looked at once and not once a launch.
type Names struct {
	ids   map[string]NameID
	text  []string
	class []Class
	coll  []NameID
	known []bool

	alike   []NameID          // by name, 1 + the one that Alike returns; 0 not asked
	folded  map[string]NameID // by what fold makes of them
	scratch []byte
	texts   Texts
}

// NewNames returns a table that holds the empty name.
func NewNames() *Names { return NewNamesFor(0) }

// NewNamesFor is NewNames with room for so many names.
func NewNamesFor(names int) *Names {
	n := &Names{
		ids:  make(map[string]NameID, names),
		text: make([]string, 0, names), class: make([]Class, 0, names), coll: make([]NameID, 0, names), known: make([]bool, 0, names),
	}
	n.ID("")
	return n
}

// ID returns the id of s, a new one if s was not seen before.
func (n *Names) ID(s string) NameID {
	if id, ok := n.ids[s]; ok {
		return id
	}
	return n.add(s)
}

// IDBytes is ID for a text in a buffer that will be reused; it allocates only
// for a name that was not seen before.
func (n *Names) IDBytes(b []byte) NameID {
	if id, ok := n.ids[string(b)]; ok {
		return id
	}
	return n.add(n.texts.Keep(unsafe.String(unsafe.SliceData(b), len(b))))
}

func (n *Names) add(s string) NameID {
	id := NameID(len(n.text))
	n.ids[s] = id
	n.text = append(n.text, s)
	n.class = append(n.class, ClassUnknown)
	n.coll = append(n.coll, 0)
	n.known = append(n.known, false)
	return id
}

// Find returns the id of s, false if s was not seen.
func (n *Names) Find(s string) (NameID, bool) {
	id, ok := n.ids[s]
	return id, ok
}

// Text returns the name of id, "" for an id that was never given.
func (n *Names) Text(id NameID) string {
	if int(id) >= len(n.text) {
		return ""
	}
	return n.text[id]
}

// Len is the number of names, the empty one included.
func (n *Names) Len() int { return len(n.text) }

// Kernel returns the class of the kernel called id and, for communication, the
// id of its collective's canonical name.
func (n *Names) Kernel(id NameID) (Class, NameID) {
	if int(id) >= len(n.text) {
		return Compute, 0
	}
	if !n.known[id] {
		n.known[id] = true
		coll, comm := kernelname.Collective(n.text[id])
		n.class[id] = Compute
		if comm {
			n.class[id] = Comm
			c := n.ID(coll) // may grow the slices: index again below
			n.coll[id] = c
		}
	}
	return n.class[id], n.coll[id]
}
