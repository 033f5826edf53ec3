package metric

import (
	"math"
	"slices"

	"perfdiff/analyze/collective"
	"perfdiff/analyze/critical"
	"perfdiff/analyze/run"
)

// pathJoiner follows the paths of a run's ranks through collectives from rank to rank.
type pathJoiner struct {
	ranks  []run.Rank
	comms  []Communication
	splits [][]collective.Split
	groups *groups
	first  [][]int32 // by rank and step, the index of the step's first communication kernel
	family [][]int   // by rank and number of a family there, its number among names
	names  []string
	parts  []string // dimensions, as parts of metrics

	// The path that is being followed, of one step of a rank.
	rank, step int
	at         int64 // where it has come to, ns on the clock of the rank that it is on
	limit      int64 // where it ends, likewise
	on         int   // index of that rank
	onStep     int   // index of the step, among its steps
	out        pathSums
}

// pathSums holds the parts of one path, in ns.
type pathSums struct {
	parts     []int64 // as run.PathParts
	families  []int64 // by number
	dims      []int64 // by number
	elsewhere int64
}

// addPaths adds the critical paths of all ranks to their series.
func addPaths(ranks []run.Rank, comms []Communication, splits [][]collective.Split, groups *groups) {
	j := &pathJoiner{ranks: ranks, comms: comms, splits: splits, groups: groups, parts: DimensionParts()}
	j.number()
	for i := range ranks {
		if len(comms[i].paths.steps) > 0 {
			j.addTo(i)
		}
	}
}

// number finds the first communication kernel of each step, and numbers the families of kernels
// over all ranks.
func (j *pathJoiner) number() {
	for i := range j.ranks {
		first := make([]int32, len(j.ranks[i].Steps)+1)
		spans := j.comms[i].Spans
		for k := len(spans) - 1; k >= 0; k-- {
			if s := spans[k].Step; s < len(first) {
				first[s] = int32(k)
			}
		}
		j.first = append(j.first, first)
		var family []int
		for _, name := range j.comms[i].paths.families {
			at := slices.Index(j.names, name)
			if at < 0 {
				at = len(j.names)
				j.names = append(j.names, name)
			}
			family = append(family, at)
		}
		j.family = append(j.family, family)
	}
}

// pathOf returns the paths of a step of a rank; nil: not known.
func (j *pathJoiner) pathOf(rank, step int) *stepPath {
	if steps := j.comms[rank].paths.steps; step < len(steps) && steps[step].nodes != nil {
		return &steps[step]
	}
	return nil
}

// addTo adds the paths of one rank.
func (j *pathJoiner) addTo(rank int) {
	r, source, input := &j.ranks[rank], j.comms[rank].paths.source, j.comms[rank].paths.input
	series := seriesBuilder{n: len(r.Steps)}
	for i := range r.Steps {
		if j.pathOf(rank, i) == nil {
			continue
		}
		series.measuredSteps = append(series.measuredSteps, i)
		j.follow(rank, i)
		for k, part := range run.PathParts {
			if ns := j.out.parts[k]; ns > 0 || input || part != run.PathInput && part != run.PathStorage {
				series.put(run.PathTime, part, i, seconds(ns))
			}
		}
		for k, ns := range j.out.families {
			if ns > 0 {
				series.put(run.PathComputeTime, j.names[k], i, seconds(ns))
			}
		}
		for k, ns := range j.out.dims {
			if ns > 0 {
				series.put(run.PathCommTime, j.parts[k], i, seconds(ns))
			}
		}
		if len(j.ranks) > 1 {
			series.put(run.PathElsewhereTime, "", i, seconds(j.out.elsewhere))
		}
	}
	added := make([]run.Series, 0, len(series.values))
	for at, key := range series.keys {
		for _, i := range series.measuredSteps {
			if v := &series.values[at][i]; math.IsNaN(*v) {
				*v = 0 // none of it is on the path of this step
			}
		}
		added = append(added, run.Series{Key: key.Key, Values: series.values[at], Source: source})
	}
	sortSeries(added)
	r.Series = append(r.Series, added...)
}

