package kineto

import (
	"slices"
	"strconv"
	"strings"

	"perfdiff/analyze/group"
	"perfdiff/analyze/trace"
)

// PyTorch lists at most 30 ranks of a process group beside a collective, and none of a group
// whose ranks are not all at the same distance (torch/csrc/profiler/util.cpp and
// ParamCommsUtils.cpp). All of them are in distributedInfo.pg_config, and follow from the first
// rank and the distance, which the operator record_param_comms has.

// recordParams is the operator that describes a collective.
const recordParams = "record_param_comms"

// maxListedRanks bounds the ranks of all groups of a file. Chosen, not measured: a rank is in a
// few dozen groups.
const maxListedRanks = 1 << 20

// rankLists are the ranks of process groups by name. What is told in two ways is nil.
type rankLists struct {
	of   map[string][]int
	held int
}

func (l *rankLists) add(name string, ranks []int) {
	if name == "" || len(ranks) == 0 || l.held+len(ranks) > maxListedRanks {
		return
	}
	ranks = slices.Clone(ranks)
	slices.Sort(ranks)
	if len(slices.Compact(slices.Clone(ranks))) != len(ranks) {
		return
	}
	if l.of == nil {
		l.of = map[string][]int{}
	}
	if known, ok := l.of[name]; ok && !slices.Equal(known, ranks) {
		ranks = nil
	}
	l.of[name] = ranks
	l.held += len(ranks)
}

// listGroups reads pg_config.
func (h *header) listGroups(w *window) bool {
	return w.elements(func() bool {
		g := configuredGroup{size: -1}
		ok := w.members(func(key string) bool { return g.member(w, key) })
		if int64(len(g.ranks)) == g.size {
			h.groups.add(g.name, g.ranks)
		}
		return ok
	})
}

// configuredGroup is an entry of pg_config.
type configuredGroup struct {
	name  string
	size  int64
	ranks []int
}

func (g *configuredGroup) member(w *window, key string) bool {
	switch key {
	case "pg_name":
		return scalar(w, func(v []byte) { g.name = string(v) })
	case "pg_size":
		return scalar(w, func(v []byte) { g.size, _ = integer(v) })
	case "ranks":
		return w.elements(func() bool { return scalar(w, g.addRank) })
	}
	return w.skip()
}

func (g *configuredGroup) addRank(v []byte) {
	if n, ok := integer(v); ok && n >= 0 && n < group.MostRanks && len(g.ranks) < group.MostRanks {
		g.ranks = append(g.ranks, int(n))
	}
}

// describesGroup reports whether an operator describes a collective and its group.
func (e *event) describesGroup() bool { return e.kind == kindOp && string(e.name) == recordParams }

// addStride keeps the ranks of a group that an operator or a kernel describes, if they are too
// many to be listed.
func (c *collector) addStride(e *event) {
	start, ok := integer(e.firstRank)
	stride, strided := integer(e.rankStride)
	size, sized := integer(e.ranks)
	if !ok || !strided || !sized || len(e.group) == 0 || size <= mostListed || size > group.MostRanks ||
		start < 0 || start >= group.MostRanks || stride < 1 || stride > group.MostRanks {
		return
	}
	if known := c.strided.of[string(e.group)]; len(known) == int(size) && known[0] == int(start) && known[1]-known[0] == int(stride) {
		return
	}
	ranks := make([]int, size)
	for i := range ranks {
		ranks[i] = int(start) + i*int(stride)
	}
	c.strided.add(string(e.group), ranks)
}

// mostListed is how many ranks of a group PyTorch lists.
const mostListed = 30

// completeGroups lists all ranks of the groups whose list at a collective was cut or is missing, once everything was
// read.
func (c *collector) completeGroups(h *header) {
	lists := map[trace.Message]trace.NameID{}
	c.messages.Complete(func(m *trace.Message) {
		at := trace.Message{Comm: m.Comm, Members: m.Members, Ranks: m.Ranks}
		members, known := lists[at]
		if !known {
			members = c.membersOf(m, h)
			lists[at] = members
		}
		m.Members = members
	})
}

// membersOf returns the list of all ranks of a message's group; what the message says if more is not known, or not
// beyond doubt.
func (c *collector) membersOf(m *trace.Message, h *header) trace.NameID {
	name, said := c.names.Text(m.Comm), c.names.Text(m.Members)
	if ranks, whole := group.ParseRanks(said); name == "" || whole && (m.Ranks == 0 || int(m.Ranks) == len(ranks)) {
		return m.Members
	}
	ranks := h.groups.of[name]
	if more := c.strided.of[name]; ranks == nil {
		ranks = more
	} else if more != nil && !slices.Equal(ranks, more) {
		return m.Members
	}
	switch {
	case ranks == nil, m.Ranks > 0 && int(m.Ranks) != len(ranks), !contains(ranks, group.FirstRanks(said)),
		h.rank >= 0 && !slices.Contains(ranks, h.rank):
		return m.Members
	}
	return c.names.ID(listOf(ranks))
}

// contains reports whether all of some are among ranks, which are in order.
func contains(ranks, some []int) bool {
	return !slices.ContainsFunc(some, func(r int) bool {
		_, found := slices.BinarySearch(ranks, r)
		return !found
	})
}

// listOf lists ranks as PyTorch does.
func listOf(ranks []int) string {
	var b strings.Builder
	for i, r := range ranks {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(strconv.Itoa(r))
	}
	return "[" + b.String() + "]"
}
