package series

// Answer is what a gate says of the runs of a pull request.
type Answer int

// The answers.
const (
	NoLevel   Answer = iota // main has no run, or the pull request has none
	Pass                    // nothing shows
	Fail                    // slower
	Again                   // the same commit is to be run again: Decision.More
	MainAgain               // main's newest commit is to be run again: its newest run decides
)

// Why is the rule that gave an answer.
type Why int

// The rules.
const (
	Nothing     Why = iota
	FirstClear      // one run is likely enough under no change
	FirstUnsure     // one run is not, and more may be asked for
	NotSure         // the chance of so large a difference without a change is not below alpha
	TooSmall        // it is, and the estimate is below Least
	OneSlow         // both are so, and not without the slowest run
	Slower          // they are so in every respect
	MainUnsure      // they are so against the level, and not against where main may stand since its newest runs
)

// Decision is an answer with its grounds.
type Decision struct {
	Answer Answer
	Why    Why
	Held   Held // of all runs that count
	Alone  Why  // what the rule would be against the level alone
	Used   int  // runs that counted: the first seven
	More   int  // runs to add: asked for where the answer is Again, else allowed when it is gated once more
}

// How a pull request is answered. Simulated, TestYear and TestReruns: asking from .15 against the level, unchanged
// pull requests ask in 14 % and are red in .02 and .24 % at sd 1 and 2 %; +5 % is found in 100 and 71 %. With at most
// seven runs a fixed alpha is enough: gated six times, an unchanged commit is ever red in .03 and .6 %, and three
// tries pass +3 % in 9.5 % at sd 1 %, in place of 66 with a fresh run each time. Asking from .1 where main may stand,
// and of the rest all of Least, they pass it in 23 % and ask in 8; of the rest half of Least, one slow run in 20
// fails 1.0 % in place of .86 with up to three.
const (
	askFrom   = 0.15
	restAlpha = 0.05 // without the slowest run
	restLeast = 0.75 // of Least
	askedRuns = 3
	moreRuns  = 2
	MostRuns  = 7 // of one commit that count
)

// Gate is how a pull request is held.
type Gate struct {
	Alpha    float64 // one-sided error; 0: .01
	Escalate bool    // one run that is not clear asks for two more
	share    float64 // of what a gate by one number asks from; 0: all of it
}

// Of returns the gate for one of several numbers, which has a share of the error and of the chance to ask for more runs.
func (g Gate) Of(share float64) Gate {
	if g.Alpha == 0 {
		g.Alpha = DefaultAlpha
	}
	g.Alpha *= share
	if share < 0.5 { // the step time is not one of many
		g.share = share
	}
	return g
}

// asksFrom is the chance below which one run asks for more.
func (g Gate) asksFrom() float64 {
	if g.share > 0 {
		return float64(askFrom * g.share)
	}
	return askFrom
}

// DefaultAlpha is the error of a gate. Simulated: one run red for nothing in .7 % of pull requests; .05 costs 4 %,
// and finds in 80 % what is smaller by .75 sd.
const DefaultAlpha = 0.01

// Answer holds all runs of one commit that there are, in the order in which they were recorded, to where main may
// stand. They are one sample however often they are gated: each further gating may add two, up to seven, and then it
// stands.
//
// One run fails with P below alpha and an estimate of Least or more; with Escalate it asks for two more where P, or
// that against the level alone, is below .15, and else passes. Several fail if they do so together and, with .05 and
// three quarters of Least, also without the slowest of them: one odd run decides nothing.
func (s *Series) Answer(x []Point, g Gate) Decision {
	if g.Alpha == 0 {
		g.Alpha = DefaultAlpha
	}
	x = x[:min(len(x), MostRuns)]
	d := Decision{Held: s.Hold(x), Used: len(x), More: min(moreRuns, MostRuns-len(x))}
	if len(d.Held.Starts) == 0 {
		return d
	}
	d.Answer, d.Why = Pass, s.red(d.Held, g.Alpha)
	alone := s.red(d.Held.alone(), g.Alpha)
	if len(x) > 1 && (d.Why == Slower || alone == Slower) {
		rest := s.Hold(without(x, s.slowest(x)))
		if !s.stays(rest) {
			d.Why = min(d.Why, OneSlow)
		}
		if !s.stays(rest.alone()) {
			alone = OneSlow
		}
	}
	d.Alone = alone
	ask := g.Escalate && len(x) < askedRuns
	switch {
	case alone == Slower && s.newest.runs == 1 && (d.Held.P >= g.asksFrom() || !ask && d.Why != Slower):
		d.Answer, d.Why = MainAgain, MainUnsure
	case ask && min(d.Held.P, d.Held.Starts[0].P) < g.asksFrom():
		d.Answer, d.Why, d.More = Again, FirstUnsure, askedRuns-len(x)
	case ask:
		d.Why, d.More = FirstClear, askedRuns-len(x)
	case d.Why == Slower:
		d.Answer = Fail
	}
	return d
}

// stays reports whether what is left without the slowest run is slower as well.
func (s *Series) stays(rest Held) bool {
	return rest.P < restAlpha && rest.Estimate >= float64(restLeast*s.rule.Least)
}

// red says whether runs are slower, with error alpha and by Least or more.
func (s *Series) red(h Held, alpha float64) Why {
	switch {
	case h.P >= alpha:
		return NotSure
	case h.Estimate < s.rule.Least:
		return TooSmall
	}
	return Slower
}

// alone is what would be said against the level alone.
func (h Held) alone() Held {
	l := h.Starts[0]
	h.P, h.Estimate = l.P, l.Estimate
	return h
}

// slowest returns the index of the run with the largest value.
func (s *Series) slowest(x []Point) int {
	at := 0
	for i := range x {
		if s.Cleaned(x[i]) > s.Cleaned(x[at]) {
			at = i
		}
	}
	return at
}

func without(x []Point, i int) []Point { return append(append([]Point(nil), x[:i]...), x[i+1:]...) }
