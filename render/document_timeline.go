package render

import (
	"math"

	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/diff/cause"
)

// Excerpt is a step of one side as a timeline.
type Excerpt struct {
	Run   string  `json:"run"`
	Step  int64   `json:"step"`
	Worst bool    `json:"worst"` // the longest step after the first
	Long  bool    `json:"long"`  // the worst, or far above its neighbours
	Used  bool    `json:"used"`  // the step enters the comparison
	Ranks []Strip `json:"ranks"`
}

// Strip is one rank's timeline of the step. Bars are columns of equal length: times are in ns
// from the start of the rank's own step, and names are indices into names.
type Strip struct {
	Rank    int      `json:"rank"`
	Length  int64    `json:"length"`  // ns
	Omitted int      `json:"omitted"` // number of the shortest bars, which are left out
	Names   []string `json:"names"`
	Lane    []int    `json:"lane"` // 0 compute, 1 communication, 2 memory, 3 gap (named by its cause), 4 host range
	Name    []int    `json:"name"`
	Start   []int64  `json:"start"`
	End     []int64  `json:"end"`
	Tracks  []Track  `json:"tracks"` // [] where the summary does not hold them
	Track   []int    `json:"track"`  // 1 + index into tracks; 0: none
	Ahead   []int64  `json:"ahead"`  // ns from the launch to the start; 0: not recorded
	Wait    Numbers  `json:"wait"`   // ns of communication from its start on that are waiting; null: not known
}

// Track is where bars come from.
type Track struct {
	Host   bool   `json:"host"`   // a thread; else a stream of the device
	Steps  bool   `json:"steps"`  // the thread that runs the steps
	Others bool   `json:"others"` // all that have no track of their own
	ID     int    `json:"id"`     // number of the stream, or of the thread by the operating system
	Name   string `json:"name"`   // of the thread; "": not recorded
}

// View is a choice of what the timeline shows.
type View struct {
	Kind   string `json:"kind"`   // "typical", "worst", "spike", "culprit"
	Side   string `json:"side"`   // whose worst step, spike or culprit it is; "": of both
	Step   [2]int `json:"step"`   // indices into the baseline's and the candidate's timeline; -1: none
	Rank   int    `json:"rank"`   // of a culprit; else -1
	Beside []int  `json:"beside"` // ranks below a culprit: one in the middle, and the one that waits longest for it
}

func viewDocument(v *diff.View) View {
	return View{string(v.Kind), v.Side, v.Step, v.Rank, neverNil(v.Beside)}
}

func trackDocument(t *run.Track) Track {
	return Track{t.Host, t.Steps, t.Others, int(t.ID), t.Name}
}

func excerptDocument(e *diff.Excerpt) Excerpt {
	return Excerpt{e.Run, e.Step, e.Worst, e.Long, e.Used, documentsOf(e.Ranks, stripDocument)}
}

func stripDocument(s *run.Strip) Strip {
	out := Strip{Rank: s.Rank, Length: s.Length, Omitted: s.Omitted, Names: neverNil(s.Names), Lane: []int{}, Name: []int{}, Start: []int64{}, End: []int64{},
		Tracks: documentsOf(s.Tracks, trackDocument), Track: []int{}, Ahead: []int64{}, Wait: Numbers{}}
	for _, x := range s.Spans {
		wait := Number(math.NaN())
		if x.Split {
			wait = Number(x.Wait)
		}
		out.Track, out.Ahead, out.Wait = append(out.Track, int(x.Track)), append(out.Ahead, x.Ahead), append(out.Wait, wait)
		out.Lane, out.Name = append(out.Lane, int(x.Lane)), append(out.Name, int(x.Name))
		out.Start, out.End = append(out.Start, x.Start), append(out.End, x.End)
	}
	return out
}

// Summary is one of the tables that people know from nsys stats, over kept steps.
type Summary struct {
	Table string    `json:"table"` // "kernels", "collectives", "memory operations", "CUDA API", "OS runtime", "ranges", "operators", "ranges on the device"
	Rows  []StatRow `json:"rows"`  // by size of the change
	More  int       `json:"more"`  // names that have no row
}

// StatRow is a row of a summary: one kernel, range or call on both sides, by its name.
type StatRow struct {
	Name      string   `json:"name"`
	Baseline  StatSide `json:"baseline"`
	Candidate StatSide `json:"candidate"`
	Delta     Number   `json:"delta"` // s, time a step or second and rank
}

// StatSide is the numbers of that row for one side. Times are in s.
type StatSide struct {
	Share     Number `json:"share"` // of the table's time
	Time      Number `json:"time"`  // a step or second and rank
	Total     Number `json:"total"` // all kept steps, or captures, and ranks
	Calls     Number `json:"calls"` // a step or second and rank
	Count     int64  `json:"count"` // all of them
	Mean      Number `json:"mean"`
	Median    Number `json:"median"` // of the ranks' medians
	Min       Number `json:"min"`
	Max       Number `json:"max"`
	Deviation Number `json:"deviation"`
	Bytes     Number `json:"bytes"` // a step or second and rank, of memory operations and collectives
}

func summaryDocument(s *cause.Summary) Summary {
	return Summary{string(s.Table), documentsOf(s.Rows, func(r *cause.StatRow) StatRow {
		return StatRow{r.Name, statDocument(&r.Base), statDocument(&r.Cand), Number(r.Delta)}
	}), s.More}
}

func statDocument(x *cause.StatSide) StatSide {
	return StatSide{Number(x.Share), Number(x.Time), Number(x.Total), Number(x.Calls), x.Count, Number(x.Mean), Number(x.Median), Number(x.Min), Number(x.Max), Number(x.Deviation), Number(x.Bytes)}
}
