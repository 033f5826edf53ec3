package html

import (
	"html/template"
	"slices"

	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/diff/number"
)

// page is what the template shows.
type page struct {
	Style                    template.CSS
	Theme, Script            template.JS
	Licence, Library, Data   template.HTML
	Policy, Title, Job, Tool string
	Base, Cand               string
	BaseFrom, CandFrom       source
	First                    first
	Bar                      string // the verdict in three words
	Sections                 []section
	RankChoice, StepChoice   []choice
	data                     pageData
}

type choice struct{ Value, Text string }

// section is one question, its answer and what shows it.
type section struct {
	ID, Nav, Title string
	Reading        string
	Blocks         []block
}

// block is one piece of a section; what is set is shown, in the order of the
// fields.
type block struct {
	Heading, Sub string
	Legend       []legend
	Switch       *choices
	Ramps        []string // ids of colour scales
	Charts       []chart  // side by side
	Tall         *fall
	Table        *table
	Find         bool // a search field above the table
	Note         string
	Values       *table // folded
	Empty        *empty
	Paragraphs   []string
	Terms        [][2]string
	Lines        []line
}

type legend struct{ Key, Text string }

// choices is a switch between views of the same charts.
type choices struct {
	Name, Label string
	Options     []choice
}

// chart is a place for a drawing. Side is "b" or "c" where it shows one side.
type chart struct{ ID, Label, Heading, Side, Sub string }

// fall is a waterfall with its table.
type fall struct {
	Chart chart
	Table table
}

// empty says what is missing and what would record it.
type empty struct{ What, How string }

// line is one warning.
type line struct{ Side, File, Text string }

// pageData is the data block: what the script draws.
type pageData struct {
	First    *firstData           `json:"first,omitempty"`
	Fall     *fallData            `json:"fall,omitempty"`
	Charts   map[string]chartData `json:"charts"`
	Ranks    []string             `json:"ranks"` // names of the rows of maps
	Numbers  []int                `json:"numbers"`
	Nodes    []int                `json:"nodes"` // rows at which another host begins
	Steps    []int64              `json:"steps"`
	LeftOut  []int                `json:"leftOut"` // indices into Steps
	Map      *mapData             `json:"map,omitempty"`
	Courses  *courseData          `json:"courses,omitempty"`
	Timeline *timeData            `json:"timeline,omitempty"`

	matrices []byte // behind the JSON: the bytes of all maps
}

// sheet is a report with what the sections have in common.
type sheet struct {
	r      *diff.Report
	state  string       // the look of the page: see state
	judged bool         // better and worse have their colours
	ms     number.Scale // of step times
	data   pageData
	// shown are the series whose values stand in a table, so that what is in none is known.
	shown map[run.Key]bool
}

func pageOf(r *diff.Report) *page {
	s := &sheet{r: r, state: state(r), judged: judges(r), ms: stepScale(r)}
	s.data = pageData{
		Charts: map[string]chartData{},
		Ranks:  []string{}, Numbers: []int{}, Nodes: []int{}, Steps: []int64{}, LeftOut: []int{}, // never null to the script
	}
	s.rows()
	p := &page{
		Title: tag(r) + ": " + titleOf(&r.Base) + " / " + titleOf(&r.Cand), Tool: r.Tool, Job: job(r),
		Base: r.Base.Label, Cand: r.Cand.Label, BaseFrom: sourceOf(&r.Base), CandFrom: sourceOf(&r.Cand), Bar: tag(r),
	}
	p.First = s.first()
	for _, build := range s.builders() {
		sec := build(s)
		if sec.ID != "" {
			p.Sections = append(p.Sections, sec)
		}
	}
	s.details(p.Sections)
	p.First.link(p.Sections)
	p.RankChoice, p.StepChoice = s.choices()
	p.data = s.data
	return p
}

// builders are the sections in the order of the page. One that has nothing to
// ask returns a section without an id. Without steps what to do about it leads the page,
// and those follow that need none.
func (s *sheet) builders() []func(*sheet) section {
	measured := []func(*sheet) section{
		(*sheet).metrics, (*sheet).change, (*sheet).next, (*sheet).loads, (*sheet).steps, (*sheet).distribution, (*sheet).breakdown, (*sheet).rankSteps,
		(*sheet).utilization, (*sheet).collectives, (*sheet).gaps, (*sheet).reads, (*sheet).kernels, (*sheet).summaries, (*sheet).timeline,
	}
	if s.r.Stepless() {
		measured = []func(*sheet) section{
			(*sheet).stepsFound, (*sheet).calls, (*sheet).utilization, (*sheet).gaps, (*sheet).reads, (*sheet).kernels, (*sheet).summaries,
		}
	}
	if s.r.Reason == diff.ReasonLoad {
		measured = []func(*sheet) section{(*sheet).loads, (*sheet).utilization}
	}
	facts := []func(*sheet) section{(*sheet).ranks, (*sheet).environment}
	if !s.r.Stepless() {
		facts = append(facts, (*sheet).stepsFound)
	}
	return slices.Concat(measured, facts, []func(*sheet) section{(*sheet).method, (*sheet).glossary, (*sheet).warnings})
}
