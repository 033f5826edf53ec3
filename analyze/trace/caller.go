package trace

// Caller is a thread with the name of calls that it makes.
type Caller struct {
	Thread int32  // negative: of a helper process, such as a worker that loads data
	Name   NameID // without version suffix: cudaLaunchKernel
}

// CallerID stands for a caller of a list.
type CallerID uint32

// Callers numbers callers, each once, from 0 on in the order in which they are first asked for. The zero value has
// none. A job's processes have some hundreds: threads and names repeat. After the 134 millionth, for which a Call has
// no room, all get one number, without thread and name.
type Callers struct {
	all   []Caller
	slots []CallerID // by hash: 1 + the id, 0 free; a power of two of them, half of them free
}

// ID returns the number of a caller.
func (c *Callers) ID(x Caller) CallerID {
	if len(c.slots) > 0 {
		if id := c.slots[x.hash()&uint32(len(c.slots)-1)]; id > 0 && c.all[id-1] == x { // as most are
			return id - 1
		}
	}
	return c.find(x)
}

func (x Caller) hash() uint32 {
	h := (uint64(uint32(x.Thread))<<32 | uint64(x.Name)) * 0x9e3779b97f4a7c15
	return uint32(h >> 32)
}

// find does what ID does for a caller that is new, or not at the first place for it.
func (c *Callers) find(x Caller) CallerID {
	if 2*len(c.all) >= len(c.slots) {
		c.slots = EmptyTable[CallerID](max(64, 4*len(c.all)))
		for i, have := range c.all {
			*c.slot(have) = CallerID(i) + 1
		}
	}
	if len(c.all) >= callerMask {
		x = Caller{}
	}
	at := c.slot(x)
	if *at == 0 {
		c.all = append(c.all, x)
		*at = CallerID(len(c.all))
	}
	return *at - 1
}

// slot returns the place of a caller, or the free one for it.
func (c *Callers) slot(x Caller) *CallerID {
	for at := x.hash(); ; at++ {
		slot := &c.slots[at&uint32(len(c.slots)-1)]
		if *slot == 0 || c.all[*slot-1] == x {
			return slot
		}
	}
}

// At returns the caller with a number.
func (c *Callers) At(id CallerID) Caller { return c.all[id] }

// Len returns how many callers there are.
func (c *Callers) Len() int { return len(c.all) }

// Renamed returns the same callers, with the same numbers, under other names. If several then have one name, ID knows
// one of them.
func (c *Callers) Renamed(name func(NameID) NameID) Callers {
	out := Callers{all: make([]Caller, len(c.all))}
	for i, x := range c.all {
		out.all[i] = Caller{x.Thread, name(x.Name)}
	}
	return out
}

// CallersOf returns the result of a function for each caller, by number.
func CallersOf[T any](c *Callers, of func(Caller) T) []T {
	out := make([]T, len(c.all))
	for i, x := range c.all {
		out[i] = of(x)
	}
	return out
}

// Call returns a call of a caller with a thread and a name, from start to end in ns.
func (n *Names) Call(start, end int64, name NameID, thread int32) Call {
	return NewCall(start, end, n.Callers.ID(Caller{Thread: thread, Name: name}))
}

// Caller returns who made a call.
func (n *Names) Caller(c Call) Caller { return n.Callers.At(c.By()) }
