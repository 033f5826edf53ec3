package html

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/diff/verdict"
	"perfdiff/render/number"
	"perfdiff/render/plot"
	"perfdiff/render/words"
)

// comparisonOf returns the comparison of a metric's part, or of a metric that is not a main one.
func (s *sheet) comparisonOf(metric, part string) *verdict.Comparison {
	for i := range s.r.Parts {
		if c := &s.r.Parts[i]; c.Key.Metric == metric && c.Key.Part == part {
			return c
		}
	}
	return nil
}

// partsOfMetric returns the comparisons of a metric's parts, the largest value first.
func (s *sheet) partsOfMetric(metric string) []*verdict.Comparison {
	var out []*verdict.Comparison
	for i := range s.r.Parts {
		if c := &s.r.Parts[i]; c.Key.Metric == metric && c.Key.Part != "" {
			out = append(out, c)
		}
	}
	slices.SortStableFunc(out, func(a, b *verdict.Comparison) int {
		return cmp.Compare(largestMagnitude(existing([]float64{b.Base, b.Cand})...), largestMagnitude(existing([]float64{a.Base, a.Cand})...))
	})
	return out
}

const (
	maxCollectiveBars    = 16 // bars in the chart
	maxCollectivesByRank = 3  // collectives in the table by rank
)

func (s *sheet) collectiveSection() section {
	sec := section{ID: "collectives", Nav: "Collectives", Title: "Which collectives take the time?"}
	times := s.timesOfCollectives()
	if len(times) == 0 {
		sec.Reading = "No collective was recorded."
		sec.Blocks = []block{{Empty: &empty{What: "No communication kernels in these captures.", How: s.recordCommunication()}}}
		return sec
	}
	sec.Reading = s.collectiveReading(times[0])
	s.data.Charts["collectives"] = s.collectiveChart(times[:min(len(times), maxCollectiveBars)])
	sec.Blocks = []block{
		{
			Legend: []legend{{"b", "Baseline"}, {"c", "Candidate"}}, Table: s.collectiveTable(times).cutRows(),
			Charts: []chart{{ID: "collectives", Label: "Time of each collective per step on both sides"}},
			Note:   "Means over ranks and steps. Time: sum of a collective's kernels per step. Gap before: idle time that ends with the start of the collective.",
		},
	}
	sec.Blocks = append(sec.Blocks, s.waitBlocks()...)
	sec.Blocks = append(append(sec.Blocks, s.groupBlocks()...), s.pairBlocks()...)
	sec.Blocks = append(sec.Blocks, s.pipelineBlocks()...)
	sec.Blocks = append(sec.Blocks, s.lateRanks()...)
	sec.Blocks = append(sec.Blocks, s.bandwidthBlocks()...)
	sec.Blocks = append(sec.Blocks, s.clockBlocks()...)
	sec.Blocks = append(sec.Blocks, block{Values: s.collectiveRanks(times[:min(len(times), maxCollectivesByRank)]).cutRows()})
	return sec
}

// waitBlocks show wait and transfer of each collective, if the kernels of all ranks were
// matched.
func (s *sheet) waitBlocks() []block {
	waits := s.partsOfMetric(run.CommWaitTime)
	if len(waits) == 0 {
		return s.noSplitNote()
	}
	t := &table{Label: "Waiting and transfer", Heads: []head{{Text: "Collective", Left: true}}}
	for _, h := range []string{"Waiting per step", "Transfer per step"} {
		t.Heads = append(t.Heads, head{Text: h, Unit: "baseline"}, head{Text: "\u00a0", Unit: "candidate"}, head{Text: "\u00a0", Unit: "change"})
	}
	for _, c := range waits {
		cells := []cell{{Text: shorten(c.Part), Title: c.Part, Head: true}}
		for _, metric := range []string{run.CommWaitTime, run.CommTransferTime} {
			cells = append(cells, s.threeCells(s.comparisonOf(metric, c.Part))...)
		}
		t.Rows = append(t.Rows, row{Cells: cells, Collective: c.Part})
	}
	out := []block{{Heading: "Waiting and transfer", Table: t.cutRows(), Note: waitNote + s.whyInseparable()}}
	rates := s.partsOfMetric(run.TransferBandwidth)
	if len(rates) == 0 {
		return out
	}
	by := &table{Label: "Bus bandwidth of the transfer", Heads: heads("Collective and size", "Baseline", "Candidate", "Change")}
	for _, c := range rates {
		by.Rows = append(by.Rows, row{Cells: append([]cell{headCell(c.Part)}, s.threeCells(c)...)})
	}
	return append(out, block{Heading: "Bandwidth of the transfer alone", Table: by.cutRows(), Note: "Bus bandwidth by size of the message: what the links did once all ranks had arrived, as nccl-tests counts it."})
}

