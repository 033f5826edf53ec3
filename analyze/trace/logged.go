package trace

import "strings"

// Logged holds step times that a program logged by itself, without a profiler. A trace with it has nothing else.
type Logged struct {
	// Name is what the log calls the time: a column, a field, a phrase.
	Name string
	// Every: each time is the mean of so many steps; 0: of one.
	Every int
	Steps []LoggedStep
	Setup []Fact // what the log says of how much a step does, and where
	Text  uint64 // a hash of its lines
}

// LoggedStep is a step as a log shows it.
type LoggedStep struct {
	Number  int64  // as in the log, else counted from 0
	Time    int64  // ns
	Dropped string // why it is left out; "" when it is kept
}

// PerItem is what the names of times begin with that are the inverse of a rate, by what it counts where no log says how
// many of these a step takes: they say what changes of a step's time, and not how long it is.
var PerItem = map[string]string{"token": "1,000 tokens / ", "sample": "1 sample / ", "request": "1 request / ", "?": "1 item / "}

// IsPerItem reports whether a name of a time is that of an inverse rate of items.
func IsPerItem(name string) bool {
	for _, p := range PerItem {
		if strings.HasPrefix(name, p) {
			return true
		}
	}
	return false
}
