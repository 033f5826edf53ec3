package metric

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"perfdiff/analyze/collective"
	"perfdiff/analyze/group"
	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// recordedGroup is what a capture says about a process group.
type recordedGroup struct {
	ranks   []int // of the job, in order; nil not recorded
	purpose string
}

// messageGroup is the group of a message, as the capture names it.
type messageGroup struct {
	comm, members, purpose trace.NameID
	ranks                  int32
}

// commOf returns a name for the communicator of a message. Groups of different ranks can have one name in PyTorch, so
// the name includes their ranks.
func (x *commCollector) commOf(m *trace.Message) string {
	at := messageGroup{m.Comm, m.Members, m.Purpose, m.Ranks}
	if at == x.lastGroup {
		return x.lastComm
	}
	name, known := x.comms[at]
	if !known {
		t := x.rank.Trace
		name = t.Names.Text(m.Comm)
		g := recordedGroup{purpose: t.Names.Text(m.Purpose)}
		if ranks, whole := group.ParseRanks(t.Names.Text(m.Members)); m.Members != 0 && whole && (m.Ranks == 0 || int(m.Ranks) == len(ranks)) {
			g.ranks = ranks
			name += " of " + group.Key(ranks)
		} else if m.Members != 0 { // a list that was cut still tells groups apart
			name += " of " + t.Names.Text(m.Members)
		}
		if x.comms == nil {
			x.comms, x.out.Groups = map[messageGroup]string{}, map[string]recordedGroup{}
		}
		x.comms[at] = name
		if g.ranks != nil || g.purpose != "" {
			x.out.Groups[name] = g
		}
	}
	x.lastGroup, x.lastComm = at, name
	return name
}

// peerOf returns 1 + the number of a message's peer in its communicator; 0 unknown.
func (x *commCollector) peerOf(m *trace.Message, comm string) int32 {
	if !m.PeerOfJob || m.Peer <= 0 {
		return m.Peer
	}
	if g := x.out.Groups[comm]; g.ranks != nil {
		at, found := slices.BinarySearch(g.ranks, int(m.Peer)-1)
		if !found {
			return 0
		}
		return int32(at) + 1
	}
	if world := x.rank.Trace.Identity.WorldSize; world > 0 && int(m.Ranks) == world {
		return m.Peer
	}
	return 0
}

// hasPointToPoint reports whether some kernel exchanges data with a single rank.
func hasPointToPoint(comms []Communication) bool {
	return slices.ContainsFunc(comms, func(c Communication) bool {
		return slices.ContainsFunc(c.Spans, func(s collective.Span) bool { return s.PointToPoint() })
	})
}

// groups holds the groups of a run.
type groups struct {
	list        []run.Group
	dimensionOf map[string]group.Dimension // by communicator; Unknown ones are left out
	apart       bool                       // there are several dimensions, one of them known
	numbered    map[string][]int           // by communicator: its ranks in the job by their number in it, where these are certain
	gathered    []*gatheredGroup           // in the order of list
	byComm      map[string]*gatheredGroup
}

// useKey is one kind of use.
type useKey struct{ collective, dtype, size string }

// structure says where in the step a collective is called, which tells the dimension of its group.
type structure struct {
	group.Use
	calls, steps  int     // steps of a rank, added up over ranks
	firsts, lasts float64 // sums over steps
	rank, step    int     // of the last call
	lastAt        float64 // where in the step it began
}

// gatheredGroup is a group whose calls are being counted.
type gatheredGroup struct {
	run.Group
	comms      []string
	uses       map[useKey]*countedUse
	structures []*structure // by collective, in order of occurrence
}

