package html

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"perfdiff/analyze/source/remedy"
	"perfdiff/diff"
	"perfdiff/diff/sides"
	"perfdiff/render/number"
	"perfdiff/render/plot"
)

// breakdownBars is one bar of the breakdown for each side.
type breakdownBars struct {
	name       string
	bar        int       // whose it is, see barsOf
	base, cand []float64 // s, by part; nil: the side has no such bar
}

// barLength returns the sum of a bar's parts, in s.
func barLength(parts []float64) float64 {
	total := 0.0
	for _, v := range parts {
		total += v
	}
	return total
}

func (s *sheet) breakdown() section {
	sec := section{ID: "breakdown", Nav: "Parts of each rank", Title: "What does each rank spend its step on?"}
	list, note := s.rankBars(), ""
	top := 0.0
	for _, b := range list {
		top = max(top, largestMagnitude(existing([]float64{barLength(b.base), barLength(b.cand)})...))
	}
	if top == 0 {
		sec.Reading = "Not known: the parts of a step were not measured."
		sec.Blocks = []block{{Empty: lacks(remedy.Kernels)}}
		return sec
	}
	sec.Reading = s.breakdownReading(list)
	values := s.breakdownTable()
	if s.tooManyRanks() {
		list, note = s.apartAndNodeBars(list)
		values = s.breakdownSpread()
	}
	s.data.Charts["breakdown-b"] = s.breakdownChart("breakdown-b", list, top, func(b *breakdownBars) []float64 { return b.base })
	s.data.Charts["breakdown-c"] = s.breakdownChart("breakdown-c", list, top, func(b *breakdownBars) []float64 { return b.cand })
	sec.Blocks = []block{{
		Legend: s.partLegend(),
		Charts: []chart{
			{ID: "breakdown-b", Label: "Parts of the step for each rank, baseline", Heading: "Baseline", Side: "b"},
			{ID: "breakdown-c", Label: "Parts of the step for each rank, candidate", Heading: "Candidate", Side: "c"},
		},
		Note: note, Values: values.cutRows(),
	}}
	return sec
}

func (s *sheet) breakdownReading(list []breakdownBars) string {
	span := func(of func(*breakdownBars) []float64) (lo, hi *breakdownBars) {
		for i := range list {
			b := &list[i]
			if total := barLength(of(b)); math.IsNaN(total) || total == 0 {
				continue
			}
			if lo == nil || of(b)[0] < of(lo)[0] {
				lo = b
			}
			if hi == nil || of(b)[0] > of(hi)[0] {
				hi = b
			}
		}
		return lo, hi
	}
	say := func(side string, of func(*breakdownBars) []float64) string {
		lo, hi := span(of)
		if lo == nil {
			return side + " has no breakdown"
		}
		if lo == hi {
			return fmt.Sprintf("%s computes for %s of %s", side, s.ms.Format(of(lo)[0]), s.ms.With(barLength(of(lo))))
		}
		if s.ms.Format(of(lo)[0]) == s.ms.Format(of(hi)[0]) {
			return fmt.Sprintf("all %s ranks compute for %s", side, s.ms.With(of(hi)[0]))
		}
		return fmt.Sprintf("%s ranks compute for %s (rank %s) to %s (rank %s)", side, s.ms.Format(of(lo)[0]), lo.name, s.ms.With(of(hi)[0]), hi.name)
	}
	return number.Capital(say("baseline", func(b *breakdownBars) []float64 { return b.base })) + "; " + say("candidate", func(b *breakdownBars) []float64 { return b.cand }) + " per step."
}

func (s *sheet) rankBars() []breakdownBars {
	var out []breakdownBars
	for i := range s.r.Ranks {
		r := &s.r.Ranks[i]
		out = append(out, breakdownBars{s.data.Ranks[i], i, r.Base.Parts, r.Cand.Parts})
	}
	return out
}

// apartAndNodeBars returns the bars of the ranks furthest from the median rank, which a mean would
// hide, and then one for each node.
func (s *sheet) apartAndNodeBars(all []breakdownBars) (out []breakdownBars, note string) {
	ranks := s.apartRanks()
	for i := range ranks[:ranksBesideNodes] {
		b := all[ranks[i].place]
		b.name = "rank " + b.name
		out = append(out, b)
	}
	note = fmt.Sprintf("The %s ranks furthest from the median rank, then each node: the mean of its ranks.", number.Word(ranksBesideNodes))
	if text := s.apartText(&ranks[0]); text != "" {
		note += " Furthest is " + out[0].name + ": " + text + "."
	}
	return append(out, s.nodeBars()...), note
}

// breakdownSpread returns how each part of the step is spread over ranks.
func (s *sheet) breakdownSpread() *table {
	var list []overRanks
	for k, part := range s.stepParts() {
		for _, side := range rankSides {
			list = append(list, overRanks{part.name, side.name, s.ms.Name, scaled(s.partOverRanks(side.of, k), s.ms)})
		}
	}
	return s.spreadTable("Parts of the step over all ranks", list)
}

