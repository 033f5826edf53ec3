package render

import (
	"math"
	"strings"
	"time"

	"perfdiff/diff/history"
	"perfdiff/render/number"
	"perfdiff/render/plot"
	"perfdiff/render/words"
)

// The rows of a chart of dots. Chosen, not measured: half a percent a row where that has room, as 1 % is what a
// reader should see, and no more rows than leave the sentences on the screen.
const (
	chartRows   = 15
	leastPitch  = 0.002
	leastColumn = 12 // columns of the plot at least
)

// dotChart is a chart in characters: "o" is a run or the mean of several, "?" one that does not count, "-" the level.
type dotChart struct {
	j          *history.Job
	m          *history.Metric
	zero       float64 // value of row 0
	pitch      float64 // between rows, in the metric's unit
	each       int     // runs of a column
	low, high  int     // rows
	percent    float64 // of a row; 0: the scale has no percentages
	cells      map[[2]int]byte
	columns    int
	labels     map[int]string
	labelWidth int
}

// dotChart draws a metric over the runs of a job.
func (t *jobText) dotChart(j *history.Job, m *history.Metric) {
	c := &dotChart{j: j, m: m, cells: map[[2]int]byte{}, labels: map[int]string{}}
	if !c.scale() {
		return
	}
	c.writeLabels()
	room := max(leastColumn, t.width-c.labelWidth-5)
	c.each = (len(j.Runs) + room - 1) / room
	c.columns = (len(j.Runs) + c.each - 1) / c.each
	for i := range c.columns {
		c.column(i)
	}
	for row := c.high; row >= c.low; row-- {
		line := make([]byte, c.columns)
		for i := range line {
			if line[i] = c.cells[[2]int{row, i}]; line[i] == 0 {
				line[i] = ' '
			}
		}
		t.WriteString(strings.TrimRight("  "+padTo(spaces.Replace(c.labels[row]), c.labelWidth, true)+" |"+string(line),
			" ") + "\n")
	}
	axis, dates := c.axis()
	t.WriteString(strings.Repeat(" ", c.labelWidth+3) + "+" + axis + "\n")
	t.WriteString(strings.TrimRight(strings.Repeat(" ", c.labelWidth+4)+dates, " ") + "\n")
}

// scale chooses rows that hold all levels and runs that count; false where there are none.
func (c *dotChart) scale() bool {
	lo, hi := math.Inf(1), math.Inf(-1)
	for i := range c.m.Levels {
		lo, hi = min(lo, c.m.Levels[i].Value), max(hi, c.m.Levels[i].Value)
	}
	for i, v := range c.m.Values {
		if c.j.Counts(c.m, i) {
			lo, hi = min(lo, v), max(hi, v)
		}
	}
	if lo > hi {
		return false
	}
	if c.zero = c.m.Reference(); math.IsNaN(c.zero) {
		c.zero = lo
	}
	unit := 1.0
	if c.m.Relative && c.zero > 0 {
		unit = c.zero
	} else if hi > lo {
		unit = math.Pow(10, math.Ceil(math.Log10(hi-lo)))
	}
	c.pitch = float64(plot.Step(max(leastPitch, (hi-lo)/unit/(chartRows-1))) * unit)
	c.low, c.high = c.row(lo), c.row(hi)
	if c.m.Relative && c.zero > 0 {
		c.percent = c.pitch / c.zero
	}
	return true
}

func (c *dotChart) row(v float64) int { return int(math.Round((v - c.zero) / c.pitch)) }

// writeLabels labels each row, or every 1 % where rows are nearer to each other.
func (c *dotChart) writeLabels() {
	each := 1
	if c.percent > 0 && c.percent < 0.01 {
		each = int(math.Round(0.01 / c.percent))
	}
	for row := c.low; row <= c.high; row++ {
		if row%each != 0 {
			continue
		}
		c.labels[row] = words.LevelValue(c.m, c.zero+float64(float64(row)*c.pitch))
		if c.percent > 0 {
			c.labels[row] += padTo(plot.Number(float64(row)*c.percent*100, true)+number.Space+"%", 7, true)
		}
		c.labelWidth = max(c.labelWidth, columnsOf(spaces.Replace(c.labels[row])))
	}
}

// column draws the runs of a column, and the level behind them.
func (c *dotChart) column(i int) {
	var sum, n, odd, left float64
	from, to := i*c.each, min((i+1)*c.each, len(c.j.Runs))
	for k := from; k < min(to, len(c.m.Values)); k++ {
		switch v := c.m.Values[k]; {
		case c.j.Counts(c.m, k):
			sum, n = sum+v, n+1
		case !math.IsNaN(v):
			odd, left = odd+v, left+1
		}
	}
	if l := c.m.LevelAt(from); l != nil {
		c.cells[[2]int{c.row(l.Value), i}] = '-'
	}
	if left > 0 && n == 0 {
		c.cells[[2]int{min(max(c.row(odd/left), c.low), c.high), i}] = '?'
	}
	if n > 0 {
		c.cells[[2]int{c.row(sum / n), i}] = 'o'
	}
}

// axis returns the line below the chart, with a mark at each change, and the days of the first run, of changes and of
// the newest run where they have room.
func (c *dotChart) axis() (axis, dates string) {
	line, below := []byte(strings.Repeat("-", c.columns)), []byte(strings.Repeat(" ", c.columns))
	put := func(at int, text string) {
		if at < 0 || text == "" {
			return
		}
		for len(below) < at+len(text) {
			below = append(below, ' ')
		}
		if strings.TrimSpace(string(below[max(0, at-1):min(len(below), at+len(text)+1)])) == "" {
			copy(below[at:], text)
		}
	}
	last := len(c.j.Runs) - 1
	put(0, c.day(0, time.DateOnly))
	for i := range c.m.Changes {
		at := c.m.Changes[i].At / c.each
		line[at] = '+'
		put(at, c.day(c.m.Changes[i].At, "01-02"))
	}
	newest := c.day(last, "01-02")
	put(c.columns-len(newest), newest)
	return string(line), string(below)
}

func (c *dotChart) day(i int, layout string) string {
	if t := c.j.Runs[i].Time(); t != 0 {
		return time.Unix(0, t).UTC().Format(layout)
	}
	return ""
}
