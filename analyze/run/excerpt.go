package run

// An Excerpt is one step as a timeline: what the report shows of single spans.
type Excerpt struct {
	Step  int64   `report:"step"`                   // number
	Worst bool    `report:"worst"`                  // the longest step after the first
	Long  bool    `json:",omitempty" report:"long"` // the worst, or far above its neighbours; else it may be typical, or has a late rank
	Ranks []Strip `report:"ranks"`
}

// Strip is one rank's part of an excerpt. Times are in ns from the start of the
// rank's own step, where strips are aligned.
type Strip struct {
	Rank    int         `report:"rank"`
	Length  int64       `report:"length"` // of the step
	Names   []string    `report:"names"`
	Tracks  []Track     `json:",omitempty" report:"tracks"` // the host's first; nil in a summary that does not have them
	Spans   []StripSpan // in order of lane and start
	Omitted int         `report:"omitted"` // spans that are not here: the shortest
	// Details are the later columns of the spans in a saved summary; nil everywhere else.
	Details []byte `json:",omitempty"`
}

// Track is where spans come from: a stream of the device or a thread of the host.
type Track struct {
	Host   bool  `json:",omitempty" report:"host"`   // a thread
	Steps  bool  `json:",omitempty" report:"steps"`  // the thread that runs the steps
	Others bool  `json:",omitempty" report:"others"` // all that have no track of their own
	ID     int32 `report:"id"`                       // number of the stream, or of the thread by the operating system
	// Name is what the thread is called; "": not recorded.
	Name string `json:",omitempty" report:"name"`
}

// StripSpan is one bar.
type StripSpan struct {
	Start, End int64
	// Ahead is how long before Start it was launched, in ns; 0: not recorded.
	Ahead int64
	// Wait is how much of a communication kernel is waiting for the last rank, in ns from Start
	// on; it is known where Split is set.
	Wait  int64
	Name  int32 // index into Names
	Track int16 // 1 + index into Tracks; 0: of a gap, or of a summary that has no tracks
	Lane  Lane
	Split bool
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

// MaxTracks bounds the tracks of a strip. Programs have a handful of streams; a file may say
// that it has a million.
const MaxTracks = 64
