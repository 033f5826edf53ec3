package html

import (
	"html/template"
	"slices"
	"sync"

	"perfdiff/analyze/run"
	"perfdiff/analyze/source/remedy"
	"perfdiff/diff"
	"perfdiff/diff/verdict"
	"perfdiff/render/number"
	"perfdiff/render/words"
)

// page is the data of the page's template.
type page struct {
	Style, PaperStyle        template.CSS
	Theme, Script            template.JS
	Licence, Library         template.HTML
	Policy, Title, Job, Tool string
	Base, Cand               string
	BaseHead, CandHead       string // names of the sides, in the bar
	BaseFrom, CandFrom       runOrigin
	About                    identity
	First                    firstScreen
	Bar                      string    // the verdict in three words, for the bar that stays on screen
	Sections, Rest           []section // those that are open, and those of which a line is
	RankChoice, StepChoice   []choice
	NoPick                   bool // there is neither rank nor step to choose
	data                     pageData
	packing                  sync.WaitGroup
	packed                   struct { // once packing is done
		data, script string
		err          error
	}
}

// pack begins to compress the page's own script, and its data, to which clean is applied before.
// They stand at the end of the page: the rest is written meanwhile.
func (p *page) pack(script string, clean func([]byte) []byte) {
	p.packing.Go(func() { p.packed.data, p.packed.err = p.data.encode(clean) })
	p.packing.Go(func() { p.packed.script = encodeBase64([]byte(script)) })
}

// Data returns the data of the script, compressed.
func (p *page) Data() (template.HTML, error) {
	p.packing.Wait()
	return template.HTML(p.packed.data), p.packed.err
}

// Drawing returns the page's own script, compressed.
func (p *page) Drawing() template.HTML {
	p.packing.Wait()
	return template.HTML(p.packed.script)
}

type choice struct{ Value, Text string }

// section is one question of the page, its answer, and the blocks that show it.
type section struct {
	ID, Nav, Title string
	Reading        string
	Blocks         []block
	Folded         []block // behind one line, FoldedAs
	FoldedAs       string
	Also           []string // addresses of sections that stand in this one
}

