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
	OneSlow         // it is so no more without the slowest run
	MainUnsure      // it is so against the level, and not against where main's newest runs may stand
	Slower          // it is so in every respect
)

// Decision is an answer with its grounds.
type Decision struct {
	Answer Answer
	Why    Why
	Held   Held  // of all runs that count
	Rest   *Held // without the slowest run, where that was looked at
	Used   int   // runs that counted: the first seven
	More   int   // runs to add: asked for where the answer is Again, else allowed when it is gated once more
}

// How a pull request is answered. Simulated: asking from .1, unchanged pull requests ask in 8 % and are red in .01 and
// .18 % at sd 1 and 2 %; +5 % is found in 100 and 70 %; from .05 +3 % is found in 87 % in place of 92, from .2 in 94.
// With at most seven runs a fixed alpha is enough: gated six times, an unchanged commit is ever red in 0 and 2.2 %, and
// three tries pass +3 % in 9 %, in place of 66 with a fresh run each time.
const (
	askFrom   = 0.1
	restAlpha = 0.05 // without the slowest run
	askedRuns = 3
	moreRuns  = 2
	MostRuns  = 7 // of one commit that count
)

// Gate is how a pull request is held.
type Gate struct {
	Alpha    float64 // one-sided error; 0: .01
	Escalate bool    // one run that is not clear asks for two more
}

// DefaultAlpha is the error of a gate. Simulated: one run red for nothing in .7 % of pull requests; .05 costs 4 %, and
// finds in 80 % what is smaller by .75 sd.
const DefaultAlpha = 0.01

// Answer holds all runs of one commit that there are, in the order in which they were recorded, to where main may stand.
// They are one sample however often they are gated: each further gating may add two, up to seven, and then it stands.
//
// One run fails with P below alpha and an estimate of Least or more; with Escalate it passes from a P of .1 on and else
// asks for two more. Several fail if they do so together and, with .05, also without the slowest of them: one odd run
// decides nothing.
func (s *Series) Answer(x []Point, g Gate) Decision {
	if g.Alpha == 0 {
		g.Alpha = DefaultAlpha
	}
	x = x[:min(len(x), MostRuns)]
	d := Decision{Held: s.Hold(x), Used: len(x), More: min(moreRuns, MostRuns-len(x))}
	if len(d.Held.Starts) == 0 {
		return d
	}
	if g.Escalate && len(x) < askedRuns {
		if d.More = askedRuns - len(x); d.Held.P < askFrom {
			d.Answer, d.Why = Again, FirstUnsure
			return d
		}
		d.Answer, d.Why = Pass, FirstClear
	} else {
		d.Why = s.red(d.Held, g.Alpha)
		d.Answer = Pass
	}
	var rest Held
	if len(x) > 1 && (d.Why == Slower || s.red(d.Held.alone(), g.Alpha) == Slower) {
		rest = s.Hold(without(x, s.slowest(x)))
		d.Rest = &rest
	}
	if d.Why == Slower && d.Rest != nil && s.red(rest, restAlpha) != Slower {
		d.Why = OneSlow
	}
	switch {
	case d.Why == Slower:
		d.Answer = Fail
	case !s.repeated() && s.red(d.Held.alone(), g.Alpha) == Slower && (d.Rest == nil || s.red(rest.alone(), restAlpha) == Slower):
		d.Answer, d.Why = MainAgain, MainUnsure
	}
	return d
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
	h.P, h.Estimate, h.SE = l.P, l.Estimate, l.SE
	return h
}

// repeated reports whether main's newest commit was run more than once.
func (s *Series) repeated() bool { return s.newest.runs > 1 }

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
