package steplog

import (
	"cmp"
	"fmt"
	"strings"
)

// has says what the log has instead of what is looked for.
func (g *gathering) has() string {
	lines, list, they := fmt.Sprintf("%d %s, none", g.lines, cmp.Or(g.of, "lines")), g.columns, "it has"
	if g.lines == 1 {
		lines = map[string]string{"events": "1 event", "entries": "1 entry"}[g.of]
		lines = cmp.Or(lines, "1 line") + ", and not"
	}
	if list == nil {
		they = "its lines say"
		for _, x := range g.loose.all {
			if x.role != written {
				list = append(list, x.name)
			}
		}
	}
	var asked []string
	for _, c := range g.asked {
		asked = append(asked, fmt.Sprintf("%q", c.Name))
	}
	if lines += " with a step time"; asked != nil {
		lines = strings.TrimSuffix(lines, "step time") + "number of " + strings.Join(asked, " or ")
	}
	const most = 12
	if len(list) > 0 {
		lines += "; " + they + " " + strings.Join(list[:min(len(list), most)], ", ")
	}
	if more := len(list) - most; more > 0 {
		lines += fmt.Sprintf(" and %d more", more)
	}
	return lines
}

// whyNone says what the log has instead of step times.
func (g *gathering) whyNone() string {
	switch {
	case len(g.several) > 1:
		return fmt.Sprintf("a chart of %d runs (%s): export one run a file, or name one (--step-column '%s - METRIC')",
			len(g.several), strings.Join(g.several[:min(len(g.several), 4)], ", "), g.several[0])
	case g.answer.question != "":
		return g.answer.question
	case g.unitless != "":
		return fmt.Sprintf("%q states no unit (say which, as in --step-column '%s:ms', or :s)", g.unitless, last(g.unitless))
	case g.asked != nil:
		return g.has() + " (name what holds the step times: --step-column NAME:UNIT)"
	}
	return g.has() + " (what is read: perfdiff help logs; or name the column or field: --step-column NAME:UNIT)"
}

// warnings returns what a user should know about the steps.
func (g *gathering) warnings() (out []string) {
	out = append(out, g.answer.warnings...)
	if g.bad > 0 {
		out = append(out, fmt.Sprintf("%d step times are zero or no length of time; these steps are left out", g.bad))
	}
	if g.again > 0 {
		out = append(out, fmt.Sprintf("the numbers of steps go back, as behind a restart: %d steps were run again and count once, as the last time", g.again))
	}
	if f := g.taken; f != nil && f.class == smooth {
		out = append(out, "each time is an average of the last few steps: it tells runs apart, and not steps (log the time of steps)")
	}
	if f := g.taken; f != nil && f.name == Timestamps {
		out = append(out, "steps take what lies between the time stamps of lines, and with it what the program does between steps")
	}
	return out
}
