package kineto

import (
	"strings"

	"perfdiff/analyze/kernelname"
	"perfdiff/analyze/trace"
)

// addDevice keeps a kernel, a copy or a set.
func (c *collector) addDevice(e *event, start, end int64) {
	place, ok := c.deviceIndex(e)
	if !ok {
		return
	}
	s := trace.Span{Start: start, End: end, Launch: trace.NoTime, Name: c.deviceName(e), Stream: streamOf(e)}
	bytes, _ := integer(e.bytes)
	s.SetBytes(bytes)
	switch e.kind {
	case kindKernel:
		s.Kind = trace.Kernel
		class, coll := c.names.Kernel(s.Name)
		if s.Class = class; class == trace.Comm || e.collective != nil {
			c.setCollective(e, &s, coll)
		}
		if !e.skipShape {
			c.shapes.Add(int(s.Name), e.shape())
			c.shapesSeen++
			e.skipShape = c.shapesSeen >= maxVotes
		}
	case kindMemcpy:
		s.Kind, s.Class, s.Copy = trace.Memcpy, trace.Memory, c.copyKind(s.Name)
	default:
		s.Kind, s.Class = trace.Memset, trace.Memory
	}
	c.grows.device.Push(c.room, s)
	c.grows.links.Push(c.room, identifier(e.correlation))
	c.grows.where.Push(c.room, place)
}

// setCollective sets the collective and the message of a span from the event's arguments. They
// know more than the kernel's name, which says coll: an all-to-all is a SendRecv kernel, and on ROCm every
// collective is called Generic.
func (c *collector) setCollective(e *event, s *trace.Span, coll trace.NameID) {
	if name := kernelname.CollectiveName(string(e.collective)); len(e.collective) > 0 && (name != "Generic" || coll == 0) {
		if strings.HasPrefix(c.names.Text(coll), kernelname.FusedPrefix) { // which only the kernel's name says
			name = kernelname.FusedPrefix + name
		}
		coll = c.names.ID(name)
	}
	count, _ := integer(e.elementsIn)
	if c.names.Text(coll) == "AllGather" {
		count, _ = integer(e.elementsOut)
	}
	x := trace.Message{Coll: coll}
	if size := trace.ElementSize(string(e.dtype)); count > 0 && count < 1<<59 {
		x.Bytes = count * size
	}
	if got, ok := integer(e.elementsOut); ok && got > 0 && got < 1<<59 && c.names.Text(coll) == "AllToAll" {
		x.Received = got * trace.ElementSize(string(e.dtype))
	}
	if seq, ok := integer(e.seq); ok && seq >= 0 && seq < 1<<59 {
		x.Seq = seq + 1
	}
	if n, ok := integer(e.ranks); ok && n > 0 && n < maxGroup {
		x.Ranks = int32(n)
	}
	if n, ok := integer(e.peer); ok && n >= 0 && n < maxGroup {
		x.Peer, x.PeerOfJob = int32(n)+1, true
	}
	x.Sends, x.Receives = kernelname.Direction(string(e.collective))
	x.Comm, x.Type = c.internText(e.group), c.internText(e.dtype)
	x.Members, x.Purpose = c.internText(e.members), c.internText(e.purpose)
	c.addStride(e)
	s.SetMessage(c.messages.Add(x))
}

// maxGroup bounds the number of ranks in a process group: a larger number is not believed.
const maxGroup = 1 << 24

// internText returns the id of a text without escapes.
func (c *texts) internText(b []byte) trace.NameID {
	if len(b) == 0 {
		return 0
	}
	return c.names.IDBytes(b)
}

// copyKind returns the direction of a copy and the host's memory by its name, in the words of CUDA ("Memcpy HtoD
// (Pinned -> Device)") or ROCm ("CopyHostToDevice"). Each name is worked out once.
func (c *collector) copyKind(id trace.NameID) trace.CopyKind {
	for len(c.known) <= int(id) {
		c.known = append(c.known, false)
		c.copies = append(c.copies, trace.CopyUnknown)
	}
	if !c.known[id] {
		name := c.names.Text(id)
		direction := copyDirection(name)
		c.known[id], c.copies[id] = true, direction.With(hostMemory(direction, name))
	}
	return c.copies[id]
}

// hostMemory returns the kind of the host's memory that a copy's name says: "(Pinned -> Device)".
func hostMemory(direction trace.CopyKind, name string) trace.HostMemory {
	_, ends, _ := strings.Cut(name, "(")
	from, to, _ := strings.Cut(strings.TrimSuffix(ends, ")"), " -> ")
	switch direction {
	case trace.HostToDev:
		return trace.HostMemoryOf(from)
	case trace.DevToHost:
		return trace.HostMemoryOf(to)
	}
	return trace.HostUnknown
}

var directions = []struct {
	text string
	kind trace.CopyKind
}{
	{"htod", trace.HostToDev}, {"hosttodevice", trace.HostToDev},
	{"dtoh", trace.DevToHost}, {"devicetohost", trace.DevToHost},
	{"dtod", trace.DevToDev}, {"devicetodevice", trace.DevToDev},
	{"ptop", trace.PeerToPeer}, {"peertopeer", trace.PeerToPeer},
	{"htoh", trace.HostToHost}, {"hosttohost", trace.HostToHost},
	{"htoa", 3}, {"atoh", 4}, {"atoa", 5}, {"atod", 6}, {"dtoa", 7}, // CUPTI: arrays
}

func copyDirection(name string) trace.CopyKind {
	name = strings.ToLower(name)
	for _, d := range directions {
		if strings.Contains(name, d.text) {
			return d.kind
		}
	}
	return trace.CopyUnknown
}
