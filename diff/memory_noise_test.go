package diff_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/diff/difftest"
	"perfdiff/diff/policy"
	"perfdiff/diff/sides"
	"perfdiff/diff/verdict"
)

// cachingAllocator gives out device memory as PyTorch's does: it keeps what it has taken from
// the driver, gives the smallest free block that is large enough, splits what is much larger
// and joins free neighbours. How much it takes depends on the order in which memory is asked
// for and given back.
type cachingAllocator struct {
	segments                    [][]memoryBlock // by order of taking; blocks by address
	allocated, reserved, peaked int64
}

type memoryBlock struct {
	size int64
	id   int // 0: free
}

const mebibyte = 1 << 20

// take gives a block of so many bytes to an id.
func (a *cachingAllocator) take(id int, bytes int64) {
	bytes = (bytes + 511) / 512 * 512
	segment, at, best := -1, -1, int64(math.MaxInt64)
	for i, blocks := range a.segments {
		for j, b := range blocks {
			if b.id == 0 && b.size >= bytes && b.size < best {
				segment, at, best = i, j, b.size
			}
		}
	}
	if segment < 0 {
		size := int64(20 * mebibyte)
		if bytes > 10*mebibyte {
			size = (bytes + 2*mebibyte - 1) / (2 * mebibyte) * 2 * mebibyte
		}
		a.segments = append(a.segments, []memoryBlock{{size: size}})
		a.reserved += size
		segment, at, best = len(a.segments)-1, 0, size
	}
	blocks := a.segments[segment]
	if rest := best - bytes; rest > mebibyte {
		blocks[at].size = bytes
		blocks = slices.Insert(blocks, at+1, memoryBlock{size: rest})
	}
	blocks[at].id = id
	a.segments[segment] = blocks
	a.allocated += blocks[at].size
	a.peaked = max(a.peaked, a.allocated)
}

// free takes back what an id has.
func (a *cachingAllocator) free(id int) {
	for i, blocks := range a.segments {
		for j := range blocks {
			if blocks[j].id != id {
				continue
			}
			a.allocated -= blocks[j].size
			blocks[j].id = 0
			for _, k := range []int{j, j - 1} { // with the next, then with the one before
				if k >= 0 && k+1 < len(blocks) && blocks[k].id == 0 && blocks[k+1].id == 0 {
					blocks[k].size += blocks[k+1].size
					blocks = slices.Delete(blocks, k+1, k+2)
				}
			}
			a.segments[i] = blocks
			return
		}
	}
}

// trained is what the steps of a run of a model hold: the peak that is allocated and what is
// reserved. Activations are scaled by a factor. Gradients that are exchanged are given back
// some operations after their use, which differs from run to run: late is the most.
func trained(g *rand.Rand, steps int, factor float64, late int) (allocated, reserved []float64) {
	const layers = 24
	var a cachingAllocator
	id := 0
	next := func(bytes float64) int {
		id++
		a.take(id, int64(bytes))
		return id
	}
	for l := range layers {
		next(float64(30+l%3*12) * mebibyte) // weights
	}
	type pending struct{ id, at int }
	var waiting []pending
	clock := 0
	tick := func() {
		clock++
		waiting = slices.DeleteFunc(waiting, func(w pending) bool {
			if w.at <= clock {
				a.free(w.id)
				return true
			}
			return false
		})
	}
	for range steps {
		a.peaked = a.allocated
		var kept [layers][2]int
		for l := range layers {
			size := float64(18+l%5*7) * mebibyte * factor
			work := next(size * 1.7)
			kept[l] = [2]int{next(size), next(size / 3)}
			tick()
			a.free(work)
		}
		for l := layers - 1; l >= 0; l-- {
			grad := next(float64(30+l%3*12) * mebibyte)
			work := next(float64(18+l%5*7) * mebibyte * factor * 1.2)
			tick()
			a.free(work)
			a.free(kept[l][0])
			a.free(kept[l][1])
			waiting = append(waiting, pending{grad, clock + 1 + g.IntN(late)})
		}
		for len(waiting) > 0 {
			tick()
		}
		allocated, reserved = append(allocated, float64(a.peaked)), append(reserved, float64(a.reserved))
	}
	return allocated, reserved
}

