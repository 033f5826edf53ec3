package words

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/diff/cause"
	"perfdiff/diff/verdict"
	"perfdiff/render/number"
)

// computes is how long ranks compute in a step.
type computes struct {
	lo, hi  float64 // s; the shortest is above the longest where none is known
	longest int     // rank
}

// computesOf returns how long those ranks compute that are wanted.
func computesOf(p *diff.Portrait, wanted func(host string) bool) computes {
	out := computes{lo: math.Inf(1), hi: math.Inf(-1)}
	for i := range p.Report.Ranks {
		x := &p.Report.Ranks[i]
		if v := x.Cand.Breakdown.Compute; x.Cand.Present && wanted(x.Cand.Host) && v > 0 {
			if out.lo = math.Min(out.lo, v); v > out.hi {
				out.hi, out.longest = v, x.Rank
			}
		}
	}
	return out
}

func everywhere(string) bool { return true }

// slowHost returns the host all of whose several ranks compute longer than every rank of the others; "" there is none.
func slowHost(p *diff.Portrait) (host string, there, others computes) {
	for _, host := range p.Side.Hosts {
		there, others = computesOf(p, func(h string) bool { return h == host }), computesOf(p, func(h string) bool { return h != host })
		if there.lo < there.hi && others.lo <= others.hi && there.lo-others.hi >= p.Report.Policy.Threshold*p.Mean {
			return host, there, others
		}
	}
	return "", there, others
}

// ranksAlike says whether ranks compute equally long, or which do not.
func ranksAlike(p *diff.Portrait) string {
	all, limit := computesOf(p, everywhere), p.Report.Policy.Threshold
	if len(p.Side.Ranks) < 2 || !(all.hi >= all.lo) || math.IsNaN(p.Mean) {
		return ""
	}
	row := number.RowOf("s", all.hi, 0, math.Max(all.hi-all.lo, 0.01*all.hi))
	span := func(x computes) string {
		if row.Digits(x.lo) == row.Digits(x.hi) {
			return row.With(x.hi)
		}
		return row.Digits(x.lo) + " to " + row.With(x.hi)
	}
	switch {
	case all.hi-all.lo < limit*p.Mean && all.hi-all.lo < limit*all.hi:
		who := "No rank"
		if len(p.Side.Hosts) > 1 {
			who += " and no node"
		}
		return who + " computes longer than the others (" + span(all) + ")."
	case all.hi-all.lo < limit*p.Mean: // it hardly matters for the step
		return "Ranks compute " + span(all) + " a step."
	}
	if host, there, others := slowHost(p); host != "" {
		return "The ranks of " + host + " compute " + span(there) + " a step, all others " + span(others) + "."
	}
	return fmt.Sprintf("Ranks compute %s a step, longest rank %d.", span(all), all.longest)
}

// readsSaid says how fast bytes are read, for how long, and in which requests.
func readsSaid(p *diff.Portrait) string {
	get := func(name string) float64 {
		if c := verdict.MetricOf(p.Report.Parts, name); c != nil {
			return c.Cand
		}
		return math.NaN()
	}
	c, burst, share := verdict.MetricOf(p.Report.Metrics, run.IOReadThroughput), get(run.IOReadBurstRate), get(run.IOReadTimeShare)
	if c == nil || !(c.Cand > 0) || !(burst > 0) || math.IsNaN(share) {
		return ""
	}
	text := "Reads run at " + number.ScaleOf("B/s", burst).With(burst) + " for " + number.Share(share) + " of the time"
	if n := get(run.IOParallelReaders); n > 0 {
		text += ", by " + threads(n) + " of a rank"
	}
	if size := get(run.IORequestSize); size > 0 {
		text += ", " + number.ScaleOf("B", size).With(size) + " each"
	}
	return text + " (" + Source(c) + ")."
}

// overlapSaid says how much of the communication adds to the step.
func overlapSaid(p *diff.Portrait, row number.Row, parts []RunPart) string {
	c, sum := verdict.MetricOf(p.Report.Metrics, run.Overlap), 0.0
	for i := range p.Report.Waterfall.Parts {
		x := &p.Report.Waterfall.Parts[i]
		if !slices.Contains([]string{"transfer", "wait", "comm"}, x.Kind) {
			continue
		}
		v := x.Cand // or as it is printed above
		if at := slices.IndexFunc(parts, func(o RunPart) bool { return o.Kind == x.Kind }); at >= 0 {
			v = parts[at].Shown
		}
		sum += v
	}
	switch {
	case c == nil || math.IsNaN(c.Cand) || !(sum > 0):
		return ""
	case c.Cand < 0.005:
		return "No compute runs beside communication: all " + row.With(sum) + " of communication add to the step."
	}
	return "Compute hides " + wholePercent(c.Cand) + " of the communication; " + row.With(sum) + " of it add to the step."
}

// mostGains is how many of them are told. Chosen, not measured: what would save less is not the next thing to do.
const mostGains = 3

// gains returns by how much a step could be shorter at most, the most first.
func gains(p *diff.Portrait) (out [][2]string) {
	type gain struct {
		size float64
		name string
	}
	var all []gain
	for i := range p.Report.Bounds {
		b := &p.Report.Bounds[i]
		size := p.Report.Bounds[0].Cand - b.Cand
		if b.If == cause.NeverIdle || b.If == cause.AllHidden && size < saving(p, cause.NoWait) || !(size >= p.Report.Policy.Threshold*p.Mean) {
			continue // what is hidden has no ranks that wait either: there the median rank is no measure
		}
		name, _ := Bound(b)
		all = append(all, gain{size, name})
	}
	slices.SortStableFunc(all, func(a, b gain) int { return cmp.Compare(b.size, a.size) })
	if all = all[:min(len(all), mostGains)]; len(all) == 0 {
		return nil
	}
	row := number.RowOf("s", all[0].size, 0, all[len(all)-1].size)
	for _, x := range all {
		out = append(out, [2]string{row.With(x.size), x.name})
	}
	return out
}

// wholeCapture says how busy the devices are over a capture without steps; "" where that is not known.
func wholeCapture(p *diff.Portrait) string {
	long, share := verdict.MetricOf(p.Report.Capture, "device_extent"), verdict.MetricOf(p.Report.Capture, "extent_busy_share")
	if long == nil || share == nil || !(long.Cand > 0) || math.IsNaN(share.Cand) {
		return ""
	}
	who := "; the GPU is busy "
	if len(p.Side.Ranks) > 1 {
		who = "; GPUs are busy "
	}
	return who + number.Share(share.Cand) + " of " + seconds(long.Cand)
}
