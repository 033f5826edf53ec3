package cause

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"perfdiff/analyze/run"
	"perfdiff/diff/sides"
	"perfdiff/diff/verdict"
)

// Launched says where the kernels of a mean step are launched: by phase, by operator or module, by family of kernels,
// and by kernel, as far as the captures of both sides tell. The kernels below a node add up to it, and all of them to
// the kernel table.
type Launched struct {
	// KnowsPhases and KnowsPlaces say of which sides phases, and operators, modules or ranges, are
	// known for a tenth of the kernels' time or more. A level that a side does not have is left out: all of it would seem to be gone or new.
	KnowsPhases [2]bool        `report:"phases"`
	KnowsPlaces [2]bool        `report:"places"`
	Nodes       []LaunchedNode `report:"nodes"` // in the order of the tree: each behind the one that it lies in; nil: not known
}

// LaunchedNode is one thing in which kernels are launched, or a kernel there.
type LaunchedNode struct {
	In     int           `report:"in"`        // index of the node that it lies in; -1 of the first, which holds all
	Level  LaunchedLevel `report:"level"`     // what it is
	Name   string        `report:"name"`      // a run.Phase, an operator or module, a family of kernels, a kernel; "" of LaunchedAll, and of what is not known
	Base   KernelSum     `report:"time,said"` // a step, mean over ranks
	Cand   KernelSum     `report:"calls,said"`
	Delta  float64       `report:"delta"`        // s a step
	Sure   float64       `report:"beyond_noise"` // s a step: of Delta, that of kernels which changed beyond noise
	Kernel int           `report:"kernel"`       // index in Report.Kernels; -1 of what is no kernel
	Others int           `report:"others"`       // above 0: it stands for so many kernels that have no node there
}

// Class returns verdict.ClassBetter or ClassWorse where a node changed as much as a kernel must to stand out, and more
// than half of that comes from kernels that changed beyond noise; else verdict.ClassNone.
func (n *LaunchedNode) Class() verdict.Class {
	switch {
	case math.Abs(n.Delta) < LeastChange*n.Base.Time:
	case n.Delta > 0 && n.Sure > n.Delta/2:
		return verdict.ClassWorse
	case n.Delta < 0 && n.Sure < n.Delta/2:
		return verdict.ClassBetter
	}
	return verdict.ClassNone
}

// LaunchedLevel says which level of the tree a node of Launched is on.
type LaunchedLevel string

// The levels, from above.
const (
	LaunchedAll    LaunchedLevel = "all"
	LaunchedPhase  LaunchedLevel = "phase"
	LaunchedPlace  LaunchedLevel = "place" // an operator, a module or a range
	LaunchedFamily LaunchedLevel = "family"
	LaunchedKernel LaunchedLevel = "kernel"
)

// FamilyOfCommunication stands for the family of kernels that communicate.
const FamilyOfCommunication = "communication"

// maxLaunched is how many kernels in their places have a node. Chosen, not measured: together they
// have more than 99 % of the time of the jobs that were looked at.
const maxLaunched = 240

// launchedPath is where a kernel is launched.
type launchedPath struct {
	phase  run.Phase
	in     string
	kernel int // index in Kernels
}

func comparePaths(a, b launchedPath) int {
	return cmp.Or(cmp.Compare(a.kernel, b.kernel), strings.Compare(string(a.phase), string(b.phase)), strings.Compare(a.in, b.in))
}

// sortedPaths returns the keys in order: sums of floats depend on it.
func sortedPaths(sums map[launchedPath]KernelSum) []launchedPath {
	keys := make([]launchedPath, 0, len(sums))
	for at := range sums {
		keys = append(keys, at)
	}
	out := make([]launchedPath, len(keys))
	for i, at := range inOrder(len(keys), func(i, j int) int { return comparePaths(keys[i], keys[j]) }) {
		out[i] = keys[at]
	}
	return out
}

// inOrder returns the indices of n things in an order. To sort each kind of thing itself would be twenty
// kilobytes of program more.
func inOrder(n int, compare func(i, j int) int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	slices.SortFunc(out, compare)
	return out
}

// launchedLeaf is a kernel there, on both sides.
type launchedLeaf struct {
	launchedPath
	sides  [2]KernelSum
	family string
	others int
}

// launched puts the kernels of both sides where they are launched.
func launched(p *Causes) Launched {
	var out Launched
	if len(p.Kernels) == 0 || verdict.Stepless(p.Judged.Lined) {
		return out
	}
	var sums [2]map[launchedPath]KernelSum
	p.BothAtOnce(func(i int, s *sides.Side) {
		sums[i], out.KnowsPhases[i], out.KnowsPlaces[i] = launchedOn(p, s)
	})
	phases, places := out.KnowsPhases == [2]bool{true, true}, out.KnowsPlaces == [2]bool{true, true}
	if !phases && !places {
		return out
	}
	leaves := map[launchedPath]*launchedLeaf{}
	for i := range sums {
		for _, from := range sortedPaths(sums[i]) {
			at, sum := from, sums[i][from]
			if !phases {
				at.phase = ""
			}
			if !places {
				at.in = ""
			}
			leaf := leaves[at]
			if leaf == nil {
				leaf = &launchedLeaf{launchedPath: at, family: familyOf(p, at.kernel)}
				leaves[at] = leaf
			}
			leaf.sides[i].Time += sum.Time
			leaf.sides[i].Calls += sum.Calls
		}
	}
	t := launchedTree{p: p, phases: phases, places: places}
	t.build(foldLaunched(leaves))
	out.Nodes = t.nodes
	return out
}

