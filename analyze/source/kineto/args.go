package kineto

import (
	"bytes"

	"perfdiff/analyze/kernelname"
)

// arguments reads those arguments that the event's kind needs; b[i] is the
// first byte behind the brace. The rest is hopped over once all are there:
// every kernel has a dozen more.
func (e *event) arguments(b []byte, i int) (end int, err error) {
	e.arguing = true
	from, number := i, 0
	if e.head != nil && e.head.args.texts != nil {
		if number, end = e.follow(b, i); end > 0 {
			return end, nil
		}
		if number > 0 {
			if i, err = separator(b, number); err != nil {
				return 0, err
			}
		}
	}
	need := e.needs()
	for e.seen&need != need {
		if i = space(b, i); i == len(b) {
			return 0, errShort
		}
		if b[i] == '}' {
			break
		}
		key, at, err := member(b, i)
		if err != nil {
			return 0, err
		}
		v, end, str, err := value(b, at)
		if err != nil {
			return 0, err
		}
		if e.list = nil; b[at] == '[' {
			e.list = b[at:end]
		}
		e.argument(key, v, str)
		if i, err = separator(b, end); err != nil {
			return 0, err
		}
	}
	if end, err = closing(b, i); err == nil && e.head != nil {
		e.learn(b, from, number, end)
	}
	return end, err
}

// needsLast is never seen, so the arguments are read to their end.
const needsLast = 1 << 15

func (e *event) needs() uint16 {
	switch e.kind {
	case kindKernel:
		if e.likelyComm() {
			return needsLast
		}
		if e.shapeless {
			return seenDevice | seenStream | seenCorrelation
		}
		return seenDevice | seenStream | seenCorrelation | seenShape
	case kindMemcpy, kindMemset:
		return seenDevice | seenStream | seenCorrelation | seenBytes
	case kindCall:
		return seenCorrelation
	case kindSync:
		return seenDevice | seenStream
	}
	return 0
}

// mostNames bounds the names whose answer is remembered.
const mostNames = 1 << 14

// likelyComm is a superset of what kernelname.Collective accepts: a kernel for which it is
// false has no arguments of a collective. Most names are told by their first letter, the
// others are looked up once each.
func (e *event) likelyComm() bool {
	name := bytes.TrimPrefix(e.name, []byte("void "))
	if len(name) == 0 {
		return false
	}
	switch name[0] | 0x20 {
	case 'n', 'r', 'm', 'h':
		return true
	}
	comm, known := e.comms[string(e.name)]
	if !known {
		if len(e.comms) >= mostNames || e.comms == nil {
			e.comms = make(map[string]bool)
		}
		_, comm = kernelname.Collective(string(plain(nil, e.name)))
		e.comms[string(e.name)] = comm
	}
	return comm
}

func (e *event) argument(key, v []byte, str bool) {
	if !e.setArgument(string(key), v, str) && bytes.IndexByte(key, '\\') >= 0 {
		e.setArgument(string(plain(nil, key)), v, str)
	}
}

func (e *event) setArgument(key string, v []byte, str bool) bool {
	switch key {
	case "device":
		e.device = unescaped(v, str)
		e.seen |= seenDevice
	case "stream":
		e.stream = unescaped(v, str)
		e.seen |= seenStream
	case "correlation":
		e.correlation = unescaped(v, str)
		e.seen |= seenCorrelation
	case "bytes":
		e.bytes = unescaped(v, str)
		e.seen |= seenBytes
	case "grid":
		e.grid = e.list
		e.seen |= seenGrid
	case "block":
		e.block = e.list
		e.seen |= seenBlock
	case "registers per thread":
		e.registers = unescaped(v, str)
		e.seen |= seenRegisters
	case "shared memory":
		e.shared = unescaped(v, str)
		e.seen |= seenShared
	case "est. achieved occupancy %":
		e.occupancy = unescaped(v, str)
		e.seen |= seenOccupancy
	case "Collective name":
		e.collective = unescaped(v, str)
	case "In msg nelems":
		e.in = unescaped(v, str)
	case "Out msg nelems":
		e.out = unescaped(v, str)
	case "dtype":
		e.dtype = unescaped(v, str)
	case "Group size":
		e.ranks = unescaped(v, str)
	case "Process Group Name":
		e.group = unescaped(v, str)
	case "Seq":
		e.seq = unescaped(v, str)
	default:
		return false
	}
	return true
}
