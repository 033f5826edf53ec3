package compute

import (
	"cmp"
	"math"
	"sort"
	"strings"

	"perfdiff/analyze/source/ncu"
	"perfdiff/diff/stat"
	"perfdiff/diff/verdict"
)

// quantities are the quantities of package ncu; duration is the first.
var (
	quantities = ncu.Quantities()
	duration   = &quantities[0]
)

// kernel returns what the launches of a pair measured. Its time is not judged yet.
func (p *pairing) kernel(r *Report) Kernel {
	first := p.launches[0][0]
	nan := math.NaN()
	k := Kernel{
		Name: first.Kernel, Grid: first.Grid, Block: first.Block, Launches: [2]int{len(p.launches[0]), len(p.launches[1])},
		Time: Change{Verdict: verdict.Inconclusive, Estimate: nan, Lo: nan, Hi: nan, Shown: nan, Q: nan}, Unexplained: nan,
	}
	for i := range quantities {
		q := &quantities[i]
		m := Measure{ID: q.ID, Section: q.Section, Name: q.Name, Unit: q.Unit, Better: q.Better, Base: p.quantity(0, q), Cand: p.quantity(1, q)}
		if m.Base.N+m.Cand.N > 0 {
			k.Quantities = append(k.Quantities, m)
		}
		if m.Base.N == 0 || m.Cand.N == 0 {
			k.Missing = append(k.Missing, Missing{q.Name, q.Section, m.Base.N == 0, m.Cand.N == 0})
		}
	}
	if t := k.quantity(ncu.Duration); t != nil && t.Base.Median > 0 && t.Cand.N > 0 {
		k.Time.Estimate = t.Cand.Median/t.Base.Median - 1
	}
	p.metrics(&k)
	for side := range p.launches {
		k.Rooflines[side] = p.rooflines(side)
	}
	if len(k.Rooflines[0]) == 0 || len(k.Rooflines[1]) == 0 {
		k.Missing = append(k.Missing, Missing{"roofline", "SpeedOfLight_RooflineChart", len(k.Rooflines[0]) == 0, len(k.Rooflines[1]) == 0})
	}
	if t := k.quantity(ncu.Duration); t != nil && apart(t.Base.Median, t.Cand.Median, r.Threshold) {
		k.explain(t)
	}
	return k
}

func (p *pairing) quantity(side int, q *ncu.Quantity) Sample {
	var v []float64
	for _, l := range p.launches[side] {
		if x, ok := p.sets[side].Get(l, q); ok {
			v = append(v, x)
		}
	}
	return sampleOf(v)
}

func sampleOf(v []float64) Sample {
	box := stat.Box(v)
	return Sample{N: len(v), Least: box[0], Lower: box[1], Median: box[2], Upper: box[3], Most: box[4]}
}

// stall is a reason in a unit.
type stall struct{ reason, unit string }

// metrics adds stalls and all other metrics of a pair.
func (p *pairing) metrics(k *Kernel) {
	stalls := [2]map[stall][]float64{{}, {}}
	others := [2]map[ncu.Key][]float64{{}, {}}
	for side, set := range p.sets {
		of := make([][]float64, len(set.Keys))
		for _, l := range p.launches[side] {
			for _, v := range l.Values {
				of[v.Key] = append(of[v.Key], v.Number)
			}
		}
		for id, key := range set.Keys {
			switch reason, unit, ok := ncu.StallOf(key); {
			case of[id] == nil:
			case ok:
				stalls[side][stall{reason, unit}] = append(stalls[side][stall{reason, unit}], of[id]...)
			case !ofQuantity[key]:
				others[side][key] = of[id]
			}
		}
	}
	k.stalls(stalls)
	for key, base := range others[0] {
		if cand := others[1][key]; cand != nil {
			k.Others = append(k.Others, Measure{Section: key.Section, Name: key.Name, Unit: key.Unit, Base: sampleOf(base), Cand: sampleOf(cand)})
		}
	}
	sort.Slice(k.Others, func(i, j int) bool {
		a, b := &k.Others[i], &k.Others[j]
		return cmp.Or(strings.Compare(a.Section, b.Section), strings.Compare(a.Name, b.Name), strings.Compare(a.Unit, b.Unit)) < 0
	})
}

// ofQuantity are the keys that quantities are read from.
var ofQuantity = func() map[ncu.Key]bool {
	out := map[ncu.Key]bool{}
	for _, q := range quantities {
		for _, k := range q.Keys {
			out[k] = true
		}
	}
	return out
}()

// stalls adds the stalls in the unit that both sides have, cycles before shares.
func (k *Kernel) stalls(of [2]map[stall][]float64) {
	for _, unit := range []string{"cycle", "ratio"} {
		seen := [2]bool{}
		names := map[string]bool{}
		for side := range of {
			for s := range of[side] {
				if s.unit == unit {
					names[s.reason], seen[side] = true, true
				}
			}
		}
		if !seen[0] || !seen[1] {
			continue
		}
		for name := range names {
			s := stall{name, unit}
			k.Stalls = append(k.Stalls, Measure{ID: name, Section: "WarpStateStats", Name: name, Unit: unit, Base: sampleOf(of[0][s]), Cand: sampleOf(of[1][s]), Better: -1})
		}
		break
	}
	size := func(m *Measure) float64 {
		if d := math.Abs(m.Cand.Median - m.Base.Median); !math.IsNaN(d) {
			return d
		}
		return -1
	}
	sort.Slice(k.Stalls, func(i, j int) bool {
		a, b := &k.Stalls[i], &k.Stalls[j]
		return cmp.Or(cmp.Compare(size(b), size(a)), strings.Compare(a.ID, b.ID)) < 0
	})
	if len(k.Stalls) == 0 {
		base, cand := len(of[0]) == 0, len(of[1]) == 0
		if !base && !cand { // each in a unit of its own
			base, cand = true, true
		}
		k.Missing = append(k.Missing, Missing{"stall reasons", "WarpStateStats", base, cand})
	}
}

// rooflines returns the medians over launches, by precision.
func (p *pairing) rooflines(side int) (out []ncu.Roofline) {
	by := map[ncu.Precision][]ncu.Roofline{}
	for _, l := range p.launches[side] {
		for _, x := range p.sets[side].Rooflines(l) {
			by[x.Precision] = append(by[x.Precision], x)
		}
	}
	for _, precision := range []ncu.Precision{ncu.Double, ncu.Single, ncu.Half} {
		list := by[precision]
		if len(list) == 0 {
			continue
		}
		median := func(of func(*ncu.Roofline) float64) float64 {
			v := make([]float64, len(list))
			for i := range list {
				v[i] = of(&list[i])
			}
			return stat.Median(v)
		}
		out = append(out, ncu.Roofline{
			Precision: precision,
			Work:      median(func(x *ncu.Roofline) float64 { return x.Work }), Traffic: median(func(x *ncu.Roofline) float64 { return x.Traffic }),
			PeakWork: median(func(x *ncu.Roofline) float64 { return x.PeakWork }), PeakTraffic: median(func(x *ncu.Roofline) float64 { return x.PeakTraffic }),
		})
	}
	return out
}
