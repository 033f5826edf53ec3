package html

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"perfdiff/analyze/run"
	"perfdiff/analyze/source/remedy"
	"perfdiff/diff"
	"perfdiff/render/number"
)

// activityData are the maps of ranks by time: shares of bins in units of half a percent, a byte
// each, with a row for each rank of Rows.
type activityData struct {
	Bin  float64      `json:"bin"` // s
	Base sideActivity `json:"base"`
	Cand sideActivity `json:"cand"`
}

type sideActivity struct {
	Bins  int               `json:"bins"`
	Rows  []int             `json:"rows"`  // indices into the page's ranks
	Maps  map[string]int    `json:"maps"`  // offsets of "busy", "compute", "comm" and "overlap"; absent: all zero
	Means map[string]string `json:"means"` // as texts
	Steps [][2]float64      `json:"steps"` // start (s) and index into the page's steps
}

// maxShares bounds the size of these maps together, in bytes.
const maxShares = 900_000

var shares = []struct {
	key, name string
	of        func(*diff.RankActivity) []uint8
}{
	{"compute", "Compute", func(c *diff.RankActivity) []uint8 { return c.Compute }},
	{"comm", "Communication", func(c *diff.RankActivity) []uint8 { return c.Comm }},
	{"busy", "All GPU work", func(c *diff.RankActivity) []uint8 { return c.Busy }},
	{"overlap", "Overlap", func(c *diff.RankActivity) []uint8 { return c.Overlap }},
}

func (s *sheet) utilizationSection() section {
	sec := section{ID: "utilization", Nav: "Utilization", Title: "When are the GPUs busy, and with what?"}
	co := &s.r.Activity
	if len(co.Base)+len(co.Cand) == 0 {
		sec.Reading = "Not known: no GPU activity was recorded."
		sec.Blocks = []block{{Empty: lacks(remedy.Kernels)}}
		return sec
	}
	each := s.binsPerColumn()
	d := &activityData{Bin: co.Bin * float64(each)}
	d.Base, d.Cand = s.sideActivity(co.Base, each), s.sideActivity(co.Cand, each)
	s.data.Activity = d
	sw := &choices{Name: "share", Label: "Kind of work"}
	for _, sh := range shares {
		sw.Options = append(sw.Options, choice{sh.key, sh.name})
	}
	sec.Reading = utilizationReading(d)
	sec.Blocks = []block{{
		Switch: sw, Ramps: []string{"ramp-u"}, Charts: []chart{{ID: "util", Label: "Maps of rank and time for both sides"}},
		Note:   fmt.Sprintf("Share of each %s bin in which the GPU was busy. One time axis and one colour scale for both sides. Ctrl and the scroll wheel zoom.", number.ScaleOf("s", d.Bin).With(d.Bin)),
		Values: s.sharesOfRanks(), Table: s.activityTable(),
	}}
	if sec.Blocks[0].Table == nil {
		sec.Blocks = append(sec.Blocks, block{Empty: lacks(remedy.GPUMetrics)})
	}
	return sec
}

// showsAny reports whether any rank of either side shows work of a kind.
func (d *activityData) showsAny(kind string) bool {
	_, base := d.Base.Maps[kind]
	_, cand := d.Cand.Maps[kind]
	return base || cand
}

func utilizationReading(d *activityData) string {
	text := fmt.Sprintf("GPUs compute for %s of the time in the baseline and %s in the candidate.", orDash(d.Base.Means["compute"]), orDash(d.Cand.Means["compute"]))
	if !d.showsAny("overlap") {
		if !d.showsAny("comm") {
			return text + " No communication was recorded."
		}
		return text + " Communication never overlaps compute on either side."
	}
	return text + fmt.Sprintf(" Communication and compute overlap for %s and %s.", d.Base.Means["overlap"], d.Cand.Means["overlap"])
}

// binsPerColumn returns how many neighbouring bins are joined, to keep the page small.
func (s *sheet) binsPerColumn() int {
	cells := 0
	for _, side := range [][]diff.RankActivity{s.r.Activity.Base, s.r.Activity.Cand} {
		for i := range side {
			cells += len(side[i].Busy) * len(shares)
		}
	}
	return 1 + cells/maxShares
}

func (s *sheet) sideActivity(ranks []diff.RankActivity, each int) sideActivity {
	out := sideActivity{Maps: map[string]int{}, Means: map[string]string{}, Rows: []int{}, Steps: [][2]float64{}}
	for i := range ranks {
		out.Bins = max(out.Bins, (len(ranks[i].Busy)+each-1)/each)
	}
	out.Rows = s.rowsOf(ranks)
	maps := map[string][]uint8{}
	for _, sh := range shares {
		all := make([]uint8, 0, out.Bins*len(ranks))
		sum, n := 0.0, 0
		for i := range ranks {
			v := sh.of(&ranks[i])
			for _, x := range v {
				sum += float64(x)
			}
			n += len(v)
			all = append(all, meanBins(v, each, out.Bins)...)
		}
		if n > 0 {
			out.Means[sh.key] = number.Share(sum / float64(n) / 200)
		}
		if sum > 0 {
			maps[sh.key] = all
		}
	}
	if maps["comm"] == nil { // none that could be hidden, which is not 0 % of it
		out.Means["comm"], out.Means["overlap"] = number.None, number.None
	}
	restOfBusy(maps)
	for _, sh := range shares { // in one order
		if m := maps[sh.key]; m != nil {
			out.Maps[sh.key] = s.data.addBytes(m)
		}
	}
	out.Steps = s.stepStarts(ranks)
	return out
}

// maxRoundingRest is the largest rest that restOfBusy takes for nothing: shares are rounded, so
// that a little can be left.
const maxRoundingRest = 8

