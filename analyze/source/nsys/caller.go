package nsys

import "perfdiff/analyze/trace"

// callers holds the callers of a process's calls while it is read. Their names are words, which a table of calls
// spells in its own way.
type callers struct{ trace.Callers }

// spelling says how a table spells the names of calls.
type spelling uint32

// What tables spell. It is the lowest bit of a caller's name.
const (
	spelledWithVersion spelling = iota // cudaLaunchKernel_v7000
	spelledAsWritten
)

// callBy returns a call by a row of a table.
func (r *rowReader) callBy(c *callers, start, end, tid, name int64, as spelling) trace.Call {
	return trace.NewCall(start, end, c.ID(trace.Caller{Thread: thread(tid), Name: nameBy(r.words.id(name), as)}))
}

// nameBy returns the name of a caller.
func nameBy(at word, as spelling) trace.NameID { return trace.NameID(at)<<1 | trace.NameID(as) }

// wordOf returns the word of a caller's name.
func wordOf(x trace.Caller) word { return word(x.Name >> 1) }

// word returns the word for the name of a call.
func (c *callers) word(by trace.CallerID) word { return wordOf(c.At(by)) }

// namedCallers returns the callers with names of a trace; r.nameless is set where one has none.
func (r *reader) namedCallers(c *callers, t *trace.Trace) trace.Callers {
	calls, system := newNames(r.words, t.Names, withoutVersion), newNames(r.words, t.Names, asWritten)
	out := c.Renamed(func(id trace.NameID) trace.NameID {
		if spelling(id&1) == spelledAsWritten {
			if isPseudo(r.words.text[id>>1]) { // whose calls are left out
				return 0
			}
			return system.of(word(id >> 1))
		}
		return calls.of(word(id >> 1))
	})
	r.nameless = r.nameless || calls.nameless || system.nameless
	return out
}
