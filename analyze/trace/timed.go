package trace

// Timed is a collective of a log that says how long each took and not when.
type Timed struct {
	Name     NameID // what is alike of calls that are compared: "AllReduce 16 MiB, 8 ranks"
	Bytes    int64  // of the message
	Duration int64  // ns
}