func (s *sheet) nodeBars() []breakdownBars {
	var out []breakdownBars
	for k, n := range s.ranksByHost() {
		b := breakdownBars{name: n.name, bar: -1 - k}
		b.base = meanParts(n.rows, func(r *diff.RankRow) *diff.RankSide { return &r.Base })
		b.cand = meanParts(n.rows, func(r *diff.RankRow) *diff.RankSide { return &r.Cand })
		out = append(out, b)
	}
	return out
}

func meanParts(rows []diff.RankRow, side func(*diff.RankRow) *diff.RankSide) (out []float64) {
	n := 0.0
	for i := range rows {
		parts := side(&rows[i]).Parts
		if parts == nil || math.IsNaN(barLength(parts)) {
			continue
		}
		n++
		out = append(out, make([]float64, len(parts)-len(out))...)
		for k, v := range parts {
			out[k] += v
		}
	}
	for k := range out {
		out[k] /= n
	}
	return out
}

// breakdownChart draws one side. Both sides have the same axis.
func (s *sheet) breakdownChart(id string, list []breakdownBars, top float64, side func(*breakdownBars) []float64) chartData {
	names, bars, whose := make([]string, len(list)), make([][]float64, len(list)), make([]int, len(list))
	for i := range list {
		names[i], bars[i], whose[i] = list[i].name, side(&list[i]), list[i].bar
	}
	d := chartData{Option: s.stackedBars(id, names, s.stepParts(), bars, top), Height: 74 + min(24*len(list), 326),
		Title: "Rank", Unit: s.ms.Name, Mark: "nodes", Pick: "rank"}
	if s.tooManyRanks() {
		s.showHosts(&d, whose)
	}
	return d
}

// stackedBars returns horizontal bars of parts, in s, on an axis up to top. A bar without parts is empty.
func (s *sheet) stackedBars(id string, names []string, parts []stepPart, bars [][]float64, top float64) map[string]any {
	data := make([][]any, len(parts))
	for _, of := range bars {
		for k := range parts {
			v := 0.0
			if k < len(of) {
				v = of[k]
			}
			data[k] = append(data[k], chartValue(v*s.ms.Factor))
		}
	}
	x := scaleAxis("value", s.ms.Name, "@tick", 0, plot.Ceiling(top*s.ms.Factor), hiddenLine(), splitLines())
	bar := newBar(place{id, "14", "42"}, x, namesDown(names, ""), names)
	for k, p := range parts {
		bar.series(p.name, data[k], filled("$k_"+p.key, "$paper", 0.6).stacked("step", "22%"))
	}
	return bar.option()
}

func (s *sheet) breakdownTable() *table {
	t := &table{Label: "Parts of the step for each rank", Heads: heads("Rank", "Side")}
	t.Heads[1].Left = true
	for _, p := range s.stepParts() {
		t.Heads = append(t.Heads, head{Text: p.name, Unit: s.ms.Name})
	}
	t.Heads = append(t.Heads, head{Text: "Step", Unit: s.ms.Name})
	for i, r := range s.r.Ranks {
		for _, side := range []struct {
			name string
			of   *diff.RankSide
		}{{"Baseline", &r.Base}, {"Candidate", &r.Cand}} {
			cells := []cell{headCell(s.data.Ranks[i]), leftCell(side.name)}
			values := append(slices.Clone(side.of.Parts), barLength(side.of.Parts))
			for k := range len(s.stepParts()) + 1 {
				v := math.NaN()
				if k < len(values) && side.of.Present && side.of.Parts != nil {
					v = values[k]
				}
				cells = append(cells, numberCell(v*s.ms.Factor))
			}
			t.Rows = append(t.Rows, row{Cells: cells, Rank: strconv.Itoa(i)})
		}
	}
	return t
}

// rankSection returns the table of ranks: where each one ran, and where its number is from.
func (s *sheet) rankSection() section {
	sec := section{ID: "ranks", Nav: "Rank table", Title: "Which ranks were captured?", Reading: s.ranksReading()}
	u := s.ms.Name
	t := &table{Label: "Ranks", Heads: []head{{Text: "Rank", Left: true}, {Text: "Host", Left: true}, {Text: "GPU", Left: true}, {Text: "Number from", Left: true},
		{Text: "Base", Unit: "median, " + u}, {Text: "Cand.", Unit: "median, " + u}, {Text: "Change", Unit: u}, {Text: "Compute", Unit: "base \u2192 cand., " + u}, {Text: "Exposed comm", Unit: "base \u2192 cand., " + u}, {Text: "Idle", Unit: "base \u2192 cand., " + u}}}
	for i := range s.r.Ranks {
		t.Rows = append(t.Rows, s.rankRow(i))
	}
	if s.tooManyRanks() {
		sec.Blocks = []block{s.manyRankBlock(t)}
	} else {
		sec.Blocks = []block{{Table: t.cutRows()}}
	}
	return sec
}

