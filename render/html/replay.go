package html

import (
	"bytes"
	"fmt"
	"html/template"
	"io"
	"math"
	"sort"
	"strconv"

	"perfdiff/analyze/source/ncu"
	"perfdiff/diff/compute"
	"perfdiff/diff/policy"
	"perfdiff/diff/verdict"
	"perfdiff/render/number"
	"perfdiff/render/words"
)

// replayPage is the data of replay.tmpl: kernels that Nsight Compute replayed. Its pictures are
// drawn here, so that it needs no script.
type replayPage struct {
	Style                                   template.CSS
	Theme                                   template.JS
	ScriptPolicy, Title, Tool, State, Look  string
	Base, Cand, Headline, Basis             string
	Differences                             []replayDifference
	Unknown                                 string
	Kernels                                 table
	Replays                                 []replaySection
	MoreReplays                             string
	Compared                                table
	Alone, NotCompared                      []string
	Warnings                                []line
	AloneHead, NotComparedHead, WarningHead string
}

type replayDifference struct{ Strong, Text, Look string }

// replaySection is one kernel.
type replaySection struct {
	ID, Name, Short, Sizes, Look, Tag string
	First                             string
	More, Missing                     []string
	Metrics                           table
	Drawn                             []replayDrawing
	Others                            table
	OthersHead                        string
}

// Bounds of a page. Chosen, not measured: with all metrics of a full set a kernel has thousands.
const (
	shownReplayKernels = 60
	shownOthers        = 60
	shownStallBars     = 8
	shownLone          = 200
)

// WriteReplay writes the page of kernels that Nsight Compute replayed. The same report gives the same bytes.
func WriteReplay(w io.Writer, r *compute.Report, tool string) error {
	p := replayPageOf(r)
	p.Tool, p.Style, p.Theme, p.ScriptPolicy = tool, template.CSS(embeddedFile("page.css")), template.JS(themeAndHints()), scriptPolicy(digest(themeAndHints()))
	var out bytes.Buffer
	if err := parsed().ExecuteTemplate(&out, "replay.tmpl", p); err != nil {
		return err
	}
	_, err := w.Write(out.Bytes())
	return err
}

// ReplayID returns the anchor of a kernel on the page; "" if the page does not show it.
func ReplayID(i int) string {
	if i >= shownReplayKernels {
		return ""
	}
	return "kernel-" + strconv.Itoa(i+1)
}

func replayPageOf(r *compute.Report) *replayPage {
	p := &replayPage{
		State: words.ReplayTag(r), Look: replayLook(r), Base: r.Sides[0].Label, Cand: r.Sides[1].Label,
		Headline: words.ReplayHeadline(r), Basis: words.ReplayBasis, Unknown: words.ReplayUnknown(r), Compared: replayCompared(r), Kernels: replayKernels(r),
	}
	p.Title = p.State + ": " + p.Base + " and " + p.Cand
	for i := range r.Differences {
		d := &r.Differences[i]
		name, base, cand, effect := words.ReplayDifference(d)
		look := ""
		if d.Class != policy.ClassHarmless {
			look = "hold"
		}
		p.Differences = append(p.Differences, replayDifference{number.Capital(name) + " differs: " + base + " and " + cand + ".", number.Capital(effect) + ".", look})
	}
	for i := range r.Kernels[:min(len(r.Kernels), shownReplayKernels)] {
		p.Replays = append(p.Replays, replaySectionOf(&r.Kernels[i], ReplayID(i)))
	}
	if n := len(r.Kernels) - shownReplayKernels; n > 0 {
		p.MoreReplays = number.Counted(n, "more kernel") + " are not shown one by one: " + jsonHasAll
	}
	for side := range r.Alone {
		for i := range r.Alone[side][:min(len(r.Alone[side]), shownLone)] {
			l := &r.Alone[side][i]
			p.Alone = append(p.Alone, shortKernel(l.Name)+" ("+words.ReplaySizes(l.Grid, l.Block)+"): "+words.ReplayLone(l, side)+".")
		}
	}
	p.AloneHead = number.Counted(len(r.Alone[0])+len(r.Alone[1]), "kernel") + " of one side only"
	for i := range r.NotCompared[:min(len(r.NotCompared), shownLone)] {
		m := &r.NotCompared[i]
		p.NotCompared = append(p.NotCompared, shortKernel(m.Section+" "+m.Name)+": "+words.ReplayMismatch(m)+".")
	}
	p.NotComparedHead = number.Counted(len(r.NotCompared), "metric") + " that cannot be compared"
	p.warnings(r)
	return p
}

func (p *replayPage) warnings(r *compute.Report) {
	sides := []string{"Baseline", "Candidate"}
	for side, name := range sides {
		for _, f := range r.Sides[side].Files {
			if f.Err != "" {
				p.Warnings = append(p.Warnings, line{Side: name, File: f.Name, Text: "could not be read: " + f.Err})
			}
		}
	}
	for _, w := range r.Warnings {
		p.Warnings = append(p.Warnings, line{Side: sides[w.Side], File: w.File, Text: w.Text})
	}
	p.WarningHead = number.Counted(len(p.Warnings), "warning")
}

// replayLook returns the look of the verdict: alarm only where a kernel regressed.
func replayLook(r *compute.Report) string {
	switch r.State {
	case compute.Failed:
		return verdict.Regressed.String()
	case compute.Passed:
		return verdict.Unchanged.String()
	}
	return "none"
}

