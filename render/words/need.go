package words

import (
	"perfdiff/diff/verdict"
	"perfdiff/render/number"
)

// Need says what a side lacks to answer a metric, to go on after "needs"; "" nothing.
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

// lostIn returns why files do not hold a metric whole any more, with their names at the end.
func lostIn(n verdict.Need) string {
	if n.Lost.In == "" {
		return n.Lost.Why
	}
	text := n.Lost.Why + ", in " + n.Lost.In
	if n.Lost.More > 0 {
		text += " and in those of " + number.Counted(n.Lost.More, "more rank")
	}
	return text
}
