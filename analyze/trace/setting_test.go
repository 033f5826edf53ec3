package trace

import "testing"

// TestSetting: settings of the list with plain values are facts, and nothing else is.
func TestSetting(t *testing.T) {
	for text, want := range map[string]Fact{
		`NCCL_ALGO="Ring"`:                      {"NCCL_ALGO", "Ring"},
		"NCCL_IB_DISABLE=1":                     {"NCCL_IB_DISABLE", "1"},
		"PYTORCH_CUDA_ALLOC_CONF=max_split:128": {"PYTORCH_CUDA_ALLOC_CONF", "max_split:128"},
		"NCCL_ALGO=/home/me/x":                  {},
		"NCCL_ALGO=a@b":                         {},
		"NCCL_ALGO=":                            {},
		"NCCL_COMM_ID=10.0.0.1:33":              {},
		"NCCL_TOPO_FILE=x":                      {},
		"HOME=x":                                {},
		"AWS_SECRET_ACCESS_KEY=abc":             {},
		"no assignment":                         {},
	} {
		if got, ok := Setting(text); got != want || ok != (want != Fact{}) {
			t.Errorf("%s: got %v, %v", text, got, ok)
		}
	}
}
