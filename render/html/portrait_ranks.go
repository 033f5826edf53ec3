package html

import (
	"fmt"
	"math"

	"perfdiff/analyze/run"
	"perfdiff/diff/cause"
	"perfdiff/diff/sides"
	"perfdiff/render/number"
)

// maxPortraitBars is how many ranks are drawn; the table has more. Chosen, not measured: more
// would be a page long.
const maxPortraitBars = 32

// ranks shows what each rank does in a step, and who waits for whom.
func (s *portraitSheet) ranks() portraitSection {
	waits := map[int]*cause.RankWait{}
	for i := range s.r.RankWaits[1] {
		waits[s.r.RankWaits[1][i].Rank] = &s.r.RankWaits[1][i]
	}
	u := s.ms.Name
	t := &table{Label: "ranks", Heads: []head{{Text: "Rank", Left: true}, {Text: "Host", Left: true}, {Text: "GPU", Left: true}, {Text: "Median step", Unit: u}, {Text: "Compute", Unit: u},
		{Text: "Exposed comm", Unit: u}, {Text: "Idle", Unit: u}, {Text: "Waited for", Unit: u + ", all others"}, {Text: "Comes last", Unit: "% of collectives"}}}
	for i := range s.r.Ranks {
		r := &s.r.Ranks[i]
		k, f := &r.Cand, s.ms.Factor
		caused, last := math.NaN(), math.NaN()
		if w := waits[r.Rank]; w != nil {
			caused, last = w.CausedWait*f, w.LastShare*100
		}
		t.Rows = append(t.Rows, row{Cells: []cell{headCell(fmt.Sprint("rank ", r.Rank)), leftCell(orDash(k.Host)), leftCell(orDash(k.GPU)), numberCell(k.Box[2] * f), numberCell(k.Breakdown.Compute * f),
			numberCell(k.Breakdown.ExposedComm * f), numberCell(k.Breakdown.Idle * f), numberCell(caused), numberCell(last)}})
	}
	sec := of("ranks", "Ranks", "What does each rank do?", s.rankReading(), block{Table: cutTable(t)})
	bars := s.rankBars()
	sec.Drawn, sec.Key = []headed{{SVG: bars}}, s.partLegend()
	if n := len(s.r.Ranks) - maxPortraitBars; n > 0 && bars != "" {
		sec.Blocks[0].Note = fmt.Sprintf("The first %d ranks are drawn.", maxPortraitBars)
	}
	return sec
}

func (s *portraitSheet) rankReading() string {
	text := number.Counted(len(s.p.Side.Ranks), "rank") + ": " + sides.Ranges(s.p.Side.Ranks) + "."
	if n := len(s.p.Side.Missing); n > 0 {
		text += " Not captured: " + sides.Ranges(s.p.Side.Missing) + "."
	}
	if c := s.mainMetric(run.Imbalance); c != nil && !math.IsNaN(c.Cand) {
		text += " The imbalance is " + number.Share(c.Cand) + "."
	}
	return text + ofFirstRuns(s.r)
}