// block is one piece of a section. The fields that are set are shown, in their order.
type block struct {
	ID           string // of a heading that was a section's
	Panel        string // of a switch: the choice that shows the block; "" it is always shown
	Below        bool   // its charts are folded as well
	Heading, Sub string
	Legend       []legend
	Switch       *choices
	Levels       *choices // a second switch
	Ramps        []string // ids of colour scales
	Charts       []chart  // side by side
	Table        *table
	Timeline     *timelineBlock
	Note         string
	Values       *table // table that is closed until a reader opens it
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

// chart is a place for a drawing. Side is "b" or "c" if it shows one side only.
type chart struct{ ID, Label, Heading, Side, Sub string }

// empty says what is missing and what would record it. What a topic stands for is said in one line for the whole page.
type empty struct {
	What, How string
	Lacks     []remedy.Topic
}

// line is one warning.
type line struct{ Side, File, Text string }

// pageData is the data block that the scripts draw.
type pageData struct {
	First    *firstChart          `json:"first,omitempty"`
	Charts   map[string]chartData `json:"charts"`
	Sides    [2]string            `json:"sides"` // names of baseline and candidate, in charts
	Ranks    []string             `json:"ranks"` // names of the maps' rows
	Numbers  []int                `json:"numbers"`
	Nodes    []int                `json:"nodes"`            // rows at which another host begins
	HostOf   []int                `json:"hostOf,omitempty"` // number of each rank's host, where charts show hosts
	Steps    []int64              `json:"steps"`
	LeftOut  []int                `json:"leftOut"` // indices into Steps of those that are left out
	Map      *mapData             `json:"map,omitempty"`
	Activity *activityData        `json:"activity,omitempty"`
	Timeline *timeData            `json:"timeline,omitempty"`
	Path     *pathStrip           `json:"path,omitempty"`
	Icicle   *icicleData          `json:"icicle,omitempty"`
	// Cards are what the pictures of findings draw, by the findings' addresses.
	Cards map[string][]figure `json:"cards,omitempty"`

	matrices []byte // behind the JSON: the bytes of all maps
}

// sheet is a report, with what its sections share.
type sheet struct {
	r      *diff.Report
	state  string       // state of the page, see pageState
	judged bool         // better and worse have colours
	ms     number.Scale // of step times
	data   pageData
	// ofQuantities are the quantities with a distribution, once they were asked for.
	ofQuantities []quantity
	// shown are the series that some table shows already.
	shown map[run.Key]bool
	// kernels are addresses of what Nsight Compute recorded of kernels, by name.
	kernels map[string]string
}

// pageOf builds the page of a report, with addresses of more on kernels, by name.
func pageOf(r *diff.Report, kernels map[string]string) *page {
	s := &sheet{kernels: kernels, r: r, state: pageState(r), judged: hasVerdict(r), ms: stepScale(r)}
	s.data = pageData{
		Charts: map[string]chartData{},
		Ranks:  []string{}, Numbers: []int{}, Nodes: []int{}, Steps: []int64{}, LeftOut: []int{}, // never null to the script
	}
	s.nameRanksAndSteps()
	p := &page{
		Title: pageTitle(r), Tool: r.Tool, Job: jobText(r), About: identityOf(r),
		Base: words.Called(r, 0), Cand: words.Called(r, 1), BaseFrom: originOf(&r.Base), CandFrom: originOf(&r.Cand), Bar: words.Tag(r),
	}
	p.First = s.firstScreen()
	var all []section
	for _, build := range s.sectionBuilders() {
		sec := build(s)
		if sec.ID != "" {
			all = append(all, sec)
		}
	}
	s.addOtherMetrics(all)
	s.nameSides(&p.First, all)
	p.BaseHead, p.CandHead = s.data.Sides[0], s.data.Sides[1]
	s.addCards(&p.First, all)
	p.Sections, p.Rest = s.openAndRest(gatherMissing(s, withDistributions(all)))
	foldSections(p.Sections)
	p.RankChoice, p.StepChoice = s.rankAndStepChoices()
	p.NoPick = r.OfResults
	p.data = s.data
	return p
}

// sectionBuilders make the sections, those first that a page has open, and the others in the order of their lines. One
// with nothing to say returns a section without an id. Without steps, the section about finding them comes first, and
// only sections that need no steps follow.
func (s *sheet) sectionBuilders() []func(*sheet) section {
	measured := []func(*sheet) section{
		(*sheet).rankMapSection, (*sheet).stepSection, (*sheet).timelineSection, (*sheet).kernelSection, (*sheet).metricSection, (*sheet).distributionSection,
		(*sheet).warningSection, (*sheet).nextSection, (*sheet).changeSection, (*sheet).pathSection, (*sheet).loadSection, (*sheet).breakdown,
		(*sheet).utilizationSection, (*sheet).levelSection, (*sheet).collectiveSection, (*sheet).gapSection, (*sheet).inputSection, (*sheet).networkSection, (*sheet).insideSection, (*sheet).summarySection,
	}
	if s.r.Stepless() {
		measured = []func(*sheet) section{
			(*sheet).stepsFoundSection, (*sheet).callSection, (*sheet).kernelSection, (*sheet).warningSection, (*sheet).utilizationSection, (*sheet).gapSection, (*sheet).inputSection, (*sheet).networkSection, (*sheet).summarySection,
		}
	}
	if s.r.Reason == verdict.ReasonLoad {
		measured = []func(*sheet) section{(*sheet).loadSection, (*sheet).warningSection, (*sheet).utilizationSection}
	}
	if s.r.OfResults {
		return []func(*sheet) section{(*sheet).metricSection, (*sheet).warningSection, (*sheet).environmentSection, (*sheet).methodSection, (*sheet).glossarySection}
	}
	facts := []func(*sheet) section{(*sheet).rankSection, (*sheet).environmentSection}
	if !s.r.Stepless() {
		facts = append(facts, (*sheet).stepsFoundSection)
	}
	return slices.Concat(measured, facts, []func(*sheet) section{(*sheet).methodSection, (*sheet).glossarySection})
}