// heldSide is a side of so many runs whose steps hold that memory.
func heldSide(g *rand.Rand, label string, runs, steps int, factor float64, late int) *run.Set {
	var jobs []difftest.Job
	for range runs {
		jobs = append(jobs, difftest.Job{Ranks: []int{0}, World: 1, Steps: steps, Step: difftest.Steady(0.1, 1)})
	}
	set := difftest.SetOf(label, jobs...)
	set.Metrics = append(slices.Clone(set.Metrics), difftest.WithTraits([]run.Metric{
		{Name: run.MemoryAllocatedPeak, Unit: "B", Better: run.Lower, Main: true}, {Name: run.MemoryReservedPeak, Unit: "B", Better: run.Lower, Main: true},
	})...)
	for i := range set.Runs {
		allocated, reserved := trained(g, steps, factor, late)
		r := &set.Runs[i].Ranks[0]
		r.Series = append(r.Series, run.Series{Key: run.Key{Metric: run.MemoryAllocatedPeak}, Values: allocated},
			run.Series{Key: run.Key{Metric: run.MemoryReservedPeak}, Values: reserved})
	}
	return set
}

// TestMemoryRates: of runs whose allocator does the same, memory is unchanged, also of a few
// steps; of runs that differ by the order in which memory is given back, hardly any is said to
// have risen; and 10 % more are found in nearly all.
func TestMemoryRates(t *testing.T) {
	n := draws(t, 60)
	for _, c := range []struct {
		name               string
		runs, steps, late  int
		factor             float64
		unchanged, highers [2]float64 // least and most, of pairs
	}{
		{"the same, four steps", 1, 4, 1, 1, [2]float64{1, 1}, [2]float64{0, 0}},
		{"the same", 1, 24, 2, 1, [2]float64{1, 1}, [2]float64{0, 0}},
		{"freed a little late", 1, 24, 6, 1, [2]float64{0.5, 1}, [2]float64{0, 0.01}},
		{"freed late", 1, 24, 12, 1, [2]float64{0, 1}, [2]float64{0, 0.05}},
		{"freed late, few steps", 1, 4, 12, 1, [2]float64{0, 1}, [2]float64{0, 0.05}},
		{"freed late, three runs", 3, 24, 12, 1, [2]float64{0, 1}, [2]float64{0, 0.05}},
		{"10 % more", 1, 24, 2, grown, [2]float64{0, 0}, [2]float64{1, 1}},
		{"10 % more, freed late", 1, 24, 12, grown, [2]float64{0, 0}, [2]float64{0.9, 1}},
		{"10 % more, four steps", 1, 4, 6, grown, [2]float64{0, 0}, [2]float64{0.9, 1}},
	} {
		rates := eachPair("memory: "+c.name, n, func(g *rand.Rand, add func(string)) {
			base, cand := heldSide(g, "base", c.runs, c.steps, 1, c.late), heldSide(g, "cand", c.runs, c.steps, c.factor, c.late)
			p := verdict.Judge(verdict.NewTerms(sides.Of(base, cand, false), policy.DefaultPolicy()))
			for _, name := range []string{run.MemoryAllocatedPeak, run.MemoryReservedPeak} {
				add(name + " " + verdict.MetricOf(p.Metrics, name).Verdict.String())
			}
		})
		for _, name := range []string{run.MemoryAllocatedPeak, run.MemoryReservedPeak} {
			unchanged, higher := rates[name+" unchanged"], rates[name+" regressed"]
			t.Logf("%s, %s: unchanged %.1f %%, regressed %.1f %%", c.name, name, 100*unchanged, 100*higher)
			atLeast(t, c.name+": "+name+" unchanged", unchanged, c.unchanged[0], n)
			atMost(t, c.name+": "+name+" unchanged", unchanged, c.unchanged[1], n)
			atLeast(t, c.name+": "+name+" regressed", higher, c.highers[0], n)
			atMost(t, c.name+": "+name+" regressed", higher, c.highers[1], n)
		}
	}
}

// grown is the factor on activations that makes a step hold about a tenth more.
const grown = 1.18
