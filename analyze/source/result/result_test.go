package result

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"perfdiff/analyze/run"
)

// written puts a text into a file.
func written(t testing.TB, name string, text []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// shown is what is read, a repeat a line: "#1: name=1.5 s down; ...".
func shown(runs []Run) string {
	var out strings.Builder
	for _, r := range runs {
		fmt.Fprintf(&out, "%s:", r.Name)
		for i, v := range r.Values {
			if i > 0 {
				out.WriteString(";")
			}
			fmt.Fprintf(&out, " %s=%.6g", v.Name, v.Value)
			if v.Unit != "" {
				out.WriteString(" " + v.Unit)
			}
			out.WriteString(map[run.Better]string{run.Lower: " down", run.Higher: " up", run.Neither: " ?"}[v.Better])
		}
		out.WriteString("\n")
	}
	return out.String()
}

func shownFacts(runs []Run) string {
	var out []string
	if len(runs) > 0 {
		for _, f := range runs[0].Facts {
			out = append(out, f.Key+"="+f.Value)
		}
	}
	return strings.Join(out, "; ")
}

const ofVLLM = `{"date": "20260301-100000", "backend": "vllm", "model_id": "meta/m-8b", "num_prompts": 100, "request_rate": %s, "max_concurrency": null,
 "duration": 10.5, "completed": 100, "failed": 0, "total_input_tokens": 1000, "total_output_tokens": 2000, "request_throughput": 9.5,
 "request_goodput:": 8.5, "output_throughput": 200.5, "total_token_throughput": 300.5, "input_lens": [1, 2], "itls": [[0.1, 0.2], [0.3]],
 "mean_ttft_ms": 33.5, "median_ttft_ms": 30, "std_ttft_ms": 4, "p99_ttft_ms": NaN, "p90_ttft_ms": 90}`

func oneLine(rate string) string {
	return `{"backend": "vllm", "request_rate": ` + rate + `, "request_throughput": 9.5, "median_ttft_ms": 30, "p99_ttft_ms": NaN, "p90_ttft_ms": -Infinity, "std_ttft_ms": NaN}`
}

var reads = []struct{ name, text, tool, want, facts string }{
	{"vllm", fmt.Sprintf(ofVLLM, `"inf"`), "vLLM bench serve", `: duration=10.5 s down; request_throughput=9.5 1/s up; request_goodput=8.5 1/s up; ` +
		`output_throughput=200.5 tokens/s up; total_token_throughput=300.5 tokens/s up; median_ttft_ms=0.03 s down; mean_ttft_ms=0.0335 s down; ` +
		`p90_ttft_ms=0.09 s down` + "\n", "serving backend=vllm; model=meta/m-8b; num_prompts=100"},
	{"vllm by load", oneLine("4") + "\n" + oneLine("8") + "\n" + oneLine("4"), "vLLM bench serve",
		"#1: request_throughput, 4 req/s=9.5 1/s up; median_ttft_ms, 4 req/s=0.03 s down; request_throughput, 8 req/s=9.5 1/s up; " +
			"median_ttft_ms, 8 req/s=0.03 s down\n#2: request_throughput, 4 req/s=9.5 1/s up; median_ttft_ms, 4 req/s=0.03 s down\n", "serving backend=vllm"},
	{"sglang", `{"backend": "sglang", "dataset_name": "random", "request_rate": 5.0, "max_concurrency": null, "random_input_len": 1024,
 "random_output_len": 128, "completed": 2, "request_throughput": 2.0, "mean_e2e_latency_ms": 10.0, "std_itl_ms": 1, "concurrency": 11.78, "accept_length": null}`,
		"SGLang", ": request_throughput, 5 req/s, input 1024, output 128=2 1/s up; mean_e2e_latency_ms, 5 req/s, input 1024, output 128=0.01 s down\n",
		"serving backend=sglang; dataset=random"},
	{"aiperf", `{"aiperf_version": "0.5.0", "request_throughput": {"unit": "requests/sec", "avg": 13.5}, "request_latency": {"unit": "ms", "avg": 6550, "p50": 5800,
 "p99": 9400, "min": 1, "std": 1171}, "output_sequence_length": {"unit": "tokens", "avg": 96.9, "p50": 97}, "benchmark_duration": {"unit": "sec", "avg": 15.2},
 "request_count": {"unit": "requests", "avg": 200}, "goodput": null, "output_token_throughput_per_user": {"unit": "tokens/sec/user", "avg": 192},
 "input_config": {"endpoint": {"model_names": ["openai/gpt-oss-20b"]}, "input": {"prompt": {"output_tokens": {"mean": 100}}}, "loadgen": {"concurrency": 100}}}`,
		"AIPerf", ": request_throughput, concurrency 100, output 100=13.5 1/s up; request_latency p50, concurrency 100, output 100=5.8 s down; " +
			"benchmark_duration, concurrency 100, output 100=15.2 s down; output_token_throughput_per_user, concurrency 100, output 100=192 tokens/s up; " +
			"request_latency avg, concurrency 100, output 100=6.55 s down; request_latency p99, concurrency 100, output 100=9.4 s down\n",
		"model=openai/gpt-oss-20b; AIPerf=0.5.0"},
	{"hyperfine", `{"results": [{"command": "python /home/me/train.py --x=/home/me/y", "mean": 0.1, "stddev": 0.001, "times": [0.1, 0.2, 0.3],
 "memory_usage_byte": [1000, 2000, 3000], "exit_codes": [0, 1, 0]}]}`, "hyperfine",
		"#1: time=0.1 s down; memory=1000 B down\n#3: time=0.3 s down; memory=3000 B down\n", "command=python train.py --x=y"},
	{"hyperfine of two", `{"results": [{"command": "./a", "mean": 1, "times": [1, 2]}, {"command": "./b", "median": 5, "mean": 6}]}`, "hyperfine",
		"#1: a=1 s down; b=5 s down\n#2: a=2 s down\n", ""},
	{"pytest", `{"machine_info": {"node": "n1", "cpu": {"brand_raw": "Xeon"}, "python_version": "3.12"}, "commit_info": {"id": "abc"}, "benchmarks": [
 {"name": "test_a[4]", "fullname": "t.py::test_a[4]", "stats": {"min": 1, "median": 2, "stddev": 1, "data": [1.5, 2.5]}},
 {"name": "test_b", "fullname": "t.py::test_b", "stats": {"min": 1, "median": 2, "mean": 3}}]}`, "pytest-benchmark",
		"#1: test_a[4]=1.5 s down; test_b=2 s down\n#2: test_a[4]=2.5 s down\n", "host=n1; cpu=Xeon; Python=3.12; commit=abc"},
	{"google", `{"context": {"host_name": "n1", "executable": "/home/me/b"}, "benchmarks": [
 {"name": "BM_A/8", "run_name": "BM_A/8", "run_type": "iteration", "repetition_index": 0, "iterations": 10, "real_time": 2.5, "cpu_time": 2, "time_unit": "us", "bytes_per_second": 1000, "label": "x"},
 {"name": "BM_A/8", "run_name": "BM_A/8", "run_type": "iteration", "repetition_index": 1, "iterations": 10, "real_time": 3.5, "cpu_time": 2, "time_unit": "us", "bytes_per_second": 900},
 {"name": "BM_A/8_mean", "run_name": "BM_A/8", "run_type": "aggregate", "aggregate_name": "mean", "real_time": 3, "time_unit": "us"},
 {"name": "BM_B_mean", "run_name": "BM_B", "run_type": "aggregate", "aggregate_name": "mean", "real_time": 7, "time_unit": "ms"},
 {"name": "BM_B_median", "run_name": "BM_B", "run_type": "aggregate", "aggregate_name": "median", "real_time": 6, "time_unit": "ms"},
 {"name": "BM_B_stddev", "run_name": "BM_B", "run_type": "aggregate", "aggregate_name": "stddev", "real_time": 1, "time_unit": "ms"}]}`, "Google Benchmark",
		"#1: BM_A/8=2.5e-06 s down; BM_A/8, bytes_per_second=1000 B/s up; BM_B=0.006 s down\n#2: BM_A/8=3.5e-06 s down; BM_A/8, bytes_per_second=900 B/s up\n", "host=n1"},
	{"go", "goos: linux\ngoarch: amd64\npkg: x\ncpu: Xeon\nBenchmarkRank/size-64-8   \t 100\t  123 ns/op\t 45 B/op\t 2 allocs/op\n" +
		"BenchmarkRank/size-64-8   \t 100\t  125.5 ns/op\t 45 B/op\t 2 allocs/op\nBenchmarkCopy-8  9 2 ms/op 12.5 MB/s 3 tokens/s\nPASS\n", "go test -bench",
		"#1: BenchmarkRank/size-64=1.23e-07 s down; BenchmarkRank/size-64, B/op=45 B down; BenchmarkRank/size-64, allocs/op=2 1 down; " +
			"BenchmarkCopy, ms/op=0.002 s down; BenchmarkCopy, MB/s=1.25e+07 B/s up; BenchmarkCopy, tokens/s=3 tokens/s up\n" +
			"#2: BenchmarkRank/size-64=1.255e-07 s down; BenchmarkRank/size-64, B/op=45 B down; BenchmarkRank/size-64, allocs/op=2 1 down\n",
		"GOMAXPROCS=8; os=linux; architecture=amd64; cpu=Xeon"},
	{"json wide", `{"model": "m", "gpu": "H100", "batch_size": 8, "latency": {"p50_ms": 4, "p99_ms": 9, "std_ms": 1}, "throughput_tok_s": 1000, "score": 3, "seed": 4,
 "config": {"lr": 0.1, "batch": 4}}`, "JSON", ": latency.p50_ms, batch 8, batch 4=0.004 s down; throughput_tok_s, batch 8, batch 4=1000 tokens/s up; latency.p99_ms, batch 8, batch 4=0.009 s down; " +
		"score, batch 8, batch 4=3 ?\n", "model=m; gpu=H100"},
	{"json long", `[{"name": "Sort 1k", "unit": "ms", "value": 5}, {"name": "loads", "unit": "req/s", "value": 7}, {"metric": "acc", "name": "x", "value": 0.5}]`, "JSON",
		": Sort 1k=0.005 s down; loads=7 1/s up; acc, x=0.5 up\n", ""},
	{"json lines", "{\"kernel\": \"gemm\", \"time_us\": 5, \"tflops\": 2}\n{\"kernel\": \"gemm\", \"time_us\": 6, \"tflops\": 1.5}\n{\"kernel\": \"copy\", \"time_us\": 7, \"bw_gb_s\": 3}\n{\"kernel", "JSON lines",
		"#1: time_us, gemm=5e-06 s down; tflops, gemm=2e+12 FLOP/s up; time_us, copy=7e-06 s down; bw_gb_s, copy=3e+09 B/s up\n" +
			"#2: time_us, gemm=6e-06 s down; tflops, gemm=1.5e+12 FLOP/s up\n", ""},
	{"csv wide", "run,latency_ms,accuracy,host\n1,\"1,950.5\",0.5,a\n2,\"2,150\",nan,b\n", "CSV", "#1: latency_ms=1.9505 s down; accuracy=0.5 up\n#2: latency_ms=2.15 s down\n", "host=a"},
	{"csv decimals", "run;latency_ms;score\n1;1,95;7\n2;2,05;8\n", "CSV", "#1: latency_ms=0.00195 s down; score=7 ?\n#2: latency_ms=0.00205 s down; score=8 ?\n", ""},
	{"csv long", "metric,value,unit,run\nttft,5,ms,a\nttft,6,ms,b\nrate,7,req/s,a\n", "CSV", "a: ttft=0.005 s down; rate=7 1/s up\nb: ttft=0.006 s down\n", ""},
	{"csv of numbered runs", "run,score,latency_ms\na,7,5\nb,9,6\n", "CSV", "a: latency_ms=0.005 s down; score=7 ?\nb: latency_ms=0.006 s down; score=9 ?\n", ""},
	{"json of runs", `{"batch_size": 8, "model": "/home/me/m", "runs": [{"batch_size": 8, "time_s": 5}, {"time_s": 6}]}`, "JSON",
		"#1: time_s, batch 8=5 s down\n#2: time_s, batch 8=6 s down\n", "model=m"},
	{"summary of training", `{"epoch": 3.0, "train_runtime": 100.5, "train_samples_per_second": 12.5, "total_flos": 1e15, "train_loss": 0.5}`, "JSON",
		": train_runtime=100.5 down; train_samples_per_second=12.5 1/s up; train_loss=0.5 down\n", ""},
	{"csv of one column", "latency_ms\n5\n6\n", "CSV", "#1: latency_ms=0.005 s down\n#2: latency_ms=0.006 s down\n", ""},
	{"tabs", "\ufeff# by me\nhost\tlatency_ms\tacc\na\t5\t\nb\t6\t0.5\n", "CSV", "#1: latency_ms=0.005 s down\n#2: latency_ms=0.006 s down; acc=0.5 up\n", "host=a"},
	{"csv by name", "variant,dim,time_ms\neager,128,5\neager,256,7\ncompiled,128,6\n", "CSV",
		": time_ms, eager, dim=128=0.005 s down; time_ms, eager, dim=256=0.007 s down; time_ms, compiled, dim=128=0.006 s down\n", ""},
	{"csv of runs", "name,n_id,time_ms\nrun-1,1,5\nrun-2,2,7\n", "CSV", "#1: time_ms=0.005 s down\n#2: time_ms=0.007 s down\n", ""},
	{"csv by load", "batch,TTFT (ms),Output tok/s\n1,5,10\n2,6,20\n1,5.5,11\n", "CSV", "#1: TTFT (ms), batch 1=0.005 s down; Output tok/s, batch 1=10 tokens/s up; " +
		"TTFT (ms), batch 2=0.006 s down; Output tok/s, batch 2=20 tokens/s up\n#2: TTFT (ms), batch 1=0.0055 s down; Output tok/s, batch 1=11 tokens/s up\n", ""},
}

func TestRead(t *testing.T) {
	for _, c := range reads {
		t.Run(c.name, func(t *testing.T) {
			text := c.text
			if got := Sniff([]byte(text)); got != c.tool {
				t.Errorf("Sniff: got %q, want %q", got, c.tool)
			}
			runs, err := Read(context.Background(), written(t, "r", []byte(text)), nil)
			if err != nil {
				t.Fatal(err)
			}
			if got := shown(runs); got != c.want {
				t.Errorf("got\n%s want\n%s", got, c.want)
			}
			if got := shownFacts(runs); got != c.facts {
				t.Errorf("facts: got %s, want %s", got, c.facts)
			}
			for _, r := range runs {
				for _, w := range r.Warnings {
					t.Log(w.Text)
				}
			}
		})
	}
}

func TestCompressed(t *testing.T) {
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	fmt.Fprintf(z, ofVLLM, "4")
	z.Close()
	runs, err := Read(context.Background(), written(t, "r.json.gz", out.Bytes()), nil)
	if err != nil || len(runs) != 1 || len(runs[0].Values) != 8 {
		t.Errorf("got %v, %v", runs, err)
	}
}

// TestNoResults holds what Sniff leaves to other readers, and what Read says of it.
func TestNoResults(t *testing.T) {
	var log strings.Builder
	log.WriteString("loss,throughput\n")
	for i := range 200 {
		fmt.Fprintf(&log, "%d.5,12.5\n", i)
	}
	for name, text := range map[string]string{
		"trace":            `{"schemaVersion": 1, "traceEvents": [{"ph": "X", "dur": 1}]}`,
		"trainer state":    `{"global_step": 3, "train_loss": 2.5, "log_history": [{"loss": 1}]}`,
		"own report":       `{"schema_version": 1, "tool": "perfdiff 1", "latency_ms": 4}`,
		"step table":       "step,latency_ms\n1,5\n2,6\n",
		"step times":       "step_time_ms,loss\n1.5,5\n2.5,6\n",
		"epochs":           "epoch,accuracy,loss\n0,0.5,1.5\n1,0.6,1.4\n",
		"step lines":       "{\"step\": 1, \"loss\": 2.5}\n{\"step\": 2, \"loss\": 2.4}\n",
		"long log":         log.String(),
		"sums of nsys":     "Time (%),Total Time (ns),Instances\n50,1000,3\n",
		"settings":         `{"hidden_size": 4096, "model_type": "llama", "rope_theta": 10000.5}`,
		"requests":         `{"metadata": {"x_request_id": "a"}, "metrics": {"request_latency": {"value": 3, "unit": "ms"}}}`,
		"text":             "step 1 loss 3.5, throughput 5\nstep 2 loss 3.4, throughput 6\n",
		"monitor":          "timestamp, name, utilization.gpu [%], memory.used [MiB]\nx, H100, 5 %, 100 MiB\n",
		"program":          "BenchmarkX is a function\n",
		"notes":            "{\"width\": 4.5}\n-- is the\n-- width\n",
		"empty":            "",
		"null":             "null",
		"list":             "[1, 2, 3]",
		"binary":           "latency_ms,x\x00\n1,2\n",
		"many words":       "The time, the latency\nand, so on\n",
		"a table of names": "name,email\na,b\n",
	} {
		if got := Sniff([]byte(text)); got != "" {
			t.Errorf("%s: got %q", name, got)
		}
		if _, err := Read(context.Background(), written(t, "r", []byte(text)), nil); err == nil || !strings.HasPrefix(err.Error(), "r: holds no results") {
			t.Errorf("%s: got the error %v", name, err)
		}
	}
}

// TestLimits holds what is read of files that hold too much, and what is said of it.
func TestLimits(t *testing.T) {
	var wide, long, many strings.Builder
	wide.WriteString(`{"z_latency_ms": 1`)
	for i := range 40 {
		fmt.Fprintf(&wide, `, "p90_%d_ms": 90, "m%d": 5, "median_%d_ms": 50, "mean_%d_ms": 51`, i, i, i, i)
	}
	wide.WriteString("}")
	long.WriteString(`{"results": [{"command": "a", "times": [1`)
	long.WriteString(strings.Repeat(", 1", mostRepeats+5) + "]}]}")
	many.WriteString(`{"latency_ms": 1, "b": {` + strings.Repeat(`"x": 1, `, mostValues) + `"y": 1}}`)
	table := "run,a_ms\n" + strings.Repeat("1,2\n", mostValues/2+1)
	for _, c := range []struct {
		name, text, err, warning string
		runs, values             int
	}{
		{"metrics", wide.String(), "", "r: it holds 161 metrics: 64 are compared, and the others are left out (\"mean_23_ms\", \"mean_24_ms\", \"mean_25_ms\")", 1, 64},
		{"repeats", long.String(), "", "r: it holds more than 10000 repeats: the first are compared", mostRepeats, 1},
		{"values", many.String(), "r: it holds more than a million values", "", 0, 0},
		{"cells", table, "r: it holds more than a million values", "", 0, 0},
		{"large", `{"latency_ms": 1` + strings.Repeat(" ", longestFile) + "}", "r: is larger than 64 MB", "", 0, 0},
		{"deep", `{"latency_ms": 1, "b": ` + strings.Repeat("[", 100), "r: it holds more than a million values, or is nested too deep", "", 0, 0},
		{"cut", `{"latency_ms": 1, "b": 3`, "r: is no whole JSON document", "", 0, 0},
		{"commas", "run,latency_ms\n1,\"1,950\"\n2,\"2,150\"\n", "r: its commas stand before thousands or before decimals", "", 0, 0},
		{"lines", "{\"latency_ms\": 1}\n{\"latency_ms\n{\"latency_ms\": 3}\n", "", "r: of its lines, 1 cannot be read", 2, 1},
		{"rows", "run,latency_ms\n1,5\n2\n3,6\n", "", "r: of its rows, 1 cannot be read", 2, 1},
		{"failed", fmt.Sprintf(strings.Replace(ofVLLM, `"failed": 0`, `"failed": 3`, 1), "1"), "", "r: failed requests: 3 (its numbers are of the others)", 1, 8},
		{"all failed", `{"results": [{"command": "a", "times": [1], "exit_codes": [1]}]}`, "r: holds no number that is a result", "", 0, 0},
	} {
		runs, err := Read(context.Background(), written(t, "r", []byte(c.text)), nil)
		if c.err != "" {
			if err == nil || !strings.HasPrefix(err.Error(), c.err) {
				t.Errorf("%s: got the error %v", c.name, err)
			}
			continue
		}
		if err != nil || len(runs) != c.runs || len(runs[0].Values) != c.values {
			t.Errorf("%s: got %d runs, %v", c.name, len(runs), err)
			continue
		}
		said := ""
		for _, w := range runs[0].Warnings {
			said += w.File + ": " + w.Text
		}
		if said != c.warning {
			t.Errorf("%s: got %s", c.name, said)
		}
	}
}

// TestCutHead: a line that only the end of the head makes a result is none.
func TestCutHead(t *testing.T) {
	line := "BenchmarkX 1 5 ns/op"
	text := strings.Repeat("\n", headBytes-len(line)) + line + " and more\n"
	if runs, err := Read(context.Background(), written(t, "r", []byte(text)), nil); err == nil {
		t.Errorf("got %v", runs)
	}
}

// TestCanceled: reading ends with its context.
func TestCanceled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Read(ctx, written(t, "r", []byte(reads[0].text)), nil); err != context.Canceled {
		t.Errorf("got %v", err)
	}
}

// FuzzRead holds that any file is read or refused, within the limits, and that what is read has names and numbers.
func FuzzRead(f *testing.F) {
	for _, c := range reads {
		f.Add([]byte(c.text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		g := gathering{file: "r", at: map[string]int{}}
		if g.read(text) != nil {
			return
		}
		for _, r := range g.finish() {
			names := map[string]bool{}
			for _, v := range r.Values {
				if names[v.Name] || v.Name == "" || v.Value-v.Value != 0 {
					t.Errorf("got %q = %g", v.Name, v.Value)
				}
				names[v.Name] = true
			}
			if len(r.Values) == 0 || len(r.Values) > run.MaxResults {
				t.Errorf("got %d values", len(r.Values))
			}
		}
	})
}
