package html

import (
	"bytes"
	"fmt"
	"html/template"
	"io"
	"math"
	"strconv"
	"strings"
	"time"

	"perfdiff/diff/verdict"
	"perfdiff/render/number"
	"perfdiff/render/words"
)

// trendPage is the data of trend.tmpl. Its chart is drawn here, as a few dozen points need no
// script.
type trendPage struct {
	Style                             template.CSS
	Name, Count, Reading, First, Last string
	Worse                             []string // what the newest level is worse than
	Points                            []trendPoint
	Stretches                         []trendLevel
	Levels, Changes, Grid             []trendPlace
	Anchor                            *trendPlace // nil: there is none
	Left                              []string
}

// trendPoint is a run: its dot, which leads to its row, and the row.
type trendPoint struct {
	From                     runOrigin
	ID                       string // of the row: "run-12"
	X, Y                     string
	Name, Began, Value, Mark string
	Text                     string
	Anchor                   bool
}

// trendLevel is a row of the table of levels.
type trendLevel struct{ First, FirstID, Last, LastID, Runs, Value, Change string }

type trendPlace struct{ X, X2, Y, Text string }

// The chart's frame in its own units.
const (
	chartLeft, chartRight = 90.0, 1020.0
	chartTop, chartBottom = 30.0, 280.0
	gridLines             = 4
)

// WriteTrend writes the page of a metric over past runs. It holds no script.
func WriteTrend(w io.Writer, tr *verdict.Trend) error {
	p := trendPage{Style: template.CSS(embeddedFile("page.css")), Name: tr.Metric.Name, Count: number.Counted(len(tr.Points), "run")}
	p.draw(tr)
	for _, r := range tr.Runs {
		if r.Why.Is() {
			p.Left = append(p.Left, r.Name+" was left out: "+words.WhyLeftOut(&r.Why))
		}
	}
	var out bytes.Buffer
	if err := parsed().ExecuteTemplate(&out, "trend.tmpl", &p); err != nil {
		return err
	}
	_, err := w.Write(out.Bytes())
	return err
}

func (p *trendPage) draw(tr *verdict.Trend) {
	n := len(tr.Points)
	switch {
	case n == 0:
		p.Reading = "Nothing to show: no run that is used has a value."
		return
	case n < tr.Least:
		p.Reading = fmt.Sprintf("Nothing is said about levels: that takes %d runs.", tr.Least)
	case len(tr.Levels) == 1:
		p.Reading = "One level: no change stands out of the noise."
	default:
		last := tr.Levels[len(tr.Levels)-1]
		p.Reading = fmt.Sprintf("%s of level. The last was by %s, from %s on.", number.Counted(len(tr.Levels)-1, "change"), words.Shift(&tr.Metric, last.Change), tr.Points[last.From].Name)
	}
	if !tr.Ordered {
		p.Reading += " Not all runs say when they began: they are in order of name."
	}
	top, bottom := 0.0, 0.0
	for _, x := range tr.Points {
		top, bottom = math.Max(top, x.Value), math.Min(bottom, x.Value)
	}
	sc := number.ScaleOf(tr.Metric.Unit, math.Max(top, -bottom))
	if bottom < 0 { // a drift can be one downwards
		bottom = -niceCeiling(-bottom * sc.Factor)
	}
	if top > 0 || bottom == 0 {
		top = niceCeiling(top * sc.Factor)
	}
	x := func(i float64) string {
		return coordinate(chartLeft + (chartRight-chartLeft)*(i+0.5)/float64(n))
	}
	y := func(v float64) string {
		return coordinate(chartBottom - float64((chartBottom-chartTop)*((v-bottom)/(top-bottom))))
	}
	for i := range gridLines + 1 {
		v := bottom + float64((top-bottom)*float64(i)/gridLines)
		p.Grid = append(p.Grid, trendPlace{Y: y(v), Text: number.With(v, sc.Name)})
	}
	marks := map[int]string{}
	for i, l := range tr.Levels {
		p.Levels = append(p.Levels, trendPlace{X: x(float64(l.From) - 0.4), X2: x(float64(l.To) - 0.6), Y: y(float64(l.Value * sc.Factor))})
		if i > 0 {
			marks[l.From] = words.Shift(&tr.Metric, l.Change)
			p.Changes = append(p.Changes, trendPlace{X: x(float64(l.From) - 0.5), Text: marks[l.From]})
		}
	}
	p.holdTo(tr, x)
	for i, l := range tr.Levels {
		first, last := l.From, l.To-1
		p.Stretches = append(p.Stretches, trendLevel{tr.Points[first].Name, runID(first), tr.Points[last].Name, runID(last), number.Count(l.To - l.From), sc.With(l.Value), words.Shift(&tr.Metric, l.Change)})
		p.Levels[i].Text = sc.With(l.Value)
	}
	for i, r := range tr.Points {
		began := number.None
		if r.Began != 0 {
			began = time.Unix(0, r.Began).UTC().Format("2006-01-02 15:04")
		}
		from := runOrigin{Text: words.Origin(r.From), Link: r.From.Link}
		point := trendPoint{ID: runID(i), Anchor: tr.Held != nil && tr.Held.Point == i, From: from, X: x(float64(i)), Y: y(float64(r.Value * sc.Factor)), Name: r.Name, Began: began, Value: sc.With(r.Value)}
		point.Text = r.Name + ": " + point.Value
		if marks[i] != "" {
			point.Mark = "level changed by " + marks[i]
		}
		if point.Anchor {
			point.Mark = strings.TrimPrefix(point.Mark+"; the anchor", "; ")
		}
		p.Points = append(p.Points, point)
	}
	p.First, p.Last = tr.Points[0].Name, tr.Points[n-1].Name
}

// holdTo says what the newest level is compared with, and draws the anchor.
func (p *trendPage) holdTo(tr *verdict.Trend, x func(float64) string) {
	if tr.Held == nil {
		return
	}
	for i := range tr.Held.Worse {
		p.Worse = append(p.Worse, words.Worse(tr, &tr.Held.Worse[i])+".") // a name of a metric has no capital
	}
	if at := tr.Held.Point; at >= 0 {
		p.Anchor = &trendPlace{X: x(float64(at)), Text: "anchor"}
	}
}

// runID returns the address of a run's row.
func runID(i int) string { return "run-" + strconv.Itoa(i+1) }

func coordinate(v float64) string { return fmt.Sprintf("%.1f", v) }
