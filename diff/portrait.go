package diff

import (
	"cmp"
	"math"
	"slices"
	"sort"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
	"perfdiff/diff/cause"
	"perfdiff/diff/policy"
	"perfdiff/diff/sides"
	"perfdiff/diff/verdict"
)

// Portrait describes one run set, compared with nothing. Nothing in it is judged.
type Portrait struct {
	Side     Side
	Report   *Report // of the set compared with itself: what it holds of the candidate describes the set
	Step     float64 // s, the median step; NaN: there is none
	Mean     float64 // s, the mean step, of which parts are shares; NaN: not known
	Notes    []Note  // what stands out, by size
	Warnings []Warning
}

// Note is something that stands out in a run set.
type Note struct {
	Kind    NoteKind
	Size    float64            // s a step; of NoteDrift and NoteLevel a fraction of the step
	Share   float64            // of the mean step; NaN of what is no part of it
	Part    cause.StepPart     // of NoteIdle: the cause with the most
	Of      float64            // s a step, of that cause
	Running float64            // of NoteIdle: share of the time before late launches in which their thread was on a processor; NaN: not known
	Rank    *cause.RankWait    // of NoteStraggler
	By      string             // what that rank does longer: "compute", "input", "host"; "": nothing recorded
	Level   *cause.LevelChange // of NoteLevel
	Bound   *cause.Bound       // of NoteBound: what would save most
	Count   int                // of NoteSpikes
	Every   int                // of NoteSpikes: steps from one to the next; 0: no period
}

// NoteKind says what a note is about.
type NoteKind string

// The kinds of notes. Each is a statement about one set.
const (
	NoteExposed   NoteKind = "exposed"   // communication that no compute hides
	NoteIdle      NoteKind = "idle"      // the device has nothing to do
	NoteStraggler NoteKind = "straggler" // one rank is waited for
	NoteBubble    NoteKind = "bubble"    // stages of a pipeline wait for each other
	NoteSpikes    NoteKind = "spikes"    // some steps take much longer than those around them
	NoteLevel     NoteKind = "level"     // from one step on all take another time
	NoteDrift     NoteKind = "drift"     // steps get slower or faster
	NoteBound     NoteKind = "bound"     // what would shorten the step most
)

// stragglerShare is the share of all waiting that must be for one rank for it to be named: most of it, as where two
// sides are compared. Chosen, not measured: TestPortraitNotes holds who is named in the stories of late ranks.
const stragglerShare = 0.5

// Describe describes a run set. The policy must pass Check; its threshold is the share of the step from which on
// something is worth a note. The set is not changed.
func Describe(set *run.Set, policy policy.Policy, opt Options) *Portrait {
	causes := cause.Of(judge(set, set, policy, opt))
	r := newReport(causes, opt)
	p := &Portrait{Side: r.Cand, Report: r, Step: math.NaN(), Mean: math.NaN()}
	if c := verdict.MetricOf(r.Metrics, sides.StepTime.Metric); c != nil {
		p.Step = c.Cand
	}
	if len(r.Waterfall.Parts) > 0 {
		p.Mean = r.Waterfall.Cand
	}
	for _, find := range noteFinders {
		if n := find(p); n != nil {
			p.Notes = append(p.Notes, *n)
		}
	}
	sort.SliceStable(p.Notes, func(i, j int) bool {
		a, b := &p.Notes[i], &p.Notes[j]
		return cmp.Compare(b.weight(p), a.weight(p)) < 0
	})
	p.setWarnings(set)
	return p
}

// weight returns how much of a step a note is about; what could be saved comes last.
func (n *Note) weight(p *Portrait) float64 {
	switch n.Kind {
	case NoteBound:
		return -1
	case NoteDrift, NoteLevel:
		return math.Abs(n.Size)
	}
	return n.Size / p.Step
}

// noteFinders find what stands out; each returns nil if nothing does.
var noteFinders = []func(*Portrait) *Note{
	(*Portrait).exposed, (*Portrait).idle, (*Portrait).straggler, (*Portrait).bubble, (*Portrait).unsteady, (*Portrait).spikes, (*Portrait).bound,
}

// least returns how much of a step is worth a note, in s.
func (p *Portrait) least() float64 { return p.Report.Policy.Threshold * p.Step }

// PartShare returns a part of the mean step as a share of it.
func (p *Portrait) PartShare(v float64) float64 { return v / p.Mean }

// sumOf returns the sum of the parts of the mean step that belong to a kind, and the largest of them.
func (p *Portrait) sumOf(belongs func(*cause.Part) bool) (sum float64, largest *cause.Part) {
	for i := range p.Report.Waterfall.Parts {
		part := &p.Report.Waterfall.Parts[i]
		if belongs(part) {
			if sum += part.Cand; largest == nil || part.Cand > largest.Cand {
				largest = part
			}
		}
	}
	return sum, largest
}

