package words

import (
	"fmt"
	"math"
	"strings"

	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/diff/cause"
	"perfdiff/diff/verdict"
	"perfdiff/render/number"
)

// causes say what goes on while the device is idle, by cause.
var causes = map[string]string{
	"input": "the host waits for input", "allocator": "the host frees and allocates device memory",
	"synchronizing": "the host waits for the device or looks whether it is done", "launching": "launches are on their way",
	"dependency": "launched work starts late, as behind another stream", "host": "the host does other work",
	"unknown":       "nothing recorded says what the host does",
	cause.HostOrNot: "the host does other work, which one side recorded more of than the other",
}

// while says what happens while the device is idle for a cause. Only a job of several ranks waits for collectives.
func while(r *diff.Report, part string) string {
	if part == "dependency" && (len(r.Base.Ranks) > 1 || len(r.Cand.Ranks) > 1) {
		return causes[part] + " or a collective"
	}
	return causes[part]
}

// idleCause writes the sentence about idle time with one cause.
func idleCause(r *diff.Report, f *cause.Finding) string {
	return "Idle time while " + while(r, f.Part) + " " + verb(f.Delta) + " " + fromTo(f) + " per step"
}

// oneSide returns the sentence about what only one side recorded.
func oneSide(r *diff.Report, f *cause.Finding) string {
	c := about(r, f)
	value, has, lacks := oneSided(c)
	return fmt.Sprintf("%s is %s per step in the %s, not recorded in the %s: it is not judged", subject(c), value, has, lacks)
}

// oneSided returns the value that only one side recorded, and which side that is.
func oneSided(c *verdict.Comparison) (value, has, lacks string) {
	v, has, lacks := c.Base, baseline, candidate
	if c.NotRecorded[0].Is() {
		v, has, lacks = c.Cand, candidate, baseline
	}
	return number.ScaleOf(c.Metric.Unit, v).With(v), has, lacks
}

// reasons returns the causes that explain a change of idle time, each with its values.
func reasons(r *diff.Report, f *cause.Finding) string {
	var texts []string
	for i := range f.Reasons {
		x := &f.Reasons[i]
		if x.Part == cause.OtherCauses {
			continue
		}
		values := times(x.Base, x.Cand)
		c := r.Comparison(run.Key{Metric: x.Metric, Part: x.Part})
		if c != nil && c.NotRecorded[0].Is() != c.NotRecorded[1].Is() { // a loader that only one side shows
			value, has, lacks := oneSided(c)
			values = fmt.Sprintf("%s in the %s, not recorded in the %s", value, has, lacks)
		}
		if values = " (" + values + ")"; math.IsNaN(x.Base) { // which the sum has
			values = ""
		}
		texts = append(texts, while(r, x.Part)+values+places(x.Places, x.Most))
	}
	return strings.Join(texts, ", and ")
}

// times writes two times: "from 52.9 to 18.4 ms".
func times(base, cand float64) string {
	row := number.RowOf("s", base, cand, cand-base)
	return "from " + row.Digits(base) + " to " + row.With(cand)
}

// launchThread says what the thread of late launches does until it makes them.
func launchThread(share float64) string {
	return "before late launches their thread is on a processor " + number.Share(share) + " of the time"
}

// places say where in the program a change of other host work is.
func places(names []string, most bool) string {
	switch {
	case len(names) == 0:
		return ""
	case most:
		return ", most of it in " + strings.Join(names, " and ")
	}
	return ", first of all in " + strings.Join(names, " and ")
}