// bandwidthBlocks show the sizes of messages and the bandwidth, if sizes were recorded.
func (s *sheet) bandwidthBlocks() []block {
	sizes := s.partsOfMetric(run.CollectiveBytes)
	if len(sizes) == 0 {
		return nil
	}
	t := &table{Label: "Messages and bandwidth", Heads: []head{{Text: "Collective", Left: true}, {Text: "Messages", Unit: "per step"}}}
	for _, h := range []string{"Algorithm bandwidth", "Bus bandwidth"} {
		t.Heads = append(t.Heads, head{Text: h, Unit: "baseline"}, head{Text: "\u00a0", Unit: "candidate"}, head{Text: "\u00a0", Unit: "change"})
	}
	for _, c := range sizes {
		cells := []cell{{Text: shorten(c.Part), Title: c.Part, Head: true}, textCell(s.bytesOf(c.Part), "")}
		for _, metric := range []string{run.AlgorithmBandwidth, run.BusBandwidth} {
			cells = append(cells, s.threeCells(s.comparisonOf(metric, c.Part))...)
		}
		t.Rows = append(t.Rows, row{Cells: cells, Collective: c.Part})
	}
	return []block{{Heading: "Messages and bandwidth", Table: t.cutRows(), Note: "Sizes and bandwidths as nccl-tests counts them, over the whole time of the kernels: the wait for the last rank is in it, so that the links did at least as much."}}
}

func (s *sheet) collectiveReading(c *verdict.Comparison) string {
	o := words.RowOf(c)
	text := fmt.Sprintf("%s takes most: %s and %s per step.", c.Part, o.Base, o.Cand)
	calls := s.comparisonOf(run.CollectiveCalls, c.Part)
	if calls == nil {
		return text
	}
	if calls.Base == calls.Cand {
		return text + fmt.Sprintf(" Both sides call it %s.", timesText(calls.Base))
	}
	return text + fmt.Sprintf(" It is called %s and %s.", timesText(calls.Base), timesText(calls.Cand))
}

func timesText(n float64) string {
	switch {
	case math.IsNaN(n):
		return "an unknown number of times"
	case n == 1:
		return "once per step"
	case n == 2:
		return "twice per step"
	}
	return number.Times(n) + " times per step"
}

func (s *sheet) collectiveChart(times []*verdict.Comparison) chartData {
	names := make([]string, len(times))
	top := 0.0
	for i, c := range times {
		names[i] = c.Part
		top = max(top, largestMagnitude(existing([]float64{c.Base, c.Cand})...))
	}
	sc := number.ScaleOf("s", top)
	base, cand := make([]any, len(times)), make([]any, len(times))
	for i, c := range times {
		base[i], cand[i] = chartValue(c.Base*sc.Factor), chartValue(c.Cand*sc.Factor)
	}
	x := scaleAxis("value", sc.Name+" per step", "@tick", 0, plot.Ceiling(top*sc.Factor), hiddenLine(), splitLines())
	bar := newBar(place{"collectives", "60", "42"}, x, namesDown(names, "@short"), names)
	bar.series("Baseline", base, filled("$paper", baseColor, 2).wide("12", "20%"))
	bar.series("Candidate", cand, filled(candColor, candColor, 2).wide("12", "20%"))
	return chartData{Option: bar.option(), Height: 76 + 40*len(names), Unit: sc.Name, Pick: "collective", Mark: "ends"}
}

// collectiveTable has calls, durations, time and gap of each collective.
func (s *sheet) collectiveTable(times []*verdict.Comparison) *table {
	t := &table{Label: "Collectives", Heads: []head{{Text: "Collective", Left: true}, {Text: "Calls", Unit: "per step"}}}
	for _, h := range []string{"Duration", "Time per step", "Gap before"} {
		t.Heads = append(t.Heads, head{Text: h, Unit: "baseline"}, head{Text: "\u00a0", Unit: "candidate"}, head{Text: "\u00a0", Unit: "change"})
	}
	for _, c := range times {
		cells := []cell{{Text: shorten(c.Part), Title: c.Part, Head: true}, textCell(s.callsOf(c.Part), "")}
		for _, metric := range []string{run.CollectiveDuration, run.CommTime, run.GapBefore} {
			cells = append(cells, s.threeCells(s.comparisonOf(metric, c.Part))...)
		}
		t.Rows = append(t.Rows, row{Cells: cells, Collective: c.Part})
	}
	return t
}

