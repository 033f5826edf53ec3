package html

import (
	"bytes"
	"cmp"
	"fmt"
	"html/template"
	"io"
	"math"
	"slices"
	"strings"

	"perfdiff/diff/history"
	"perfdiff/render/number"
	"perfdiff/render/picture"
	"perfdiff/render/plot"
	"perfdiff/render/words"
)

// Jobs is what the runs of main show over time.
type Jobs struct {
	All    []history.Job
	Metric string // that is shown first; "": the first of each job
	Tool   string
}

// JobFile is a file of a site.
type JobFile struct {
	Name  string
	Write func(io.Writer) error
}

// jobsPage is the data of jobs.tmpl: a list of jobs, jobs, or both. It holds no script but that of the theme.
type jobsPage struct {
	Style         template.CSS
	Theme, Switch template.JS
	Policy        string
	Title, Tool   string
	Back          string // page of the list; "": this one is it, or there is none
	List          []jobRow
	Jobs          []jobView
}

// jobRow is a job in the list.
type jobRow struct{ Name, Href, Now, Scatter, Runs, Change, Class, Newest, Note string }

// jobView is a job with its charts.
type jobView struct {
	ID, Name, Now   string
	Said            []jobSaid
	Charts, Folded  []jobChart
	Changes         []jobChange
	Runs            []jobRun
	Of              string // metric of the table of runs
	Left, Decisions []string
}

// jobSaid is a sentence with its class: "worse", "better" or "".
type jobSaid struct{ Class, Text string }

type jobChart struct {
	Title, Sub string
	SVG        []template.HTML // wide, narrow
}

type jobChange struct{ Metric, Size, Class, Where, Day, Accepted, Moved, RunID string }

type jobRun struct{ ID, Name, Link, Time, Commit, Value, Where, Mark string }

// WriteJobs writes one page with all jobs.
func WriteJobs(w io.Writer, h Jobs) error {
	p := h.page("perfdiff: main over time")
	for k := range h.All {
		p.Jobs = append(p.Jobs, h.view(k))
	}
	if len(h.All) > 1 {
		p.List = h.list(func(k int) string { return "#" + jobID(k) })
	} else if len(h.All) == 1 && h.All[0].Name != "" {
		p.Title = "perfdiff: " + h.All[0].Name + " over time"
	}
	return p.write(w)
}

// JobSite returns the pages of a site: index.html with the list of jobs, and a page for each.
func JobSite(h Jobs) []JobFile {
	index := h.page("perfdiff: main over time")
	names := h.fileNames()
	index.List = h.list(func(k int) string { return names[k] })
	files := []JobFile{{"index.html", index.write}}
	for k := range h.All {
		files = append(files, JobFile{names[k], func(w io.Writer) error {
			p := h.page("perfdiff: " + cmp.Or(h.All[k].Name, "main") + " over time")
			p.Back, p.Jobs = "index.html", []jobView{h.view(k)}
			return p.write(w)
		}})
	}
	return files
}

// fileNames returns the names of the jobs' files: plain characters alone, no two alike.
func (h *Jobs) fileNames() []string {
	seen, out := map[string]bool{"index.html": true}, make([]string, len(h.All))
	for k := range h.All {
		plain := strings.Trim(strings.Map(func(r rune) rune {
			if r == '-' || r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' {
				return r
			}
			return '-'
		}, strings.ToLower(h.All[k].Name)), "-")
		plain = cmp.Or(plain[:min(len(plain), 80)], "job")
		name := plain + ".html"
		for n := 2; seen[name]; n++ {
			name = fmt.Sprintf("%s-%d.html", plain, n)
		}
		seen[name], out[k] = true, name
	}
	return out
}

func (h *Jobs) page(title string) *jobsPage {
	return &jobsPage{
		Style: template.CSS(embeddedFile("page.css") +
			embeddedFile("style/jobs.css")), Theme: template.JS(theme), Switch: template.JS(embeddedFile("script/theme.js")),
		Policy: scriptPolicy(digest(theme), digest(embeddedFile("script/theme.js"))), Title: title, Tool: h.Tool,
	}
}

func (p *jobsPage) write(w io.Writer) error {
	var out bytes.Buffer
	if err := parsed().ExecuteTemplate(&out, "jobs.tmpl", p); err != nil {
		return err
	}
	_, err := w.Write(out.Bytes())
	return err
}

func jobID(k int) string { return fmt.Sprint("job-", k+1) }

// runID returns the address of a run's row.
func runID(k, i int) string { return fmt.Sprintf("%s-run-%d", jobID(k), i+1) }

// list returns a row for each job.
func (h *Jobs) list(href func(k int) string) (rows []jobRow) {
	for k := range h.All {
		j := &h.All[k]
		r := jobRow{Name: cmp.Or(j.Name, "main"), Href: href(k), Runs: number.Count(len(j.Runs)), Now: number.None,
			Scatter: number.None, Newest: number.None, Note: words.Quiet(j)}
		if n := len(j.Runs); n > 0 && j.Runs[n-1].Time() != 0 {
			r.Newest = words.Day(j.Runs[n-1].Time())
		}
		if m := j.MetricNamed(h.Metric); m != nil && m.Now() != nil {
			r.Now, r.Scatter = words.LevelValue(m, m.Now().Value), orDash(words.Scatter(m))
			if n := len(m.Changes); n > 0 {
				c := &m.Changes[n-1]
				r.Change, r.Class = words.LevelChange(j, m, c), changeClass(c)
			}
		}
		rows = append(rows, r)
	}
	return rows
}

