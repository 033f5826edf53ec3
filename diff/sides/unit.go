package sides

import (
	"maps"
	"math"
	"slices"
	"strings"

	"perfdiff/analyze/run"
	"perfdiff/diff/stat"
)

// Numbers of steps are compared only where a step is the same unit of work on both
// sides. Four things tell that it is not: another marker, markers around so few of the
// steps that most of those found span several, a profiler that was off between the steps of
// one side, and kernels that all run some times as often in a step as before.

// StepMarkers returns by what the steps of a side were found, the most frequent first; summaries of earlier versions
// only have the words.
func (s *Side) StepMarkers() []string {
	counts := map[string]int{}
	s.EachRank(func(k *Rank) {
		for _, r := range k.Receipts {
			if r.Found > 0 {
				name := strings.TrimSuffix(strings.TrimSuffix(r.Marker, run.OwnEnds), run.HostEdges)
				if r.By != (run.Marker{}) {
					name = r.By.String()
				}
				counts[name]++
			}
		}
	})
	names := SortedKeys(counts)
	slices.SortStableFunc(names, func(a, b string) int { return counts[b] - counts[a] })
	return names
}

// UnitKind says what shows that a step is not the same unit of work on both sides.
type UnitKind string

// The kinds, each with the fields of OtherUnit that it fills.
const (
	UnitMarkers  UnitKind = "markers"       // the sides' steps were found by other Markers, and take Each
	UnitUnmarked UnitKind = "not-marked"    // Count of Side's steps, Of, span others that were not marked
	UnitOff      UnitKind = "profiler-off"  // the profiler was off between Side's steps, which end with their own work
	UnitPasses   UnitKind = "passes"        // each capture is a step, and they launch Kernel Launched times
	UnitLaunches UnitKind = "launch-factor" // Count of the kernels that both sides run, Of, are launched Factor times as often in the candidate
)

// OtherUnit is why a step is not the same unit of work on both sides.
type OtherUnit struct {
	Kind      UnitKind
	Side      string      // "baseline", "candidate"; "" the kind is of both
	Markers   [2][]string // what the steps of each side were found by, the most frequent first
	Each      [2]float64  // s, the median step of each; NaN not known
	Logs      [2]bool     // what was found is the times of a log, which holds nothing else
	Count, Of int         // of steps or kernels, as the kind says
	Kernel    string
	Launched  [2]float64
	Factor    float64 // of the candidate's launches over the baseline's
}

// IsLogged reports whether the steps of a side come from logs.
func (s *Side) IsLogged() (logged bool) {
	s.EachRank(func(k *Rank) {
		for _, r := range k.Receipts {
			logged = logged || r.By.Kind == run.MarkLogged
		}
	})
	return logged
}

// StepsALine returns of how many steps each time is the mean, of logs that average; 1 of all others.
func (p *Lined) StepsALine() int {
	least := math.MaxInt
	for _, s := range []*Side{p.Base, p.Cand} {
		s.EachRank(func(k *Rank) {
			for _, r := range k.Receipts {
				least = min(least, r.By.Every)
				if r.By.Kind != run.MarkLogged {
					least = 1
				}
			}
		})
	}
	if least == math.MaxInt {
		return 1
	}
	return max(1, least)
}

// otherUnit returns why a step is not the same unit of work on both sides; nil where nothing
// says so, or a side has no steps at all.
func (p *Lined) otherUnit() *OtherUnit {
	base, cand := p.Base.StepMarkers(), p.Cand.StepMarkers()
	switch {
	case len(base) == 0 || len(cand) == 0 || p.Plan.Steps == 0:
		return nil
	case len(base) == 1 && len(cand) == 1 && base[0] != cand[0] && p.Base.NumberedByRanges() && p.Cand.NumberedByRanges() && p.sameLaunches():
		// Two profilers call a step otherwise; all kernels run as often in it.
		p.OtherMarker = true
		return nil
	case len(base) == 1 && len(cand) == 1 && base[0] != cand[0] && p.replaced():
		p.OtherMarker = true
		return nil
	case len(base) > 1 || len(cand) > 1 || base[0] != cand[0]:
		each := [2]float64{p.Base.Measure(StepTime).Median(), p.Cand.Measure(StepTime).Median()}
		return &OtherUnit{Kind: UnitMarkers, Markers: [2][]string{base, cand}, Each: each, Logs: [2]bool{p.Base.IsLogged(), p.Cand.IsLogged()}}
	}
	for _, s := range []*Side{p.Base, p.Cand} {
		if n, of := s.unmarked(); 2*n > of {
			return &OtherUnit{Kind: UnitUnmarked, Side: s.Name, Count: n, Of: of}
		}
	}
	if base, cand := p.Base.ownEnds(), p.Cand.ownEnds(); base != cand {
		off := p.Base
		if cand {
			off = p.Cand
		}
		return &OtherUnit{Kind: UnitOff, Side: off.Name}
	}
	if u := p.otherPasses(); u != nil {
		return u
	}
	return p.otherCount()
}

