package nsys

import (
	"context"
	"slices"
	"strings"
	"unsafe"

	"perfdiff/analyze/kernelname"
	"perfdiff/analyze/source/nsys/table"
	"perfdiff/analyze/trace"
)

// word stands for a text of the file while it is read: an entry of StringIds that some row uses and whose text is not
// known yet, or a text in the row itself. Rows are read before texts, so that only the used StringIds are kept. 0 is
// no text.
type word = uint32

// maxDense is the highest id of StringIds that has its place in an array; exporters count from 0, and higher ids go to
// a map.
const maxDense = 1 << 22

// maxLabel is the longest name of a range, in bytes.
const maxLabel = 4096

// words holds the texts of one file.
type words struct {
	dense  []word         // by id of StringIds
	sparse map[int64]word // ids that dense has no place for
	inline trace.Found
	kept   trace.Texts // those of inline
	text   []string
	hashes []uint32 // of texts that stood in rows; 0 of others
	room   []byte   // of the last label
	lost   int      // entries that rows use and StringIds lacks, once resolved
}

func newWords() *words {
	return &words{sparse: make(map[int64]word), inline: trace.NewFound(0), text: []string{""}, hashes: []uint32{0}}
}

// id returns the word for an entry of StringIds.
func (w *words) id(id int64) word {
	if d := w.dense; uint64(id) < uint64(len(d)) && d[id] != 0 {
		return d[id]
	}
	return w.newID(id)
}

func (w *words) newID(id int64) word {
	if id == table.Null {
		return 0
	}
	at := w.sparse[id]
	if at != 0 {
		return at
	}
	at = w.add("", 0)
	if id < 0 || id >= maxDense {
		w.sparse[id] = at
		return at
	}
	if grow := id + 1 - int64(len(w.dense)); grow > 0 {
		w.dense = append(w.dense, make([]word, grow)...)
	}
	w.dense[id] = at
	return at
}

// literal returns the word for a text.
func (w *words) literal(s string) word {
	if s == "" {
		return 0
	}
	return w.literalBy(trace.TextHash(s), s)
}

// literalBy does what literal does, for a text that is not empty and whose hash is known.
func (w *words) literalBy(hash uint32, s string) word {
	at := w.inline.FindBy(hash, s, w.text)
	if at != 0 {
		return at
	}
	kept := table.CopyTextBy(s, w.kept.Keep)
	if kept != s { // a long text may be known in its short form
		if at, hash = w.inline.Find(kept, w.text); at != 0 {
			return at
		}
	}
	at = w.add(kept, hash)
	w.inline.Add(at, hash)
	return at
}

// label returns the word for the name of a range.
func (w *words) label(s string) word {
	s = s[:min(len(s), maxLabel)]
	if w.room = kernelname.AppendCanonicalRange(w.room[:0], s); len(w.room) < len(s) {
		s = view(w.room) // a copy is kept
	}
	return w.literal(s)
}

