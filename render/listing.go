package render

import (
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"perfdiff/diff"
	"perfdiff/diff/cause"
	"perfdiff/diff/verdict"
	"perfdiff/render/number"
	"perfdiff/render/table"
	"perfdiff/render/words"
)

// Listing is what a command prints that does not compare two sides, as tables.
type Listing struct {
	Said   string        // what holds of all of it, for people; "": nothing
	Tables []table.Table // the last is what the command is asked for, and alone in a CSV file
}

// ListingExtensions are the extensions of files that a listing can be written into.
var ListingExtensions = []string{".json", ".csv", ".md"}

// IsListing reports whether a listing can be written into a file of that name.
func IsListing(path string) bool {
	return slices.Contains(ListingExtensions, strings.ToLower(filepath.Ext(path)))
}

// Write writes a listing as the name of its file says: one of ListingExtensions.
func (l *Listing) Write(w io.Writer, path string) error {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".json":
		return table.WriteJSON(w, l.Tables)
	case ".csv":
		return table.WriteCSV(w, &l.Tables[len(l.Tables)-1])
	}
	return l.writeMarkdown(w)
}

// writeMarkdown writes what is said and each table that has rows.
func (l *Listing) writeMarkdown(w io.Writer) error {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	if l.Said != "" {
		line("%s", escapeMarkdown(cleanLine(l.Said)))
	}
	for i := range l.Tables {
		s, err := sheetOf(&l.Tables[i])
		if err != nil {
			return err
		}
		s.writeInto(line)
	}
	_, err := io.WriteString(w, strings.TrimPrefix(b.String(), "\n"))
	return err
}

// sheetOf makes a table for people: numbers on the right, with the unit of their column or else of the row's column
// "unit", and a dash for what was not recorded.
func sheetOf(t *table.Table) (*sheet, error) {
	s, unit := &sheet{heading: number.Capital(t.Doc)}, -1
	for i := range t.Columns {
		c := &t.Columns[i]
		name := strings.TrimSuffix(c.Name, "_"+c.Unit) // which each cell says
		s.heads = append(s.heads, strings.ReplaceAll(name, "_", " "))
		s.align += map[bool]string{true: "r", false: "l"}[c.Kind == table.Integer || c.Kind == table.Float]
		if c.Name == "unit" {
			unit = i
		}
	}
	err := t.Rows(func(row []table.Cell) error {
		out := make([]sheetCell, len(row))
		for i := range row {
			of := t.Columns[i].Unit
			if of == "" && unit >= 0 {
				of = row[unit].Text
			}
			out[i].text = cellText(t.Columns[i].Kind, of, &row[i])
		}
		s.add(out...)
		return nil
	})
	return s, err
}

// cellText returns a value for people.
func cellText(kind table.Kind, unit string, c *table.Cell) string {
	switch {
	case !c.Present:
		return number.None
	case kind == table.Float:
		return spaces.Replace(number.ScaleOf(unit, math.Abs(c.Float)).With(c.Float))
	case kind == table.Integer:
		return number.Count(int(c.Integer))
	case kind == table.Bool:
		return map[bool]string{true: "yes", false: "no"}[c.Integer != 0]
	}
	return cleanLine(c.Text)
}

// CheckListing returns a self-check as tables.
func CheckListing(r *diff.CheckReport) *Listing {
	_, said, story := words.Check(r)
	said = strings.TrimSpace(strings.TrimSpace(said+" "+story) + " " + words.PolicyLine(&r.Policy))
	tests := table.ParseColumns(`test text: what is compared with what
		ok boolean: no change was found
		found text: the change that was; empty: none`)
	changes := table.ParseColumns(`slower text: what was made slower
		by float ratio: how much
		of_step float ratio: what that makes of the step time
		caught boolean: the gate would have failed
		seen_in text: what showed it; empty: nothing
		detectable float ratio: smallest change of the step time that such data shows in 80 % of cases`)
	return &Listing{said, []table.Table{
		listTable("tests", "no change may be found", tests, r.Tests, func(row *tableRow, x *diff.SelfTest) {
			row.text(words.SelfTest(x))
			row.bool(x.OK)
			row.text(words.Found(x))
		}),
		listTable("injected", "changes put into the data", changes, r.Injected, func(row *tableRow, x *diff.Injected) {
			row.text(x.What)
			row.number(x.Size, x.OfStep)
			row.bool(x.Caught)
			row.text(words.SeenIn(x))
			row.number(x.Detectable)
		}),
	}}
}

