package render

import (
	"fmt"
	"io"
	"math"
	"strings"

	"perfdiff/diff/history"
	"perfdiff/diff/verdict"
	"perfdiff/render/number"
	"perfdiff/render/words"
)

// mostChanges is how many changes of level, the newest, a terminal shows of a metric. Chosen, not measured.
const mostChanges = 5

// jobText is such a text under construction.
type jobText struct {
	*text
	h *Jobs
}

// Text writes what is true of main now and how it came to be: one job with its chart, several as a table.
func (h *Jobs) Text(w io.Writer, opt Options) error {
	t := &jobText{newText(opt), h}
	switch len(h.All) {
	case 0:
		t.line("", 0, "No run of main is kept here.")
	case 1:
		t.job(&h.All[0])
	default:
		t.jobTable()
	}
	_, err := io.WriteString(w, t.String())
	return err
}

func (t *jobText) job(j *history.Job) {
	m := j.MetricNamed(t.h.Metric)
	if m == nil {
		t.line("", 0, "No run of main has this metric.")
		return
	}
	name := ""
	if j.Name != "" {
		name = shortName(j.Name) + ": "
	}
	t.paintedLine("strong", "HISTORY  ", 0, shortSentence(name+words.MainHeadline(j, m)))
	if quiet := words.Quiet(j); quiet != "" {
		t.line("", 0, quiet)
	}
	if story := words.MainStory(j, m); story != "" {
		t.WriteString("\n")
		t.line("  ", 2, shortSentence(story))
	}
	t.levelChanges(j, m)
	t.WriteString("\n")
	t.dotChart(j, m)
	if scatter := words.MainScatter(j, m); scatter != "" {
		t.WriteString("\n")
		t.line("  ", 2, scatter)
	}
	t.leftRuns(j, m)
	for i := range j.Events {
		if e := &j.Events[i]; e.Kind != history.Accept {
			t.line("  ", 4, shortSentence(words.Decision(e)))
		}
	}
	t.otherChanges(j, m)
	t.nextOf(j, m)
}

// levelChanges lists the changes of a metric's level, the newest first, and what crept.
func (t *jobText) levelChanges(j *history.Job, m *history.Metric) {
	n := len(m.Changes)
	if n == 1 { // which the story tells
		n = 0
	}
	if n > 0 || m.Creep != nil {
		t.WriteString("\n")
	}
	for i := n - 1; i >= max(0, n-mostChanges); i-- {
		c := &m.Changes[i]
		class := ""
		if c.Worse && c.Accepted == nil {
			class = "worse"
		}
		size := words.Sized(m, c.Size)
		t.paintedLine(class, "  "+size+" ", 4, strings.TrimPrefix(shortSentence(words.LevelChange(j, m, c)), size+" "))
		if moved := words.MovedParts(c); moved != "" {
			t.line("    ", 4, shortSentence(moved))
		}
	}
	if n > mostChanges {
		t.line("  ", 2, number.Counted(n-mostChanges, "change")+" before")
	}
	if c := words.Crept(j, m); c != "" {
		t.line("  ", 4, c)
	}
}

// leftRuns names the runs that do not count or whose commit left main, the newest first.
func (t *jobText) leftRuns(j *history.Job, m *history.Metric) {
	left := 0
	for i := len(j.Runs) - 1; i >= 0; i-- {
		if r := &j.Runs[i]; !r.Why.Is() && !r.Gone {
			if odd := words.NotRepeated(j, i); odd != "" {
				t.line("  ", 4, shortSentence(odd))
			}
			continue
		}
		if left++; left <= verdict.MostListed {
			mark := "? left out: "
			if !j.Runs[i].Why.Is() {
				mark = ""
			}
			t.line("  "+mark, 4, shortSentence(words.RunLeft(j, i))+apartText(j, m, i))
		}
	}
	if left > verdict.MostListed {
		t.line("  ", 2, fmt.Sprintf("%d more are left out.", left-verdict.MostListed))
	}
}

// apartText says how far a run that does not count is from the level there, unless its reason says so; "" where that is
// not known.
func apartText(j *history.Job, m *history.Metric, i int) string {
	l := m.LevelAt(i)
	if why := &j.Runs[i].Why; !why.Is() || why.Size != 0 || l == nil || l.Value == 0 || math.IsNaN(valueOf(m, i)) {
		return ""
	}
	by := m.Values[i] - l.Value
	if m.Relative {
		by /= l.Value
	}
	return " (" + words.Sized(m, by) + ")"
}

