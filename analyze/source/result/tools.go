package result

import (
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// toolOf returns the tool that wrote documents, the last of which may end early.
func toolOf(docs []any, cut bool) string {
	o, ok := docs[0].(object)
	if ok {
		_, result := o.list("results")
		_, benchmark := o.list("benchmarks")
		switch {
		case result.has("command") && result.has("times", "mean"):
			return hyperfine
		case benchmark.has("stats"):
			return pytest
		case benchmark.has("real_time", "run_type", "cpu_time"):
			return google
		case o.has("avg_latency") && o.has("latencies"):
			return latencies
		case aiperfRow(o) != nil:
			return aiperf
		case o.has("request_throughput"):
			ofSGLang := o.has("median_e2e_latency_ms", "mean_e2e_latency_ms") || strings.HasPrefix(get[string](o, "backend"), "sglang")
			if ofSGLang {
				return sglang
			}
			if o.has("mean_ttft_ms", "median_ttft_ms", "p99_ttft_ms", "input_lens", "total_input_tokens", "request_goodput:") {
				return vllm
			}
		}
	}
	rows := rowsOf(docs)
	switch {
	case len(rows) == 0 || !areResults(rows, cut):
		return ""
	case len(docs) > 1:
		return jsonLines
	}
	return oneJSON
}

// hyperfine reads what hyperfine --export-json writes. Each of the times of a command is a repeat. A single command is
// a fact, so that another one on the other side is still compared.
func (g *gathering) hyperfine(o object) {
	results, first := o.list("results")
	if len(results) == 1 {
		g.fact("command", withoutPath(get[string](first, "command")))
	}
	taken := map[string]int{}
	failed := 0
	for _, r := range results {
		name, memory := withoutPath(get[string](r, "command")), ""
		if taken[name]++; taken[name] > 1 {
			name += fmt.Sprintf(" (%d)", taken[name])
		}
		if memory = name + ", memory"; len(results) == 1 {
			name, memory = "time", "memory"
		}
		exits, sizes := numbers(r, "exit_codes"), numbers(r, "memory_usage_byte")
		list := numbers(r, "times")
		if len(list) == 0 {
			list = averages(r)
		}
		for i, v := range list {
			if i < len(exits) && exits[i] != 0 {
				failed++
				continue
			}
			g.add(i, Value{Name: name, Unit: "s", Better: run.Lower, Value: v})
			if i < len(sizes) && sizes[i] > 0 {
				g.add(i, Value{Name: memory, Unit: "B", Better: run.Lower, Value: sizes[i]})
			}
		}
	}
	if failed > 0 {
		g.warn(fmt.Sprintf("failed repeats: %d, by their exit codes (left out)", failed))
	}
}

// averages returns the median of what an object sums up, or the mean.
func averages(o object) []float64 {
	for _, key := range []string{"median", "mean"} {
		if v, ok := o.number(key); ok {
			return []float64{v}
		}
	}
	return nil
}

// numbers returns a list; what is no number in it is NaN.
func numbers(o object, key string) (out []float64) {
	for _, v := range get[[]any](o, key) {
		f := math.NaN()
		if n, ok := v.(json.Number); ok {
			f, _ = n.Float64()
		}
		out = append(out, f)
	}
	return out
}

// pytest reads what pytest --benchmark-json writes, in s. Each round is a repeat.
func (g *gathering) pytest(o object) {
	machine, commit := get[object](o, "machine_info"), get[object](o, "commit_info")
	g.fact("host", get[string](machine, "node"))
	g.fact(trace.FactCPU, get[string](get[object](machine, "cpu"), "brand_raw"))
	g.fact("Python", get[string](machine, "python_version"))
	g.fact("commit", get[string](commit, "id"))
	list, _ := o.list("benchmarks")
	times := map[string]int{}
	for _, b := range list {
		times[get[string](b, "name")]++
	}
	for _, b := range list {
		name, stats := get[string](b, "name"), get[object](b, "stats")
		if times[name] > 1 {
			name = get[string](b, "fullname")
		}
		rounds := numbers(stats, "data")
		if len(rounds) == 0 {
			rounds = averages(stats)
		}
		for i, v := range rounds {
			g.add(i, Value{Name: name, Unit: "s", Better: run.Lower, Value: v})
		}
	}
}

// notCounters are the numbers of a benchmark of Google's that are no counters of the user.
var notCounters = set("family_index per_family_instance_index repetitions repetition_index threads iterations real_time cpu_time")

// google reads what --benchmark_out of Google Benchmark writes. Repetitions are repeats; medians, or means, stand for
// those that are not there.
func (g *gathering) google(o object) {
	about := get[object](o, "context")
	g.fact("host", get[string](about, "host_name"))
	g.fact(google, get[string](about, "library_version"))
	list, _ := o.list("benchmarks")
	nameOf := func(b object) string {
		if name := get[string](b, "run_name"); name != "" {
			return name
		}
		return get[string](b, "name")
	}
	kinds := map[string]string{} // by name, what is read: "" iterations, or the aggregate
	for _, kind := range []string{"mean", "median", ""} {
		for _, b := range list {
			if get[string](b, "aggregate_name") == kind && get[string](b, "aggregate_unit") != "percentage" {
				kinds[nameOf(b)] = kind
			}
		}
	}
	times, failed := map[string]int{}, 0
	for _, b := range list {
		name := nameOf(b)
		if kind, ok := kinds[name]; !ok || kind != get[string](b, "aggregate_name") {
			continue
		}
		at := times[name]
		times[name]++
		if get[bool](b, "error_occurred") {
			failed++
			continue
		}
		unit := get[string](b, "time_unit")
		if unit == "" {
			unit = "ns"
		}
		if v, ok := b.number("real_time"); ok {
			g.add(at, Value{Name: name, Unit: "s", Better: run.Lower, Value: float64(v * scaleOf(unit))})
		}
		for _, m := range b {
			counter, by, ok := meaningOf(m.key, "")
			f, isNumber := b.number(m.key)
			if !ok || !isNumber || notCounters[m.key] || counter.Better == run.Neither {
				continue
			}
			counter.Name, counter.Value = name+", "+m.key, float64(f*by)
			g.add(at, counter)
		}
	}
	if failed > 0 {
		g.warn(fmt.Sprintf("failed benchmarks: %d (left out)", failed))
	}
}

// scaleOf returns how many seconds a unit of time has; 1 for what is none.
func scaleOf(unit string) float64 {
	if by, ok := times[strings.ToLower(unit)]; ok {
		return by
	}
	return 1
}

// benchLine matches a result of go test -bench: BenchmarkX-8  100  123 ns/op  45 B/op.
var benchLine = regexp.MustCompile(`(?m)^Benchmark([^\s]*?)(-\d+)?[ \t]+\d+((?:[ \t]+[-+.\deE]+ [^\s\d][^\s]*)+)[ \t]*\r?$`)

// goBench reads the lines of go test -bench. Those that -count repeats are repeats. The number of processors behind
// the names goes where it is the same in all.
func (g *gathering) goBench(text string) {
	lines := benchLine.FindAllStringSubmatch(text, -1)
	same := true
	for _, m := range lines {
		same = same && m[2] == lines[0][2]
	}
	if same {
		g.fact("GOMAXPROCS", strings.TrimPrefix(lines[0][2], "-"))
	}
	for _, key := range []string{"cpu", "goos", "goarch"} {
		if m := regexp.MustCompile(`(?m)^` + key + `: (.+)$`).FindStringSubmatch(text); m != nil {
			g.fact(map[string]string{"cpu": trace.FactCPU, "goos": trace.FactOS}[key]+map[bool]string{true: key}[key == "goarch"], m[1])
		}
	}
	times := map[string]int{}
	for _, m := range lines {
		name := "Benchmark" + m[1]
		if !same {
			name += m[2]
		}
		at := times[name]
		times[name]++
		fields := strings.Fields(m[3])
		for i := 0; i+1 < len(fields); i += 2 {
			f, err := strconv.ParseFloat(fields[i], 64)
			v, by, ok := meaningOf(fields[i+1], fields[i+1])
			if err != nil || !ok {
				continue
			}
			if v.Name, v.Value = name, float64(f*by); fields[i+1] != "ns/op" {
				v.Name += ", " + fields[i+1]
			}
			g.add(at, v)
		}
	}
}

// latencies reads what vLLM's bench latency writes, in s. Each pass is a repeat.
func (g *gathering) latencies(o object) {
	for i, v := range numbers(o, "latencies") {
		g.add(i, Value{Name: "latency", Unit: "s", Better: run.Lower, Value: v})
	}
}

// served gives the results of vLLM and SGLang the unit that a name does not say, and warns of failed requests.
func (g *gathering) served(rows []row) []row {
	failed := 0.0
	for _, r := range rows {
		for i, c := range r {
			switch c.name {
			case "duration":
				r[i].unit = "s"
			case "failed":
				failed += c.value
			}
		}
	}
	if failed > 0 {
		g.warn(fmt.Sprintf("failed requests: %.0f (its numbers are of the others)", failed))
	}
	return rows
}

// aiperfRow returns the metrics of what AIPerf writes to profile_export_aiperf.json, each with a unit; nil: it is no
// such file.
func aiperfRow(o object) (out row) {
	if inner := get[object](o, "records"); inner != nil {
		o = append(inner, o...)
	}
	known := false
	for _, m := range o {
		inner, ok := m.value.(object)
		if !ok || !inner.has("unit") || !inner.has("avg") {
			continue
		}
		switch m.key {
		case "request_throughput", "request_latency", "time_to_first_token", "inter_token_latency", "output_token_throughput", "ttft":
			known = true
		}
		for _, stat := range []string{"avg", "p50", "p90", "p95", "p99"} {
			if v, ok := inner.number(stat); ok {
				name := m.key
				if inner.has("p50") {
					name += " " + stat
				}
				out = append(out, numberCell(name, get[string](inner, "unit"), v))
			}
		}
	}
	if !known {
		return nil
	}
	asked := get[object](o, "input_config")
	load, prompt := get[object](asked, "loadgen"), get[object](get[object](asked, "input"), "prompt")
	for _, l := range []struct {
		name, key string
		from      object
	}{{"request_rate", "request_rate", load}, {"concurrency", "concurrency", load},
		{"input_len", "mean", get[object](prompt, "input_tokens")}, {"output_len", "mean", get[object](prompt, "output_tokens")}} {
		if v, ok := l.from.number(l.key); ok {
			out = append(out, numberCell(l.name, "", v))
		}
	}
	if names := get[[]any](get[object](asked, "endpoint"), "model_names"); len(names) == 1 {
		name, _ := names[0].(string)
		out = append(out, cell{name: "model", key: "model", text: name})
	}
	if v := get[string](o, "aiperf_version"); v != "" {
		out = append(out, cell{name: "aiperf_version", key: "aiperf_version", text: v})
	}
	return out
}
