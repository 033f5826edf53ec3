package trace

// Outline is what is known of a trace whose device work and calls are not in memory but are read one stretch of time
// after the other.
type Outline struct {
	Device Interval // from the start of the first device work to the end of the last
	// Busy is the same of device work that takes time; the zero value without any.
	Busy       Interval
	LastStart  int64 // of device work
	Spans      int   // of the device, those included that are there twice
	Comm       bool  // a communication kernel takes time
	ToDevice   bool  // bytes were copied from host to device
	API, OS    []Caller
	ReadsInUse bool // a call that reads began while the device was in use
}

// Stretch holds what starts in a stretch of time and shortly after it, preceded by what was carried over from earlier
// ones. All lists are in order of start.
type Stretch struct {
	Device  []Span
	API, OS []Call
	// Carried is how many of each list are of earlier stretches.
	Carried struct{ Device, API, OS int }
}

// SortFrom puts what a stretch got into the order of Sort, and keeps rows once as Sort does.
func (s *Stretch) SortFrom() {
	t := Trace{Device: s.Device[s.Carried.Device:], API: s.API[s.Carried.API:], OS: s.OS[s.Carried.OS:]}
	t.Sort()
	s.Device = s.Device[:s.Carried.Device+len(t.Device)]
}