// replayKernels returns the table of all kernels.
func replayKernels(r *compute.Report) table {
	t := table{Label: "Kernels by how much time their change is of", Heads: []head{{Text: "Kernel", Left: true}, {Text: "Launches"}, {Text: "Baseline"}, {Text: "Candidate"}, {Text: "Change"},
		{Text: number.Setting(1-r.Alpha) + " interval"}, {Text: "Verdict", Left: true}}}
	for i := range r.Kernels {
		k := &r.Kernels[i]
		base, cand := number.None, number.None
		for j := range k.Quantities {
			if m := &k.Quantities[j]; m.ID == ncu.Duration {
				sc := replayScale(m)
				base, cand = words.ReplaySample(&m.Base, sc), words.ReplaySample(&m.Cand, sc)
			}
		}
		t.Rows = append(t.Rows, row{Cells: []cell{
			{Text: shortKernel(k.Name), Title: shortenTo(k.Name, longName), Small: words.ReplaySizes(k.Grid, k.Block), Head: true, Left: true}, {Text: words.ReplayLaunches(k)}, {Text: base}, {Text: cand},
			{Text: words.ReplayPercent(k), Class: k.Time.Verdict.Class().String()}, {Text: words.ReplayInterval(k)}, {Text: words.ReplayOutcome(k), Left: true, Class: k.Time.Verdict.Class().String()},
		}})
	}
	return *t.cutRows()
}

// shortKernel shortens a name to fit into a table.
func shortKernel(name string) string { return shortenTo(name, 90) }

// longName is as much of a name as a heading has room for: of a template it can be kilobytes.
const longName = 400

func replayScale(m *compute.Measure) number.Scale {
	largest := m.Base.Median
	if math.IsNaN(largest) || m.Cand.Median > largest {
		largest = m.Cand.Median
	}
	return words.ReplayScale(m.Unit, largest)
}

// replayCompared returns how both sides were recorded.
func replayCompared(r *compute.Report) table {
	t := table{Label: "How both sides were recorded", Heads: []head{{Text: "Recorded", Left: true}, {Text: "Baseline", Left: true}, {Text: "Candidate", Left: true}}}
	add := func(name, base, cand string) {
		t.Rows = append(t.Rows, row{Cells: []cell{{Text: name, Head: true, Left: true}, {Text: orDash(base), Left: true}, {Text: orDash(cand), Left: true}}})
	}
	for _, name := range ncu.Facts() {
		add(name, r.Sides[0].Facts[name], r.Sides[1].Facts[name])
	}
	add("launches", number.Count(r.Sides[0].Launches), number.Count(r.Sides[1].Launches))
	files := func(s *compute.Side) string {
		page := map[string]int{}
		var names []string
		for _, f := range s.Files {
			if f.Err == "" {
				page[f.Page]++
			}
		}
		for _, name := range []string{"raw", "details"} {
			if n := page[name]; n > 0 {
				names = append(names, number.Counted(n, "file")+" of the page "+name)
			}
		}
		return fmt.Sprint(number.Some(names, 2))
	}
	add("files", files(&r.Sides[0]), files(&r.Sides[1]))
	return t
}

func replaySectionOf(k *compute.Kernel, id string) replaySection {
	s := replaySection{
		ID: id, Name: shortenTo(k.Name, longName), Short: shortKernel(k.Name), Sizes: words.ReplaySizes(k.Grid, k.Block), Look: k.Time.Verdict.String(), Tag: words.ReplayOutcome(k), First: words.ReplayChange(k),
		More: words.ReplayCauses(k), Missing: words.ReplayMissing(k), Drawn: append(stallsOf(k), rooflinesOf(k)...),
	}
	if s.Tag == words.NotJudged {
		s.Look = "none"
	}
	if why := words.ReplayWhy(k); why != "" {
		s.More = append([]string{why}, s.More...)
	}
	s.Metrics = table{Label: "Main metrics of " + shortKernel(k.Name), Heads: heads("Metric", "Baseline", "Candidate", "Change")}
	for i := range k.Quantities {
		s.Metrics.Rows = append(s.Metrics.Rows, replayRow(&k.Quantities[i], ""))
	}
	others := make([]*compute.Measure, len(k.Others))
	for i := range others {
		others[i] = &k.Others[i]
	}
	sort.SliceStable(others, func(i, j int) bool { return relative(others[i]) > relative(others[j]) })
	s.Others = table{Label: "Other metrics of " + shortKernel(k.Name), Heads: heads("Metric", "Baseline", "Candidate", "Change")}
	for i := range others[:min(len(others), shownOthers)] {
		s.Others.Rows = append(s.Others.Rows, replayRow(others[i], others[i].Section))
	}
	if n := len(others) - shownOthers; n > 0 {
		s.Others.More = number.Count(n) + " more are not on this page: " + jsonHasAll
	}
	s.OthersHead = number.Counted(len(others), "other metric") + ", the largest change first"
	return s
}

// relative returns the size of a change compared with the value, to sort metrics of all units.
func relative(m *compute.Measure) float64 {
	a, b := m.Base.Median, m.Cand.Median
	if a == b || math.IsNaN(a+b) {
		return 0
	}
	return math.Abs(b-a) / math.Max(math.Abs(a), math.Abs(b))
}

func replayRow(m *compute.Measure, section string) row {
	sc := replayScale(m)
	return row{Cells: []cell{
		{Text: shortKernel(m.Name), Small: shortKernel(section), Head: true, Left: true}, {Text: words.ReplaySample(&m.Base, sc), Small: words.ReplaySpread(&m.Base, sc)},
		{Text: words.ReplaySample(&m.Cand, sc), Small: words.ReplaySpread(&m.Cand, sc)}, {Text: words.ReplayDelta(m)},
	}}
}
