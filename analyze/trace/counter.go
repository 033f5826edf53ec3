package trace

// CounterKind says what a counter counts.
type CounterKind uint8

// The kinds of counters. The first four count bytes of a whole node, NetWait how often its
// ports waited to send, CongestionPackets how often they were told of congestion, and SwitchCongestion how
// often switches saw packets in one; the others are levels of the rank's own device: activity as a share of
// its peak, clocks in Hz, power in W and temperature in degrees Celsius.
const (
	CounterUnknown CounterKind = iota
	StorageRead
	StorageWrite
	NetReceive
	NetSend
	Activity
	NetWait
	Clock
	Power
	Temperature
	CongestionPackets
	SwitchCongestion
)

// Counter holds what a profiler sampled of one device over time.
//
// Samplers see the whole machine: every rank on a node that samples its network ports or volumes has the same bytes in
// its file, and whoever adds up ranks has to count them once for each node.
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
	Value      float64 // an amount in [Start, End), or the level there: a share of peak is from 0 to 1
}