// familyOf returns the family of a kernel of the table, "" of the row for all others.
func familyOf(p *Causes, kernel int) string {
	k := &p.Kernels[kernel]
	if k.Others == 0 && k.Class == classComm {
		return FamilyOfCommunication
	}
	return k.Family
}

// launchedOn returns the kernels of a side by where they are launched, as means over ranks and used steps like in the
// kernel table. Only some steps show where a kernel is launched: its time in all steps is shared out in the same
// proportions.
func launchedOn(p *Causes, s *sides.Side) (sums map[launchedPath]KernelSum, phases, places bool) {
	sums = map[launchedPath]KernelSum{}
	at, others := kernelPlaces(p)
	ranks := 0
	s.EachRank(func(k *sides.Rank) {
		if k.OnOneSideOnly {
			return
		}
		mine := map[string]KernelSum{}
		if !addKernels(k, mine) {
			return
		}
		ranks++
		shares := launchShares(k.Launched)
		for _, name := range sides.SortedKeys(mine) {
			kernel, known := at[name]
			if !known {
				if kernel = others; kernel < 0 || ignores(p, name) {
					continue
				}
			}
			for _, x := range shares[name] {
				x.kernel = kernel
				have := sums[x.launchedPath]
				sums[x.launchedPath] = KernelSum{have.Time + float64(mine[name].Time*x.time), have.Calls + float64(mine[name].Calls*x.calls)}
			}
			if len(shares[name]) == 0 {
				have := sums[launchedPath{kernel: kernel}]
				sums[launchedPath{kernel: kernel}] = KernelSum{have.Time + mine[name].Time, have.Calls + mine[name].Calls}
			}
		}
	})
	var all, ofPhases, ofPlaces float64
	for _, at := range sortedPaths(sums) {
		v := sums[at]
		sums[at] = KernelSum{v.Time / float64(ranks), v.Calls / float64(ranks)}
		if all += v.Time; at.phase != "" {
			ofPhases += v.Time
		}
		if at.in != "" {
			ofPlaces += v.Time
		}
	}
	return sums, ofPhases > 0 && ofPhases >= leastLaunched*all, ofPlaces > 0 && ofPlaces >= leastLaunched*all
}

// leastLaunched is the share of the kernels' time for which a level must be known. Chosen, not measured: with less it
// would say hardly anything.
const leastLaunched = 0.1

// kernelPlaces returns the index of each kernel's row by name, and the index of the row for all others; -1 without
// one.
func kernelPlaces(p *Causes) (at map[string]int, others int) {
	at, others = make(map[string]int, len(p.Kernels)), -1
	for i := range p.Kernels {
		if p.Kernels[i].Others > 0 {
			others = i
		} else {
			at[p.Kernels[i].Name] = i
		}
	}
	return at, others
}

// launchShare is the share of a kernel's time and calls that is launched in one place.
type launchShare struct {
	launchedPath
	time, calls float64
}

// launchShares returns the shares of each kernel of a rank. They add up to 1, but for kernels without time.
func launchShares(l *run.Launched) map[string][]launchShare {
	if l == nil {
		return nil
	}
	sums := map[string]run.LaunchedRow{}
	for i := range l.Rows {
		x := &l.Rows[i]
		sum := sums[x.Kernel]
		sums[x.Kernel] = run.LaunchedRow{Time: sum.Time + x.Time, Launches: sum.Launches + x.Launches}
	}
	out := map[string][]launchShare{}
	for i := range l.Rows {
		x := &l.Rows[i]
		if sum := sums[x.Kernel]; sum.Time > 0 && sum.Launches > 0 {
			out[x.Kernel] = append(out[x.Kernel], launchShare{launchedPath{phase: x.Phase, in: x.In}, float64(x.Time) / float64(sum.Time), float64(x.Launches) / float64(sum.Launches)})
		}
	}
	return out
}

// foldLaunched returns the leaves with the most time on either side, and one for the others of each phase.
func foldLaunched(all map[launchedPath]*launchedLeaf) []launchedLeaf {
	leaves := make([]*launchedLeaf, 0, len(all))
	for _, leaf := range all {
		leaves = append(leaves, leaf)
	}
	order := inOrder(len(leaves), func(i, j int) int {
		return cmp.Or(cmp.Compare(leaves[j].most(), leaves[i].most()), comparePaths(leaves[i].launchedPath, leaves[j].launchedPath))
	})
	list := make([]launchedLeaf, len(order))
	for i, at := range order {
		list[i] = *leaves[at]
	}
	if len(list) <= maxLaunched {
		return list
	}
	rest := map[run.Phase]int{}
	out := list[:maxLaunched:maxLaunched]
	for _, leaf := range list[maxLaunched:] {
		at, known := rest[leaf.phase]
		if !known {
			at = len(out)
			rest[leaf.phase] = at
			out = append(out, launchedLeaf{launchedPath: launchedPath{leaf.phase, run.OtherPlaces, -1}})
		}
		out[at].others++
		for i := range out[at].sides {
			out[at].sides[i].Time += leaf.sides[i].Time
			out[at].sides[i].Calls += leaf.sides[i].Calls
		}
	}
	return out
}