// CandidateListing lists what may mark the steps of one run set, or of two if pair is set.
func CandidateListing(all []diff.StepCandidate, pair bool) *Listing {
	columns := table.ParseColumns(`marker text: what repeats
		kind text: of it
		usable boolean: it is taken without being named, where both sides have it
		within text: what it is a part of; empty: it may be a step
		flag text: that names it; empty: it cannot be named`)
	prefixes := []string{""}
	if pair {
		prefixes = []string{"baseline_", "candidate_"}
	}
	for _, prefix := range prefixes {
		side := table.ParseColumns(`ranks integer: captures that have it
			count integer: how often, in one of them
			period_s float s: from one to the next
			spread float ratio: of the periods: p90 less p10, over the median
			covered float ratio: of the capture
			work integer: kernels and graph replays between two`)
		for i := range side {
			side[i].Name = prefix + side[i].Name
		}
		columns = append(columns, side...)
	}
	fill := func(row *tableRow, c *diff.StepCandidate) {
		row.text(c.Marker.String(), c.Kind)
		row.bool(c.Usable)
		row.text(c.Within, c.Flag)
		for _, s := range []*diff.CandidateSide{&c.Base, &c.Cand}[:len(prefixes)] {
			row.candidateSide(s)
		}
	}
	return &Listing{"", []table.Table{
		listTable("candidates", "what may mark steps, the best first", columns, all, fill),
	}}
}

// candidateSide adds how a candidate repeats. One that does not occur only has a count, and one that occurs once has
// no period.
func (r *tableRow) candidateSide(s *diff.CandidateSide) {
	r.integer(int64(s.Ranks), int64(s.Count))
	if s.Period > 0 {
		r.number(s.Period, s.Spread)
	} else {
		r.number(math.NaN(), math.NaN())
	}
	if s.Count == 0 {
		r.cells = append(r.cells, table.Cell{}, table.Cell{})
		return
	}
	r.number(s.Covered)
	r.integer(int64(s.Work))
}

// PortraitListing describes one run set as tables: what stands out, the parts of a mean step, and all metrics.
func PortraitListing(p *diff.Portrait) *Listing {
	a := words.AnswerOfRun(p, true)
	said := slices.Concat([]string{a.Headline, a.Story}, a.Also, []string{words.PolicyLine(&p.Report.Policy)})
	notes := table.ParseColumns(`size text: with its unit
		share float ratio: of the mean step; empty: it is no part of it
		what text: what stands out`)
	metrics := table.ParseColumns(`metric text: name, as perfdiff help metrics explains it
		part text: empty: the metric itself
		unit text: of the numbers
		better text: lower, higher or neither
		median float @unit: over steps of the median over ranks
		mean float @unit: over steps of the mean over ranks`)
	all := slices.Concat(p.Report.Metrics, p.Report.Parts)
	return &Listing{strings.TrimSpace(strings.Join(said, " ")), []table.Table{
		listTable("notes", "what stands out", notes, p.Notes, func(row *tableRow, n *diff.Note) {
			size, unit, text := words.NoteText(p, n)
			row.text(spaces.Replace(size + " " + unit))
			row.number(n.Share)
			row.text(spaces.Replace(text))
		}),
		portraitPartTable(p),
		listTable("metrics", "what was measured", metrics, all, func(row *tableRow, c *verdict.Comparison) {
			row.text(c.Key.Metric, c.Part, c.Metric.Unit, betterWords[c.Metric.Better])
			row.number(c.Cand, c.CandMean)
		}),
	}}
}

// portraitPartTable says where the time of a mean step goes.
func portraitPartTable(p *diff.Portrait) table.Table {
	columns := table.ParseColumns(`part text: of the mean step
		within text: the part that it is a part of; empty: of the step
		time_s float s: those that are within no other add up to the step
		share float ratio: of the mean step`)
	type part struct {
		*cause.PartChange
		within string
	}
	var all []part
	for i := range p.Report.Waterfall.Parts {
		x := &p.Report.Waterfall.Parts[i]
		all = append(all, part{&x.PartChange, ""})
		for k := range x.Within {
			all = append(all, part{&x.Within[k], words.StepPart(x.StepPart)})
		}
	}
	return listTable("parts", "where the time of a mean step goes", columns, all, func(row *tableRow, x *part) {
		row.text(words.StepPart(x.StepPart), x.within)
		row.number(x.Cand, p.PartShare(x.Cand))
	})
}

// listTable returns a table with a row for each element of a list.
func listTable[T any](name, doc string, columns []table.Column, list []T, fill func(*tableRow, *T)) table.Table {
	return tableOf(name, doc, columns, func(row *tableRow) error {
		for i := range list {
			fill(row, &list[i])
			if err := row.end(); err != nil {
				return err
			}
		}
		return nil
	})
}
