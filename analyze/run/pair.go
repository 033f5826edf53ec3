package run

// Communication is which ranks of a run communicate with each other.
type Communication struct {
	Groups []Group `json:",omitempty"` // by dimension and ranks
	Pairs  []Pair  `json:",omitempty"` // that send to each other, by ranks; the first MaxPairs
}

// MaxPairs limits the pairs of a run that are kept. Chosen, not measured: as many as a ring of so many ranks has.
const MaxPairs = 256

// Pair is two ranks that send to each other, and what they did in the kept steps of a run. Kernels whose sender or
// receiver was not found are in no pair.
type Pair struct {
	Ranks     [2]int   // the lower one first
	Dimension string   `json:",omitempty"` // of parallelism that their group serves; "" unknown
	Use       GroupUse // of both ranks together, over all types and sizes
}
