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
		}
	}
	if len(out) > 0 {
		out[0].Heading = "Who is waited for"
		out[len(out)-2].Note = "Arrives last: share of all collectives. Others wait: what all other ranks together wait for this one in a step. Longer: what the rank takes more than the median rank in a step."
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

// clocks is how the clocks of hosts agree, and how much could be matched.
func (s *sheet) clocks() []block {
	t := &table{Label: "Clocks of hosts", Heads: []head{{Text: "Run", Left: true}, {Text: "Host", Left: true}, {Text: "Ahead", Unit: "of the median host"}, {Text: "Drift", Unit: "\u00b5s a second"}, {Text: "Residual"}, {Text: "Collectives"}, {Text: "Kernels matched"}}}
	for _, side := range []struct {
		name string
		of   *diff.Side
	}{{"Baseline", &s.r.Base}, {"Candidate", &s.r.Cand}} {
		for i, c := range side.of.Clocks {
			name := side.name
			if len(side.of.Clocks) > 1 && i < len(side.of.Runs) {
				name += ", " + side.of.Runs[i]
			}
			residual, matched := number.None, fmt.Sprintf("%s of %s", number.Count(c.Matched), number.Count(c.Kernels))
			if c.Used > 0 {
				v := float64(c.Residual) * 1e-9
				residual = number.GapScale(v).With(v)
			}
			if c.Kernels == 0 {
				continue
			}
			if len(c.Hosts) == 0 {
				t.Rows = append(t.Rows, row{Cells: []cell{headCell(name), leftCell("not aligned"), textCell(number.None, ""), textCell(number.None, ""), textCell(residual, ""), textCell(number.Count(c.Used), ""), textCell(matched, "")}})
			}
			for _, h := range c.Hosts {
				ahead := float64(h.Offset) * 1e-9
				t.Rows = append(t.Rows, row{Cells: []cell{headCell(name), leftCell(orDash(h.Host)), textCell(number.GapScale(math.Abs(ahead)).SignedWith(ahead), ""),
					textCell(number.Format(h.Drift*1e-3), ""), textCell(residual, ""), textCell(number.Count(c.Used), ""), textCell(matched, "")}})
			}
		}
	}
	if len(t.Rows) == 0 {
		return nil
	}
	return []block{{Heading: "How the clocks of hosts agree", Table: t.cut(), Note: "From the wall clocks at the ends of collectives, which end on all ranks at about the same moment. The residual is what ends still differ by once clocks are aligned: nothing is said of moments closer than three times that. Waiting and transfer stand on durations and need no clocks."}}
}
