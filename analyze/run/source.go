package run

// Sources of bytes read and written, the best first. Summaries hold these texts.
const (
	// SourceStorage samples a whole node: its values are on one rank of each.
	SourceStorage = "storage counters of the node"
	SourceFiles   = "file access events" // of the rank
	// SourceCopies stood in for reads in summaries of earlier versions. What reached a
	// device says nothing of what was read, and is compared by no side.
	SourceCopies = "host-to-device copies, a proxy: what reached the device, not what was read"
)

// NodeBytes holds how many bytes a node read and wrote in a whole capture, where its storage counters were recorded.
type NodeBytes struct {
	Recorded      bool
	Read, Written float64
}

// Moved returns the bytes that were read and written in each bin, from a source; nil: it was not recorded. Earlier
// versions kept one source, the best.
func (c *Activity) Moved(source string) (read, write []float32) {
	switch {
	case source == SourceStorage && c.NodeRead != nil:
		return c.NodeRead, c.NodeWrite
	case source != "" && source == c.ReadSource:
		return c.Read, c.Write
	}
	return nil, nil
}

// Moved returns the bytes that were read and written, from a source; false: it was not recorded.
func (w *WholeCapture) Moved(source string) (read, written float64, ok bool) {
	switch {
	case source == SourceStorage && w.Node.Recorded:
		return w.Node.Read, w.Node.Written, true
	case source != "" && source == w.ReadFrom:
		return w.Read, w.Written, true
	}
	return 0, 0, false
}