// otherPasses tells that captures that are steps launch other kernels than those of the other side, of which one may
// be a saved summary: nothing but equal launches says that a capture does the same work; nil if they do not.
func (p *Lined) otherPasses() *OtherUnit {
	if !OfPasses(p.Base) || !OfPasses(p.Cand) {
		return nil
	}
	var launches [2]map[string]float64
	p.BothAtOnce(func(i int, s *Side) { launches[i] = s.launchesOf() })
	all := maps.Clone(launches[0])
	maps.Copy(all, launches[1])
	for _, name := range SortedKeys(all) {
		if b, c := launches[0][name], launches[1][name]; b != c {
			return &OtherUnit{Kind: UnitPasses, Kernel: name, Launched: [2]float64{b, c}}
		}
	}
	return nil
}

// ownEnds reports whether steps of a side end with their own work.
func (s *Side) ownEnds() (own bool) {
	s.EachRank(func(k *Rank) {
		for _, r := range k.Receipts {
			own = own || strings.HasSuffix(r.Marker, run.OwnEnds)
		}
	})
	return own
}

// unmarked returns how many of a side's steps, over all ranks, span another number of the program's steps than the
// rest, and how many there are in all.
func (s *Side) unmarked() (n, of int) {
	s.EachRank(func(k *Rank) {
		of += len(k.Steps)
		for _, step := range k.Steps {
			if step.Dropped == run.DropUnmarked {
				n++
			}
		}
	})
	return n, of
}

// What shows that a step is a multiple of the other side's step: at least leastShared kernels that both sides run, of
// which mostShared changed by one factor. Chosen, not measured: one factor for nine of ten kernels to within 2 % is no
// change of a program that anybody makes.
const (
	leastShared = 5
	mostShared  = 0.9  // of the kernels and of their launches
	sameFactor  = 0.02 // within which factors are one
	leastFactor = 1.2  // of which a change of the work alone would be all too regular
	// unevenFactor is what every kernel's factor is at least where they are not one, as where some
	// steps span two and others three. No kernel is as often in a step as before, the optimizer's
	// neither.
	unevenFactor = 1.5
)

// otherCount tells that all kernels run some times as often in a step as on the other
// side; nil if they do not. A batch in more parts has as many optimizer steps as before.
func (p *Lined) otherCount() *OtherUnit {
	f := p.launchFactor()
	switch {
	case f.known() && math.Abs(math.Log(f.factor)) >= math.Log(leastFactor):
		return &OtherUnit{Kind: UnitLaunches, Count: f.shared, Of: f.kernels, Factor: f.factor}
	case f.kernels >= leastShared && f.common >= mostShared && f.least >= math.Log(unevenFactor):
		return &OtherUnit{Kind: UnitLaunches, Count: f.kernels, Of: f.kernels, Factor: f.factor}
	}
	return nil
}

// sameLaunches reports whether nearly all kernels run as often in a step of either side: then a step is the same,
// whatever marks it.
func (p *Lined) sameLaunches() bool {
	f := p.launchFactor()
	return f.known() && math.Abs(f.factor-1) <= sameFactor && f.common >= mostShared
}

// What shows that a step of graph replays does the same as a step of the launches that they replace: as many bytes
// copied to the device, which no replay and no layer changes, and a similar time. Chosen, not measured: the story
// graphs-vs-eager holds that it is told.
const (
	sameBytes = 0.01
	otherTime = 2
)

