package kineto

import (
	"bytes"

	"perfdiff/analyze/kernelname"
)

// arguments reads the arguments that are needed for an event of this kind; b[i] is the first byte after the brace.
// Once it has all of them it skips the rest: a kernel has a dozen more.
func (e *event) arguments(b []byte, i int) (end int, err error) {
	e.arguing = true
	if !e.isComplete() {
		e.memory = memoryArguments{}
	}
	from, number := i, 0
	if e.head != nil && e.head.args.texts != nil {
		if number, end = e.followPlan(b, i); end > 0 {
			return end, nil
		}
		if number > 0 {
			if i, err = separator(b, number); err != nil {
				return 0, err
			}
		}
	}
	need := e.neededArguments()
	if need == readSizes && e.head != nil {
		if end = e.followForm(b, i); end > 0 {
			return end, nil
		}
	}
	var form formOf
	for e.seenArguments&need != need {
		if i = skipSpace(b, i); i == len(b) {
			return 0, errShort
		}
		if b[i] == '}' {
			break
		}
		key, at, err := memberKey(b, i)
		if err != nil {
			return 0, err
		}
		v, end, str, err := scalarAt(b, at)
		if err != nil {
			return 0, err
		}
		if e.dimensionList = nil; b[at] == '[' {
			e.dimensionList = b[at:end]
		}
		e.argument(key, v, str)
		if need == readSizes {
			form.add(key, i, end, e.dimensionList != nil)
		}
		if i, err = separator(b, end); err != nil {
			return 0, err
		}
	}
	e.form = form.of(b)
	if end, err = endOfEvent(b, i); err == nil && e.head != nil {
		e.learnPlan(b, from, number, end)
	}
	return end, err
}

// readToEnd stands for an argument that no event has, so that all arguments are read. readSizes does so for operators
// and for what starts collectives.
const (
	readToEnd = 1 << 15
	readSizes = 1 << 14
)

func (e *event) neededArguments() uint16 {
	switch e.kind {
	case kindKernel:
		if e.likelyComm() {
			return readToEnd
		}
		if e.skipShape {
			return seenDevice | seenStream | seenCorrelation
		}
		return seenDevice | seenStream | seenCorrelation | seenShape
	case kindMemcpy, kindMemset:
		return seenDevice | seenStream | seenCorrelation | seenBytes
	case kindCall:
		return seenCorrelation
	case kindSync:
		return readToEnd
	case kindOp:
		if e.describesGroup() {
			return readToEnd
		}
		if e.operator() != nil || e.startsCollective() {
			return readSizes
		}
	case kindRange:
		if e.startsCollective() {
			return readSizes
		}
	case kindOther, kindMemory:
		if e.isMemory() || e.namesThread() {
			return readToEnd
		}
	}
	return 0
}

// maxNamesRemembered bounds the names whose answer likelyComm remembers.
const maxNamesRemembered = 1 << 14

// likelyComm reports whether a kernel may be communication, which events with one head share.
func (e *event) likelyComm() bool {
	if e.head == nil {
		return e.likelyCommName()
	}
	if h := e.head; h.likelyComm == 0 {
		if h.likelyComm = -1; e.likelyCommName() {
			h.likelyComm = 1
		}
	}
	return e.head.likelyComm > 0
}

// likelyCommName reports whether a kernel may communicate, by its name. It is true for every name that
// kernelname.Collective accepts and for some others; where it is false, the event has no arguments of a collective.
// The first letter decides for most names, and the others are looked up once each.
func (e *event) likelyCommName() bool {
	name := bytes.TrimPrefix(e.name, []byte("void "))
	if len(name) == 0 {
		return false
	}
	switch name[0] | 0x20 {
	case 'n', 'r', 'm', 'h':
		return true
	}
	comm, known := e.likelyComms[string(e.name)]
	if !known {
		if len(e.likelyComms) >= maxNamesRemembered || e.likelyComms == nil {
			e.likelyComms = make(map[string]bool)
		}
		_, comm = kernelname.Collective(string(unescapeText(nil, e.name)))
		e.likelyComms[string(e.name)] = comm
	}
	return comm
}

func (e *event) argument(key, v []byte, str bool) {
	if !e.setArgument(key, v, str) && bytes.IndexByte(key, '\\') >= 0 {
		e.setArgument(unescapeText(nil, key), v, str)
	}
}

func (e *event) setArgument(key, v []byte, str bool) bool {
	switch string(key) {
	case "device":
		e.device = unescape(v, str)
		e.seenArguments |= seenDevice
	case "stream":
		e.stream = unescape(v, str)
		e.seenArguments |= seenStream
	case "correlation":
		e.correlation = unescape(v, str)
		e.seenArguments |= seenCorrelation
	case "bytes":
		e.bytes = unescape(v, str)
		e.seenArguments |= seenBytes
	case "grid":
		e.grid = e.dimensionList
		e.seenArguments |= seenGrid
	case "block":
		e.block = e.dimensionList
		e.seenArguments |= seenBlock
	case "registers per thread":
		e.registers = unescape(v, str)
		e.seenArguments |= seenRegisters
	case "shared memory":
		e.shared = unescape(v, str)
		e.seenArguments |= seenShared
	case "est. achieved occupancy %":
		e.occupancy = unescape(v, str)
		e.seenArguments |= seenOccupancy
	case "Input Dims", "Input dims":
		e.sizes = e.dimensionList
	case "Input type":
		e.types = e.dimensionList
	case "Concrete Inputs":
		e.values = e.dimensionList
	case "Collective name":
		e.collective = unescape(v, str)
	case "In msg nelems":
		e.elementsIn = unescape(v, str)
	case "Out msg nelems":
		e.elementsOut = unescape(v, str)
	case "dtype":
		e.dtype = unescape(v, str)
	case "Group size":
		e.ranks = unescape(v, str)
	case "Process Group Name":
		e.group = unescape(v, str)
	case "Process Group Ranks":
		e.members = unescape(v, str)
	case "Process Group Description":
		e.purpose = unescape(v, str)
	case "Global rank start":
		e.firstRank = unescape(v, str)
	case "Global rank stride":
		e.rankStride = unescape(v, str)
	case "Src Rank", "Dst Rank":
		e.peer = unescape(v, str)
	case "wait_on_stream":
		e.waitOn = unescape(v, str)
	case "wait_on_cuda_event_record_corr_id":
		e.recordedBy = unescape(v, str)
	case "Seq":
		e.seq = unescape(v, str)
	default:
		return e.setMemory(key, v, str)
	}
	return true
}
