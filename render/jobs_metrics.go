package render

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"perfdiff/diff/history"
)

// unitNames are the units of metrics as names in OpenMetrics end, see "Units and Base Units" of its specification,
// version 1.0. A unit that is not here has none there.
var unitNames = map[string]string{"s": "seconds", "B": "bytes", "B/s": "bytes_per_second", "ratio": "ratio",
	"Hz": "hertz", "W": "watts",
	"FLOP": "flops", "FLOP/s": "flops_per_second", "J": "joules"}

// OpenMetrics writes each metric as a gauge with a sample for each run that counts, at the time at which it was saved,
// and its newest level and what runs differ by as gauges of their own, in the text format of OpenMetrics 1.0.
func (h *Jobs) OpenMetrics(w io.Writer) error {
	out := &openMetrics{Writer: bufio.NewWriter(w)}
	for _, m := range h.metrics() {
		out.family("perfdiff_"+m.Metric.Name, m.Metric.Unit, m.Metric.Doc)
		h.of(m.Metric.Name, out.values)
		out.family("perfdiff_"+m.Metric.Name+"_level", m.Metric.Unit,
			"level on which the newest run of "+m.Metric.Name+" stands")
		h.of(m.Metric.Name, out.level)
		unit := m.Metric.Unit
		if m.Relative {
			unit = "ratio"
		}
		out.family("perfdiff_"+m.Metric.Name+"_noise", unit,
			"standard deviation of "+m.Metric.Name+" between runs of one level")
		h.of(m.Metric.Name, out.noise)
	}
	out.WriteString("# EOF\n")
	return out.Flush()
}

// metrics returns the first metric of each name, in the order of the jobs.
func (h *Jobs) metrics() (all []*history.Metric) {
	seen := map[string]bool{}
	h.each(func(_ *history.Job, m *history.Metric) error {
		if !seen[m.Metric.Name] {
			seen[m.Metric.Name], all = true, append(all, m)
		}
		return nil
	})
	return all
}

// of calls write with each job that has a metric.
func (h *Jobs) of(name string, write func(j *history.Job, m *history.Metric)) {
	for k := range h.All {
		if m := h.All[k].MetricNamed(name); m != nil {
			write(&h.All[k], m)
		}
	}
}

// openMetrics is such a text in the making, with the family whose samples are written.
type openMetrics struct {
	*bufio.Writer
	name string
}

// family begins a family of samples.
func (o *openMetrics) family(name, unit, help string) {
	o.name = metricName(name)
	if u := unitNames[unit]; u != "" {
		if !strings.HasSuffix(o.name, "_"+u) {
			o.name += "_" + u
		}
		fmt.Fprintf(o, "# TYPE %s gauge\n# UNIT %s %s\n", o.name, o.name, u)
	} else {
		fmt.Fprintf(o, "# TYPE %s gauge\n", o.name)
	}
	if help != "" {
		fmt.Fprintf(o, "# HELP %s %s\n", o.name, labelText(help))
	}
}

// values writes the runs. The name of a run tells apart runs of one commit, of which two may be saved at one time.
func (o *openMetrics) values(j *history.Job, m *history.Metric) {
	for i := range j.Runs {
		if r := &j.Runs[i]; j.Counts(m, i) {
			o.sample(j, fmt.Sprintf(`,commit="%s",run="%s"`, labelText(r.From.Commit), labelText(r.Name)), m.Values[i],
				r.Saved)
		}
	}
}

func (o *openMetrics) level(j *history.Job, m *history.Metric) {
	if l := m.Now(); l != nil {
		o.sample(j, "", l.Value, j.Runs[len(j.Runs)-1].Saved)
	}
}

func (o *openMetrics) noise(j *history.Job, m *history.Metric) {
	if len(j.Runs) > 0 && !math.IsNaN(m.SD) && m.SD > 0 {
		o.sample(j, "", m.SD, j.Runs[len(j.Runs)-1].Saved)
	}
}

// sample writes a value of a job at a time in UTC nanoseconds; 0: not known.
func (o *openMetrics) sample(j *history.Job, labels string, v float64, at int64) {
	fmt.Fprintf(o, `%s{job="%s"%s} %s`, o.name, labelText(j.Name), labels, strconv.FormatFloat(v, 'g', -1, 64))
	if at > 0 {
		fmt.Fprintf(o, " %d", at/1e9)
		if ns := at % 1e9; ns != 0 {
			o.WriteString(strings.TrimRight(fmt.Sprintf(".%09d", ns), "0"))
		}
	}
	o.WriteString("\n")
}

// labelText escapes what a label or a help text holds.
func labelText(s string) string {
	return strings.NewReplacer(`\`, `\\`, "\n", `\n`, `"`, `\"`).Replace(strings.ToValidUTF8(s, "\uFFFD"))
}

// metricName returns a name of letters, digits and _, which are all that OpenMetrics takes.
func metricName(s string) string {
	return strings.Map(func(r rune) rune {
		if r < 128 && (r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z') {
			return r
		}
		return '_'
	}, s)
}