// replaced reports whether one side's iterations begin with the replay of a graph and the
// other's with a kernel, and are the same iterations: never a replay and a layer.
func (p *Lined) replaced() bool {
	ofGraphs := func(s *Side) (graphs, kernels bool) {
		s.EachRank(func(k *Rank) {
			for _, r := range k.Receipts {
				launch := r.By.Kind == run.MarkLaunch
				graphs, kernels = graphs || launch && r.By.Name == GraphKernel, kernels || launch && r.By.Name != GraphKernel
			}
		})
		return graphs, kernels
	}
	bg, bk := ofGraphs(p.Base)
	cg, ck := ofGraphs(p.Cand)
	if !(bg && !bk && ck && !cg) && !(bk && !bg && cg && !ck) || p.Plan.Steps < MinSteps {
		return false
	}
	bytes := run.Key{Metric: run.MemcpyBytes, Part: "h2d"}
	b, c := p.Base.Measure(bytes).Median(), p.Cand.Measure(bytes).Median()
	times := math.Log(p.Cand.Measure(StepTime).Median() / p.Base.Measure(StepTime).Median())
	return b > 0 && math.Abs(c/b-1) <= sameBytes && math.Abs(times) <= math.Log(otherTime)
}

// NumberedByRanges reports whether a range around each step marks the steps, with its number.
func (s *Side) NumberedByRanges() bool {
	all := true
	s.EachRank(func(k *Rank) {
		for _, r := range k.Receipts {
			all = all && (r.Found == 0 || r.By.Kind == run.MarkProfiler || r.By.Kind == run.MarkNumbered)
		}
	})
	return all
}

// launchFactor is how many times as often kernels run in a step of the candidate.
type launchFactor struct {
	factor   float64 // the median over the kernels that both sides run
	kernels  int     // that both run
	shared   int     // of these, with that factor
	launched float64 // share of their launches that those have
	common   float64 // share of all launches that kernels of both sides have, of the side with less
	least    float64 // of the logarithms of all kernels' factors, if all are on the side of the median; else 0
}

func (f *launchFactor) known() bool {
	return f.kernels >= leastShared && float64(f.shared) >= mostShared*float64(f.kernels) && f.launched >= mostShared
}

func (p *Lined) launchFactor() (f launchFactor) {
	var launches [2]map[string]float64
	p.BothAtOnce(func(i int, s *Side) { launches[i] = s.launchesOf() })
	return factorOf(launches[0], launches[1])
}

// factorOf compares how much the kernels of two sides launch in a step.
func factorOf(base, cand map[string]float64) (f launchFactor) {
	var factors, weights []float64
	var both, all [2]float64
	for _, name := range SortedKeys(base) {
		if b, c := base[name], cand[name]; b > 0 && c > 0 {
			factors, weights = append(factors, c/b), append(weights, b)
			both[0], both[1] = both[0]+b, both[1]+c
		}
		all[0] += base[name]
	}
	for _, name := range SortedKeys(cand) {
		all[1] += cand[name]
	}
	f.factor, f.kernels = stat.Median(factors), len(factors)
	f.least = math.Inf(1)
	for i, x := range factors {
		f.least = max(0, min(f.least, math.Log(x)*math.Copysign(1, math.Log(f.factor))))
		if math.Abs(x/f.factor-1) <= sameFactor {
			f.shared, f.launched = f.shared+1, f.launched+weights[i]
		}
	}
	f.launched /= both[0]
	f.common = math.Min(both[0]/all[0], both[1]/all[1])
	return f
}

// launchesOf returns how often a step launches each kernel, the mean over ranks and an even number of steps: if two
// ranges make a step, each holds other kernels, and an odd number of ranges would count one kind once more.
func (s *Side) launchesOf() map[string]float64 {
	out := map[string]float64{}
	names := map[string]bool{}
	s.EachRank(func(k *Rank) {
		for i := range k.Series {
			if k.Series[i].Metric == KernelLaunches && k.Series[i].Part != "" {
				names[k.Series[i].Part] = true
			}
		}
	})
	for name := range names {
		var means []float64
		for _, r := range s.Runs {
			n := len(r.Used)
			if n > 1 {
				n -= n % 2
			}
			if mean := r.meanFirst(run.Key{Metric: KernelLaunches, Part: name}, n); !math.IsNaN(mean) {
				means = append(means, mean)
			}
		}
		if len(means) > 0 {
			out[name] = stat.Mean(means)
		}
	}
	return out
}