// changeClass returns the class of a change: what was accepted has no colour.
func changeClass(c *history.Change) string {
	switch {
	case !c.Worse:
		return "better"
	case c.Accepted == nil:
		return "worse"
	}
	return ""
}

func (h *Jobs) view(k int) jobView {
	j := &h.All[k]
	v := jobView{ID: jobID(k), Name: j.Name}
	first := j.MetricNamed(h.Metric)
	if first == nil {
		v.Now = "No run of main has this metric."
		return v
	}
	v.Now, v.Of = words.MainHeadline(j, first), words.MetricText(first.Metric.Name)
	v.say(j, first)
	for _, m := range metricsInOrder(j, first) {
		if m == first || len(m.Changes) > 0 || m.Creep != nil {
			v.Charts = append(v.Charts, h.chart(k, m, true))
		} else {
			v.Folded = append(v.Folded, h.chart(k, m, false))
		}
		for i := len(m.Changes) - 1; i >= 0; i-- {
			v.Changes = append(v.Changes, h.change(k, m, &m.Changes[i]))
		}
	}
	v.Charts[0].Sub = words.MainScatter(j, first)
	for i := len(j.Runs) - 1; i >= 0; i-- {
		v.Runs = append(v.Runs, h.run(k, first, i))
		if r := &j.Runs[i]; r.Why.Is() || r.Gone {
			v.Left = append(v.Left, words.RunLeft(j, i))
		} else if odd := words.NotRepeated(j, i); odd != "" {
			v.Left = append(v.Left, odd)
		}
	}
	for i := range j.Events {
		v.Decisions = append(v.Decisions, words.Decision(&j.Events[i]))
	}
	return v
}

// metricsInOrder returns the metrics that have values, one of them first.
func metricsInOrder(j *history.Job, first *history.Metric) []*history.Metric {
	out := []*history.Metric{first}
	for i := range j.Metrics {
		m := &j.Metrics[i]
		if m != first && slices.ContainsFunc(m.Values, func(v float64) bool { return !math.IsNaN(v) }) {
			out = append(out, m)
		}
	}
	return out
}

// say adds what a reader must know first: the newest change, creep and that nothing was saved for long.
func (v *jobView) say(j *history.Job, m *history.Metric) {
	if quiet := words.Quiet(j); quiet != "" {
		v.Said = append(v.Said, jobSaid{"hold", quiet})
	}
	if story := words.MainStory(j, m); story != "" {
		v.Said = append(v.Said, jobSaid{changeClass(&m.Changes[0]), story})
	} else if n := len(m.Changes); n > 0 {
		c := &m.Changes[n-1]
		text := number.Capital(words.LevelChange(j, m, c)) + "."
		if moved := words.MovedParts(c); moved != "" {
			text += " " + number.Capital(moved) + "."
		}
		v.Said = append(v.Said, jobSaid{changeClass(c), text})
	}
	if c := words.Crept(j, m); c != "" {
		v.Said = append(v.Said, jobSaid{"hold", number.Capital(c) + "."})
	}
}

// chart draws a metric for both widths. On a wide screen its dots lead to the runs, if asked.
func (h *Jobs) chart(k int, m *history.Metric, leads bool) jobChart {
	j := &h.All[k]
	c := jobChart{Title: number.Capital(words.MetricText(m.Metric.Name)), Sub: words.LevelNow(j, m)}
	var link func(i int) string
	if leads {
		link = func(i int) string { return cmp.Or(j.Runs[i].From.Link, "#"+runID(k, i)) }
	}
	c.SVG = []template.HTML{template.HTML(picture.Course(j, m, picture.CourseWide, plot.PageInk, ` class="p0"`,
		link)),
		template.HTML(picture.Course(j, m, picture.CourseNarrow, plot.PageInk, ` class="p1"`, nil))}
	return c
}

func (h *Jobs) change(k int, m *history.Metric, c *history.Change) jobChange {
	j := &h.All[k]
	out := jobChange{Metric: words.MetricText(m.Metric.Name), Size: words.Sized(m, c.Size), Class: changeClass(c),
		Where:    words.WhereChanged(j, c),
		Accepted: acceptedCell(c), Moved: words.MovedParts(c), RunID: runID(k, c.At), Day: number.None}
	if t := j.Runs[c.At].Time(); t != 0 {
		out.Day = words.Day(t)
	}
	return out
}

// acceptedCell says who accepted a change; "" of one for the better, which nobody needs to.
func acceptedCell(c *history.Change) string {
	switch {
	case c.Accepted != nil:
		return cmp.Or(strings.TrimPrefix(words.Accepted(c.Accepted), "accepted by "), "yes")
	case c.Worse:
		return "no"
	}
	return ""
}

func (h *Jobs) run(k int, m *history.Metric, i int) jobRun {
	j := &h.All[k]
	r := &j.Runs[i]
	out := jobRun{ID: runID(k, i), Name: r.Name, Link: r.From.Link, Commit: cmp.Or(r.From.Short(), r.From.Label),
		Value: number.None, Time: number.None,
		Where: number.Some(r.Hosts, 3)}
	if i < len(m.Values) && !math.IsNaN(m.Values[i]) {
		out.Value = words.LevelValue(m, m.Values[i])
	}
	if t := r.Time(); t != 0 {
		out.Time = words.Day(t)
	}
	switch c := m.ChangeAt(i); {
	case r.Why.Is():
		out.Mark = "left out: " + words.WhyLeftOut(&r.Why)
	case r.Gone:
		out.Mark = "not on main any more"
	case c != nil:
		out.Mark = "level changed by " + words.Sized(m, c.Size)
	}
	return out
}
