package sides

// Lined is two sides lined up: their ranks matched, the steps to compare chosen, and what is known of how far they can
// be compared.
type Lined struct {
	force         bool // what differs and must not is said, and compared all the same
	Base, Cand    *Side
	Plan          Plan
	Identical     bool       // both sides are the same files, or the same recording
	SameRecording bool       // they are the same recording
	RanksDiffer   bool       // the sides captured different ranks
	Forced        []Forced   // what differs and was to be compared all the same
	Sizes         Sizes      // how the jobs differ in size and are not judged; zero if they are
	Doubts        []Doubt    // what is not known of the sides, so that nothing is judged
	OtherSize     bool       // they differ, judged by force or not
	OtherUnit     *OtherUnit // why a step is not the same unit of work on both sides; nil if nothing says so, or it is forced
	Copies        []Copies   // runs that were given more than once
	Loads         *Loads     // of engine steps; nil: steps have none
	Reads         Reads      // where bytes read and written are taken from
	Work          *StepWork  // a step of the candidate does another amount of work; nil: nothing says so
	OtherMarker   bool       // steps are marked otherwise on both sides, and hold the same kernels
}

// Forced is a difference between the sides that was to be ignored. One of its fields says which.
type Forced struct {
	NoLikeLoad bool       // no engine step of one side is like one of the other
	Sizes      Sizes      // the jobs differ in size
	Unit       *OtherUnit // a step is another unit of work
	Doubt      *Doubt     // of ranks
}
