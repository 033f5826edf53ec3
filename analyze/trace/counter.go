package trace

// CounterKind says what a counter counts.
type CounterKind uint8

// The kinds of counters. The first four count bytes, of a whole node; activity
// is of the rank's own device, as a share of its peak.
const (
	CounterUnknown CounterKind = iota
	StorageRead
	StorageWrite
	NetReceive
	NetSend
	Activity
)

// Counter is what a profiler sampled of one device over time.
//
// Samplers see the whole machine: every rank on a node that samples its network
// ports or volumes has the same bytes in its file, and whoever adds up ranks
// has to count them once for each node.
type Counter struct {
	Kind CounterKind
	// Device is what was sampled, as people call it and unlike all others of
	// its kind on the node: "mlx5_0 port 1", "volume 2", "SM active".
	Device  string
	Source  string   // the table that it comes from
	Samples []Sample // in order of Start, without overlap
}

// Sample is one reading of a counter.
type Sample struct {
	Start, End int64
	Value      float64 // bytes in [Start, End), or a share of peak from 0 to 1
}
