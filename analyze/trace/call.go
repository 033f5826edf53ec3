package trace

import "math/bits"

// Call is one call that a host thread made. It is 16 bytes, since a rank holds millions of them:
// its thread and its name are one number, and its length has 27 bits.
type Call struct {
	Start  int64 // ns
	length uint32
	By     CallerID // by whom, and its name
}

// Lengths below 134 ms are exact. Longer ones are cut, by two nanoseconds in a hundred
// milliseconds at most, so that they fit: 27 bits, and by how many places these are shifted.
const (
	lengthBits = 27
	lengthMask = 1<<lengthBits - 1
	maxLength  = 1<<(lengthBits+31) - 1 // ns, nine years
)

// NewCall is a call that starts and ends at given times in ns, or at once where it ends before it
// starts.
func NewCall(start, end int64, by CallerID) Call {
	ns := end - start
	if uint64(ns) > lengthMask { // or negative
		return longCall(start, ns, by)
	}
	return Call{Start: start, length: uint32(ns), By: by}
}

func longCall(start, ns int64, by CallerID) Call {
	ns = min(max(ns, 0), maxLength)
	shift := max(0, bits.Len64(uint64(ns))-lengthBits)
	return Call{Start: start, length: uint32(shift)<<lengthBits | uint32(ns>>shift), By: by}
}

// Length is how long the call took, in ns.
func (c *Call) Length() int64 { return int64(c.length&lengthMask) << (c.length >> lengthBits) }

// End is when it ended, in ns.
func (c *Call) End() int64 { return c.Start + c.Length() }

// ReadCall reports whether a call of the operating system reads: it waits until
// the data is there.
func ReadCall(name string) bool {
	switch name {
	case "read", "readv", "readv2", "read64", "readv64", "readv264",
		"pread", "preadv", "preadv2", "pread64", "preadv64", "preadv264", "preadv64v2",
		"fread", "__read", "io_getevents", "aio_suspend":
		return true
	}
	return false
}
