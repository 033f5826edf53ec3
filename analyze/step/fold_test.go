package step

import "testing"

func TestFoldName(t *testing.T) {
	for _, tt := range []struct {
		name, want string
		hashed     bool
	}{
		{"train step 12", "train step N", false},
		{"epoch 3 step 12", "epoch N step N", false},
		{"iteration000012", "iterationN", false},
		{"forward", "forward", false},
		{"## Call CompiledFxGraph fud64jsrxcxliekg7lptyw24yz5k3oa65b73wjfbhz6j2f ##", "## Call CompiledFxGraph # ##", true},
		{"region 8d4b99fa0d1d2d3de", "region #", true},
		{"resnet50conv2block", "resnetNconvNblock", false},
		{"", "", false},
	} {
		if got := FoldName(tt.name); got != tt.want || holdsHash(tt.name) != tt.hashed {
			t.Errorf("FoldName(%q): got %q, hashed %v, want %q, %v", tt.name, got, holdsHash(tt.name), tt.want, tt.hashed)
		}
	}
}