// view returns b as a string without a copy.
func view(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// labels are the names of the ranges of a batch, which are looked up together.
type labels struct {
	arena
	hashes []uint32
}

// keep returns the number of a name, from 1, for a column of a scan; 0 without a name.
func (l *labels) keep(s string) int64 {
	if s == "" {
		return 0
	}
	from := len(l.bytes)
	l.bytes = kernelname.AppendCanonicalRange(l.bytes, s[:min(len(s), maxLabel)])
	l.ends, l.hashes = append(l.ends, len(l.bytes)), append(l.hashes, trace.TextHash(view(l.bytes[from:])))
	return int64(len(l.ends))
}

// look replaces the numbers of names by words, and forgets the names.
func (l *labels) look(words *words, numbers []int64) {
	words.inline.Await(l.hashes)
	for i, at := range numbers {
		if at <= 0 {
			continue
		}
		if name := l.view(at - 1); name != "" {
			numbers[i] = int64(words.literalBy(l.hashes[at-1], name))
		} else {
			numbers[i] = 0
		}
	}
	l.clear()
	l.hashes = l.hashes[:0]
}

// arena keeps the texts of a batch, few of which are looked at.
type arena struct {
	bytes []byte
	ends  []int
}

// keep returns the number of a text, as a column of a scan.
func (a *arena) keep(s string) int64 {
	a.bytes = append(a.bytes, s[:min(len(s), maxLabel)]...)
	a.ends = append(a.ends, len(a.bytes))
	return int64(len(a.ends) - 1)
}

// view returns text for as long as the arena is not cleared.
func (a *arena) view(at int64) string {
	from := 0
	if at > 0 {
		from = a.ends[at-1]
	}
	return view(a.bytes[from:a.ends[at]])
}

func (a *arena) clear() { a.bytes, a.ends = a.bytes[:0], a.ends[:0] }

func (w *words) add(s string, hash uint32) word {
	if n := len(w.text); n == cap(w.text) {
		// append grows long lists by a quarter, and copies them four times over
		w.text, w.hashes = trace.InLargePages(slices.Grow(w.text, n)), trace.InLargePages(slices.Grow(w.hashes, n))
	}
	w.text, w.hashes = append(w.text, s), append(w.hashes, hash)
	return word(len(w.text) - 1)
}

// resolve reads the texts of the ids that were used.
func (w *words) resolve(ctx context.Context, src table.Source) error {
	var texts []string
	var kept trace.Texts
	cols := []table.Column{{Name: "id"}, {Name: "value", Text: func(s string) int64 {
		texts = append(texts, table.CopyTextBy(s, kept.Keep))
		return int64(len(texts) - 1)
	}}}
	found := make([]bool, len(w.text))
	err := src.Scan(ctx, "StringIds", cols, func(b *table.Batch) {
		for i, id := range b.Cols[0][:b.N] {
			if at := w.used(id); at != 0 && b.Cols[1][i] != table.Null {
				w.text[at], found[at] = texts[b.Cols[1][i]], true
			}
		}
		texts = texts[:0]
	})
	for at := 1; at < len(found); at++ {
		if w.text[at] == "" && !found[at] {
			w.lost++
		}
	}
	return err
}

// used returns the word of an id, 0 if no row used it.
func (w *words) used(id int64) word {
	if uint64(id) < uint64(len(w.dense)) {
		return w.dense[id]
	}
	return w.sparse[id]
}

// names turns words into the names of one trace, each once, through spell.
type names struct {
	words *words
	table *trace.Names
	spell func(string) string
	ids   []trace.NameID
	kinds []kernelKind // of kernels, by word; nil: none was asked for

	hashes []uint32 // of words that are awaited

	nameless bool // something has no name
}

// kernelKind is a kernel's name and what the name says.
type kernelKind struct {
	name    trace.NameID
	class   trace.Class
	known   bool
	message int64 // of communication: what has the name of the collective
}

func newNames(w *words, table *trace.Names, spell func(string) string) *names {
	return &names{words: w, table: table, spell: spell, ids: trace.EmptyTable[trace.NameID](len(w.text))}
}

func (n *names) of(at word) trace.NameID {
	if id := n.ids[at]; id != 0 {
		return id
	}
	return n.spelt(at)
}

func (n *names) spelt(at word) trace.NameID {
	if at != 0 {
		text := n.words.text[at]
		if spelt, hash := n.spell(text), n.words.hashes[at]; hash != 0 && spelt == text {
			n.ids[at] = n.table.IDBy(hash, text)
		} else {
			n.ids[at] = n.table.ID(spelt)
		}
	}
	n.nameless = n.nameless || n.ids[at] == 0
	return n.ids[at]
}

// kind returns the name of a kernel and what it says.
func (n *names) kind(at word, messages *trace.Messages) *kernelKind {
	if int(at) < len(n.kinds) && n.kinds[at].known {
		return &n.kinds[at]
	}
	return n.newKind(at, messages)
}

func (n *names) newKind(at word, messages *trace.Messages) *kernelKind {
	if n.kinds == nil {
		n.kinds = make([]kernelKind, len(n.ids))
	}
	name := n.of(at)
	class, coll := n.table.Kernel(name)
	n.kinds[at] = kernelKind{name: name, class: class, known: true, message: messages.Add(trace.Message{Coll: coll})}
	return &n.kinds[at]
}

// await prepares for words that are turned into names next.
func (n *names) await(ranges []trace.Range) {
	n.hashes = n.hashes[:0]
	for i := range ranges {
		if at := ranges[i].Name; n.ids[at] == 0 && n.words.hashes[at] != 0 {
			n.hashes = append(n.hashes, n.words.hashes[at])
		}
	}
	n.table.Await(n.hashes)
}

func asWritten(s string) string { return s }

// withoutVersion returns the name of an API call without the version of its
// signature: cudaLaunchKernel_v7000 is cudaLaunchKernel.
func withoutVersion(s string) string {
	i := strings.LastIndex(s, "_v")
	if i <= 0 || i+2 == len(s) || strings.Trim(s[i+2:], "0123456789") != "" {
		return s
	}
	return s[:i]
}
