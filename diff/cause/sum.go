package cause

import (
	"cmp"
	"math"
	"slices"

	"perfdiff/analyze/run"
	"perfdiff/diff/policy"
	"perfdiff/diff/sides"
	"perfdiff/diff/stat"
)

// Sum is the change of the mean step as a reader adds it up: the parts that moved, the largest first, and all others in
// one row. The parts are those of the critical path where these explain the change, since a late rank is then a cause
// and waiting for it what follows; else they are means over ranks. The zero value: the step was not taken apart.
type Sum struct {
	OfPath bool     `report:"of_path"`    // the parts are those of the critical path
	From   int64    `report:"from_step"`  // the first step that enters
	Steps  int      `report:"steps_used"` // steps that enter, of the run with the fewest
	Longer int      `report:"longer"`     // steps of the candidate that are longer than the same step of the baseline,
	Same   int      `report:"of"`         // and how many are compared so; 0: steps are not compared one by one
	Rows   []SumRow `report:"rows"`
	Other  float64  `report:"most_of_others"` // s, the largest change of a part that is not among the rows
	Base   float64  `report:"mean.baseline"`  // s, the mean step over ranks, steps and runs
	Cand   float64  `report:"mean.candidate"`
	Delta  float64  `report:"delta"`
}

// SumRow is a row of the sum.
type SumRow struct {
	PartChange `report:"."`
	Follows    bool `report:"follows"` // it follows from the first row and is not added
	Finding    int  `report:"finding"` // index of the finding that says why; -1: none does
}

// Rest is the kind of the row of all parts that did not move.
const Rest = "rest"

// LeastOfSum is the share of the change of the step from which on a part is a row of its own. Chosen, not measured:
// what is less is not why somebody looks.
const LeastOfSum = 0.1

// mostAround is how much the parts of a path may move in all, over the change of the step, for them to explain it:
// where they move more the path took another way. Chosen, not measured: of the stories those whose path goes over to
// the host move by 6 times and more, all others by less than 1.1 times.
const mostAround = 1.6

// pathKinds says which part of the step each part of the path is.
var pathKinds = map[string]string{
	run.PathCompute: "compute", run.PathComm: "transfer", run.PathLate: "wait", run.PathCopies: "memory", run.PathInput: "input", run.PathStorage: "input",
	run.PathHost: "host", run.PathLaunching: "launching", run.PathLatency: "launching", run.PathReturn: "synchronizing", run.PathAllocator: "allocator", run.PathUnknown: "unknown",
}

// sumPart is a part of the sum, with the series that it is measured by.
type sumPart struct {
	kind string
	keys []run.Key
}

// Sum adds up the change of the mean step, from the step on at which the candidate jumps, where it does.
func (p *Causes) Sum(jump *Jump) Sum {
	if len(p.Waterfall.Parts) == 0 || p.Plan.Steps == 0 {
		return Sum{}
	}
	from := int64(math.MinInt64)
	if jump != nil && jump.Match == "" && jump.Side == p.Cand.Name {
		from = jump.Step
	}
	of := func(parts []sumPart, path bool) (out Sum) {
		out.OfPath = path
		for _, x := range parts {
			row := p.sumRow(x, from)
			out.Rows, out.Base, out.Cand = append(out.Rows, row), out.Base+row.Base, out.Cand+row.Cand
		}
		out.Delta = out.Cand - out.Base
		return out
	}
	var ranks, path []sumPart
	split := false // waiting is told from transfer
	for i := range p.Waterfall.Parts {
		x := &p.Waterfall.Parts[i]
		ranks, split = append(ranks, sumPart{x.Kind, []run.Key{x.Key}}), split || x.Kind == "transfer"
	}
	for i := range p.Path.Parts {
		x := p.Path.Parts[i].Key
		kind := pathKinds[x.Part]
		if x.Part == run.PathComm && !split {
			kind = "comm"
		}
		if at := slices.IndexFunc(path, func(s sumPart) bool { return s.kind == kind }); at >= 0 {
			path[at].keys = append(path[at].keys, x)
		} else {
			path = append(path, sumPart{kind, []run.Key{x}})
		}
	}
	base, cand := meanFrom(p.Base, from), meanFrom(p.Cand, from)
	out := of(ranks, false)
	if byPath := of(path, true); byPath.explains() && byPath.addsUp(base, cand) {
		for _, row := range out.Rows {
			if row.Kind == "wait" && byPath.moved(&row) && row.Delta*byPath.Delta > 0 && !slices.ContainsFunc(path, func(s sumPart) bool { return s.kind == "wait" }) {
				row.Follows = true
				byPath.Rows = append(byPath.Rows, row)
			}
		}
		out = byPath
	}
	if !out.addsUp(base, cand) {
		return Sum{}
	}
	p.countSteps(&out, from)
	out.fold()
	out.tell(p.Findings)
	return out
}