// maxRanksListed is how many ranks a reader can find in the rank table. Chosen for the size of the page: a
// row takes about half a kilobyte.
const maxRanksListed = 2048

// narrowFirst moves the GPU and the source of the number, which are wide and mostly the same, after the numbers.
func narrowFirst[T any](row []T) []T { return slices.Concat(row[:3], row[5:], row[3:5]) }

// manyRankBlock makes the table of ranks, those first that differ most from the others: the first rows are open, and
// all can be searched.
func (s *sheet) manyRankBlock(t *table) block {
	t.Heads = narrowFirst(slices.Insert(t.Heads, 1, head{Text: "Furthest from the median rank", Unit: "per step", Left: true}))
	rows := make([]row, 0, len(t.Rows))
	ranks := s.apartRanks()
	for i := range ranks {
		r := t.Rows[ranks[i].place]
		r.Cells = narrowFirst(slices.Insert(r.Cells, 1, cell{Text: orDash(s.apartText(&ranks[i])), Left: true, Value: sortKey(math.Abs(ranks[i].by))}))
		rows = append(rows, r)
	}
	t.Rows = rows
	b := block{Note: "In the order of how far a rank is from the median rank, in the part of the step in which it is furthest. No verdict stands behind it."}
	b.Table = t.cutRowsTo(maxRanksListed)
	return b
}

func (s *sheet) ranksReading() string {
	both, base, cand := 0, []string{}, []string{}
	for i, r := range s.r.Ranks {
		switch {
		case r.Base.Present && r.Cand.Present:
			both++
		case r.Base.Present:
			base = append(base, s.data.Ranks[i])
		default:
			cand = append(cand, s.data.Ranks[i])
		}
	}
	text := number.Counted(both, "rank") + " on both sides."
	for _, only := range []struct {
		side  string
		ranks []string
	}{{"baseline", base}, {"candidate", cand}} {
		if n := len(only.ranks); n > 0 {
			text += fmt.Sprintf(" Only in the %s: %s.", only.side, joinSome(only.ranks, 12))
		}
	}
	for _, side := range []struct {
		name string
		of   *diff.Side
	}{{"baseline", &s.r.Base}, {"candidate", &s.r.Cand}} {
		if n := len(side.of.Missing); n > 0 {
			text += fmt.Sprintf(" Missing in the %s: rank %s.", side.name, sides.Ranges(side.of.Missing))
		}
	}
	return text
}

func (s *sheet) rankRow(i int) row {
	r := &s.r.Ranks[i]
	f := s.ms.Factor
	host, from := pairText(r, func(k *diff.RankSide) string { return k.Host }), pairText(r, func(k *diff.RankSide) string { return k.From })
	gpu := pairText(r, func(k *diff.RankSide) string {
		name := strings.TrimPrefix(k.GPU, "NVIDIA ") // leaves room for the numbers
		if k.Device < 0 {
			return name
		}
		return fmt.Sprintf("%s #%d", name, k.Device)
	})
	both := func(of func(*diff.Breakdown) float64) cell {
		b, c := math.NaN(), math.NaN()
		if r.Base.Present {
			b = of(&r.Base.Breakdown)
		}
		if r.Cand.Present {
			c = of(&r.Cand.Breakdown)
		}
		return textCell(number.Format(b*f)+" \u2192 "+number.Format(c*f), "")
	}
	cells := append([]cell{headCell(s.data.Ranks[i]), leftCell(host), leftCell(gpu), leftCell(from)}, changeCells(float64(r.Base.Box[2]*f), float64(r.Cand.Box[2]*f))...)
	return row{Rank: strconv.Itoa(i), Cells: append(cells,
		both(func(b *diff.Breakdown) float64 { return b.Compute }), both(func(b *diff.Breakdown) float64 { return b.ExposedComm }), both(func(b *diff.Breakdown) float64 { return b.Idle }))}
}

// pairText writes what both sides say of a rank: once where they agree.
func pairText(r *diff.RankRow, of func(*diff.RankSide) string) string {
	switch {
	case !r.Base.Present:
		return orDash(of(&r.Cand)) + " (candidate only)"
	case !r.Cand.Present:
		return orDash(of(&r.Base)) + " (baseline only)"
	case of(&r.Base) == of(&r.Cand):
		return orDash(of(&r.Base))
	}
	return orDash(of(&r.Base)) + " \u2192 " + orDash(of(&r.Cand))
}

func joinSome(v []string, n int) string {
	text := ""
	for i, s := range v {
		if i == n {
			return text + fmt.Sprintf(" and %d more", len(v)-n)
		}
		if i > 0 {
			text += ", "
		}
		text += s
	}
	return text
}
