package result

import (
	"testing"

	"perfdiff/analyze/run"
)

// TestMeaning holds which names say which unit and direction. "no result" is a number that is none.
func TestMeaning(t *testing.T) {
	for _, c := range []struct {
		name, unit, want string
		by               float64
		better           run.Better
	}{
		{"median_ttft_ms", "", "s", 1e-3, run.Lower},
		{"latency_ms_p99.9", "", "s", 1e-3, run.Lower},
		{"time_per_output_token_us", "", "s", 1e-6, run.Lower},
		{"TTFT (ms)", "", "s", 1e-3, run.Lower},
		{"p99Latency", "", "", 1, run.Lower},
		{"ms/step", "", "s", 1e-3, run.Lower},
		{"s/it", "", "s", 1, run.Lower},
		{"throughput_req_s", "", "1/s", 1, run.Higher},
		{"tokens_per_second_per_gpu", "", "tokens/s", 1, run.Higher},
		{"outputTokensPerSecond", "", "tokens/s", 1, run.Higher},
		{"items/s", "", "1/s", 1, run.Higher},
		{"requests_per_minute", "", "1/s", 1.0 / 60, run.Higher},
		{"busbw (GB/s)", "", "B/s", 1e9, run.Higher},
		{"memory_bandwidth_gib_s", "", "B/s", 1 << 30, run.Higher},
		{"tflops", "", "FLOP/s", 1e12, run.Higher},
		{"mfu", "", "", 1, run.Higher},
		{"mfu_pct", "", "ratio", 0.01, run.Higher},
		{"peak_memory_mb", "", "B", 1e6, run.Lower},
		{"total_memory_gb", "", "B", 1e9, run.Neither},
		{"train/loss", "", "", 1, run.Lower},
		{"eval_accuracy", "", "", 1, run.Higher},
		{"cache_hit_rate", "", "", 1, run.Higher},
		{"cache_miss_rate", "", "", 1, run.Lower},
		{"errors_per_second", "", "1/s", 1, run.Lower},
		{"gpu_utilization", "", "", 1, run.Neither},
		{"score", "", "", 1, run.Neither},
		{"config_s3", "", "", 1, run.Neither}, // no whole word
		{"model_7b", "", "", 1, run.Neither},
		{"items", "", "no result", 1, run.Neither},
		{"allocs/op", "", "1", 1, run.Lower},
		{"B/op", "B/op", "B", 1, run.Lower},
		{"BM rank sort", "ms", "s", 1e-3, run.Lower}, // the unit says enough
		{"std_ttft_ms", "", "no result", 1e-3, run.Neither},
		{"Score Error (99.9%)", "", "no result", 1, run.Neither},
		{"iqr", "s", "no result", 1, run.Neither},
		{"total_output_tokens", "", "no result", 1, run.Neither},
		{"num_prompts", "", "no result", 1, run.Neither},
		{"completed", "", "no result", 1, run.Neither},
		{"start_time", "", "no result", 1, run.Neither},
		{"seed", "", "no result", 1, run.Neither},
	} {
		v, by, ok := meaningOf(c.name, c.unit)
		got := v.Unit
		if !ok {
			got = "no result"
		}
		if got != c.want || ok && (by != c.by || v.Better != c.better) {
			t.Errorf("%s %s: got %q, %g, %v; want %q, %g, %v", c.name, c.unit, got, by, v.Better, c.want, c.by, c.better)
		}
	}
}