// moved reports whether a part is one that the change consists of.
func (s *Sum) moved(x *SumRow) bool { return math.Abs(x.Delta) >= LeastOfSum*math.Abs(s.Delta) }

// explains reports whether the parts of a path are what the step's change consists of.
func (s *Sum) explains() bool {
	around, unknown := 0.0, [2]float64{}
	for i := range s.Rows {
		x := &s.Rows[i]
		around += math.Abs(x.Delta)
		if x.Kind == "unknown" {
			unknown = [2]float64{x.Base, x.Cand}
		}
	}
	return len(s.Rows) > 0 && around <= mostAround*math.Abs(s.Delta) && unknown[0] <= LeastOfSum*s.Base && unknown[1] <= LeastOfSum*s.Cand
}

// mostLeft is the share of the mean step by which its parts may miss it, for them to be what it is made of. Chosen, not
// measured: where kernels, names or calls are lost the parts that are left are far less.
const mostLeft = 0.05

// addsUp reports whether the parts make up the mean step of both sides.
func (s *Sum) addsUp(base, cand float64) bool {
	return math.Abs(s.Base-base) <= mostLeft*base && math.Abs(s.Cand-cand) <= mostLeft*cand
}

// meanFrom returns the mean over runs of the mean step, from a step on, of the ranks whose parts are known.
func meanFrom(s *sides.Side, from int64) float64 {
	var means []float64
	for _, r := range s.Runs {
		means = append(means, stat.Mean(partCurve(r, sides.StepTime)[firstFrom(r, from):]))
	}
	return stat.Mean(means)
}

// firstFrom returns where a run's steps from one on begin; 0 where their numbers are not those of the other side.
func firstFrom(r *sides.Run, from int64) int {
	return max(0, slices.IndexFunc(r.Used, func(n int64) bool { return n >= from }))
}

// fold puts the parts that moved in the order of their size, what follows behind the first, and the others into one row.
func (s *Sum) fold() {
	rest := SumRow{PartChange: PartChange{Kind: Rest, Base: s.Base, Cand: s.Cand, Lo: math.NaN(), Hi: math.NaN()}, Finding: -1}
	var rows, follow []SumRow
	for _, x := range s.Rows {
		switch {
		case x.Follows:
			follow = append(follow, x)
		case s.moved(&x):
			rows = append(rows, x)
			rest.Base, rest.Cand = rest.Base-x.Base, rest.Cand-x.Cand
		default:
			s.Other = max(s.Other, math.Abs(x.Delta))
		}
	}
	slices.SortStableFunc(rows, func(a, b SumRow) int { return cmp.Compare(math.Abs(b.Delta), math.Abs(a.Delta)) })
	rest.Base, rest.Cand = max(0, rest.Base), max(0, rest.Cand)
	rest.Delta = rest.Cand - rest.Base
	if len(rows) > 0 {
		rows = slices.Insert(rows, 1, follow...)
	}
	s.Rows = append(rows, rest)
}

// sumRow measures a part in the steps from one on.
func (p *Causes) sumRow(x sumPart, from int64) SumRow {
	nan := math.NaN()
	curve := func(r *sides.Run) []float64 {
		all := make([]float64, len(r.Used))
		for _, key := range x.keys {
			for j, v := range partCurve(r, key) {
				all[j] += v
			}
		}
		return all
	}
	mean := func(s *sides.Side) float64 {
		var means []float64
		for _, r := range s.Runs {
			means = append(means, stat.Mean(curve(r)[firstFrom(r, from):]))
		}
		return stat.Mean(means)
	}
	row := SumRow{PartChange: PartChange{StepPart: StepPart{Key: x.keys[0]}, Kind: x.kind, Base: mean(p.Base), Cand: mean(p.Cand), Lo: nan, Hi: nan}, Finding: -1}
	row.Delta = row.Cand - row.Base
	if from == math.MinInt64 {
		partInterval(p, &row.PartChange, curve)
	}
	return row
}

