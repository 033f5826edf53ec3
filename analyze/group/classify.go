package group

import "slices"

// Chosen, not measured: what tells the dimensions apart by structure.
const (
	// smallMessage is the size in bytes below which a message is no activation, gradient or
	// parameter but a number or a few, such as a loss or the norm of all gradients.
	smallMessage = 64 << 10
	// forwardTo is the share of a step in which there still is forward pass, and backwardFrom
	// that from which on there may be backward pass, which is about twice as long. What tensor
	// parallelism exchanges is in both; gradients are reduced in the backward pass alone.
	forwardTo, backwardFrom = 0.25, 0.30
	// severalCalls is from how many calls a step on a collective is used in each layer.
	severalCalls = 4
)

// Classify returns the dimension of each group of a job. A description says it where one is recorded.
// Else it is told by structure, and only where that leaves no doubt:
//
//   - pipeline: single ranks send to the next one, and not around from the last to the first, and
//     each computes what it has received
//   - expert: all-to-alls whose messages differ in size, as tokens are routed
//   - tensor: neighbouring ranks reduce or gather messages of one size many times, all over the
//     step
//   - data: gradients are reduced (AllReduce, ReduceScatter) in the later part of the step alone
//
// Groups of one shape, as many ranks at the same distance, serve the same dimension: one that
// does little itself is what the others are, unless they disagree.
func Classify(groups []Group) []Dimension {
	type shape struct{ size, stride int }
	of := func(g *Group) shape { return shape{len(g.Ranks), Stride(g.Ranks)} }
	out := make([]Dimension, len(groups))
	found, several := map[shape]Dimension{}, map[shape]bool{}
	for i := range groups {
		g := &groups[i]
		if out[i] = described(g.Purpose); out[i] != Unknown {
			continue
		}
		if out[i] = g.byStructure(); out[i] != Unknown {
			at := of(g)
			several[at] = several[at] || found[at] != Unknown && found[at] != out[i]
			found[at] = out[i]
		}
	}
	for i := range groups {
		g := &groups[i]
		if described(g.Purpose) != Unknown {
			continue
		}
		switch at := of(g); {
		case several[at]:
			out[i] = Unknown
		case at.stride > 0 && g.small() < len(g.Uses):
			out[i] = found[at]
		}
	}
	return out
}

// byStructure returns the dimension of a group by what it does.
func (g *Group) byStructure() Dimension {
	var dims []Dimension
	for _, d := range []struct {
		Dimension
		is bool
	}{{Pipeline, g.sendsOn()}, {Expert, g.routes()}, {Tensor, g.sharesLayers()}, {Data, g.reducesGradients()}} {
		if d.is {
			dims = append(dims, d.Dimension)
		}
	}
	if len(dims) != 1 {
		return Unknown
	}
	return dims[0]
}

// small returns how many of the uses send small messages only.
func (g *Group) small() (n int) {
	for i := range g.Uses {
		if u := &g.Uses[i]; !u.Pairs && u.Most > 0 && u.Most < smallMessage {
			n++
		}
	}
	return n
}

// large returns the uses that send more than a few numbers.
func (g *Group) large(names ...string) (out []Use) {
	for _, u := range g.Uses {
		if (u.Most == 0 || u.Most >= smallMessage) && !u.Pairs && slices.Contains(names, u.Collective) {
			out = append(out, u)
		}
	}
	return out
}

// sendsOn reports whether each rank sends only to the next, and the last one to none. Neighbours that exchange what
// each of them computed by itself do the same, but none waits to begin.
func (g *Group) sendsOn() bool {
	sends := false
	for i := range g.Uses {
		if u := &g.Uses[i]; u.Pairs {
			sends = true
			if u.Around && len(g.Ranks) > 2 {
				return false // a ring passes on keys and values, or stages are interleaved
			}
			if u.Far || !u.InTurn {
				return false // as an all-to-all of sends does, or neighbours that exchange edges
			}
		}
	}
	return sends
}

// routes: messages of all-to-alls differ in size.
func (g *Group) routes() bool {
	return slices.ContainsFunc(g.large("AllToAll"), func(u Use) bool { return u.Least > 0 && u.Most > u.Least })
}

// sharesLayers reports whether neighbours exchange messages of one size, often and all over the step.
func (g *Group) sharesLayers() bool {
	if Stride(g.Ranks) != 1 {
		return false
	}
	if reduced := g.large("AllReduce"); len(reduced) == 1 {
		return reduced[0].spread()
	}
	gathered, scattered := g.large("AllGather"), g.large("ReduceScatter")
	return len(gathered) == 1 && len(scattered) == 1 && gathered[0].spread() && scattered[0].spread()
}

// spread: it is called in each layer, on the way forward and back, with one size.
func (u *Use) spread() bool {
	return u.Calls >= severalCalls && u.Least > 0 && u.Least == u.Most && u.First < forwardTo && u.Last > 1-backwardFrom
}

// reducesGradients reports whether nothing is reduced before the backward pass. Neighbours that reduce messages of one
// size may also share layers: on a late stage of a pipeline the first of these comes late.
func (g *Group) reducesGradients() bool {
	reduced := g.large("AllReduce", "ReduceScatter")
	return len(reduced) > 0 && !slices.ContainsFunc(reduced, func(u Use) bool {
		layers := u.Collective == "AllReduce" && Stride(g.Ranks) == 1 && u.Least == u.Most
		return u.First < backwardFrom || layers
	})
}
