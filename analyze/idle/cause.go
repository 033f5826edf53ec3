package idle

import (
	"regexp"

	"perfdiff/analyze/kernelname"
	"perfdiff/analyze/trace"
)

// cause is what the launching process did while the device was idle.
type cause int

// The causes of idle time, in the order of run.IdleCauses.
const (
	causeInput      cause = iota // waiting for input
	causeAllocator               // inside a call that allocates or frees device memory
	causeSync                    // inside a call that waits for the device
	causeLaunch                  // inside a call that launches, or the launch is on its way
	causeDependency              // launched long before: waits for a stream, an event or a collective
	causeHost                    // any other recorded call or range
	causeUnknown                 // nothing recorded
	causeCount
)

// launchLatency is how long a launch takes to reach an idle device, in ns. A few microseconds
// are usual; what takes longer waits for something.
const launchLatency = 10_000

// The calls of CUDA's runtime and driver, and of HIP, by how they affect the thread that makes them.
var (
	allocCall  = regexp.MustCompile(`^(?:cuda|hip)(?:Malloc|Free|HostAlloc|HostRegister|HostUnregister|MemPool|DeviceReset)|^cuMem(?:Alloc|Free|Create|Map|Unmap|Release|SetAccess|Address|Host)`)
	launchCall = regexp.MustCompile(`^(?:cuda|hip|cu)(?:Launch|GraphLaunch|(?:Mod|Ext)\w*Launch|Memcpy\w*Async|Memset\w*Async)`)
	syncCall   = regexp.MustCompile(`^(?:cuda|hip|cu)(?:\w*Synchronize|\w*Query$|Memcpy|Memset)`)
	waitCall   = regexp.MustCompile(`^(?:pthread_cond_\w*wait|sem_\w*wait|futex|p?poll|epoll_p?wait\d?|p?select|sem_clockwait)$`)
)

// callKinds remembers by name of a call which cause of idle time it is.
type callKinds struct {
	names *trace.Names
	kind  []int8 // 1 + cause; 0 not looked at
}

func newCallKinds(n *trace.Names) *callKinds { return &callKinds{n, make([]int8, n.Len())} }

func (c *callKinds) of(id trace.NameID) cause {
	if k := c.kind[id]; k > 0 {
		return cause(k - 1)
	}
	k := kindOfCall(c.names.Text(id))
	c.kind[id] = int8(k) + 1
	return k
}

// kindOfCall returns what a call does, by its name.
var kindOfCall = kernelname.Remember(func(name string) cause {
	switch {
	case allocCall.MatchString(name):
		return causeAllocator
	case launchCall.MatchString(name):
		return causeLaunch
	case syncCall.MatchString(name):
		return causeSync
	}
	return causeHost
})

// isWaitCall reports whether a call of the operating system waits.
var isWaitCall = kernelname.Remember(waitCall.MatchString)
