package render

import (
	"perfdiff/analyze/run"
	"perfdiff/diff"
)

// Excerpt is a step of one side as a timeline.
type Excerpt struct {
	Run   string  `json:"run"`
	Step  int64   `json:"step"`
	Worst bool    `json:"worst"` // the longest step; else one near the median
	Used  bool    `json:"used"`  // the step enters the comparison
	Ranks []Strip `json:"ranks"`
}

// Strip is one rank of it. Bars are columns of equal length: times are in ns from the
// start of the rank's own step, names are indices.
type Strip struct {
	Rank    int      `json:"rank"`
	Length  int64    `json:"length"`  // ns
	Omitted int      `json:"omitted"` // bars that are not here: the shortest
	Names   []string `json:"names"`
	Lane    []int    `json:"lane"` // 0 compute, 1 communication, 2 memory, 3 gap (named by its cause), 4 host range
	Name    []int    `json:"name"`
	Start   []int64  `json:"start"`
	End     []int64  `json:"end"`
}

func excerptDocument(e *diff.Excerpt) Excerpt {
	return Excerpt{e.Run, e.Step, e.Worst, e.Used, each(e.Ranks, stripDocument)}
}

func stripDocument(s *run.Strip) Strip {
	out := Strip{Rank: s.Rank, Length: s.Length, Omitted: s.Omitted, Names: listed(s.Names), Lane: []int{}, Name: []int{}, Start: []int64{}, End: []int64{}}
	for _, x := range s.Spans {
		out.Lane, out.Name = append(out.Lane, int(x.Lane)), append(out.Name, int(x.Name))
		out.Start, out.End = append(out.Start, x.Start), append(out.End, x.End)
	}
	return out
}