// otherChanges has a row for each other metric whose level changed.
func (t *jobText) otherChanges(j *history.Job, shown *history.Metric) {
	var rows [][]string
	for i := range j.Metrics {
		m := &j.Metrics[i]
		if m == shown || len(m.Changes) == 0 || m.Now() == nil {
			continue
		}
		c := &m.Changes[len(m.Changes)-1]
		rows = append(rows, []string{words.MetricText(m.Metric.Name), words.LevelValue(m, m.Now().Value), words.Sized(m,
			c.Size), changedAt(j, c)})
	}
	if len(rows) == 0 {
		return
	}
	t.WriteString("\n  Also changed\n")
	if align := "lrrl"; widthOf(rows, 2, 2) <= t.width {
		t.lay(rows, align, 2, 2, nil)
	} else {
		t.lay(onlyColumns(rows, 0, 1, 2), align, 2, 1, nil)
	}
}

// changedAt says in a table's cell where a change came from.
func changedAt(j *history.Job, c *history.Change) string {
	before, after := c.Between()
	text := shortName(words.RunAt(j, min(after, len(j.Runs)-1)))
	if before >= 0 {
		text = shortName(words.RunAt(j, before)) + ".." + text
	}
	if c.Gradual {
		text = "gradually " + text
	}
	if c.Accepted != nil {
		text += ", accepted"
	}
	return text
}

// nextOf says what to do about the newest change for the worse, unless somebody accepted it.
func (t *jobText) nextOf(j *history.Job, m *history.Metric) {
	if len(m.Changes) == 0 || !m.Gating {
		return
	}
	c := &m.Changes[len(m.Changes)-1]
	before, after := c.Between()
	if !c.Told || c.Accepted != nil || before < 0 || after >= len(j.Runs) {
		return
	}
	a, b := &j.Runs[before].From, &j.Runs[after].From
	if a.Commit == "" || b.Commit == "" {
		return
	}
	store := t.h.store()
	t.WriteString("\n")
	first := "Next"
	if !c.Gradual && c.Commits != 1 {
		first = "Or  "
		t.line("  Next  ", 8, fmt.Sprintf("perfdiff history bisect %s --between %s..%s", store, a.Short(), b.Short()))
	}
	accept := words.AcceptLine(store, *b, m, c.Size)
	t.WriteString("  " + first + "  " + strings.Replace(accept, " --metric", " \\\n          --metric", 1) + "\n")
}

// jobTable has a row for each job, and below it what else a reader must know.
func (t *jobText) jobTable() {
	t.paintedLine("strong", "HISTORY  ", 0, shortSentence(words.MainsHeadline(t.h.All, t.h.Metric)))
	t.WriteString("\n")
	rows := [][]string{{"job", "now", "since", "change", "runs differ by", "runs", "newest"}}
	for k := range t.h.All {
		j := &t.h.All[k]
		row := []string{shortName(j.Name), number.None, "", "", number.None, number.Count(len(j.Runs)), number.None}
		if m := j.MetricNamed(t.h.Metric); m != nil && m.Now() != nil {
			row[1], row[4] = words.LevelValue(m, m.Now().Value), orNone(words.Scatter(m))
			if n := len(m.Changes); n > 0 {
				c := &m.Changes[n-1]
				row[2], row[3] = shortName(words.RunAt(j, c.At)), words.Sized(m, c.Size)
				if c.Accepted != nil {
					row[3] += " accepted"
				}
			}
		}
		if n := len(j.Runs); n > 0 && j.Runs[n-1].Time() != 0 {
			row[6] = words.Day(j.Runs[n-1].Time())
		}
		rows = append(rows, row)
	}
	if align := "lrllrrl"; !t.layWhereItFits(rows, align) {
		t.lay(onlyColumns(rows, 0, 1, 3), "lrl", 0, 2, nil)
	}
	for k := range t.h.All {
		t.jobNotes(&t.h.All[k])
	}
	t.line("", 0, "One job with its chart: perfdiff history "+t.h.store()+"/JOB")
}

// jobNotes says of a job what its row does not.
func (t *jobText) jobNotes(j *history.Job) {
	notes := []string{words.Quiet(j)}
	if m := j.MetricNamed(t.h.Metric); m == nil {
		notes = append(notes, "no run has this metric")
	} else {
		notes = append(notes, words.Crept(j, m))
	}
	for _, n := range notes {
		if n != "" {
			t.line("", 4, shortName(j.Name)+": "+number.Lower(n))
		}
	}
}

// store returns how commands to paste name the store.
func (h *Jobs) store() string {
	if h.Store == "" {
		return "DIR"
	}
	return h.Store
}
