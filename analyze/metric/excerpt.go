package metric

import (
	"cmp"
	"slices"

	"perfdiff/analyze/interval"
	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// How many steps a rank proposes for an excerpt: near its median, and its longest.
// Ranks of a job go in step, so that they propose the same ones.
const (
	proposals      = 3
	worstProposals = 2
)

// Cuts are the steps that the rank proposes for excerpts, with their bars; the steps
// were measured.
func (r *Rank) Cuts(steps []trace.Step) []run.Cut {
	type candidate struct {
		index int
		far   int64
		worst bool
	}
	var lengths []float64
	var kept []int
	for i, s := range steps {
		if s.Dropped == "" && s.Start != trace.NoTime && s.End != trace.NoTime && s.End > s.Start {
			kept, lengths = append(kept, i), append(lengths, float64(s.End-s.Start))
		}
	}
	if len(kept) == 0 {
		return nil
	}
	middle := int64(median(lengths))
	of := func(i int) int64 { return steps[i].End - steps[i].Start }
	away := func(i int) int64 { return max(of(i)-middle, middle-of(i)) }
	var chosen []candidate
	slices.SortStableFunc(kept, func(a, b int) int { return cmp.Compare(away(a), away(b)) })
	for _, i := range kept[:min(proposals, len(kept))] {
		chosen = append(chosen, candidate{i, away(i), false})
	}
	slices.SortStableFunc(kept, func(a, b int) int { return cmp.Or(cmp.Compare(of(b), of(a)), cmp.Compare(a, b)) })
	for _, i := range kept[:min(worstProposals, len(kept))] {
		chosen = append(chosen, candidate{i, of(i) - middle, true})
	}
	slices.SortStableFunc(chosen, func(a, b candidate) int { return cmp.Compare(steps[a.index].Start, steps[b.index].Start) })
	var out []run.Cut
	a := newAttribution(r.host, r.Trace.Device)
	strips := map[int]run.Strip{}
	for _, c := range chosen {
		strip, ok := strips[c.index]
		if !ok {
			strip = r.strip(steps[c.index], a)
			strips[c.index] = strip
		}
		out = append(out, run.Cut{Strip: strip, Step: steps[c.index].Number, Worst: c.worst, Far: c.far})
	}
	return out
}

// lookBack is how many spans before a step may run into it.
const lookBack = 256

// lanes are those of the classes of device work.
var lanes = [...]run.Lane{trace.ClassUnknown: run.LaneCompute, trace.Compute: run.LaneCompute, trace.Comm: run.LaneComm, trace.Memory: run.LaneMemory}

// strip draws one step. Strips are made in order of time, as the gaps of a are.
func (r *Rank) strip(st trace.Step, a *attribution) run.Strip {
	s := &stripper{strip: run.Strip{Rank: r.Trace.Identity.Rank, Length: st.End - st.Start}, from: st.Start, to: st.End, number: map[string]int32{}}
	// A step begins with the start of a span; what still runs then began shortly
	// before, since the host waits for the device in most steps.
	device := r.Trace.Device
	first, _ := slices.BinarySearchFunc(device, st.Start, func(x trace.Span, t int64) int { return cmp.Compare(x.Start, t) })
	for i := max(0, first-lookBack); i < len(device) && device[i].Start < st.End; i++ {
		if x := &device[i]; x.End > st.Start {
			s.add(lanes[x.Class], x.Start, x.End, r.workName(x))
		}
	}
	busy := r.Busy.Clip(nil, st.Start, st.End)
	for _, g := range busy.Gaps(nil, st.Start, st.End) {
		if g.End-g.Start < shortestGap {
			continue
		}
		of, _ := a.gap(interval.Interval{Start: g.Start, End: g.End})
		most := causeUnknown
		for k := range of {
			if of[k] > of[most] {
				most = cause(k)
			}
		}
		s.add(run.LaneGap, g.Start, g.End, run.IdleCauses[most])
	}
	ranges, longest := r.Trace.Ranges, st.HostEnd-st.HostStart
	from, _ := slices.BinarySearchFunc(ranges, st.Start-longest, func(x trace.Range, t int64) int { return cmp.Compare(x.Start, t) })
	for _, x := range ranges[from:] {
		if x.Start >= st.End {
			break
		}
		if x.End > st.Start && (r.thread == 0 || x.Thread == r.thread) && !r.host.markers[x.Start] && x.End-x.Start < longest {
			s.add(run.LaneRange, x.Start, x.End, trace.CanonicalRange(r.Trace.Names.Text(x.Name)))
		}
	}
	return s.done()
}

// stripper collects the bars of a strip.
type stripper struct {
	strip    run.Strip
	from, to int64
	number   map[string]int32
}

func (s *stripper) add(lane run.Lane, start, end int64, name string) {
	start, end = max(start, s.from), min(end, s.to)
	if end <= start {
		return
	}
	n, ok := s.number[name]
	if !ok {
		n = int32(len(s.strip.Names))
		s.number[name] = n
		s.strip.Names = append(s.strip.Names, name)
	}
	s.strip.Spans = append(s.strip.Spans, run.StripSpan{Start: start - s.from, End: end - s.from, Name: n, Lane: lane})
}

// done leaves the longest bars where there are too many, in order of lane and start.
func (s *stripper) done() run.Strip {
	out := s.strip
	if n := len(out.Spans) - run.MostSpans; n > 0 {
		slices.SortStableFunc(out.Spans, func(a, b run.StripSpan) int { return cmp.Compare(b.End-b.Start, a.End-a.Start) })
		out.Spans, out.Omitted = out.Spans[:run.MostSpans], n
		used := map[int32]bool{}
		for _, x := range out.Spans {
			used[x.Name] = true
		}
		place, names := make([]int32, len(out.Names)), []string(nil)
		for i, name := range out.Names {
			if used[int32(i)] {
				place[i] = int32(len(names))
				names = append(names, name)
			}
		}
		for i := range out.Spans {
			out.Spans[i].Name = place[out.Spans[i].Name]
		}
		out.Names = names
	}
	slices.SortStableFunc(out.Spans, func(a, b run.StripSpan) int {
		return cmp.Or(cmp.Compare(a.Lane, b.Lane), cmp.Compare(a.Start, b.Start), cmp.Compare(b.End, a.End))
	})
	return out
}
