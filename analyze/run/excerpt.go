package run

// An Excerpt is one step as a timeline: what the report shows of single spans.
type Excerpt struct {
	Step  int64 // number
	Worst bool  // the longest step; else one near the median
	Ranks []Strip
}

// Strip is one rank's part of an excerpt. Times are in ns from the start of the
// rank's own step, where strips are aligned.
type Strip struct {
	Rank    int
	Length  int64 // of the step
	Names   []string
	Spans   []StripSpan // in order of lane and start
	Omitted int         // spans that are not here: the shortest
}

// StripSpan is one bar.
type StripSpan struct {
	Start, End int64
	Name       int32 // index into Names
	Lane       Lane
}

// Lane is where a bar is drawn.
type Lane uint8

// The lanes of a strip. The name of a bar in LaneGap is a cause of idle time.
const (
	LaneCompute Lane = iota
	LaneComm
	LaneMemory
	LaneGap
	LaneRange
)

// MaxExcerptBars bounds the bars of an excerpt over all its ranks.
const MaxExcerptBars = 2000
