package render

import (
	"fmt"
	"io"
	"math"

	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/render/number"
)

// maxCandidates is how many step candidates the text and a comment name; the page and JSON have
// all.
const maxCandidates = 3

// Candidates writes what may mark the steps of one run set, or of two if pair is set.
func Candidates(w io.Writer, all []diff.StepCandidate, pair bool, opt Options) error {
	t := newText(opt)
	if len(all) == 0 {
		t.line("", 0, "Nothing repeats that could mark steps: no range, no kernel and no graph replay does. Record a range around each step.")
	} else {
		t.line("", 0, "What may mark steps, the best first:")
	}
	for i := range all {
		t.candidate(&all[i], pair)
	}
	_, err := io.WriteString(w, t.String())
	return err
}

// candidates writes the best step candidates of a report without steps.
func (t *text) candidates(r *diff.Report) {
	if len(r.Candidates) == 0 {
		return
	}
	t.heading("What may mark steps")
	most := 1
	if t.all {
		most = maxCandidates
	}
	for i := range r.Candidates[:min(most, len(r.Candidates))] {
		t.candidate(&r.Candidates[i], true)
	}
	if more := notShownText(len(r.Candidates), most, "candidates"); more != "" {
		t.line("  ", 2, more+" (perfdiff steps lists them)")
	}
}

func (t *text) candidate(c *diff.StepCandidate, pair bool) {
	title := "  " + markerName(c)
	if note := candidateWorth(c); note != "" {
		title += ": "
		t.paintedLine("strong", title, 4, note)
	} else {
		t.paintedLine("strong", title, 4, "")
	}
	base, cand := candidateSide(&c.Base), candidateSide(&c.Cand)
	switch {
	case !pair:
		t.line("    ", 6, base)
	case base == cand:
		t.line("    ", 6, "both sides: "+base)
	default:
		t.line("    ", 6, baseline+": "+base)
		t.line("    ", 6, candidate+": "+cand)
	}
	if c.Flag != "" {
		t.WriteString("    " + Line(c.Flag) + "\n") // as it is: it is to be pasted
	}
}

// unevenPeriods is the spread of periods from which launches are said to be uneven. From analyze/step, maxPeriodSpread.
const unevenPeriods = 0.25

// markerName returns a candidate's name as it stands in a line.
func markerName(c *diff.StepCandidate) string { return shortName(c.Marker.String()) }

// candidateWorth says why a candidate is or is not a good choice; "" if there is nothing to
// say.
func candidateWorth(c *diff.StepCandidate) string {
	switch {
	case c.Within != "":
		return "a part of " + shortSentence(c.Within)
	case c.Usable && c.Base.Count > 0 && c.Cand.Count > 0 && c.Base.Usable != c.Cand.Usable:
		of, other := baseline, candidate
		if c.Cand.Usable {
			of, other = other, of
		}
		return "would be taken for the " + of + "; in the " + other + " it is too uneven, or covers too little, to be taken without being named"
	case !c.Usable && c.Kind == run.MarkLaunch && max(c.Base.Spread, c.Cand.Spread) > unevenPeriods:
		return "too uneven to be taken without being named, unless the other side has it evenly"
	case c.Usable:
		return "taken without being named, where both sides have it"
	}
	return ""
}

// candidateSide says how often, how evenly and over how much a candidate repeats.
func candidateSide(s *diff.CandidateSide) string {
	if s.Count == 0 {
		return "none"
	}
	out := number.Counted(s.Count, "time")
	if s.Period > 0 {
		out += fmt.Sprintf(", every %s (p90 − p10: %s of that)", number.ScaleOf("s", s.Period).With(s.Period), number.Setting(math.Round(s.Spread*100)/100))
	}
	if s.Covered > 0 {
		out += ", over " + number.Share(s.Covered) + " of the capture"
	}
	if s.Work > 0 {
		out += ", " + number.Counted(s.Work, "kernel") + " between two"
	}
	return out
}

// candidates writes the same as a table in Markdown.
func (c *comment) candidates(r *diff.Report) {
	s := &sheet{heading: "What may mark steps", align: "llll", heads: []string{"marker", baseline, candidate, "to name it"}}
	for i := range r.Candidates {
		x := &r.Candidates[i]
		s.add(append(cells(markerName(x), candidateSide(&x.Base), candidateSide(&x.Cand)), nameOrNone(Line(x.Flag)))...)
	}
	c.foldedTable(s)
}
