package saved

import (
	"slices"

	"perfdiff/analyze/run"
)

// excerpts moves the bars of a run to the encoder.
func (e *encoder) excerpts(list []run.Excerpt) []run.Excerpt {
	list = slices.Clone(list)
	for i := range list {
		list[i].Ranks = slices.Clone(list[i].Ranks)
		for k := range list[i].Ranks {
			s := &list[i].Ranks[k]
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
			s.Spans = nil
		}
	}
	return list
}

func (d *decoder) excerpts(list []run.Excerpt) {
	for i := range list {
		for k := range list[i].Ranks {
			s := &list[i].Ranks[k]
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
		}
	}
}
