package trace

import "testing"

func TestNames(t *testing.T) {
	n := NewNames()
	a := n.ID("ncclDevKernel_AllReduce_Sum_f32_RING_LL")
	b := n.IDBytes([]byte("gemm"))
	if again := n.IDBytes([]byte("ncclDevKernel_AllReduce_Sum_f32_RING_LL")); again != a {
		t.Errorf("interning the same name again: got %d, want %d", again, a)
	}
	if class, coll := n.Kernel(a); class != Comm || n.Text(coll) != "AllReduce" {
		t.Errorf("Kernel(nccl): got class %d of %q, want communication of AllReduce", class, n.Text(coll))
	}
	if class, coll := n.Kernel(b); class != Compute || coll != 0 {
		t.Errorf("Kernel(gemm): got class %d, collective %d, want compute, 0", class, coll)
	}
	if got := n.Text(NameID(9999)); got != "" {
		t.Errorf("text of an id that was never given: got %q", got)
	}
}
