package run

import (
	"cmp"
	"slices"
)

// An Excerpt is one step as a timeline: what the report shows of single spans.
type Excerpt struct {
	Step  int64 // number
	Worst bool  // the longest step; else one near the median
	Ranks []Strip
}

// Strip is one rank's part of an excerpt. Times are in ns from the start of the
// rank's own step, where strips are aligned.
type Strip struct {
	Rank    int
	Length  int64 // of the step
	Names   []string
	Spans   []StripSpan // in order of lane and start
	Omitted int         // spans that are not here: the shortest
}

// StripSpan is one bar.
type StripSpan struct {
	Start, End int64
	Name       int32 // index into Names
	Lane       Lane
}

// Lane is where a bar is drawn.
type Lane uint8

// The lanes of a strip. The name of a bar in LaneGap is a cause of idle time.
const (
	LaneCompute Lane = iota
	LaneComm
	LaneMemory
	LaneGap
	LaneRange
)

// MostSpans bounds the bars of an excerpt over all its ranks.
const MostSpans = 2000

// mostStrips bounds the ranks of an excerpt.
const mostStrips = 8

// Cut is a strip that may become a part of an excerpt: each rank proposes some of
// its steps, and the ranks of a run then agree on one.
type Cut struct {
	Strip
	Step  int64
	Worst bool
	Far   int64 // ns: how far the step is from the rank's median; of the worst, how much longer it is
}

// Excerpts chooses the typical and the worst step of a run from what its ranks
// propose: the step that most of them did, then the nearest to their medians or the
// longest. first are ranks in the order in which they are wanted; not all may fit.
func Excerpts(cuts [][]Cut, first func(step int64) []int) []Excerpt {
	var out []Excerpt
	for _, worst := range []bool{false, true} {
		type vote struct {
			step  int64
			ranks int
			far   int64
		}
		votes := map[int64]*vote{}
		for _, list := range cuts {
			for _, c := range list {
				if c.Worst != worst {
					continue
				}
				if votes[c.Step] == nil {
					votes[c.Step] = &vote{step: c.Step}
				}
				votes[c.Step].ranks++
				votes[c.Step].far += c.Far
			}
		}
		var best *vote
		for _, v := range votes {
			far := cmp.Compare(v.far, 0)
			if best != nil {
				far = cmp.Compare(v.far, best.far)
			}
			if worst {
				far = -far
			}
			if best == nil || cmp.Or(cmp.Compare(best.ranks, v.ranks), far, cmp.Compare(v.step, best.step)) < 0 {
				best = v
			}
		}
		if best != nil {
			out = append(out, excerpt(cuts, best.step, worst, first(best.step)))
		}
	}
	return out
}

// excerpt puts the strips of a step together, as many as fit.
func excerpt(cuts [][]Cut, step int64, worst bool, wanted []int) Excerpt {
	out := Excerpt{Step: step, Worst: worst}
	total := 0
	for _, rank := range wanted {
		for _, list := range cuts {
			i := slices.IndexFunc(list, func(c Cut) bool { return c.Rank == rank && c.Step == step && c.Worst == worst })
			if i < 0 || len(out.Ranks) == mostStrips || total+len(list[i].Spans) > MostSpans {
				continue
			}
			total += len(list[i].Spans)
			out.Ranks = append(out.Ranks, list[i].Strip)
		}
	}
	return out
}

// excerpts moves the bars of a run to the encoder.
func (e *encoder) excerpts(list []Excerpt) []Excerpt {
	list = slices.Clone(list)
	for i := range list {
		list[i].Ranks = slices.Clone(list[i].Ranks)
		for k := range list[i].Ranks {
			s := &list[i].Ranks[k]
			column := func(of func(*StripSpan) int64) {
				v := make([]int64, len(s.Spans))
				for j := range s.Spans {
					v[j] = of(&s.Spans[j])
				}
				e.ints(v)
			}
			column(func(x *StripSpan) int64 { return x.Start })
			column(func(x *StripSpan) int64 { return x.End - x.Start })
			column(func(x *StripSpan) int64 { return int64(x.Name) })
			column(func(x *StripSpan) int64 { return int64(x.Lane) })
			s.Spans = nil
		}
	}
	return list
}

func (d *decoder) excerpts(list []Excerpt) {
	for i := range list {
		for k := range list[i].Ranks {
			s := &list[i].Ranks[k]
			starts, lengths, names, lanes := d.ints(), d.ints(), d.ints(), d.ints()
			n := len(starts)
			if len(lengths) != n || len(names) != n || len(lanes) != n || n > MostSpans {
				d.fail()
				return
			}
			for j := range starts {
				if names[j] < 0 || names[j] >= int64(len(s.Names)) || lanes[j] < 0 || lanes[j] > int64(LaneRange) || lengths[j] < 0 {
					d.fail()
					return
				}
				s.Spans = append(s.Spans, StripSpan{starts[j], starts[j] + lengths[j], int32(names[j]), Lane(lanes[j])})
			}
		}
	}
}