func (l *launchedLeaf) most() float64 { return max(l.sides[0].Time, l.sides[1].Time) }

// launchedTree makes nodes of leaves.
type launchedTree struct {
	p              *Causes
	phases, places bool // the levels that there are
	nodes          []LaunchedNode
}

// launchedStep goes one level down: by what the leaves are told apart, and what is left to do in each.
type launchedStep struct {
	level LaunchedLevel
	name  func(*launchedLeaf) string
}

func (t *launchedTree) build(leaves []launchedLeaf) {
	var steps []launchedStep
	if t.phases {
		steps = append(steps, launchedStep{LaunchedPhase, func(l *launchedLeaf) string { return string(l.phase) }})
	}
	if t.places {
		steps = append(steps, launchedStep{LaunchedPlace, func(l *launchedLeaf) string { return l.in }})
	}
	steps = append(steps, launchedStep{LaunchedFamily, func(l *launchedLeaf) string { return l.family }})
	t.add(-1, LaunchedAll, "", leaves, steps)
}

// add adds a node and what lies in it.
func (t *launchedTree) add(in int, level LaunchedLevel, name string, leaves []launchedLeaf, steps []launchedStep) {
	at := len(t.nodes)
	n := LaunchedNode{In: in, Level: level, Name: name, Kernel: -1}
	for i := range leaves {
		n.Base.Time, n.Base.Calls = n.Base.Time+leaves[i].sides[0].Time, n.Base.Calls+leaves[i].sides[0].Calls
		n.Cand.Time, n.Cand.Calls = n.Cand.Time+leaves[i].sides[1].Time, n.Cand.Calls+leaves[i].sides[1].Calls
		n.Sure += t.sure(&leaves[i])
	}
	t.push(n)
	if len(steps) == 0 {
		for i := range leaves {
			t.addLeaf(at, &leaves[i])
		}
		return
	}
	groups := map[string][]launchedLeaf{}
	for i := range leaves {
		name := steps[0].name(&leaves[i])
		groups[name] = append(groups[name], leaves[i])
	}
	for _, name := range groupOrder(groups, steps[0].level) {
		if of := groups[name]; steps[0].level == LaunchedFamily && of[0].family == "" { // no single kernels: no family
			for i := range of {
				t.addLeaf(at, &of[i])
			}
		} else {
			t.add(at, steps[0].level, name, of, steps[1:])
		}
	}
}

// push adds a node with its change. Of sums in another order the last digits are others.
func (t *launchedTree) push(n LaunchedNode) {
	for _, sum := range []*KernelSum{&n.Base, &n.Cand} {
		sum.Time, sum.Calls = verdict.Settled(sum.Time), verdict.Settled(sum.Calls)
	}
	n.Delta, n.Sure = verdict.Settled(n.Cand.Time-n.Base.Time), verdict.Settled(n.Sure)
	t.nodes = append(t.nodes, n)
}

// groupOrder returns phases in the order of a step, and all else by time, the longest first.
func groupOrder(groups map[string][]launchedLeaf, level LaunchedLevel) []string {
	size := func(name string) float64 {
		if at := slices.Index(run.Phases, run.Phase(name)); level == LaunchedPhase {
			if at < 0 {
				return 0
			}
			return float64(len(run.Phases) - at)
		}
		var sums [2]float64
		for i := range groups[name] {
			for k, s := range groups[name][i].sides {
				sums[k] += s.Time
			}
		}
		return max(sums[0], sums[1])
	}
	names := sides.SortedKeys(groups)
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(size(b), size(a)) })
	return names
}

// addLeaf adds a kernel, or several that have no node there.
func (t *launchedTree) addLeaf(in int, l *launchedLeaf) {
	n := LaunchedNode{In: in, Level: LaunchedKernel, Base: l.sides[0], Cand: l.sides[1], Kernel: l.kernel, Others: l.others, Sure: t.sure(l)}
	if l.kernel >= 0 {
		if k := &t.p.Kernels[l.kernel]; k.Others > 0 {
			n.Kernel, n.Others = -1, k.Others
		} else {
			n.Name = k.Name
		}
	}
	t.push(n)
}

// sure returns the change of a kernel in one place, if the kernel changed in that direction beyond noise; else 0.
func (t *launchedTree) sure(l *launchedLeaf) float64 {
	delta := l.sides[1].Time - l.sides[0].Time
	if l.kernel < 0 {
		return 0
	}
	k := &t.p.Kernels[l.kernel]
	if !k.BeyondNoise || k.MovedWithAll(t.p.KernelShift) || math.Signbit(delta) != math.Signbit(k.Change) {
		return 0
	}
	return delta
}
