package render

import (
	"fmt"
	"math"
	"strings"

	"perfdiff/diff"
	"perfdiff/diff/sides"
	"perfdiff/render/number"
	"perfdiff/render/words"
)

// loadGroupCells returns a group's name and, for each side, the steps compared and kept, the median
// step time and the median time of a token.
func loadGroupCells(g *sides.LoadGroup) (name string, steps, times, tokens [2]string, change string) {
	delta := g.Cand.Time - g.Base.Time
	row := number.RowOf("s", g.Base.Time, g.Cand.Time, delta)
	tokenScale := number.ScaleOf("s", largerMagnitude(g.Base.PerToken, g.Cand.PerToken))
	for i, s := range []*sides.LoadSide{&g.Base, &g.Cand} {
		steps[i] = fmt.Sprintf("%s of %s", number.Count(s.Compared), number.Count(s.Steps))
		times[i], tokens[i] = row.With(s.Time), valueText(tokenScale, s.PerToken)
	}
	change = number.None
	if !math.IsNaN(delta) {
		change = row.SignedWith(delta) + " (" + number.PercentOf(delta, g.Base.Time, false) + ")"
	}
	return words.LoadGroup(g), steps, times, tokens, change
}

// loads writes the table of loads in a terminal.
func (t *text) loads(r *diff.Report) {
	if len(r.Loads) == 0 {
		return
	}
	t.heading("Engine steps by load")
	var rows []metricRow
	for i := range r.Loads {
		name, steps, times, _, change := loadGroupCells(&r.Loads[i])
		rows = append(rows, metricRow{metric: "  " + name, Row: words.Row{Base: times[0], Cand: times[1], Change: change,
			Interval: strings.ReplaceAll(steps[0]+", "+steps[1], " of ", "/")}})
		if base, cand := sharesOfPeak(&r.Loads[i].Base), sharesOfPeak(&r.Loads[i].Cand); base+cand != "" {
			rows = append(rows, metricRow{metric: "    of peak FLOPs, memory", Row: words.Row{Base: base, Cand: cand}})
		}
	}
	called := textHeads(r)
	all := [][]string{{"  usual step time", called[0], called[1], "change", "compared"}}
	for _, o := range rows {
		all = append(all, []string{o.metric, o.Base, o.Cand, o.Change, o.Interval})
	}
	for _, try := range []struct {
		rows  [][]string
		align string
	}{{all, "lrrrl"}, {onlyColumns(all, 0, 1, 2, 3), "lrrl"}} {
		if widthOf(try.rows, 0, 2) <= t.width {
			t.lay(try.rows, try.align, 0, 2, nil)
			return
		}
	}
	for i := range rows {
		o := &rows[i]
		t.line("", 4, o.metric+": "+o.Base+" and "+o.Cand+", "+o.Change)
	}
}

// sharesOfPeak returns how much of the device's peak, and of its memory's, steps use; "" where neither is
// known.
func sharesOfPeak(s *sides.LoadSide) string {
	if math.IsNaN(s.OfPeak) && math.IsNaN(s.OfMemory) {
		return ""
	}
	return valueText(number.Percents, s.OfPeak) + ", " + valueText(number.Percents, s.OfMemory)
}

// loads writes the table of loads in Markdown.
func (c *comment) loads(r *diff.Report) {
	called := commentHeads(r)
	s := &sheet{heading: "Engine steps by load", align: "lrrrrrr",
		heads: []string{"load", "compared", called[0], called[1], "change", "a token, " + called[0], "a token, " + called[1]}}
	for i := range r.Loads {
		name, steps, times, tokens, change := loadGroupCells(&r.Loads[i])
		s.add(cells(name, steps[0]+", "+steps[1], times[0], times[1], change, tokens[0], tokens[1])...)
	}
	c.foldedTable(s, words.LoadNote)
}
