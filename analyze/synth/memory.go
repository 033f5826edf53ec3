package synth

import (
	"slices"
)

// deviceMemory is how much of its device's memory a rank holds, in bytes. Without a base no memory is recorded.
type deviceMemory struct {
	Base  int64 `yaml:"base"`  // weights and optimizer state, taken before the first step
	Batch int64 `yaml:"batch"` // taken over the forward pass and given back over the backward pass
	Leak  int64 `yaml:"leak"`  // what each step keeps for good
}

func (m *deviceMemory) bounds() []allowedRange {
	return []allowedRange{
		{"memory.base", float64(m.Base), 0, 1e12},
		{"memory.batch", float64(m.Batch), 0, 1e12},
		{"memory.leak", float64(m.Leak), 0, 1e12},
	}
}

// memoryChange is a change of the memory that a rank holds.
type memoryChange struct {
	at, bytes           int64 // negative: given back
	allocated, reserved int64 // after it
	took                int64 // of the driver, for it
}

// driverPiece is the unit of an allocator's requests to the driver.
const driverPiece = 2 << 20

// holdMemory adds the changes of memory to a rank whose steps are known. plan has the amounts of
// each step.
func (r *recording) holdMemory(plan []deviceMemory, layers int) {
	if len(plan) == 0 || plan[0].Base == 0 {
		return
	}
	var allocated, reserved int64
	change := func(at, bytes int64) {
		if bytes == 0 {
			return
		}
		allocated += bytes
		took := max(0, (allocated-reserved+driverPiece-1)/driverPiece*driverPiece)
		reserved += took
		r.memory = append(r.memory, memoryChange{at, bytes, allocated, reserved, took})
	}
	spread := func(s span, bytes int64) {
		for i := range int64(layers) {
			part := bytes / int64(layers)
			if i == 0 {
				part += bytes % int64(layers)
			}
			change(s.start+(s.end-s.start)*(i+1)/int64(layers+1), part)
		}
	}
	change(r.hostStarts[0]-500_000, plan[0].Base)
	step := 0
	for _, s := range r.phases {
		switch s.name {
		case phaseNames[forward]:
			change(s.start+500, plan[step].Leak)
			spread(s, plan[step].Batch)
		case phaseNames[backward]:
			spread(s, -plan[step].Batch)
			step++
		}
	}
}

// MemoryUse is the memory that a rank uses in a step, by its period on the host.
type MemoryUse struct {
	Known                        bool  // false: nothing is recorded
	AllocatedPeak, AllocatedMore int64 // bytes; the latter from start to end
	ReservedPeak                 int64
	Allocations, DriverCalls     int // that take memory
}

// memoryWithin returns the memory used in [lo, hi), going through every change anew.
func (r *recording) memoryWithin(lo, hi int64) (u MemoryUse) {
	at := slices.IndexFunc(r.memory, func(c memoryChange) bool { return c.at >= lo })
	if at <= 0 {
		return u
	}
	before := r.memory[at-1]
	u = MemoryUse{Known: true, AllocatedPeak: before.allocated, ReservedPeak: before.reserved}
	last := before.allocated
	for _, c := range r.memory[at:] {
		if c.at >= hi {
			break
		}
		last = c.allocated
		u.AllocatedPeak, u.ReservedPeak = max(u.AllocatedPeak, c.allocated), max(u.ReservedPeak, c.reserved)
		if c.bytes > 0 {
			u.Allocations++
		}
		if c.took > 0 {
			u.DriverCalls++
		}
	}
	u.AllocatedMore = last - before.allocated
	return u
}

// memoryRows writes the requests to the driver.
func (p *profile) memoryRows(e *exportWriter) {
	row := e.rows("CUDA_GPU_MEMORY_USAGE_EVENTS", "start address bytes correlationId", p.deviceColumns()+"pc=0 memKind=2 memoryOperationType=0 streamId=7 localMemoryPoolType=0")
	for i, c := range p.memory {
		if c.took > 0 {
			row(c.at, int64(0x7f0000000000)+int64(i)<<21, c.took, i+1)
		}
	}
}

// kinetoMemory writes the allocator's instants: those of the device, and one of the host.
func (p *profile) kinetoMemory(t *eventWriter) {
	for i, c := range p.memory {
		t.beginEvent()
		t.appendf(`"ph": "i", "cat": "cpu_instant_event", "s": "t", "name": "[memory]", "pid": %d, "tid": %d, "ts": `, t.pid, t.pid)
		t.micros(c.at)
		t.appendf(`, "args": {"Total Reserved": %d, "Total Allocated": %d, "Bytes": %d, "Addr": %d, "Device Id": %d, "Device Type": 1, "Ev Idx": %d}`,
			c.reserved, c.allocated, c.bytes, 0x7f0000000000+i<<9, t.device, i)
		t.endEvent()
	}
	if len(p.memory) > 0 {
		t.beginEvent()
		t.appendf(`"ph": "i", "cat": "cpu_instant_event", "s": "t", "name": "[memory]", "pid": %d, "tid": %d, "ts": `, t.pid, t.pid)
		t.micros(p.memory[0].at)
		t.appendf(`, "args": {"Total Reserved": 0, "Total Allocated": 0, "Bytes": 99999999999999, "Addr": 1, "Device Id": -1, "Device Type": 0, "Ev Idx": 0}`)
		t.endEvent()
	}
}
