package trace

import "testing"

func TestAlike(t *testing.T) {
	n := NewNames()
	first := n.ID("aten::mm, sizes = [[12, 4096]]")
	for name, want := range map[string]bool{
		"aten::mm, sizes = [[3, 7]]": true, "aten::mm, sizes = [[12, 4096]]": true,
		"aten::mm, sizes = [[3, 7], []]": false, "aten::mm, sizes = [[x, 7]]": false, "": false,
	} {
		if got := n.Alike(n.ID(name)) == n.Alike(first); got != want {
			t.Errorf("%q: got alike %v, want %v", name, got, want)
		}
	}
	// Digits in words are letters: an expression may ask for c10 and not for c11.
	for _, pair := range [][2]string{{"c10::f", "c11::f"}, {"conv2d_1x", "conv3d_1x"}, {"step", "step 1"}, {"a1b2", "a1b3"}} {
		if n.Alike(n.ID(pair[0])) == n.Alike(n.ID(pair[1])) {
			t.Errorf("%q and %q are alike", pair[0], pair[1])
		}
	}
	asked := 0
	yes := n.AskAlike(func(string) bool { asked++; return true })
	if yes(n.ID("aten::mm, sizes = [[3, 7]]")); !yes(first) || asked != 1 {
		t.Errorf("asked %d times", asked)
	}
}

// TestAlikeInARow: what a name is compared with first, the one before it, changes nothing.
func TestAlikeInARow(t *testing.T) {
	names := []string{"f 1", "f 22", "f 0", "f", "f 3", "g 3", "f 4", "f 4 ", "f 0x", "f x0", "f 5"}
	for i := range names {
		n, alone := NewNames(), NewNames()
		first := n.ID(names[0])
		n.Alike(first)
		if i > 0 {
			n.Alike(n.ID(names[i-1]))
		}
		got := n.Alike(n.ID(names[i])) == n.Alike(first)
		want := alone.Alike(alone.ID(names[0])) == alone.Alike(alone.ID(names[i]))
		if got != want {
			t.Errorf("%q behind %q: got alike %v, want %v", names[i], names[max(i-1, 0)], got, want)
		}
	}
}
