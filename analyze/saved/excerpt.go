package saved

import (
	"slices"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// excerpts moves the bars of a run to the encoder.
func (e *encoder) excerpts(list []run.Excerpt) []run.Excerpt {
	list = slices.Clone(list)
	seen := newStripMemory()
	for i := range list {
		list[i].Ranks = slices.Clone(list[i].Ranks)
		for k := range list[i].Ranks {
			s := &list[i].Ranks[k]
			if e.dense != nil {
				e.strip(seen, s)
				continue
			}
			column := func(of func(*run.StripSpan) int64) {
				v := make([]int64, len(s.Spans))
				for j := range s.Spans {
					v[j] = of(&s.Spans[j])
				}
				e.ints(v)
			}
			column(func(x *run.StripSpan) int64 { return x.Start })
			column(func(x *run.StripSpan) int64 { return x.End - x.Start })
			column(func(x *run.StripSpan) int64 { return int64(x.Name) })
			column(func(x *run.StripSpan) int64 { return int64(x.Lane) })
			if len(s.Tracks) > 0 {
				s.Details = details(s)
			}
			s.Spans = nil
		}
	}
	return list
}

func (d *decoder) excerpts(list []run.Excerpt) {
	seen := newStripMemory()
	for i := range list {
		for k := range list[i].Ranks {
			s := &list[i].Ranks[k]
			if d.dense != nil {
				d.strip(seen, s)
				continue
			}
			starts, lengths, names, lanes := slices.Clone(d.ints()), slices.Clone(d.ints()), slices.Clone(d.ints()), d.ints()
			n := len(starts)
			if len(lengths) != n || len(names) != n || len(lanes) != n || n > run.MaxExcerptBars {
				d.fail()
				return
			}
			for j := range starts {
				if names[j] < 0 || names[j] >= int64(len(s.Names)) || lanes[j] < 0 || lanes[j] > int64(run.LaneRange) || lengths[j] < 0 {
					d.fail()
					return
				}
				s.Spans = append(s.Spans, run.StripSpan{Start: starts[j], End: starts[j] + lengths[j],
					Name: int32(names[j]), Lane: run.Lane(lanes[j])})
			}
			d.details(s)
			for j := range s.Tracks {
				s.Tracks[j].Name = trace.ThreadName(s.Tracks[j].Name)
			}
		}
	}
}

// details are the columns of bars that the first summaries do not have. They stand in the strip
// and not behind the other columns, so that an earlier perfdiff passes over them.
func details(s *run.Strip) []byte {
	n := len(s.Spans)
	track, ahead, wait := make([]int64, n), make([]int64, n), make([]int64, n)
	for i, x := range s.Spans {
		track[i], ahead[i] = int64(x.Track), x.Ahead
		if x.Split {
			wait[i] = 1 + x.Wait
		}
	}
	e := &encoder{}
	e.ints(track)
	e.ints(ahead)
	e.ints(wait)
	return e.b
}

// details reads the details of a strip back, and checks them.
func (d *decoder) details(s *run.Strip) {
	if len(s.Tracks) == 0 {
		return
	}
	of := &decoder{b: s.Details, budget: d.budget}
	track, ahead, wait := slices.Clone(of.ints()), slices.Clone(of.ints()), of.ints()
	s.Details = nil
	n := len(s.Spans)
	if of.err != nil || len(track) != n || len(ahead) != n || len(wait) != n || len(s.Tracks) > run.MaxTracks {
		d.fail()
		return
	}
	for i := range s.Spans {
		if track[i] < 0 || track[i] > int64(len(s.Tracks)) || ahead[i] < 0 || wait[i] < 0 {
			d.fail()
			return
		}
		x := &s.Spans[i]
		x.Track, x.Ahead, x.Split, x.Wait = int16(track[i]), ahead[i], wait[i] > 0, max(0, wait[i]-1)
	}
}
