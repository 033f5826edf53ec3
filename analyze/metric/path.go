package metric

import (
	"slices"

	"perfdiff/analyze/critical"
	"perfdiff/analyze/idle"
	"perfdiff/analyze/interval"
	"perfdiff/analyze/kernelname"
	"perfdiff/analyze/run"
	"perfdiff/analyze/source/remedy"
	"perfdiff/analyze/trace"
)

// needsPath says what to record for the critical path.
var needsPath = needsDevice.Then(remedy.Same("; and the calls that launch them"))

// madeOfPath is the data that the critical path is computed from.
const madeOfPath = deviceWork | kindOfWork | madeOfCauses

// pathMetrics returns the metrics of what a step's length depends on, and of how much communication blocks compute.
func pathMetrics() []Metric {
	of := func(name, part, doc, formula string) Metric {
		return Metric{Metric: run.Metric{Name: name, Unit: "s", Better: run.Neither, Part: part, Doc: doc, Remedy: needsPath, Joint: true,
			Traits: run.Traits{Section: run.SectionPath, Formula: formula}},
			Requires: trace.HasDevice, MadeOf: madeOfPath, When: InRun, With: run.CommWaitTime}
	}
	blocking := of(run.BlockingCommTime, "", "Time in which compute could not start because it depended on communication that went on. Exposed communication may hold up nothing.",
		"communication between when compute was launched and its stream free, and when the collective it waited for ended")
	blocking.Better, blocking.Joint, blocking.When, blocking.With = run.Lower, false, InCapture, run.IdleTime
	blocking.Source = func(r *Rank) string { return r.path.out.source }
	return []Metric{
		blocking,
		of(run.PathTime, "component", "What the critical path through the step consists of: the one chain of work and waiting that makes the step as long as it is.",
			"back from the end of the step, what each start waited for last: the work before it, work it depends on, or its launch; a collective leads to the rank that came last. Holistic Trace Analysis: critical path"),
		of(run.PathComputeTime, "family", "Compute on the critical path, by family of kernel.", "path_time of kernels that are no communication"),
		of(run.PathCommTime, "dimension", "Communication on the critical path, by dimension of parallelism.", "path_time of communication kernels, once all ranks have arrived"),
		of(run.PathElsewhereTime, "", "How much of the critical path lies on other ranks, for which this one waits.", "path_time behind collectives that waited for another rank"),
	}
}

// stepPath holds the paths of one step, with what lies between their nodes.
type stepPath struct {
	nodes []critical.Node
	from  []int32    // by node, where its parts begin; and where the last one's end
	parts []pathPart // of all nodes
}

// pathPart is how long a path does one thing: which in the low bits, see pathBits, and above them
// how many ns.
type pathPart int64

// pathBits is the number of bits for the kind of a part.
const pathBits = 12

func (p pathPart) what() int { return int(p & (1<<pathBits - 1)) }
func (p pathPart) ns() int64 { return int64(p >> pathBits) }

// of returns the parts of a node.
func (p *stepPath) of(node int32) []pathPart { return p.parts[p.from[node]:p.from[node+1]] }

// The parts of a path by number: those of run.PathParts, then families of kernels.
var (
	pathNumber = func() map[string]int {
		out := map[string]int{}
		for i, name := range run.PathParts {
			out[name] = i
		}
		return out
	}()
	partOfCause = map[string]int{
		"input": pathNumber[run.PathInput], idle.StorageRead: pathNumber[run.PathStorage], "allocator": pathNumber[run.PathAllocator],
		"synchronizing": pathNumber[run.PathReturn], inLaunch: pathNumber[run.PathLaunching], "host": pathNumber[run.PathHost],
		"unknown": pathNumber[run.PathUnknown],
	}
	// Those that millions of segments are, which are not looked up by name.
	latencyPart, returnPart, unknownPart = pathNumber[run.PathLatency], pathNumber[run.PathReturn], pathNumber[run.PathUnknown]
	launchingPart, commPart, copiesPart  = pathNumber[run.PathLaunching], pathNumber[run.PathComm], pathNumber[run.PathCopies]
)

// inLaunch is the cause of idle time of a host that is in a call that launches.
const inLaunch = "launching"

// paths holds the paths of a capture.
type paths struct {
	steps    []stepPath // by step; without nodes where there is none
	families []string   // by number
	source   string     // what tells which work waits for which
	input    bool       // a wait for input would have been recorded
}

// append adds the paths of a later capture of the same rank, whose first step has index n.
func (p paths) append(next paths, n int) paths {
	if next.steps == nil {
		return p
	}
	if p.steps == nil {
		p.families, p.source, p.input = next.families, next.source, next.input
	}
	for len(p.steps) < n {
		p.steps = append(p.steps, stepPath{})
	}
	number := make([]int, len(next.families))
	for i, f := range next.families {
		if number[i] = slices.Index(p.families, f); number[i] < 0 {
			number[i] = len(p.families)
			p.families = append(p.families[:len(p.families):len(p.families)], f)
		}
	}
	for _, s := range next.steps {
		for i, x := range s.parts {
			if f := x.what() - len(run.PathParts); f >= 0 {
				s.parts[i] = pathPart(x.ns()<<pathBits | int64(len(run.PathParts)+number[f]))
			}
		}
		p.steps = append(p.steps, s)
	}
	p.input = p.input && next.input
	if p.source != next.source {
		p.source = run.SourceLaunches
	}
	return p
}

