package run

import "slices"

// Doubt says why nothing is judged about a set: it is not known what its files are.
type Doubt struct {
	About DoubtAbout `json:"Of"`
	Text  string     // a clause: "n0 and n1 are either …"
	Hint  string     // what decides, as a clause
}

// DoubtAbout says what is not known about the files.
type DoubtAbout string

// The doubts.
const (
	// DoubtRuns: directories are nodes of one run or repeats. Either reading can give a
	// false verdict, so that the user has to choose.
	DoubtRuns DoubtAbout = "runs"
	// DoubtRanks: the files are of other ranks than their numbers say, or of ranks that
	// nothing says. It can be judged by force.
	DoubtRanks DoubtAbout = "ranks"
)

// Communicator is one of NCCL, whose id is drawn anew in each run.
type Communicator struct {
	ID    string
	Ranks int32 // in it; 0: not known
}

// RunsKnown reports whether it is known what the set's runs are.
func (set *Set) RunsKnown() bool {
	return !slices.ContainsFunc(set.Doubts, func(d Doubt) bool { return d.About == DoubtRuns })
}