// restOfBusy replaces the share of all work by the share that is neither compute nor communication. That is mostly
// zero and compresses well; script/utilization.js adds them up again.
func restOfBusy(maps map[string][]uint8) {
	for i, v := range maps["busy"] {
		if v == noBin {
			continue
		}
		part := func(kind string) uint8 {
			if m := maps[kind]; m != nil && m[i] != noBin {
				return m[i]
			}
			return 0
		}
		maps["busy"][i] = v + maxRoundingRest - part("compute") - part("comm") + part("overlap")
	}
}

// noCommunication reports whether no rank of a side shows any communication.
func noCommunication(ranks []diff.RankActivity) bool {
	return !slices.ContainsFunc(ranks, func(c diff.RankActivity) bool {
		return slices.ContainsFunc(c.Comm, func(x uint8) bool { return x > 0 })
	})
}

// noBin marks a bin after the end of a rank's capture.
const noBin = 255

// meanBins returns the mean of each group of neighbouring bins, n groups in all.
func meanBins(v []uint8, each, n int) []uint8 {
	out := make([]uint8, n)
	for i := range out {
		out[i] = noBin
		if lo := i * each; lo < len(v) {
			sum, hi := 0, min(len(v), (i+1)*each)
			for _, x := range v[lo:hi] {
				sum += int(x)
			}
			out[i] = uint8(sum / (hi - lo))
		}
	}
	return out
}

// rowsOf finds the page's row of each rank. Ranks without a number follow each other in both
// lists.
func (s *sheet) rowsOf(ranks []diff.RankActivity) []int {
	out := make([]int, len(ranks))
	taken := map[int]bool{}
	for i := range ranks {
		out[i] = -1
		for k, n := range s.data.Numbers {
			if n == ranks[i].Rank && !taken[k] {
				out[i], taken[k] = k, true
				break
			}
		}
	}
	return out
}

// stepStarts returns the starts of the steps, in s, and their indices, on the first rank that has any.
func (s *sheet) stepStarts(ranks []diff.RankActivity) [][2]float64 {
	index := map[int64]int{}
	for i, p := range s.r.Steps {
		index[p.Number] = i
	}
	out := [][2]float64{}
	for i := range ranks {
		for k, start := range ranks[i].StepStarts {
			if at, known := index[ranks[i].StepNumbers[k]]; known && len(out) < maxColumns {
				out = append(out, [2]float64{sixDigits(start), float64(at)})
			}
		}
		if len(out) > 0 {
			break
		}
	}
	return out
}

// sharesOfRanks returns the shares of time of each rank, or how they are spread where there are many.
func (s *sheet) sharesOfRanks() *table {
	if !s.tooManyRanks() {
		return s.shareTable()
	}
	var list []overRanks
	for _, sh := range shares {
		for k, side := range [][]diff.RankActivity{s.r.Activity.Base, s.r.Activity.Cand} {
			of := overRanks{sh.name, rankSides[k].name, "%", make([]float64, len(s.r.Ranks))}
			for i := range of.values {
				of.values[i] = math.NaN()
			}
			for i, at := range s.rowsOf(side) {
				if at >= 0 && !(noCommunication(side) && (sh.key == "comm" || sh.key == "overlap")) {
					of.values[at] = meanShare(sh.of(&side[i]))
				}
			}
			list = append(list, of)
		}
	}
	return s.spreadTable("Mean shares of time over all ranks", list)
}

func (s *sheet) shareTable() *table {
	t := &table{Label: "Mean shares of time for each rank", Heads: heads("Rank")}
	for _, side := range []string{"base", "cand."} {
		for _, sh := range shares {
			t.Heads = append(t.Heads, head{Text: sh.name, Unit: side + ", %"})
		}
	}
	rows := make([][]cell, len(s.data.Ranks))
	for k, side := range [][]diff.RankActivity{s.r.Activity.Base, s.r.Activity.Cand} {
		none := noCommunication(side)
		for i, at := range s.rowsOf(side) {
			if at < 0 {
				continue
			}
			for len(rows[at]) < k*len(shares) {
				rows[at] = append(rows[at], textCell(number.None, ""))
			}
			for _, sh := range shares {
				cell := numberCell(meanShare(sh.of(&side[i])))
				if none && (sh.key == "comm" || sh.key == "overlap") {
					cell = textCell(number.None, "")
				}
				rows[at] = append(rows[at], cell)
			}
		}
	}
	for i, cells := range rows {
		for len(cells) < 2*len(shares) {
			cells = append(cells, textCell(number.None, ""))
		}
		t.Rows = append(t.Rows, row{Cells: append([]cell{headCell(s.data.Ranks[i])}, cells...), Rank: strconv.Itoa(i)})
	}
	return t
}

// meanShare returns the mean of bins, in %; NaN without any.
func meanShare(v []uint8) float64 {
	if len(v) == 0 {
		return math.NaN()
	}
	sum := 0
	for _, x := range v {
		sum += int(x)
	}
	return float64(sum) / float64(len(v)) / 2
}

// activityTable shows how busy the units of the GPUs were, if that was sampled; else it is nil. More or less is
// neither better nor worse.
func (s *sheet) activityTable() *table {
	t := &table{Label: "GPU activity, sampled", Heads: heads("Share of peak", "Baseline", "Candidate", "Change")}
	for _, c := range s.partsOfMetric(run.GPUActivity) {
		if len(t.Rows) < maxRows {
			cells := s.readRow(c.Part, c).Cells
			t.Rows = append(t.Rows, row{Cells: cells[:4]})
		}
	}
	if len(t.Rows) == 0 {
		return nil
	}
	return t
}
