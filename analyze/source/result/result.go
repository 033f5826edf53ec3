// Package result reads what benchmarks print: one number a metric and run. It knows the files of hyperfine,
// pytest-benchmark, Google Benchmark, go test -bench, vLLM, SGLang and AIPerf, and any CSV table, JSON document or
// JSON lines that hold named numbers.
package result

import (
	"context"
	"fmt"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// A Value is one number of one run.
type Value struct {
	// Name is what the benchmark calls it, with what tells loads apart: "median_ttft_ms, request_rate=4". It is the
	// same in the files of both sides, so that like is compared with like.
	Name string
	// Unit is of SI base where it is a time or bytes, to which the value is converted: "s", "B", "B/s", "1/s",
	// "tokens/s", "ratio", or "1" for a count. It is "" where nothing says it.
	Unit string
	// Better is told by the name; Neither where it is not known, so that the value is shown and never judged.
	Better run.Better
	Value  float64
}

// A Run is one repeat.
type Run struct {
	Name   string       // "" where the file is the run, else what tells the repeats of a file apart: "#3"
	Values []Value      // at most 64, in the order of the file, of which no two have one name
	Facts  []trace.Fact // what the file says of model, backend, machine and versions: see trace.Fact
	// Warnings are about the file, and stand in its first run: what of it was left out.
	Warnings []trace.Warning
}

// Sniff returns the tool that wrote a file that starts with head, or "CSV", "JSON" or "JSON lines"; "" where it holds
// no results that are known: it is never true of a trace, a profile, a log of steps or perfdiff's own report.
func Sniff(head []byte) string { return "" }

// Read reads the file at path, plain or compressed with gzip or zstd, into its repeats. opt may be nil. The error is
// for a file that cannot be read or holds no result, and says what to give instead.
func Read(ctx context.Context, path string, opt *trace.Options) ([]Run, error) {
	return nil, fmt.Errorf("results are not read yet")
}
