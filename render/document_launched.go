package render

import "perfdiff/diff/cause"

// Launched is where the kernels of a mean step are launched, as a tree. The kernels below a node add
// up to it, and all of them to kernels. A level that the captures of a side do not name is left out.
type Launched struct {
	Phases Both[bool]     `json:"phases"` // the captures name phases of the step
	Places Both[bool]     `json:"places"` // they name operators, modules or ranges in it
	Nodes  []LaunchedNode `json:"nodes"`  // each behind the one that it lies in; []: neither is named on both sides
}

// LaunchedNode is one thing in which kernels are launched, or a kernel there.
type LaunchedNode struct {
	In     int          `json:"in"`           // index of the node that it lies in; -1 of the first
	Level  string       `json:"level"`        // "all", "phase", "place" (operator, module or range), "family" or "kernel"
	Name   string       `json:"name"`         // of a phase "forward", "backward" or "optimizer"; "": not known, of the first all
	Time   Both[Number] `json:"time"`         // s a step, mean over ranks
	Calls  Both[Number] `json:"calls"`        // launches a step
	Delta  Number       `json:"delta"`        // s a step
	Beyond Number       `json:"beyond_noise"` // s a step: of delta, that of kernels which changed beyond noise
	Kernel int          `json:"kernel"`       // index in kernels; -1 of what is no kernel
	Others int          `json:"others"`       // above 0: it sums up so many kernels
}

func launchedDocument(l *cause.Launched) Launched {
	return Launched{
		Phases: Both[bool]{l.KnowsPhases[0], l.KnowsPhases[1]}, Places: Both[bool]{l.KnowsPlaces[0], l.KnowsPlaces[1]},
		Nodes: documentsOf(l.Nodes, func(n *cause.LaunchedNode) LaunchedNode {
			return LaunchedNode{
				In: n.In, Level: string(n.Level), Name: n.Name, Time: bothNumbers(n.Base.Time, n.Cand.Time), Calls: bothNumbers(n.Base.Calls, n.Cand.Calls),
				Delta: Number(n.Delta), Beyond: Number(n.Sure), Kernel: n.Kernel, Others: n.Others,
			}
		}),
	}
}
