package html

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"perfdiff/analyze/run"
	"perfdiff/diff/cause"
	"perfdiff/render/number"
	"perfdiff/render/words"
)

// groupBlocks show which ranks communicate with each other, and for which dimension of
// parallelism.
func (s *sheet) groupBlocks() []block {
	if !words.TellsGroups(s.r) {
		return nil
	}
	first := block{Heading: "Who communicates with whom",
		Note: "A group is ranks that share a communicator or process group; those of the same ranks are one on both sides. " +
			"Its dimension of parallelism is what the program says, else what ranks, collectives, sizes and order leave no doubt of. " +
			"Means over the ranks of a group and kept steps. " + loadNote}
	first.Table = s.groupTable().cutRows()
	out := []block{first}
	if times, rest := s.dimensionTables(); times != nil || rest != nil {
		out = append(out, block{Heading: "Communication by dimension of parallelism", Table: times, Values: rest,
			Note: "Medians over steps and ranks. Where two are exposed at once, the first counts."})
	}
	return append(out, block{Values: s.groupUseTable().cutRows()})
}

// loadNote says what the columns of loadHeads are.
const loadNote = "Exposed: without compute beside it. Bus and algorithm: bandwidth of the transfer, as nccl-tests counts it."

// pairBlocks show which ranks send to each other.
func (s *sheet) pairBlocks() []block {
	if len(s.r.Pairs) == 0 {
		return nil
	}
	t := &table{Label: "Pairs of ranks", Heads: slices.Concat(heads("Ranks"), []head{{Text: "Serves", Left: true}}, s.loadHeads())}
	for i := range s.r.Pairs {
		p := &s.r.Pairs[i]
		cells := []cell{headCell(fmt.Sprintf("%d and %d", p.Ranks[0], p.Ranks[1])), leftCell(words.Serves(p.Dimension, ""))}
		t.Rows = append(t.Rows, row{Cells: append(cells, s.loadCells(&p.Base, &p.Cand)...)})
	}
	out := block{Heading: "Which ranks send to each other", Table: t.cutRows(),
		Note: "Sends and receives whose peer is known. The kernels of both belong together by the peer that each names, or by their times where no other can be meant. " +
			"Means over the two ranks and the kept steps with such a call. " + loadNote}
	return []block{out}
}

// groupTable returns one row for each group.
func (s *sheet) groupTable() *table {
	t := &table{Label: "Groups of ranks", Heads: heads("Ranks")}
	t.Heads = append(t.Heads, head{Text: "Serves", Left: true})
	t.Heads = append(t.Heads, s.loadHeads()...)
	for _, g := range s.groupsByTime() {
		cells := []cell{headCell(g.Label), leftCell(words.Serves(g.Dimension, shorten(g.Purpose)))}
		t.Rows = append(t.Rows, row{Cells: append(cells, s.loadCells(&g.Base, &g.Cand)...)})
	}
	return t
}

// groupsByTime returns the groups, those first that take most time on either side.
func (s *sheet) groupsByTime() (out []*cause.GroupChange) {
	for i := range s.r.Groups {
		out = append(out, &s.r.Groups[i])
	}
	longest := func(g *cause.GroupChange) float64 { return largestMagnitude(g.Base.Time, g.Cand.Time) }
	slices.SortStableFunc(out, func(a, b *cause.GroupChange) int { return cmp.Compare(longest(b), longest(a)) })
	return out
}

// loadHeads returns the heads of columns about what ranks do together on both sides.
func (s *sheet) loadHeads() (out []head) {
	for _, what := range []string{"Time", "Waiting", "Transfer", "Exposed"} {
		out = append(out, head{Text: what, Unit: "base, " + s.ms.Name}, head{Text: "\u00a0", Unit: "cand."})
	}
	for _, what := range []string{"Bus", "Algorithm"} {
		out = append(out, head{Text: what, Unit: "base, GB/s"}, head{Text: "\u00a0", Unit: "cand."})
	}
	return out
}

// loadCells returns the cells below loadHeads.
func (s *sheet) loadCells(base, cand *cause.GroupLoad) (out []cell) {
	for _, of := range []func(*cause.GroupLoad) float64{
		func(l *cause.GroupLoad) float64 { return l.Time * s.ms.Factor },
		func(l *cause.GroupLoad) float64 { return l.Wait * s.ms.Factor },
		func(l *cause.GroupLoad) float64 { return l.Transfer * s.ms.Factor },
		func(l *cause.GroupLoad) float64 { return l.Exposed * s.ms.Factor },
		func(l *cause.GroupLoad) float64 { return l.Bandwidth / 1e9 },
		func(l *cause.GroupLoad) float64 { return l.Algorithm / 1e9 },
	} {
		var v [2]float64
		for i, l := range []*cause.GroupLoad{base, cand} {
			if v[i] = of(l); l.Calls == 0 {
				v[i] = math.NaN()
			}
		}
		f := number.RowIn(number.Scale{Factor: 1}, v[1]-v[0])
		out = append(out, digitsCell(f, v[0]), digitsCell(f, v[1]))
	}
	return out
}

// groupUseTable lists what the groups call: collectives, with types and sizes of messages.
func (s *sheet) groupUseTable() *table {
	t := &table{Label: "Calls of groups", Heads: heads("Ranks")}
	for _, text := range []string{"Collective", "Type", "Message"} {
		t.Heads = append(t.Heads, head{Text: text, Left: true})
	}
	t.Heads = append(t.Heads, head{Text: "Calls per step", Unit: "baseline"}, head{Text: "\u00a0", Unit: "candidate"})
	for i := range s.r.Groups {
		g := &s.r.Groups[i]
		for _, u := range g.Uses {
			t.Rows = append(t.Rows, row{Cells: []cell{headCell(g.Label), leftCell(shorten(u.Collective)), leftCell(orDash(shorten(u.Type))), leftCell(orDash(u.Size)), numberCell(u.Base), numberCell(u.Cand)}, Collective: s.shownCollective(u.Collective)})
		}
	}
	return t
}

// dimensionTables returns communication by dimension: what decides how long a step takes, and the rest. Each is nil
// where dimensions are not told apart.
func (s *sheet) dimensionTables() (times, rest *table) {
	return s.byDimension("Time per step", "Communication by dimension of parallelism", run.DimensionTime, run.ExposedWaitTime, run.ExposedTransferTime),
		s.byDimension("Time and bandwidth", "Waiting, transfer and bandwidth by dimension of parallelism",
			run.DimensionWaitTime, run.DimensionTransferTime, run.DimensionBandwidth, run.DimensionAlgorithm)
}

// byDimension returns one row for each dimension of each metric; nil where none has a value.
func (s *sheet) byDimension(first, label string, metrics ...string) *table {
	t := &table{Label: label, Heads: heads(first, "Baseline", "Candidate", "Change")}
	for _, metric := range metrics {
		for _, c := range s.partsOfMetric(metric) {
			t.Rows = append(t.Rows, row{Cells: append([]cell{headCell(number.Capital(words.OfDimension(c.Key)))}, s.threeCells(c)...)})
		}
	}
	if len(t.Rows) == 0 {
		return nil
	}
	return t.cutRows()
}
