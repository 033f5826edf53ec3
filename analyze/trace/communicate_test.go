package trace

import (
	"regexp"
	"testing"
)

func TestCommunicate(t *testing.T) {
	names := NewNames()
	span := func(kind Kind, class Class, name string) Span {
		return Span{Kind: kind, Class: class, Name: names.ID(name)}.Sized(7)
	}
	trace := &Trace{Names: names, Device: []Span{
		span(Kernel, Compute, "void ring::exchange<float>(float*)"),
		span(Kernel, Compute, "void ring::my_all_gather<float>(float*)"),
		span(Kernel, Compute, "gemm"),
		span(Memcpy, Memory, "ring copy"),
	}}
	trace.Communicate([]*regexp.Regexp{regexp.MustCompile(`^ring::`)})
	for i, want := range []string{"Generic", "AllGather", "", ""} {
		got := names.Text(trace.Messages.Coll(&trace.Device[i]))
		if got != want || (trace.Device[i].Class == Comm) != (want != "") {
			t.Errorf("span %d: got class %d of %q, want communication of %q", i, trace.Device[i].Class, got, want)
		}
	}
}
