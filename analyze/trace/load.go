package trace

// LoadClass is which phases of inference an engine step holds.
type LoadClass int64

// The classes. The zero value is a step whose load is not known, as every step of a training job.
const (
	LoadUnknown LoadClass = iota
	Prefill               // prompts are read
	Decode                // one token, or a few, of each request is made
	Mixed                 // both
)

// String returns the class as outputs name it: "prefill"; "" unknown.
func (c LoadClass) String() string {
	switch c {
	case Prefill:
		return "prefill"
	case Decode:
		return "decode"
	case Mixed:
		return "mixed"
	}
	return ""
}

// Load is how much work an inference engine put into a step, as the name of its
// range says. Zero is unknown.
type Load struct {
	Class LoadClass
	Batch int64 // requests
	// Tokens are those that the step computes: of prompts and, one or more a
	// request, of answers. Those in the cache are not among them.
	Tokens int64
	// Context is how many tokens attention reads, over all requests: those in the cache
	// and those that the step computes. Two steps of equal size do other work where
	// their contexts differ.
	Context int64
}

// Known reports whether anything says what the step holds.
func (l Load) Known() bool { return l != Load{} }

// Size returns the number by which the work of a step grows: tokens where prompts are
// read, requests where tokens of answers are made; 0 unknown.
func (l Load) Size() int64 {
	if l.Class == Decode && l.Batch > 0 || l.Tokens <= 0 {
		return max(0, l.Batch)
	}
	return l.Tokens
}

// SizeUnit returns the unit of Size: "tokens", "requests"; "" unknown.
func (l Load) SizeUnit() string {
	switch {
	case l.Size() == 0:
		return ""
	case l.Class == Decode && l.Batch > 0 || l.Tokens <= 0:
		return "requests"
	}
	return "tokens"
}
