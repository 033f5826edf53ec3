package trace

import "math/bits"

// CallSize is the size of a call in memory, in bytes. A rank holds millions of them.
const CallSize = 16

// Call is one call that a host thread made. Its thread and its name are one number, and its length
// has 32 bits.
type Call struct {
	Start  int64 // ns
	length uint32
	by     uint32 // the caller, and by how many places the length is shifted
}

// Lengths below 4.29 s are exact. Longer ones are cut, by less than a nanosecond a second, so that
// they fit.
const (
	lengthBits = 32
	callerBits = 27
	callerMask = 1<<callerBits - 1
	maxLength  = 1<<62 - 1 // ns, 146 years
)

// NewCall returns a call that starts and ends at given times in ns, or at once where it ends before it
// starts.
func NewCall(start, end int64, by CallerID) Call {
	ns := end - start
	if uint64(ns) >= 1<<lengthBits { // or negative
		return longCall(start, ns, by)
	}
	return Call{Start: start, length: uint32(ns), by: uint32(by)}
}

func longCall(start, ns int64, by CallerID) Call {
	ns = min(max(ns, 0), maxLength)
	shift := max(0, bits.Len64(uint64(ns))-lengthBits)
	return Call{Start: start, length: uint32(ns >> shift), by: uint32(shift)<<callerBits | uint32(by)}
}

// By returns who made the call, and its name.
func (c *Call) By() CallerID { return CallerID(c.by & callerMask) }

// Length returns how long the call took, in ns.
func (c *Call) Length() int64 { return int64(c.length) << (c.by >> callerBits) }

// End returns when the call ended, in ns.
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
