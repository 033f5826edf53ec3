package trace

import (
	"testing"
	"unsafe"
)

// TestSpanSize: what memory is asked for is what spans take.
func TestSpanSize(t *testing.T) {
	if size := unsafe.Sizeof(Span{}); size != SpanSize {
		t.Errorf("a span is %d bytes, want %d", size, SpanSize)
	}
}

// TestSpanBytes: a copy has the bytes that it was given, as far as there is room for them, and
// communication has none but its message.
func TestSpanBytes(t *testing.T) {
	for set, want := range map[int64]int64{-1: 0, 0: 0, 1: 1, 1<<32 - 1: 1<<32 - 1, 1 << 32: 1 << 32, 123456789012: 123456789012,
		maxBytes: maxBytes, maxBytes + 1: maxBytes, 1<<63 - 1: maxBytes} {
		s := Span{Kind: Memcpy, Class: Memory}.Sized(set)
		if got := s.Bytes(); got != want {
			t.Errorf("%d bytes: got %d, want %d", set, got, want)
		}
	}
	var messages Messages
	messages.Add(Message{Bytes: 7})
	s := Span{Kind: Kernel, Class: Compute}
	if got := messages.Of(&s); got != (Message{}) || messages.Coll(&s) != 0 {
		t.Errorf("a kernel that does not communicate: got %+v", got)
	}
	want := Message{Coll: 3, Bytes: 9}
	s.SetMessage(messages.Add(want))
	if got := messages.Of(&s); got != want || messages.Coll(&s) != 3 || s.Class != Comm || s.Bytes() != 0 {
		t.Errorf("got %+v and %d bytes of a span of class %d, want %+v in communication", got, s.Bytes(), s.Class, want)
	}
	if got := (*Messages)(nil).Of(&s); got != (Message{}) {
		t.Errorf("without messages: got %+v", got)
	}
}

// TestKernelOfName: a name says whether a kernel communicates, and in which collective.
func TestKernelOfName(t *testing.T) {
	names, messages := NewNames(), &Messages{}
	for name, want := range map[string]string{"gemm(int)": "", "ncclDevKernel_AllReduce_Sum_f32_RING_LL": "AllReduce"} {
		s := Span{Name: names.ID(name)}
		messages.Kernel(&s, names)
		if got := names.Text(messages.Coll(&s)); s.Kind != Kernel || got != want || (s.Class == Comm) != (want != "") {
			t.Errorf("%s: got %q, kind %d, class %d, want %q", name, got, s.Kind, s.Class, want)
		}
	}
}

// TestCopyWithHost: a direction is the same with and without the kind of the host's memory.
func TestCopyWithHost(t *testing.T) {
	for k := CopyUnknown; k < 16; k++ {
		for host := HostUnknown; host <= HostManaged; host++ {
			got := k.With(HostPinned).With(host)
			if got.String() != k.String() || got.Host() != host {
				t.Errorf("%s of %s: got %s of %s", k, host, got, got.Host())
			}
		}
	}
}
