package trace

import (
	"slices"
	"unsafe"

	"perfdiff/analyze/kernelname"
)

// NameID stands for an interned name; 0 is the empty name.
type NameID uint32

// Names interns the names of one trace: each text is held once and spans hold four bytes. It also remembers what a
// kernel's name says about the kernel, so that a name is looked at once and not for each launch. It has the callers of
// calls, too.
type Names struct {
	Callers Callers // of the calls of the trace

	found   Found
	text    []string
	kernels []kernelMeaning // by name, as far as any was asked for

	alike     []NameID          // by name, 1 + the one that Alike returns; 0 not asked
	folded    map[string]NameID // by what fold makes of them
	scratch   []byte            // what it made of the last one
	lastAlike NameID            // that it stands for; 0: there is none
	texts     Texts

	lines    map[string]string // canonical names of kernels that their lines alone tell apart
	linesFor int               // the number of names when they were looked for
}

// kernelMeaning is what the name of a kernel says.
type kernelMeaning struct {
	coll  NameID
	class Class
	known bool
}

// NewNames returns a table that holds the empty name.
func NewNames() *Names { return NewNamesFor(0) }

// NewNamesFor does what NewNames does with room for so many names.
func NewNamesFor(names int) *Names {
	n := &Names{found: NewFound(names), text: make([]string, 0, names)}
	n.append("")
	return n
}

// ID returns the id of s, a new one if s was not seen before.
func (n *Names) ID(s string) NameID {
	if s == "" {
		return 0
	}
	id, hash := n.found.Find(s, n.text)
	if id == 0 {
		return n.add(s, hash)
	}
	return NameID(id)
}

// IDBy does what ID does for a text that is not empty and whose hash is known.
func (n *Names) IDBy(hash uint32, s string) NameID {
	if id := n.found.FindBy(hash, s, n.text); id != 0 {
		return NameID(id)
	}
	return n.add(s, hash)
}

// Await prepares for names that are asked for next, by their hashes, as in Found.
func (n *Names) Await(hashes []uint32) { n.found.Await(hashes) }

// IDBytes does what ID does for a text in a buffer that will be reused; it allocates only for a name that was not seen
// before.
func (n *Names) IDBytes(b []byte) NameID {
	if len(b) == 0 {
		return 0
	}
	s := unsafe.String(unsafe.SliceData(b), len(b))
	id, hash := n.found.Find(s, n.text)
	if id == 0 {
		return n.add(n.texts.Keep(s), hash)
	}
	return NameID(id)
}

func (n *Names) add(s string, hash uint32) NameID {
	id := n.append(s)
	n.found.Add(uint32(id), hash)
	return id
}

// append gives s the next id.
func (n *Names) append(s string) NameID {
	id := NameID(len(n.text))
	n.text = append(n.text, s)
	return id
}

// Find returns the id of s, false if s was not seen.
func (n *Names) Find(s string) (NameID, bool) {
	id, _ := n.found.Find(s, n.text)
	return NameID(id), id != 0 || s == ""
}

// Text returns the name of id, "" for an id that was never given.
func (n *Names) Text(id NameID) string {
	if int(id) >= len(n.text) {
		return ""
	}
	return n.text[id]
}

// Len returns the number of names, the empty one included.
func (n *Names) Len() int { return len(n.text) }

// Canonical returns the canonical name of the kernel called id, by which it is told apart from all others of the trace.
func (n *Names) Canonical(id NameID) string {
	if n.linesFor < len(n.text) {
		n.lines, n.linesFor = kernelname.Lines(slices.Values(n.text)), len(n.text)
	}
	text := n.Text(id)
	if name := n.lines[text]; name != "" {
		return name
	}
	return kernelname.CanonicalKernel(text)
}

// Kernel returns the class of the kernel called id and, for communication, the
// id of its collective's canonical name.
func (n *Names) Kernel(id NameID) (Class, NameID) {
	if int(id) >= len(n.text) {
		return Compute, 0
	}
	if more := len(n.text) - len(n.kernels); more > 0 && int(id) >= len(n.kernels) {
		n.kernels = append(n.kernels, make([]kernelMeaning, more)...)
	}
	k := &n.kernels[id]
	if !k.known {
		k.known, k.class = true, Compute
		if coll, comm := kernelname.Collective(n.text[id]); comm {
			k.class, k.coll = Comm, n.ID(coll)
		}
	}
	return k.class, k.coll
}