// follow follows the path of a step of a rank, from its end to its start.
func (j *pathJoiner) follow(rank, step int) {
	st := &j.ranks[rank].Steps[step]
	j.rank, j.step, j.on, j.onStep, j.at, j.limit = rank, step, rank, step, st.End, st.Start
	j.out = pathSums{parts: make([]int64, len(run.PathParts)), families: make([]int64, len(j.names)), dims: make([]int64, len(j.parts))}
	node, hops := int32(0), 0
	for j.at > j.limit {
		before := j.at
		next, ok := j.pass(node)
		if hops++; j.at < before {
			hops = 0
		}
		if !ok || hops > len(j.ranks)+8 { // ranks that wait for each other at one moment
			break
		}
		node = next
	}
	rest := pathNumber[run.PathUnknown]
	if j.on != j.rank { // what that rank did before is not recorded
		rest = pathNumber[run.PathLate]
	}
	j.spend(rest, j.at-j.limit)
}

// spend adds time to a part; the path goes on before it.
func (j *pathJoiner) spend(part int, ns int64) {
	ns = min(ns, j.at-j.limit)
	if ns <= 0 {
		return
	}
	j.at -= ns
	if j.on != j.rank {
		j.out.elsewhere += ns
	}
	if f := part - len(run.PathParts); f >= 0 {
		j.out.families[j.family[j.on][f]] += ns
		part = pathNumber[run.PathCompute]
	}
	j.out.parts[part] += ns
}

// pass goes from a node to the next one, which may be on another rank; false: nothing more is
// known.
func (j *pathJoiner) pass(node int32) (next int32, ok bool) {
	p := j.pathOf(j.on, j.onStep)
	if p == nil || int(node) >= len(p.nodes) {
		return 0, false
	}
	n := &p.nodes[node]
	j.spendParts(p.of(node))
	if k, through := n.Comm(); through {
		return j.through(k)
	}
	if n.Parent != critical.FromStart {
		return n.Parent, true
	}
	return 0, j.stepBefore()
}

// spendParts adds the parts of a node. Where the path ends among them, each counts by its share.
func (j *pathJoiner) spendParts(parts []pathPart) {
	var sum int64
	for _, x := range parts {
		sum += x.ns()
	}
	left := j.at - j.limit
	for _, x := range parts {
		ns := x.ns()
		if sum > left { // the rest of them shares the rest of the time, so that all of it is given away
			ns = int64(float64(float64(ns) / float64(sum) * float64(left)))
		}
		sum -= x.ns()
		if sum == 0 {
			ns = min(x.ns(), left)
		}
		j.spend(x.what(), ns)
		left = j.at - j.limit
	}
}

// stepBefore goes on in the rank's previous step if that ends where this one starts: the rank's step began later than
// the step whose path it is. It is false where there is none.
func (j *pathJoiner) stepBefore() bool {
	steps := j.ranks[j.on].Steps
	k := j.onStep - 1
	if k < 0 || !steps[k].HasWindow() || steps[k].End != steps[j.onStep].Start {
		return false
	}
	j.onStep = k
	return true
}

// through goes through the communication kernel with an index in the step, from its end back to
// what it waited for.
func (j *pathJoiner) through(index int) (next int32, ok bool) {
	k := j.first[j.on][j.onStep] + int32(index)
	if int(k) >= len(j.comms[j.on].Spans) || j.comms[j.on].Spans[k].Step != j.onStep {
		return 0, false
	}
	s, split := &j.comms[j.on].Spans[k], &j.splits[j.on][k]
	wait := max(0, split.Wait)
	j.communicate(s, s.End-s.Start-wait)
	if wait == 0 || j.at <= j.limit {
		return int32(1 + index), true
	}
	if to := int(split.For); to != j.on {
		x := &j.comms[to].Spans[split.ForSpan]
		if j.pathOf(to, x.Step) != nil {
			j.limit += x.Start - j.at // on the clock of that rank, which arrived at this moment
			j.on, j.onStep, j.at = to, x.Step, x.Start
			return 1 + split.ForSpan - j.first[to][x.Step], true
		}
	}
	j.spend(pathNumber[run.PathLate], wait)
	return int32(1 + index), true
}

// communicate adds the transfer of a communication kernel.
func (j *pathJoiner) communicate(s *collective.Span, ns int64) {
	ns = min(ns, j.at-j.limit)
	if ns <= 0 {
		return
	}
	j.spend(pathNumber[run.PathComm], ns)
	if !j.groups.apart {
		return
	}
	at := slices.Index(j.parts, string(j.groups.dimensionOf[s.Comm]))
	if at < 0 {
		at = len(j.parts) - 1
	}
	j.out.dims[at] += ns
}
