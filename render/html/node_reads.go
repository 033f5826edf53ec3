package html

import (
	"math"

	"perfdiff/diff"
	"perfdiff/render/number"
)

// nodeReads lists what each node reads: the mean over its capture, summed over its ranks. It is nil where no bytes
// were recorded.
func (s *sheet) nodeReads() *table {
	var of [2]map[int]float64 // by rank, B/s
	largest := 0.0
	for i, ranks := range [][]diff.RankActivity{s.r.Activity.Base, s.r.Activity.Cand} {
		of[i] = map[int]float64{}
		for k := range ranks {
			if v := meanRate(ranks[k].Read); !math.IsNaN(v) {
				of[i][ranks[k].Rank] += v
			}
		}
	}
	type node struct {
		name string
		rate [2]float64
	}
	var nodes []node
	for _, group := range s.ranksByHost() {
		n := node{name: hostOf(&group.rows[0]), rate: [2]float64{math.NaN(), math.NaN()}}
		if n.name == "" {
			n.name = group.name
		}
		for i := range of {
			for _, r := range group.rows {
				if v, has := of[i][r.Rank]; has && math.IsNaN(n.rate[i]) {
					n.rate[i] = v
				} else if has {
					n.rate[i] += v
				}
			}
		}
		nodes = append(nodes, n)
		largest = max(largest, largestMagnitude(existing(n.rate[:])...))
	}
	if largest == 0 {
		return nil
	}
	sc := number.ScaleOf("B/s", largest)
	t := &table{Label: "Reads of each node", Heads: heads("Node", "Baseline, "+sc.Name, "Candidate, "+sc.Name, "Change, "+sc.Name)}
	for _, n := range nodes {
		b, c := float64(n.rate[0]*sc.Factor), float64(n.rate[1]*sc.Factor)
		t.Rows = append(t.Rows, row{Cells: append([]cell{headCell(n.name)}, changeCells(b, c)...)})
	}
	return t
}

// meanRate returns the mean of a rate over the bins of a capture, leaving out those without a value; NaN without any.
func meanRate(rates []float32) float64 {
	sum, n := 0.0, 0
	for _, v := range rates {
		if v == v {
			sum, n = sum+float64(v), n+1
		}
	}
	if n == 0 {
		return math.NaN()
	}
	return sum / float64(n)
}
