package metric

import "perfdiff/analyze/trace"

// What copies, by direction, and sets are called.
const (
	copyName = "copy "
	setName  = "set"
)

// workName returns what people call a span; for a kernel the canonical name.
func (r *Rank) workName(s *trace.Span) string {
	switch s.Kind {
	case trace.Memcpy:
		return copyName + s.Copy.String()
	case trace.Memset:
		return setName
	}
	return r.kernelName(s.Name)
}

// kernelName returns the canonical name of a kernel. It is worked out once for each name.
func (r *Rank) kernelName(id trace.NameID) string {
	if int(id) >= len(r.kernelNames) {
		r.kernelNames = append(r.kernelNames, make([]string, max(r.Trace.Names.Len(), int(id)+1)-len(r.kernelNames))...)
	}
	name := &r.kernelNames[id]
	if *name == "" {
		*name = r.Trace.Names.Canonical(id)
		if int(id) >= minManyNames && *name != r.Trace.Names.Text(id) {
			*name = r.manyKernelNames.Keep(*name)
		}
	}
	return *name
}

// minManyNames is from how many names on the canonical ones are kept together, for this file
// alone. Fewer are also remembered for the next file. Chosen, not measured: a job has hundreds
// of kernels.
const minManyNames = 1 << 14