// countSteps counts the steps that enter, and those of the candidate that are longer than the same step of the baseline.
func (p *Causes) countSteps(s *Sum, from int64) {
	times := [2]map[int64]float64{{}, {}}
	for i, side := range []*sides.Side{p.Base, p.Cand} {
		for k, r := range side.Runs {
			n := 0
			curve, _ := r.Curve(sides.StepTime)
			for j, v := range curve {
				if r.Used[j] < from {
					continue
				}
				if n++; n == 1 && i+k == 0 {
					s.From = r.Used[j]
				}
				times[i][r.Used[j]] += v / float64(len(side.Runs))
			}
			if s.Steps == 0 || n < s.Steps {
				s.Steps = n
			}
		}
	}
	if !p.Plan.Paired {
		return
	}
	for n, base := range times[0] {
		if cand, ok := times[1][n]; ok {
			if s.Same++; cand > base {
				s.Longer++
			}
		}
	}
}

// tell says of each row which finding explains it, the largest row first. A finding explains one row.
func (s *Sum) tell(all []Finding) {
	taken := map[int]bool{}
	for i := range s.Rows {
		for j := range all {
			if s.Rows[i].Finding < 0 && !taken[j] && s.about(&all[j], &s.Rows[i], i == 0) {
				s.Rows[i].Finding, taken[j] = j, true
			}
		}
	}
}

// sumKinds are the parts of the step that findings of a kind are about. What steps do as a whole explains the largest part.
var sumKinds = map[policy.Kind][]string{
	policy.KindCompute: {"compute"}, policy.KindKernelAlone: {"compute"}, policy.KindKernelShift: {"compute"}, policy.KindWorkShrank: {"compute"}, policy.KindWorkGrew: {"compute"},
	policy.KindInputWait: {"input"}, policy.KindMemory: {"memory"}, policy.KindPageableCopies: {"memory"},
	policy.KindCommunication: {"transfer", "comm", "wait"}, policy.KindTransfer: {"transfer", "comm"}, policy.KindCollectiveAlone: {"transfer", "comm"}, policy.KindWait: {"wait"},
	policy.KindIdle: {"idle", "allocator", "synchronizing", "launching", "dependency", "host", "unknown"}, policy.KindIdleCause: {"allocator", "synchronizing", "launching", "dependency", "host", "unknown"},
	policy.KindStraggler: nil, policy.KindLateRanks: nil, policy.KindPipelineBubble: nil, policy.KindSpike: nil, policy.KindSharedSpike: nil, policy.KindLevelChange: nil,
}

// about reports whether a finding is about a row; first: it is that of the largest part.
func (s *Sum) about(f *Finding, x *SumRow, first bool) bool {
	kinds, ok := sumKinds[f.Kind]
	if !ok || f.Effect*x.Delta <= 0 || x.Kind == Rest {
		return false
	}
	return kinds == nil && first || slices.Contains(kinds, x.Kind)
}

// Because returns the finding that explains the sum: that of the largest row, where this makes half of the change and
// the finding too; nil: none does.
func (s *Sum) Because(all []Finding) *Finding {
	if len(s.Rows) == 0 || s.Rows[0].Finding < 0 || s.Rows[0].Delta/s.Delta < onPart {
		return nil
	}
	if f := &all[s.Rows[0].Finding]; f.Effect/s.Delta >= onPart || f.Kind == policy.KindLevelChange {
		return f
	}
	return nil
}

// Explains returns the first finding about a part of the step that makes half of the change of a step that was not
// taken apart, in s; nil: none does.
func Explains(all []Finding, change float64) *Finding {
	for i := range all {
		if f := &all[i]; len(sumKinds[f.Kind]) > 0 && f.Effect/change >= onPart {
			return f
		}
	}
	return nil
}