// findGroups returns the groups of a run, from what its ranks did in kept steps; none where the number of a rank is
// not known.
func findGroups(ranks []run.Rank, comms []Communication, splits [][]collective.Split) *groups {
	out := &groups{dimensionOf: map[string]group.Dimension{}, numbered: map[string][]int{}}
	if slices.ContainsFunc(ranks, func(r run.Rank) bool { return r.Rank < 0 }) {
		return out
	}
	byComm, members := map[string]*gatheredGroup{}, map[string][]int{}
	other, world := false, 0
	for i := range ranks {
		world = max(world, ranks[i].WorldSize)
		for k := range comms[i].Spans {
			s := &comms[i].Spans[k]
			if s.Comm == "" {
				other = true
				continue
			}
			if m := members[s.Comm]; len(m) == 0 || m[len(m)-1] != ranks[i].Rank {
				members[s.Comm] = append(m, ranks[i].Rank)
			}
		}
	}
	all := out.gather(comms, world, members, byComm)
	for i := range ranks {
		countCalls(byComm, ranks, i, comms[i], splits[i])
	}
	out.gathered, out.byComm = all, byComm
	out.findTurns(ranks, comms)
	out.classify(all, slices.ContainsFunc(ranks, servesRequests))
	known, kinds := false, map[string]bool{}
	for _, g := range all {
		known, kinds[g.Dimension] = known || g.Dimension != "", true
		out.list = append(out.list, g.Group)
		for _, comm := range g.comms {
			if g.Dimension != "" {
				out.dimensionOf[comm] = group.Dimension(g.Dimension)
			}
		}
	}
	kinds[""] = kinds[""] || other
	if !kinds[""] {
		delete(kinds, "")
	}
	out.apart = known && len(kinds) > 1
	return out
}

// gather makes the groups of communicators. Communicators of the same ranks for the same purpose
// are one. world is the number of ranks in the job, 0 unknown.
func (x *groups) gather(comms []Communication, world int, members map[string][]int, byComm map[string]*gatheredGroup) []*gatheredGroup {
	recorded, sizes := map[string]recordedGroup{}, map[string]int{}
	for i := range comms {
		maps.Copy(recorded, comms[i].Groups)
		for k := range comms[i].Spans {
			s := &comms[i].Spans[k]
			sizes[s.Comm] = max(sizes[s.Comm], int(s.Ranks))
		}
	}
	byRanks := map[string]*gatheredGroup{}
	var all []*gatheredGroup
	for _, comm := range slices.Sorted(maps.Keys(members)) {
		slices.Sort(members[comm])
		g := run.Group{Ranks: slices.Compact(members[comm]), Size: sizes[comm], Purpose: recorded[comm].purpose}
		if listed := recorded[comm].ranks; listed != nil { // also of ranks that were not captured
			g.Ranks, g.Size = listed, len(listed)
			x.numbered[comm] = g.Ranks
		} else if world > 0 && world <= group.MostRanks && g.Size == world { // it holds all ranks of the job
			g.Ranks = make([]int, world)
			for k := range g.Ranks {
				g.Ranks[k] = k
			}
			x.numbered[comm] = g.Ranks
		}
		at := group.Key(g.Ranks) + " " + g.Purpose
		if byRanks[at] == nil {
			byRanks[at] = &gatheredGroup{Group: g, uses: map[useKey]*countedUse{}}
			all = append(all, byRanks[at])
		}
		same := byRanks[at]
		same.comms, same.Size = append(same.comms, comm), max(same.Size, g.Size)
		byComm[comm] = same
	}
	return all
}

// countCalls counts what rank i did in its kept steps.
func countCalls(byComm map[string]*gatheredGroup, ranks []run.Rank, i int, c Communication, splits []collective.Split) {
	r := &ranks[i]
	grouped := func(k int) bool { return byComm[c.Spans[k].Comm] != nil }
	c.visitKept(r, grouped, func(k int, exposed int64) {
		s := &c.Spans[k]
		g, st := byComm[s.Comm], &r.Steps[s.Step]
		g.use(s).count(s, splits[k], i, exposed)
		own, _ := slices.BinarySearch(g.Ranks, r.Rank)
		peer := int(s.Peer) - 1
		if at := splits[k].Peer; at != collective.Nobody {
			peer, _ = slices.BinarySearch(g.Ranks, ranks[at].Rank)
		} else if peer < 0 && len(g.Ranks) == 2 && own < 2 {
			peer = 1 - own
		}
		g.place(s, i, own, peer, float64(s.Start-st.Start)/float64(st.End-st.Start))
	})
}

