package saved

import (
	"slices"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// spanColumns are the columns of a strip's spans, each with the value that stands in it.
var spanColumns = []func(*run.StripSpan) int64{
	func(x *run.StripSpan) int64 { return x.Start },
	func(x *run.StripSpan) int64 { return x.End - x.Start },
	func(x *run.StripSpan) int64 { return int64(x.Name) },
	func(x *run.StripSpan) int64 { return int64(x.Lane) },
	func(x *run.StripSpan) int64 { return int64(x.Track) },
	func(x *run.StripSpan) int64 { return x.Ahead },
	func(x *run.StripSpan) int64 {
		if x.Split {
			return 1 + x.Wait
		}
		return 0
	},
}

// oldDetails is how many of the columns, the last ones, earlier versions have in the text of the strip instead.
const oldDetails = 3

// excerpts moves the spans of a run's excerpts to the encoder.
func (e *encoder) excerpts(list []run.Excerpt) []run.Excerpt {
	list = slices.Clone(list)
	for i := range list {
		list[i].Ranks = slices.Clone(list[i].Ranks)
		for k := range list[i].Ranks {
			s := &list[i].Ranks[k]
			v := make([]int64, len(s.Spans))
			for _, of := range spanColumns {
				for j := range s.Spans {
					v[j] = of(&s.Spans[j])
				}
				e.ints(v)
			}
			s.Spans = nil
		}
	}
	return list
}

// excerpts moves them back.
func (d *decoder) excerpts(list []run.Excerpt) {
	for i := range list {
		for k := range list[i].Ranks {
			if d.strip(&list[i].Ranks[k]); d.err != nil {
				return
			}
		}
	}
}

// strip reads the spans of a strip, and checks them.
func (d *decoder) strip(s *run.Strip) {
	columns := make([][]int64, len(spanColumns))
	first := len(columns)
	if d.old != nil {
		first -= oldDetails
	}
	for c := range columns[:first] {
		columns[c] = slices.Clone(d.ints())
	}
	n := len(columns[0])
	if d.old != nil {
		d.oldDetails(s, columns[first:], n)
	}
	if slices.ContainsFunc(columns, func(v []int64) bool { return len(v) != n }) || n > run.MaxExcerptBars || len(s.Tracks) > run.MaxTracks {
		d.fail()
		return
	}
	for j := range n {
		length, name, lane := columns[1][j], columns[2][j], columns[3][j]
		track, ahead, wait := columns[4][j], columns[5][j], columns[6][j]
		if name < 0 || name >= int64(len(s.Names)) || lane < 0 || lane > int64(run.LaneRange) || length < 0 ||
			track < 0 || track > int64(len(s.Tracks)) || ahead < 0 || wait < 0 {
			d.fail()
			return
		}
		s.Spans = append(s.Spans, run.StripSpan{Start: columns[0][j], End: columns[0][j] + length, Name: int32(name), Lane: run.Lane(lane),
			Track: int16(track), Ahead: ahead, Split: wait > 0, Wait: max(0, wait-1)})
	}
	for j := range s.Tracks {
		s.Tracks[j].Name = trace.ThreadName(s.Tracks[j].Name)
	}
}

// oldDetails reads the last columns of an earlier version, where they are in the text of the strip; the
// first summaries do not have them.
func (d *decoder) oldDetails(s *run.Strip, columns [][]int64, n int) {
	of := &decoder{b: s.Details, budget: d.budget, old: d.old}
	s.Details = nil
	for c := range columns {
		if len(s.Tracks) == 0 {
			columns[c] = make([]int64, n)
		} else {
			columns[c] = slices.Clone(of.ints())
		}
	}
	if of.err != nil {
		d.end(of.err)
	}
}
