package render

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"perfdiff/diff"
	"perfdiff/diff/cause"
	"perfdiff/render/number"
	"perfdiff/render/words"
)

// How many groups, and how many pairs, a terminal and a comment show: the ones with the most time.
const (
	maxTextGroups    = 4
	maxCommentGroups = 16
)

// loadHeads are the heads of the columns of loadTexts.
var loadHeads = []string{"time", "waiting", "transfer", "exposed", "bus", "algorithm"}

// loadTexts writes what ranks do together in a step: time, waiting, transfer, exposed time, bus and algorithm
// bandwidth, each for both sides.
func loadTexts(base, cand *cause.GroupLoad) (out []string) {
	for i, of := range []func(l *cause.GroupLoad) float64{
		func(l *cause.GroupLoad) float64 { return l.Time }, func(l *cause.GroupLoad) float64 { return l.Wait },
		func(l *cause.GroupLoad) float64 { return l.Transfer }, func(l *cause.GroupLoad) float64 { return l.Exposed },
		func(l *cause.GroupLoad) float64 { return l.Bandwidth }, func(l *cause.GroupLoad) float64 { return l.Algorithm },
	} {
		unit, values := "s", [2]float64{}
		if i >= 4 {
			unit = "B/s"
		}
		for side, l := range []*cause.GroupLoad{base, cand} {
			values[side] = loadOf(l, of)
		}
		s := number.ScaleOf(unit, largerMagnitude(values[0], values[1]))
		out = append(out, fromTo(valueText(s, values[0]), valueText(s, values[1])))
	}
	return out
}

// fromTo returns two values in one unit, which is said once.
func fromTo(base, cand string) string {
	if i := strings.LastIndex(base, number.Space); i >= 0 && strings.HasSuffix(cand, base[i:]) {
		base = base[:i]
	}
	return base + " → " + cand
}

// sharedLoad holds what some ranks do together.
type sharedLoad struct {
	name, serves string
	base, cand   *cause.GroupLoad
}

// sharedLoads returns the groups of a report, where they are told apart, and its pairs, each with the
// most time first.
func sharedLoads(r *diff.Report) (groups, pairs []sharedLoad) {
	for i := range r.Groups {
		if g := &r.Groups[i]; words.TellsGroups(r) {
			groups = append(groups, sharedLoad{g.Label, words.Serves(g.Dimension, g.Purpose), &g.Base, &g.Cand})
		}
	}
	for i := range r.Pairs {
		p := &r.Pairs[i]
		pairs = append(pairs, sharedLoad{fmt.Sprintf("%d and %d", p.Ranks[0], p.Ranks[1]), words.Serves(p.Dimension, ""), &p.Base, &p.Cand})
	}
	for _, list := range [][]sharedLoad{groups, pairs} {
		most := func(x *sharedLoad) float64 { return max(x.base.Time, x.cand.Time) }
		slices.SortStableFunc(list, func(a, b sharedLoad) int {
			switch x, y := most(&a), most(&b); {
			case x > y:
				return -1
			case x < y:
				return 1
			}
			return 0
		})
	}
	return groups, pairs
}

// What stands above them.
const (
	groupsHeading = "Who communicates with whom"
	pairsHeading  = "Which ranks send to each other"
)

// row returns the load in a terminal's table.
func (x *sharedLoad) row() loadRow {
	of := func(value func(l *cause.GroupLoad) float64) pair {
		return pair{loadOf(x.base, value), loadOf(x.cand, value)}
	}
	return loadRow{
		name:      x.name + " (" + strings.TrimSuffix(x.serves, " parallel") + ")",
		wait:      of(func(l *cause.GroupLoad) float64 { return l.Wait }),
		transfer:  of(func(l *cause.GroupLoad) float64 { return l.Transfer }),
		exposed:   of(func(l *cause.GroupLoad) float64 { return l.Exposed }),
		bandwidth: of(func(l *cause.GroupLoad) float64 { return l.Bandwidth }),
	}
}

// loadOf returns a value of a load; NaN where the side has no such group.
func loadOf(l *cause.GroupLoad, value func(l *cause.GroupLoad) float64) float64 {
	if l.Calls == 0 {
		return math.NaN()
	}
	return value(l)
}

// groups writes groups and pairs in a terminal, a line for each.
func (t *text) groups(r *diff.Report) {
	write := func(heading string, list []sharedLoad) {
		if len(list) == 0 {
			return
		}
		t.heading(heading)
		var rows []loadRow
		for i := range list[:min(len(list), maxTextGroups)] {
			rows = append(rows, list[i].row())
		}
		t.loadGrid("ranks", rows)
		if more := notShownText(len(list), maxTextGroups, "rows"); more != "" {
			t.line("  ", 4, more)
		}
	}
	groups, pairs := sharedLoads(r)
	write(groupsHeading, groups)
	write(pairsHeading, pairs)
}

// loadSheets returns groups and pairs as tables.
func loadSheets(r *diff.Report) [2]*sheet {
	groups, pairs := sharedLoads(r)
	out := [2]*sheet{{heading: groupsHeading}, {heading: pairsHeading}}
	for i, list := range [][]sharedLoad{groups, pairs} {
		out[i].align, out[i].heads = "ll"+strings.Repeat("r", len(loadHeads)), append([]string{"ranks", "serves"}, loadHeads...)
		for k := range list {
			x := &list[k]
			out[i].add(cells(append([]string{x.name, x.serves}, loadTexts(x.base, x.cand)...)...)...)
		}
	}
	return out
}

// groups writes groups and pairs as tables in Markdown.
func (c *comment) groups(r *diff.Report) {
	for _, s := range loadSheets(r) {
		c.foldedTable(s.first(maxCommentGroups), notShownText(len(s.rows), maxCommentGroups, "rows"))
	}
}
