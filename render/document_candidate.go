package render

// StepCandidate is something that may mark steps, where nothing that both sides have does.
type StepCandidate struct {
	Marker    string        `json:"marker"` // for people: `range "step N"`
	Kind      string        `json:"kind"`   // "profiler step", "numbered range", "range", "launch", "optimizer"
	Name      string        `json:"name"`
	Every     int           `json:"every"`  // of so many launches the first begins a step; 0 of ranges
	Usable    bool          `json:"usable"` // it would be taken without being named
	Within    string        `json:"within"` // why it is only a part of a step; "" it may be one
	Flag      string        `json:"flag"`   // as an argument of the program; "" it cannot be named
	Baseline  CandidateSide `json:"baseline"`
	Candidate CandidateSide `json:"candidate"`
}

// CandidateSide is a step candidate on one side, as medians over captures. count is 0 where it
// does not occur.
type CandidateSide struct {
	Ranks   int    `json:"ranks"` // captures that have it
	Count   int    `json:"count"`
	Period  Number `json:"period"`  // s, from one to the next
	Spread  Number `json:"spread"`  // of the periods: (p90 - p10) / median
	Covered Number `json:"covered"` // share of the capture's activity
	Work    int    `json:"work"`    // kernels and graph replays launched from one to the next
}
