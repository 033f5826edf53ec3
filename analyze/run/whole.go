package run

// WholeCapture is what a rank did in its whole capture, in steps or not. Sides that have no step in common are
// compared by it, by call and by second of Device or Host.
type WholeCapture struct {
	// Device is the time from the first to the last work of the device, and Host from the
	// first to the last activity of the host, in ns; 0 where there is none. Neither is the
	// length of the file: how long a program takes to begin says nothing of its work.
	Device, Host int64
	Stats        []Stat // MostWhole names of each table with the most time, and the rest by the name Others
	Gaps         Histogram
	// Times of the device, in ns: with any work, with compute, with communication, with
	// communication and no compute, with both at once, and with graph replays of unknown kind.
	Busy, Compute, Comm, Exposed, Overlap, Graphs int64
	// Bytes read and written within Device, without a device within Host.
	Read, Written float64
	Clock         float64           `json:",omitzero"` // Hz, mean over Device as sampled; 0: not recorded
	ReadFrom      string            // source of these bytes, see Moved; "" not recorded
	Node          NodeBytes         `json:",omitzero"` // of the storage counters of the node
	Launches      [LaunchBins]int64 // of kernels and graph replays that start in equal stretches of Device
}

// LaunchBins is into how many equal parts of its time the launches of a capture are counted, so
// that the rate of its work has a spread.
const LaunchBins = 20

// MaxWholeStats is how many names a rank keeps in each table of its whole capture.
const MaxWholeStats = 32

// Others is the name of the row that sums up the names that a table does not keep.
const Others = "(others)"

// TopStatsAndOthers returns the MaxWholeStats names of each table with the most time, in order of
// table and name, with one row for all others, so that the rows add up to all. The list all is
// reused.
func TopStatsAndOthers(all []Stat) []Stat { return topStats(all, MaxWholeStats, Others) }

// CompareBool orders false before true.
func CompareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// Plus returns what two captures of a rank did together; nil if either of them is.
func (w *WholeCapture) Plus(v *WholeCapture) *WholeCapture {
	if w == nil || v == nil {
		return nil
	}
	out := &WholeCapture{
		Device: w.Device + v.Device, Host: w.Host + v.Host,
		Stats: TopStatsAndOthers(mergeStats(w.Stats, v.Stats)), Gaps: w.Gaps,
		Busy: w.Busy + v.Busy, Compute: w.Compute + v.Compute, Comm: w.Comm + v.Comm,
		Exposed: w.Exposed + v.Exposed, Overlap: w.Overlap + v.Overlap, Graphs: w.Graphs + v.Graphs,
		Read: w.Read + v.Read, Written: w.Written + v.Written, ReadFrom: w.ReadFrom,
	}
	if w.ReadFrom != v.ReadFrom { // bytes of two sources do not add up
		out.Read, out.Written, out.ReadFrom = 0, 0, ""
	}
	if w.Clock > 0 && v.Clock > 0 && out.Device > 0 {
		out.Clock = (float64(w.Clock*float64(w.Device)) + float64(v.Clock*float64(v.Device))) / float64(out.Device)
	}
	if w.Node.Recorded && v.Node.Recorded {
		out.Node = NodeBytes{true, w.Node.Read + v.Node.Read, w.Node.Written + v.Node.Written}
	}
	for i, n := range v.Gaps.Counts {
		out.Gaps.Counts[i] += n
	}
	out.Gaps.Total += v.Gaps.Total
	for i := range out.Launches {
		out.Launches[i] = w.Launches[i] + v.Launches[i]
	}
	return out
}
