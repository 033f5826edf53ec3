package diff

import (
	"perfdiff/analyze/trace"
	"perfdiff/diff/cause"
	"perfdiff/diff/sides"
)

const (
	courseBin = 1 << 16 // ns; every bin is a power of two of it
	maxBins   = 800     // of the longest course shown
)

// courses brings the courses of both sides' first runs to one bin: the
// coarsest of all, made coarser until the longest has at most maxBins.
func courses(p *cause.Causes) Activity {
	var ranks []*sides.Rank
	for _, s := range []*sides.Side{p.Base, p.Cand} {
		ranks = append(ranks, charted(s)...)
	}
	bin := int64(courseBin)
	for _, k := range ranks {
		bin = max(bin, k.Activity.Bin)
	}
	for _, k := range ranks {
		for coarse(k.Activity.Bin*int64(len(k.Activity.Busy)), bin) > maxBins {
			bin *= 2
		}
	}
	out := Activity{}
	if len(ranks) > 0 {
		out.Bin = float64(bin) * 1e-9
	}
	var of [2][]RankActivity
	p.BothAtOnce(func(i int, s *sides.Side) {
		for _, k := range charted(s) {
			of[i] = append(of[i], courseIn(k, bin, p.Reads.Source))
		}
	})
	out.Base, out.Cand = of[0], of[1]
	return out
}

func coarse(length, bin int64) int64 { return (length + bin - 1) / bin }

// charted returns the ranks of the first run that have a course in the bins that
// can be brought together.
func charted(s *sides.Side) []*sides.Rank {
	var out []*sides.Rank
	if len(s.Runs) == 0 {
		return nil
	}
	for _, k := range s.Runs[0].Ranks {
		bin, n := k.Activity.Bin, len(k.Activity.Busy)
		powerOfTwo := bin >= courseBin && bin < 1<<50 && bin&(bin-1) == 0
		if powerOfTwo && n > 0 && n < 1<<12 {
			out = append(out, k)
		}
	}
	return out
}

// courseIn returns the rank's course in a coarser bin, with the bytes of a source.
func courseIn(k *sides.Rank, bin int64, source string) RankActivity {
	c := &k.Activity
	n := int(bin / c.Bin)
	out := RankActivity{
		Rank: k.Rank.Rank,
		Busy: averaged(c.Busy, n), Compute: averaged(c.Compute, n), Comm: averaged(c.Comm, n), Overlap: averaged(c.Overlap, n),
		Receive: rates(c.Receive, n, c.Bin), Send: rates(c.Send, n, c.Bin), NetSource: c.NetSource,
	}
	if read, write := c.Moved(source); k.ReadsEnter {
		out.Read, out.Write = rates(read, n, c.Bin), rates(write, n, c.Bin)
	}
	if out.Read != nil || out.Write != nil {
		out.ReadSource = source
	}
	end := c.Start + c.Bin*int64(len(c.Busy))
	for _, st := range k.Steps {
		if st.Start != trace.NoTime && st.Start >= c.Start && st.Start < end {
			out.StepStarts = append(out.StepStarts, float64(st.Start-c.Start)*1e-9)
			out.StepNumbers = append(out.StepNumbers, st.Number)
		}
	}
	return out
}

// averaged returns the mean of every n neighbours, rounded; the last mean may be over fewer.
func averaged(v []uint8, n int) []uint8 {
	if len(v) == 0 {
		return nil
	}
	out := make([]uint8, 0, (len(v)+n-1)/n)
	for i := 0; i < len(v); i += n {
		group := v[i:min(i+n, len(v))]
		sum := 0
		for _, x := range group {
			sum += int(x)
		}
		out = append(out, uint8((2*sum+len(group))/(2*len(group))))
	}
	return out
}

// rates returns bytes per second over every n neighbours of bins of so many
// nanoseconds; nil if not recorded.
func rates(bytes []float32, n int, bin int64) []float32 {
	var out []float32
	for i := 0; i < len(bytes); i += n {
		group := bytes[i:min(i+n, len(bytes))]
		sum := 0.0
		for _, x := range group {
			sum += float64(x)
		}
		out = append(out, float32(sum/(float64(len(group))*float64(bin)*1e-9)))
	}
	return out
}
