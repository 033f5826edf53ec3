package html

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"perfdiff/diff"
	"perfdiff/render/number"
)

// overRanks is one quantity of one side on all ranks: a value for each of the report's ranks, in its unit; NaN is not
// known.
type overRanks struct {
	name, side, unit string
	values           []float64
}

// tooManyRanks reports whether there are so many ranks that their spread is shown and not each of them.
func (s *sheet) tooManyRanks() bool { return len(s.r.Ranks) > manyRanks }

// spreadTable shows how quantities are spread over ranks, and which ranks have the least and the
// most. It stands in place of a row for each rank where there are many.
func (s *sheet) spreadTable(label string, list []overRanks) *table {
	t := &table{Label: label, Heads: heads("Over all ranks")}
	t.Heads = append(t.Heads, head{Text: "Side", Left: true})
	for _, text := range []string{"Least", "5 %", "25 %", "Median", "75 %", "95 %", "Most"} {
		t.Heads = append(t.Heads, head{Text: text})
	}
	for i := range list {
		t.Rows = append(t.Rows, row{Cells: append([]cell{{Text: list[i].name, Small: list[i].unit, Head: true}, leftCell(list[i].side)}, s.spreadCells(list[i].values)...)})
	}
	return t
}

// spreadCells returns the least value, five quantiles, and the most.
func (s *sheet) spreadCells(values []float64) (out []cell) {
	lo, hi := extremes(values)
	end := func(i int) cell {
		if i < 0 {
			return numberCell(math.NaN())
		}
		c := numberCell(values[i])
		c.Small = "rank " + s.data.Ranks[i]
		return c
	}
	sorted := existing(values)
	slices.Sort(sorted)
	out = append(out, end(lo))
	for _, q := range []float64{0.05, 0.25, 0.5, 0.75, 0.95} {
		out = append(out, numberCell(interpolatedQuantile(sorted, q)))
	}
	return append(out, end(hi))
}

// apartRank is a rank and the part in which it is furthest from the median rank.
type apartRank struct {
	place int     // in the report
	part  string  // "Compute"
	side  string  // "candidate"
	by    float64 // s a step, more than the median rank
	share float64 // by of the median of what a rank takes in that part
}

// clearlyMore is by how much a later part must be further from the median to be named in place
// of an earlier one: who computes longer waits that much less for others. Chosen, not measured.
const clearlyMore = 1.1

// apartRanks returns all ranks, sorted by how far each is from the median rank in any part of the step, on either
// side. It judges nothing, but puts first what is unlike the others.
func (s *sheet) apartRanks() []apartRank {
	out := make([]apartRank, len(s.r.Ranks))
	for i := range out {
		out[i].place = i
	}
	for _, side := range rankSides {
		for k, part := range s.stepParts() {
			values := s.partOverRanks(side.of, k)
			sorted := existing(values)
			slices.Sort(sorted)
			median := interpolatedQuantile(sorted, 0.5)
			for i, v := range values {
				if by := v - median; math.Abs(by) > clearlyMore*math.Abs(out[i].by) {
					out[i].part, out[i].side, out[i].by, out[i].share = part.name, side.name, by, by/median
				}
			}
		}
	}
	slices.SortStableFunc(out, func(a, b apartRank) int { return cmp.Compare(math.Abs(b.by), math.Abs(a.by)) })
	return out
}

// rankSides are both sides of a rank.
var rankSides = []struct {
	name string
	of   func(*diff.RankRow) *diff.RankSide
}{
	{"baseline", func(r *diff.RankRow) *diff.RankSide { return &r.Base }},
	{"candidate", func(r *diff.RankRow) *diff.RankSide { return &r.Cand }},
}

// partOverRanks returns part k of the step, in s, on each rank of a side.
func (s *sheet) partOverRanks(of func(*diff.RankRow) *diff.RankSide, k int) []float64 {
	out := make([]float64, len(s.r.Ranks))
	for i := range s.r.Ranks {
		out[i] = math.NaN()
		if side := of(&s.r.Ranks[i]); side.Present && k < len(side.Parts) {
			out[i] = side.Parts[k]
		}
	}
	return out
}

// furthest returns the places of the n ranks whose value is furthest from the median on either side, the furthest
// first.
func furthest(n int, sides ...[]float64) []int {
	far := make([]float64, len(sides[0]))
	out := make([]int, len(far))
	for i := range out {
		out[i] = i
	}
	for _, values := range sides {
		sorted := existing(values)
		slices.Sort(sorted)
		median := interpolatedQuantile(sorted, 0.5)
		for i, v := range values {
			if d := math.Abs(v - median); d > far[i] {
				far[i] = d
			}
		}
	}
	slices.SortStableFunc(out, func(a, b int) int { return cmp.Compare(far[b], far[a]) })
	return out[:min(n, len(out))]
}

// apartText says in which part a rank is furthest from the median rank.
func (s *sheet) apartText(a *apartRank) string {
	if a.part == "" {
		return ""
	}
	share := ""
	if !math.IsInf(a.share, 0) && !math.IsNaN(a.share) {
		share = " (" + number.PercentFor(a.share, 0, 0).Signed(a.share) + number.Space + "%)"
	}
	return fmt.Sprintf("%s %s%s, %s", a.part, s.ms.SignedWith(a.by), share, a.side)
}
