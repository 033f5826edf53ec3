package words

import (
	"strings"

	"perfdiff/diff/verdict"
	"perfdiff/render/number"
)

// Need is what a side lacks of a metric that it does not answer, as it goes on behind
// "needs"; "" nothing.
func Need(n verdict.Need) string {
	switch n.Kind {
	case verdict.NeedRecord:
		return n.What
	case verdict.NeedLost:
		return lostIn(n)
	case verdict.NeedDevices:
		return "a job on several devices: on one there is no communication"
	case verdict.NeedHeld:
		return "the captures do not hold it"
	}
	return ""
}

// lostIn is why files do not hold a metric whole any more, with their names in front of the
// remedy.
func lostIn(n verdict.Need) string {
	why, in := n.Lost.Why, n.Lost.In
	if in == "" {
		return why
	}
	if in = ", in " + in; n.Lost.More > 0 {
		in += " and in those of " + number.Counted(n.Lost.More, "more rank")
	}
	if at := strings.LastIndex(why, " ("); at >= 0 {
		return why[:at] + in + why[at:]
	}
	return why + in
}
