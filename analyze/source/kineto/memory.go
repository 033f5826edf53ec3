package kineto

import (
	"fmt"

	"perfdiff/analyze/trace"
)

// memoryName is the name of an instant at which PyTorch's allocator took memory or gave it back.
const memoryName = "[memory]"

// memoryArguments are the arguments of such an instant. Totals are nil in traces of 2021.
type memoryArguments struct {
	bytes, deviceType, device []byte
	allocated, reserved       []byte
	name                      []byte // of a thread, where the event is that, with its escapes
}

// setMemory keeps an argument. It is false for an event of another kind.
func (e *event) setMemory(key, v []byte, str bool) bool {
	if e.isComplete() {
		return false
	}
	m := &e.memory
	switch string(key) {
	case "Bytes":
		m.bytes = unescape(v, str)
	case "Device Type":
		m.deviceType = unescape(v, str)
	case "Device Id":
		m.device = unescape(v, str)
	case "Total Allocated":
		m.allocated = unescape(v, str)
	case "Total Reserved":
		m.reserved = unescape(v, str)
	case "name":
		m.name = v
	default:
		return false
	}
	return true
}

// mayBeMemory reports whether an event that is not complete can be an instant of memory, by what
// is known of it so far.
func (e *event) mayBeMemory() bool {
	return len(e.ph) == 1 && e.ph[0] == 'i' && (!e.hasCat || e.kind == kindMemory) && (e.name == nil || string(e.name) == memoryName)
}

// isMemory reports whether an event is an instant of memory. Traces of 2021 give it no category.
func (e *event) isMemory() bool { return e.name != nil && e.mayBeMemory() }

// cudaDevice is the type of devices that count: 0 is the host's memory. ROCm's PyTorch says CUDA
// too.
const cudaDevice = 1

// memoryChanges are those of one device of a process.
type memoryChanges struct {
	device   int32
	list     growingList[trace.MemoryChange]
	totals   int // changes that say what is held then
	leftOut  int // changes beyond those that are kept, or without a time or size
	reserved bool
}

// addMemory keeps a change of a device's memory.
func (c *collector) addMemory(e *event) {
	m := &e.memory
	kind, isNumber := integer(m.deviceType)
	device, hasDevice := integer(m.device)
	bytes, hasBytes := integer(m.bytes)
	at, ok := e.startTime()
	ok = ok && hasBytes && at >= earliest && at <= latest
	if !isNumber || kind != cudaDevice || !hasDevice || device < 0 || device >= maxProcesses {
		return
	}
	p, known := c.process(e.pid)
	if !known {
		return
	}
	into := c.procs[p].memoryOf(int32(device))
	if !ok || into.list.len() == trace.MaxMemoryChanges {
		into.leftOut++
		return
	}
	x := trace.MemoryChange{At: at, Allocated: bytes, Taken: bytes > 0}
	if allocated, ok := integer(m.allocated); ok && allocated >= 0 {
		into.totals++
		x.Allocated = allocated
		reserved, ok := integer(m.reserved)
		x.Reserved, into.reserved = max(reserved, 0), into.reserved || ok && reserved > 0
	}
	into.list.push(c.room, x)
}

// memoryOf are the changes of a device.
func (p *process) memoryOf(device int32) *memoryChanges {
	for _, m := range p.memory {
		if m.device == device {
			return m
		}
	}
	p.memory = append(p.memory, &memoryChanges{device: device})
	return p.memory[len(p.memory)-1]
}

// The sources of a device's memory.
const (
	allocatorTotals = "totals of PyTorch's allocator"
	allocatorSums   = "sums of allocations since the profiler started"
)

// addMemoryTo gives a trace the memory of its device, if the process said anything of it.
func (p *process) addMemoryTo(t *trace.Trace, device int32) {
	for _, m := range p.memory {
		if m.device != device || m.list.len() == 0 {
			continue
		}
		switch n := m.list.len(); {
		case m.leftOut > 0:
			t.Lose(trace.MemoryUse, fmt.Sprintf("all changes of memory: %d of %d were left out, beyond %d or without time and size (record fewer steps)",
				m.leftOut, n+m.leftOut, trace.MaxMemoryChanges))
			return
		case m.totals != 0 && m.totals != n:
			t.Lose(trace.MemoryUse, fmt.Sprintf("what is allocated at each change of memory: %d of %d say so (%s)", m.totals, n, recordAgain))
			return
		}
		t.Memory = &trace.HeldMemory{Source: allocatorTotals, Allocated: true, Reserved: m.reserved, Changes: m.list.all()}
		t.Memory.Sort()
		if m.totals == 0 {
			t.Memory.Source = allocatorSums
			t.Memory.Sum()
		}
	}
}