// pathMeasurer finds the paths of the steps of a capture.
type pathMeasurer struct {
	rank     *Rank
	scan     *critical.Scan
	host     *idle.HostTime
	out      paths
	byFamily map[string]int
	byKernel []int16 // by number of a kernel's name, 1 + number of its family
	waiting  []critical.Waiting
	sums     [][]pathPart // by node
}

// newPathMeasurer returns nil where paths are not recorded.
func newPathMeasurer(r *Rank, steps []trace.Step, gaps *gapMeasurer) *pathMeasurer {
	if gaps == nil || !r.Trace.Recorded.Has(trace.HasLaunches) || r.lacks(madeOfPath) {
		return nil
	}
	x := &pathMeasurer{rank: r, scan: critical.NewScan(r.Trace.Waits), host: gaps.NewHostTime(), byFamily: map[string]int{}}
	x.out = paths{steps: make([]stepPath, len(steps)), source: run.SourceLaunches, input: r.process.InputKnown}
	if x.scan.Events {
		x.out.source = run.SourceStreamWaits
	}
	return x
}

// beginStep finds the paths of a step, whose work is device[from:to]. It returns when these are on
// the host.
func (x *pathMeasurer) beginStep(s *Step, from, to int) interval.Set {
	lo, hi := s.Window.Step.Start, s.Window.Step.End
	x.waiting = x.waiting[:0]
	for _, w := range x.host.Waits(lo, hi) {
		x.waiting = append(x.waiting, critical.Waiting(w))
	}
	x.scan.Step(x.rank.Trace.Device, from, to, lo, hi, x.waiting)
	return x.scan.HostTime()
}

// addStep keeps the paths of the step with an index, once its gaps were added; host is when the paths are on the host.
// It returns how long communication blocked compute.
func (x *pathMeasurer) addStep(at int, s *Step, host interval.Set) (blocked int64) {
	blocked = x.scan.Blocked(s.Comm, s.Compute).Total()
	x.host.BeginStep(s.Window.Step.Start, s.Window.Step.End, host)
	x.sums = x.sums[:0]
	nodes := x.scan.Nodes(x.add)
	p := stepPath{nodes: nodes, from: make([]int32, len(nodes)+1)}
	count := 0
	for _, parts := range x.sums {
		count += len(parts)
	}
	p.parts = make([]pathPart, 0, count)
	for i := range nodes {
		p.from[i] = int32(len(p.parts))
		if i < len(x.sums) {
			p.parts = append(p.parts, x.sums[i]...)
		}
	}
	p.from[len(nodes)] = int32(len(p.parts))
	x.out.steps[at] = p
	return blocked
}

// add adds a segment to the parts of its node.
func (x *pathMeasurer) add(node int, s critical.Segment) {
	switch s.Kind {
	case critical.Work:
		x.put(node, x.partOfWork(s.Span), s.End-s.Start)
	case critical.Handover:
		x.put(node, latencyPart, s.End-s.Start)
	case critical.Return:
		x.put(node, returnPart, s.End-s.Start)
	case critical.Host:
		x.host.Each(interval.Interval{Start: s.Start, End: s.End}, func(d idle.Doing) {
			x.put(node, partOfCause[d.Cause], d.End-d.Start)
		})
	case critical.Launch:
		arrived := min(s.End, s.Start+critical.Latency)
		x.put(node, latencyPart, arrived-s.Start)
		x.host.Each(interval.Interval{Start: arrived, End: s.End}, func(d idle.Doing) { // a call that takes long
			part := unknownPart
			if d.Cause == inLaunch {
				part = launchingPart
			}
			x.put(node, part, d.End-d.Start)
		})
	default:
		x.put(node, unknownPart, s.End-s.Start)
	}
}

// put adds time to a part of a node.
func (x *pathMeasurer) put(node, part int, ns int64) {
	if ns <= 0 {
		return
	}
	for len(x.sums) <= node {
		if n := len(x.sums); n < cap(x.sums) {
			x.sums = x.sums[:n+1]
			x.sums[n] = x.sums[n][:0]
			continue
		}
		x.sums = append(x.sums, nil)
	}
	list := x.sums[node]
	for i := range list {
		if list[i].what() == part {
			list[i] += pathPart(ns << pathBits)
			return
		}
	}
	x.sums[node] = append(list, pathPart(ns<<pathBits|int64(part)))
}

// partOfWork returns the part of a path that work of the device is.
func (x *pathMeasurer) partOfWork(s *trace.Span) int {
	switch {
	case s.Class == trace.Comm:
		return commPart
	case s.Kind == trace.Memcpy || s.Kind == trace.Memset:
		return copiesPart
	}
	kernels := &x.rank.kernels
	n := int(kernels.groupNumber(s.Name))
	for n >= len(x.byKernel) {
		x.byKernel = append(x.byKernel, 0)
	}
	if x.byKernel[n] == 0 {
		family := "graph"
		if s.Kind != trace.Graph {
			family = kernelname.Family(kernels.all.At(n).name, x.rank.Trace.Families)
		}
		at, known := x.byFamily[family]
		if !known {
			at = min(len(x.out.families), 1<<pathBits-1-len(run.PathParts))
			x.byFamily[family] = at
			x.out.families = append(x.out.families, family)
		}
		x.byKernel[n] = int16(at) + 1
	}
	return len(run.PathParts) + int(x.byKernel[n]) - 1
}
