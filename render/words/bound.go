package words

import "perfdiff/diff/cause"

// bounds says, by scenario, what could be and how it is measured.
var bounds = map[cause.Scenario][2]string{
	cause.AsRecorded:  {"as recorded", "mean over steps of the median rank"},
	cause.NoWait:      {"if no rank waited for another", "less the exposed wait of the median rank"},
	cause.AllHidden:   {"if all communication were hidden", "less exposed communication"},
	cause.FreeInput:   {"if input were free", "less the idle time that waits for input"},
	cause.NoShortGaps: {"if gaps under 100 \u00b5s vanished", "less the total of the gaps of 1 to 100 \u00b5s"},
	cause.NeverIdle:   {"if the device never idled", "less all idle time"},
}

// Bound says what could be, and by which method its step is known; "" of a scenario that
// nobody knows.
func Bound(b *cause.Bound) (name, method string) {
	said := bounds[b.If]
	return said[0], said[1]
}
