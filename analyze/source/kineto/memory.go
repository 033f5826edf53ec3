package kineto

import "perfdiff/analyze/source/build"

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

// mayBeMemory reports whether an event that is not complete may be an instant of memory, as far as it was read.
func (e *event) mayBeMemory() bool {
	return len(e.ph) == 1 && e.ph[0] == 'i' && (!e.hasCat || e.kind == kindMemory) && (e.name == nil || string(e.name) == memoryName)
}

// isMemory reports whether an event is an instant of memory. Traces of 2021 give it no category.
func (e *event) isMemory() bool { return e.name != nil && e.mayBeMemory() }

// cudaDevice is the type of devices that count: 0 is the host's memory. ROCm's PyTorch says CUDA
// too.
const cudaDevice = 1

// addMemory keeps a change of a device's memory.
func (c *collector) addMemory(e *event) {
	m := &e.memory
	kind, isNumber := integer(m.deviceType)
	device, hasDevice := integer(m.device)
	bytes, hasBytes := integer(m.bytes)
	at, ok := e.startTime()
	ok = ok && hasBytes && at >= earliest && at <= latest
	if !isNumber || kind != cudaDevice || !hasDevice || device < 0 || device >= build.MaxPlaces {
		return
	}
	p, known := c.process(e.pid)
	if !known {
		return
	}
	into := c.memory.Of(processDevice{int32(p), int32(device)})
	allocated, hasTotal := integer(m.allocated)
	switch {
	case !ok:
		into.LeaveOut()
	case hasTotal && allocated >= 0:
		reserved, _ := integer(m.reserved)
		into.Total(c.room, at, bytes > 0, allocated, reserved)
	default:
		into.Sum(c.room, at, bytes)
	}
}

// memorySource is where a device's memory comes from.
var memorySource = build.MemorySource{
	Totals: "totals of PyTorch's allocator",
	Sums:   "sums of allocations since the profiler started",
}