// exposed notes exposed communication, waiting for late ranks included.
func (p *Portrait) exposed() *Note {
	sum, _ := p.sumOf(func(x *cause.Part) bool { return slices.Contains([]string{"transfer", "wait", "comm"}, x.Kind) })
	if !(sum >= p.least()) {
		return nil
	}
	return &Note{Kind: NoteExposed, Size: sum, Share: p.PartShare(sum)}
}

func (p *Portrait) idle() *Note {
	sum, largest := p.sumOf(func(x *cause.Part) bool { return x.Metric == run.IdleTime })
	if !(sum >= p.least()) {
		return nil
	}
	n := &Note{Kind: NoteIdle, Size: sum, Share: p.PartShare(sum), Part: largest.StepPart, Of: largest.Cand, Running: math.NaN()}
	if x := verdict.MetricOf(p.Report.Parts, run.LaunchRunning); x != nil {
		n.Running = x.Cand
	}
	return n
}

// straggler notes the rank that others wait for, if most of the waiting is for it.
func (p *Portrait) straggler() *Note {
	all, most := 0.0, (*cause.RankWait)(nil)
	waits := p.Report.RankWaits[1]
	for i := range waits {
		if all += waits[i].CausedWait; most == nil || waits[i].CausedWait > most.CausedWait {
			most = &waits[i]
		}
	}
	if len(waits) < 3 || !(most.CausedWait > stragglerShare*all) { // of two ranks either is last
		return nil
	}
	each := most.CausedWait / float64(len(waits)-1) // what one of the others waits
	if !(each >= p.least()) {
		return nil
	}
	n := &Note{Kind: NoteStraggler, Size: each, Share: math.NaN(), Rank: most}
	longest := 0.0
	for _, what := range sides.SortedKeys(most.LongerBy) {
		if by := most.LongerBy[what]; by > longest && by >= each/2 {
			longest, n.By = by, what
		}
	}
	return n
}

func (p *Portrait) bubble() *Note {
	pipes := p.Report.Pipeline
	if pipes == nil || !(pipes[1].Share*p.Step >= p.least()) {
		return nil
	}
	return &Note{Kind: NoteBubble, Size: pipes[1].Share * p.Step, Share: pipes[1].Share}
}

// unsteady notes a change of level, or a drift, of the first run that has one.
func (p *Portrait) unsteady() *Note {
	for i := range p.Side.Stability {
		s := &p.Side.Stability[i]
		switch {
		case s.Level != nil:
			return &Note{Kind: NoteLevel, Size: s.Level.Change, Share: math.NaN(), Level: s.Level}
		case math.Abs(s.Drift) >= 2*p.Report.Policy.Threshold:
			return &Note{Kind: NoteDrift, Size: s.Drift, Share: math.NaN()}
		}
	}
	return nil
}

// spikes notes the steps that stand out, of the run in which they cost most.
func (p *Portrait) spikes() *Note {
	var out *Note
	for i := range p.Side.Stability {
		s := &p.Side.Stability[i]
		if len(s.Spikes) > 0 && s.Cost >= p.least() && (out == nil || s.Cost > out.Size) {
			out = &Note{Kind: NoteSpikes, Size: s.Cost, Of: s.Excess, Share: math.NaN(), Count: len(s.Spikes), Every: s.Period}
		}
	}
	return out
}

func (p *Portrait) bound() *Note {
	r := p.Report
	if i := r.NextBottleneck; i > 0 && i < len(r.Bounds) && r.Bounds[0].Cand-r.Bounds[i].Cand >= p.least() {
		return &Note{Kind: NoteBound, Size: r.Bounds[0].Cand - r.Bounds[i].Cand, Share: math.NaN(), Bound: &r.Bounds[i]}
	}
	return nil
}

// setWarnings copies the warnings of the set, each text once, and what is not known about it. What a comparison warns
// about itself is left out: there are no two sides.
func (p *Portrait) setWarnings(set *run.Set) {
	for _, d := range set.Doubts {
		p.Warnings = append(p.Warnings, Warning{Warning: trace.Warning{Text: d.Text + " (" + d.Hint + ")"}, Count: 1})
	}
	for _, w := range p.Report.Warnings {
		if w.Side == "candidate" && (w.Kind == WarnCopies || w.Kind == WarnNoSteps) {
			w.Side = ""
			p.Warnings = append(p.Warnings, w)
		}
	}
	at := map[string]int{}
	for _, w := range set.Warnings {
		if i, known := at[w.Text]; known {
			p.Warnings[i].Count++
			p.Warnings[i].First, p.Warnings[i].File = cmp.Or(p.Warnings[i].First, p.Warnings[i].File), ""
			continue
		}
		at[w.Text] = len(p.Warnings)
		p.Warnings = append(p.Warnings, Warning{Warning: w, Count: 1})
	}
}
