package metric

import (
	"perfdiff/analyze/kernelname"
	"perfdiff/analyze/trace"
)

// What copies, by direction, and sets are called.
const (
	copyName = "copy "
	setName  = "set"
)

// workName is what people call a span: a kernel by its canonical name.
func (r *Rank) workName(s *trace.Span) string {
	switch s.Kind {
	case trace.Memcpy:
		return copyName + s.Copy.String()
	case trace.Memset:
		return setName
	}
	return r.kernelName(s.Name)
}

// kernelName is a kernel's canonical name, which is worked out once.
func (r *Rank) kernelName(id trace.NameID) string {
	name, ok := r.called[id]
	if !ok {
		if r.called == nil {
			r.called = map[trace.NameID]string{}
		}
		name = kernelname.CanonicalKernel(r.Trace.Names.Text(id))
		r.called[id] = name
	}
	return name
}
