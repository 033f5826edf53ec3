package kernelname

import (
	"regexp"
	"strings"
)

// collName matches collectives in names of NCCL and in what frameworks record about them.
var collName = regexp.MustCompile(`(?i)(all_?reduce|all_?gather|reduce_?scatter|broadcast|all_?to_?all|send_?recv|sendrecv|cross_device_reduce|dispatch|combine|reduce|send|recv|generic)`)

// Collective reports whether a kernel's name belongs to a communication library and which collective it names:
// "AllReduce", "AllGather", "ReduceScatter", "Broadcast", "Reduce", "SendRecv", "AllToAll", or "Generic" where the
// name does not say. SendRecv covers every collective that NCCL builds from point-to-point calls. Algorithm, protocol
// and operation in the name are those of the launch entry, not of what ran, and are ignored.
func Collective(kernel string) (name string, comm bool) {
	c, comm := CommunicationOf(kernel)
	return c.Collective, comm
}

// Direction returns what a point-to-point call does, by its name: "ncclSend" in NCCL's ranges, "Send" in their
// advanced form, "recv" in PyTorch. Both are false for any other name, and for a kernel's, which is SendRecv for
// either.
func Direction(call string) (sends, receives bool) {
	switch strings.ToLower(strings.TrimPrefix(call, "nccl")) {
	case "send", "isend":
		return true, false
	case "recv", "irecv":
		return false, true
	}
	return false, false
}

// CollectiveName returns the canonical name of a collective in any spelling:
// "allreduce", "all_reduce", "ncclDevKernel_AllReduce_Sum_f32_RING_LL(…)".
func CollectiveName(s string) string {
	if !HoldsAny(s, "all", "reduce", "broadcast", "send", "recv", "dispatch", "combine") {
		return "Generic"
	}
	switch strings.ReplaceAll(strings.ToLower(collName.FindString(s)), "_", "") {
	case "allreduce", "crossdevicereduce":
		return "AllReduce"
	case "allgather":
		return "AllGather"
	case "reducescatter":
		return "ReduceScatter"
	case "broadcast":
		return "Broadcast"
	case "alltoall":
		return "AllToAll"
	case "sendrecv", "send", "recv":
		return "SendRecv"
	case "reduce":
		return "Reduce"
	case "dispatch":
		return "Dispatch"
	case "combine":
		return "Combine"
	}
	return "Generic"
}

// CanonicalRange returns a range's name without the numbers that make each
// occurrence unique (", op_id = 12", ", seq = 3"). It is written by hand
// because a capture can have a name of its own for every range.
func CanonicalRange(name string) string {
	if _, end := nextOccurrence(name); end == 0 {
		return name
	}
	var room [256]byte
	return string(AppendCanonicalRange(room[:0], name))
}

// AppendCanonicalRange appends CanonicalRange to dst.
func AppendCanonicalRange(dst []byte, name string) []byte {
	for {
		start, end := nextOccurrence(name)
		if end == 0 {
			return append(dst, name...)
		}
		dst, name = append(dst, name[:start]...), name[end:]
	}
}

// nextOccurrence returns where the first ", op_id = 12" of a name begins and ends; end is 0 if there is none.
func nextOccurrence(name string) (start, end int) {
	for at := 0; ; {
		i := strings.IndexByte(name[at:], '=')
		if i < 0 {
			return 0, 0
		}
		at += i + 1
		if at >= 2 && at < len(name) && name[at-2] == ' ' && name[at] == ' ' {
			if start, end = occurrence(name, at-2); end > 0 {
				return start, end
			}
		}
	}
}

// occurrence returns where ", op_id = 12" begins and ends if its " = " is at i; end is 0 if that is something else.
func occurrence(name string, i int) (start, end int) {
	head, ok := strings.CutSuffix(name[:i], " op_id")
	if !ok {
		head, ok = strings.CutSuffix(name[:i], " seq")
	}
	end = i + len(" = ")
	digits := end
	for end < len(name) && '0' <= name[end] && name[end] <= '9' {
		end++
	}
	if !ok || end == digits {
		return 0, 0
	}
	return len(strings.TrimSuffix(head, ",")), end
}

// Ordinary returns a range's name without the number of its occurrence at the end:
// "step N" for "step 12", "ProfilerStep#N" for "ProfilerStep#7".
func Ordinary(name string) string {
	if name == "" || !digit(name[len(name)-1]) { // as most are
		return name
	}
	stem := strings.TrimRight(name, "0123456789")
	if len(stem) == len(name) || stem == "" || !strings.ContainsRune(" #:", rune(stem[len(stem)-1])) {
		return name
	}
	return stem + "N"
}