// showsCollective reports whether the page has rows for a collective.
func (s *sheet) showsCollective(name string) bool {
	return slices.ContainsFunc(s.timesOfCollectives(), func(c *verdict.Comparison) bool { return c.Part == name })
}

// shownCollective returns a collective that the page has rows for, else "".
func (s *sheet) shownCollective(name string) string {
	if s.showsCollective(name) {
		return name
	}
	return ""
}

// timesOfCollectives returns how long collectives take in a step, else how long one call takes, the longest first.
func (s *sheet) timesOfCollectives() []*verdict.Comparison {
	if times := s.partsOfMetric(run.CommTime); len(times) > 0 {
		return times
	}
	return s.partsOfMetric(run.CollectiveDuration)
}

func (s *sheet) callsOf(part string) string {
	c := s.markShown(s.comparisonOf(run.CollectiveCalls, part))
	switch {
	case c == nil || math.IsNaN(c.Base) && math.IsNaN(c.Cand):
		return number.None
	case c.Base == c.Cand:
		return number.Times(c.Base)
	}
	return numberOrDash(c.Base) + " \u2192 " + numberOrDash(c.Cand)
}

// bytesOf returns the bytes of a collective's messages in a step, on both sides if they differ.
func (s *sheet) bytesOf(part string) string {
	c := s.markShown(s.comparisonOf(run.CollectiveBytes, part))
	if c == nil || math.IsNaN(c.Base) && math.IsNaN(c.Cand) {
		return number.None
	}
	o := words.RowOf(c)
	if o.Base == o.Cand {
		return o.Base
	}
	return o.Base + " \u2192 " + o.Cand
}

func numberOrDash(v float64) string {
	if math.IsNaN(v) {
		return number.None
	}
	return number.Times(v)
}

// threeCells returns baseline, candidate and change of a comparison, with units.
func (s *sheet) threeCells(c *verdict.Comparison) []cell {
	if s.markShown(c) == nil {
		none := textCell(number.None, "")
		return []cell{none, none, none}
	}
	row := words.RowOf(c)
	return valueCells(s, c, &row)
}

// collectiveRanks has the median duration of the longest collectives on each rank.
func (s *sheet) collectiveRanks(times []*verdict.Comparison) *table {
	if s.tooManyRanks() {
		return s.collectiveSpread(times)
	}
	t := &table{Label: "Collectives on each rank", Heads: heads("Rank")}
	for _, c := range times {
		t.Heads = append(t.Heads, head{Text: shorten(c.Part), Unit: "each, base, ms"}, head{Text: "\u00a0", Unit: "cand., ms"})
	}
	for i := range s.r.Ranks {
		r := &s.r.Ranks[i]
		cells := []cell{headCell(s.data.Ranks[i])}
		for _, c := range times {
			for _, side := range []*diff.RankSide{&r.Base, &r.Cand} {
				cells = append(cells, numberCell(medianOfKept(side, "collective_duration/"+c.Part)*1e3))
			}
		}
		t.Rows = append(t.Rows, row{Cells: cells, Rank: strconv.Itoa(i)})
	}
	return t
}

// collectiveSpread returns how the median durations of the longest collectives are spread over ranks.
func (s *sheet) collectiveSpread(times []*verdict.Comparison) *table {
	var list []overRanks
	for _, c := range times {
		for _, side := range rankSides {
			of := overRanks{c.Part, side.name, "each, ms", make([]float64, len(s.r.Ranks))}
			for i := range of.values {
				of.values[i] = float64(medianOfKept(side.of(&s.r.Ranks[i]), run.CollectiveDuration+"/"+c.Part) * 1e3)
			}
			list = append(list, of)
		}
	}
	return s.spreadTable("Collectives over all ranks", list)
}

// medianOfKept returns the median of a rank's values over the steps that are not left out. For an even number of
// values it is the mean of the middle two.
func medianOfKept(side *diff.RankSide, key string) float64 {
	var v []float64
	for i, x := range side.Values[key] {
		if !math.IsNaN(x) && i < len(side.Omissions) && !side.Omissions[i].Omitted() {
			v = append(v, x)
		}
	}
	return interpolatedQuantile(v, 0.5)
}

// shorten cuts the middle out of a long name and keeps 60 % head and 40 % tail.
func shorten(name string) string { return shortenTo(name, longestName) }

func shortenTo(name string, n int) string { return words.Cut(name, n, 0.6) }
