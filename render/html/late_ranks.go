package html

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"perfdiff/diff/cause"
	"perfdiff/render/number"
)

// maxLateRanks is how many ranks the table of late ranks names.
const maxLateRanks = 8

// lateRanks shows which ranks arrive last at collectives and why, and who waits for whom.
func (s *sheet) lateRanks() []block {
	var out []block
	for i, side := range []string{"Baseline", "Candidate"} {
		if list := s.r.RankWaits[i]; len(list) > 0 {
			out = append(out, block{Table: s.lateRankTable(side, list)}, block{Values: s.waitTable(side, list)})
			if hosts := s.r.HostWaits[i]; len(hosts) > 0 {
				out = append(out, block{Values: s.lateHostTable(side, hosts)})
			}
		}
	}
	if len(out) > 0 {
		out[0].Heading = "Who is waited for"
		out = append(out, block{Note: "Arrives last: share of the collectives at which a rank came more than three residuals (below) after all others. Others wait: what all other ranks together wait for this one per step. Longer: what the rank takes more than the median rank per step."})
	}
	return out
}

// lateRankTable returns the ranks that others wait for longest.
func (s *sheet) lateRankTable(side string, list []cause.RankWait) *table {
	u := s.ms.Name
	t := &table{Label: side, Heads: heads(side+": rank", "Arrives last, %", "Others wait, "+u+" per step", "Computes longer, "+u, "Input longer, "+u, "Host longer, "+u)}
	t.Heads = append(t.Heads, head{Text: "Host", Left: true})
	for range min(maxLateRanks, len(list)) {
		worst := -1
		for i := range list {
			if !s.holdsRank(t, list[i].Rank) && (worst < 0 || list[i].CausedWait > list[worst].CausedWait) {
				worst = i
			}
		}
		b := &list[worst]
		t.Rows = append(t.Rows, row{Cells: []cell{
			headCell(strconv.Itoa(b.Rank)), numberCell(100 * b.LastShare), numberCell(b.CausedWait * s.ms.Factor), signedCell(b.LongerBy["compute"] * s.ms.Factor),
			signedCell(b.LongerBy["input"] * s.ms.Factor), signedCell(b.LongerBy["host"] * s.ms.Factor), leftCell(orDash(b.Host)),
		}})
	}
	if n := len(list) - len(t.Rows); n > 0 {
		t.More = number.Count(n) + " more ranks are not on this page: " + jsonHasAll
	}
	return t
}

// lateHostTable lists late arrivals by host, all of them.
func (s *sheet) lateHostTable(side string, list []cause.RankWait) *table {
	u := s.ms.Name
	t := &table{Label: side + ", by host", Heads: heads("Host", "Arrives last, %", "Others wait, "+u+" per step", "Computes longer, "+u+" per rank", "Input longer, "+u+" per rank", "Host longer, "+u+" per rank")}
	for i := range list {
		b := &list[i]
		t.Rows = append(t.Rows, row{Cells: []cell{headCell(b.Host), numberCell(100 * b.LastShare), numberCell(b.CausedWait * s.ms.Factor), signedCell(b.LongerBy["compute"] * s.ms.Factor),
			signedCell(b.LongerBy["input"] * s.ms.Factor), signedCell(b.LongerBy["host"] * s.ms.Factor)}})
	}
	return t.cutRows()
}

// holdsRank reports whether a table has a row for the rank.
func (s *sheet) holdsRank(t *table, rank int) bool {
	return slices.ContainsFunc(t.Rows, func(r row) bool { return r.Cells[0].Text == strconv.Itoa(rank) })
}

// waitTable returns a matrix: how long the rank of a row waits for the rank of a column.
func (s *sheet) waitTable(side string, list []cause.RankWait) *table {
	t := &table{Label: fmt.Sprintf("%s, who waits for whom, %s per step", side, s.ms.Name), Heads: heads("Rank waits for")}
	if len(list) > 32 {
		return nil
	}
	for i := range list {
		t.Heads = append(t.Heads, head{Text: strconv.Itoa(list[i].Rank)})
	}
	for i := range list {
		cells := []cell{headCell(strconv.Itoa(list[i].Rank))}
		for j := range list {
			v, ok := list[i].WaitsFor[list[j].Rank]
			if !ok {
				v = math.NaN()
			}
			cells = append(cells, numberCell(v*s.ms.Factor))
		}
		t.Rows = append(t.Rows, row{Cells: cells})
	}
	return t
}

// signedCell returns a number of milliseconds with its sign. Less than 5 µs is written as 0.
func signedCell(v float64) cell { return cell{Text: alignNumber(coarseSigned(v))} }

func coarseSigned(v float64) string {
	if math.Abs(v) < 0.005 {
		return "0"
	}
	return number.Signed(v)
}
