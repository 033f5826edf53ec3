package html

import (
	"fmt"
	"math"
	"strconv"

	"perfdiff/diff"
	"perfdiff/diff/number"
)

// mostBlamed is how many ranks the table of who is waited for names.
const mostBlamed = 8

// blame is who arrives last and why, and who waits for whom.
func (s *sheet) blame() []block {
	var out []block
	for i, side := range []string{"Baseline", "Candidate"} {
		if list := s.r.Blames[i]; len(list) > 0 {
			out = append(out, block{Table: s.blameTable(side, list)}, block{Values: s.waitTable(side, list)})
			if hosts := s.r.HostBlames[i]; len(hosts) > 0 {
				out = append(out, block{Values: s.hostTable(side, hosts)})
			}
		}
	}
	if len(out) > 0 {
		out[0].Heading = "Who is waited for"
		out = append(out, block{Note: "Arrives last: share of the collectives at which a rank came more than three residuals (below) after all others. Others wait: what all other ranks together wait for this one in a step. Longer: what the rank takes more than the median rank in a step."})
	}
	return out
}

// blameTable are the ranks that others wait for most.
func (s *sheet) blameTable(side string, list []diff.Blame) *table {
	u := s.ms.Name
	t := &table{Label: side, Heads: heads(side+": rank", "Arrives last, %", "Others wait, "+u+" a step", "Computes longer, "+u, "Input longer, "+u, "Host longer, "+u)}
	t.Heads = append(t.Heads, head{Text: "Host", Left: true})
	for range min(mostBlamed, len(list)) {
		worst := -1
		for i := range list {
			if !s.told(t, list[i].Rank) && (worst < 0 || list[i].Causes > list[worst].Causes) {
				worst = i
			}
		}
		b := &list[worst]
		t.Rows = append(t.Rows, row{Cells: []cell{
			headCell(strconv.Itoa(b.Rank)), numberCell(100 * b.Last), numberCell(b.Causes * s.ms.Factor), signedCell(b.More["compute"] * s.ms.Factor),
			signedCell(b.More["input"] * s.ms.Factor), signedCell(b.More["host"] * s.ms.Factor), leftCell(orDash(b.Host)),
		}})
	}
	if n := len(list) - len(t.Rows); n > 0 {
		t.More = number.Count(n) + " more ranks are in the JSON form of this report."
	}
	return t
}

// hostTable is the same of hosts, all of them.
func (s *sheet) hostTable(side string, list []diff.Blame) *table {
	u := s.ms.Name
	t := &table{Label: side + ", by host", Heads: heads("Host", "Arrives last, %", "Others wait, "+u+" a step", "Computes longer, "+u+" a rank", "Input longer, "+u+" a rank", "Host longer, "+u+" a rank")}
	for i := range list {
		b := &list[i]
		t.Rows = append(t.Rows, row{Cells: []cell{headCell(b.Host), numberCell(100 * b.Last), numberCell(b.Causes * s.ms.Factor), signedCell(b.More["compute"] * s.ms.Factor),
			signedCell(b.More["input"] * s.ms.Factor), signedCell(b.More["host"] * s.ms.Factor)}})
	}
	return t.cut()
}

func (s *sheet) told(t *table, rank int) bool {
	for _, r := range t.Rows {
		if r.Cells[0].Text == strconv.Itoa(rank) {
			return true
		}
	}
	return false
}

// waitTable is the matrix: the row's rank waits for the column's.
func (s *sheet) waitTable(side string, list []diff.Blame) *table {
	t := &table{Label: fmt.Sprintf("%s, who waits for whom, %s a step", side, s.ms.Name), Heads: heads("Rank waits for")}
	if len(list) > 32 {
		return nil
	}
	for i := range list {
		t.Heads = append(t.Heads, head{Text: strconv.Itoa(list[i].Rank)})
	}
	for i := range list {
		cells := []cell{headCell(strconv.Itoa(list[i].Rank))}
		for j := range list {
			v, ok := list[i].WaitFor[list[j].Rank]
			if !ok {
				v = math.NaN()
			}
			cells = append(cells, numberCell(v*s.ms.Factor))
		}
		t.Rows = append(t.Rows, row{Cells: cells})
	}
	return t
}

// signedCell is a number of milliseconds with its sign; microseconds count from
// five on.
func signedCell(v float64) cell { return cell{Text: align(coarse(v))} }

func coarse(v float64) string {
	if math.Abs(v) < 0.005 {
		return "0"
	}
	return number.Signed(v)
}