// use returns the sum in which a kernel is counted.
func (g *gatheredGroup) use(s *collective.Span) *countedUse {
	at := useKey{collective: s.Kind, dtype: s.Type}
	if s.Bytes > 0 {
		at.size = sizeClass(s.Bytes)
	}
	u := g.uses[at]
	if u == nil {
		u = &countedUse{GroupUse: run.GroupUse{Collective: at.collective, Type: at.dtype, Size: at.size}}
		g.uses[at] = u
	}
	return u
}

// place notes where in its step a kernel of rank i begins; own is the rank's number in the group, and peer the number
// of the other rank of a point-to-point kernel, below 0 unknown.
func (g *gatheredGroup) place(s *collective.Span, i, own, peer int, at float64) {
	kind := s.Kind
	if kind == sendRecv && s.Peer == collective.AllPeers {
		kind = allToAll
	}
	n := slices.IndexFunc(g.structures, func(x *structure) bool { return x.Collective == kind })
	if n < 0 {
		n = len(g.structures)
		g.structures = append(g.structures, &structure{Use: group.Use{Collective: kind, Pairs: s.PointToPoint(), Least: s.Bytes}, rank: -1})
	}
	x := g.structures[n]
	if x.rank != i || x.step != s.Step {
		x.lasts += x.lastAt
		x.firsts += at
		x.steps++
		x.rank, x.step, x.lastAt = i, s.Step, at
	}
	x.lastAt = max(x.lastAt, at)
	x.calls++
	x.Least, x.Most = min(x.Least, s.Bytes), max(x.Most, s.Bytes)
	if x.Pairs && peer >= 0 {
		x.Around = x.Around || min(own, peer) == 0 && max(own, peer) == len(g.Ranks)-1 && len(g.Ranks) > 2
	}
	x.Far = x.Far || x.Pairs && (peer < 0 || max(own-peer, peer-own) != 1)
}

// servesRequests reports whether a rank's steps come from an inference engine. They have no backward pass, so it means
// nothing where in the step a collective is called.
func servesRequests(r run.Rank) bool {
	return slices.ContainsFunc(r.Steps, func(s trace.Step) bool { return s.Load.Known() })
}

// classify sets the groups' dimensions and sorts them and their uses. engine: the steps come from an inference engine.
func (g *groups) classify(all []*gatheredGroup, engine bool) {
	var known []group.Group
	var which []*gatheredGroup
	for _, x := range all {
		for _, at := range slices.SortedFunc(maps.Keys(x.uses), func(a, b useKey) int {
			return cmp.Or(strings.Compare(a.collective, b.collective), strings.Compare(a.dtype, b.dtype), cmp.Compare(sizeRank(a.size), sizeRank(b.size)))
		}) {
			x.Uses = append(x.Uses, x.uses[at].GroupUse)
		}
		if !x.Whole() {
			continue // what it is cannot be seen from a part of its ranks
		}
		k := group.Group{Ranks: x.Ranks, Purpose: x.Purpose}
		for _, u := range x.structures {
			u.lasts += u.lastAt
			u.Calls = float64(u.calls) / float64(u.steps)
			u.First, u.Last = u.firsts/float64(u.steps), u.lasts/float64(u.steps)
			if !engine {
				k.Uses = append(k.Uses, u.Use)
			}
		}
		known, which = append(known, k), append(which, x)
	}
	for i, d := range group.Classify(known) {
		which[i].Dimension = string(d)
	}
	slices.SortFunc(all, func(a, b *gatheredGroup) int {
		return cmp.Or(group.Compare(a.Ranks, b.Ranks, group.Dimension(a.Dimension), group.Dimension(b.Dimension)), strings.Compare(a.Purpose, b.Purpose))
	})
}
