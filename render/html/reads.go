package html

import (
	"fmt"
	"math"

	"perfdiff/analyze/run"
	"perfdiff/diff/cause"
	"perfdiff/diff/verdict"
	"perfdiff/render/number"
	"perfdiff/render/words"
)

// whoReads begins a sentence about throughput, which counters measure for nodes.
func whoReads(c *verdict.Comparison) string {
	if c.OfNodes() {
		return "The nodes sampled read"
	}
	return "A rank reads"
}

// whileReading adds the rate while reading goes on; "" where it is not known on both sides.
func (s *sheet) whileReading() string {
	c, share := s.anyMetric(run.IOReadBurstRate), s.anyMetric(run.IOReadTimeShare)
	if c == nil || share == nil || math.IsNaN(c.Delta) || math.IsNaN(share.Delta) {
		return ""
	}
	rate, of := words.RowOf(c), words.RowOf(share)
	return fmt.Sprintf("; while reading goes on, %s for %s of the time, and %s for %s of it", rate.Base, of.Base, rate.Cand, of.Cand)
}

// bytesNote says what the curves of bytes add up, and from what they were measured.
func (s *sheet) bytesNote(read byteRate) string {
	if s.r.Reads.Source == run.SourceStorage {
		return "Sum over the nodes, each counted once; source: " + words.ReadSource(&s.r.Reads)
	}
	return "Sum over the ranks compared" + sourceText(read.source[0], read.source[1])
}

// requestTable returns the quantiles of sizes and durations of single reads; nil without any.
func (s *sheet) requestTable() *table {
	x := &s.r.Requests
	if x.Sizes[0].Count+x.Sizes[1].Count == 0 {
		return nil
	}
	t := &table{Label: "Single reads", Heads: heads("Of the reads", "Size, baseline", "Size, candidate", "Duration, baseline", "Duration, candidate")}
	for i, share := range cause.SpreadAt {
		name := number.Share(share) + " take up to"
		switch share {
		case 0.5:
			name = "half take up to"
		case 1:
			name = "all take up to"
		}
		cells := []cell{headCell(name)}
		for _, of := range []struct {
			unit string
			both *[2]cause.Spread
		}{{"B", &x.Sizes}, {"s", &x.Times}} {
			base, cand := of.both[0].Quantiles[i], of.both[1].Quantiles[i]
			sc := number.ScaleOf(of.unit, largestMagnitude(existing([]float64{base, cand})...))
			cells = append(cells, textCell(valueText(sc, base), ""), textCell(valueText(sc, cand), ""))
		}
		t.Rows = append(t.Rows, row{Cells: cells})
	}
	return t
}
