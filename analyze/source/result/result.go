// Package result reads what benchmarks print: one number a metric and run. It knows the files of hyperfine,
// pytest-benchmark, Google Benchmark, go test -bench, vLLM, SGLang and AIPerf, and any CSV table, JSON document or
// JSON lines that hold named numbers.
package result

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// Value is one number of one run.
type Value struct {
	// Name is what the benchmark calls it, with what tells loads apart: "median_ttft_ms, 4 req/s". It is the same in the
	// files of both sides, so that like is compared with like.
	Name string
	// Unit is of SI base where it is a time or bytes, to which the value is converted: "s", "B", "B/s", "1/s",
	// "tokens/s", "FLOP/s", "ratio" (0 to 1), or "1" for a count. It is "" where nothing says it.
	Unit string
	// Better is told by the name or unit; Neither where they do not, so that the value is shown and never judged.
	Better run.Better
	Value  float64
}

// Run is one repeat.
type Run struct {
	Name   string       // "" where the file is the run, else what tells the repeats of a file apart: "#3"
	Values []Value      // at most 64, no two of one name: medians, then means, p99 and p90, and last those not judged
	Facts  []trace.Fact // what the file says of model, machine and versions: keys of trace, Host, Commit, or words
	// Warnings are about the file, and stand in its first run: what of it was left out.
	Warnings []trace.Warning
}

// Limits of what is read: files come from anywhere. Chosen, not measured: the results of a benchmark are a few KB.
const (
	longestFile = 64 << 20 // bytes, inflated
	widestFrame = 8 << 20  // bytes that a zstd frame may look back
	headBytes   = 64 << 10
)

// Sniff returns the tool that wrote a file that starts with head, or "CSV", "JSON" or "JSON lines"; "" where it holds
// no results that are known: it is never true of a trace, a profile, a log of steps or perfdiff's own report. A file
// that is shorter than 64 KB, the head is all of it.
func Sniff(head []byte) string {
	cut := len(head) >= headBytes
	if bytes.IndexByte(head, 0) >= 0 || foreign(head) {
		return ""
	}
	text := bytes.TrimSpace(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")))
	if bytes.HasPrefix(text, []byte("{")) || bytes.HasPrefix(text, []byte("[")) {
		docs, bad, err := documents(text)
		if tool, _ := toolOf(docs, cut || err != nil); bad <= 1+len(docs)/10 {
			return tool
		}
		return ""
	}
	if benchLine.Match(text) {
		return "go test -bench"
	}
	rows, bad, _ := tableOf(string(text), cut)
	for _, r := range rows {
		if !slices.ContainsFunc(r, func(c cell) bool { return c.number }) {
			bad++
		}
	}
	if len(rows) > 0 && bad*10 <= len(rows)+10 && bad < len(rows) && areResults(rows, cut) {
		return "CSV"
	}
	return ""
}

// foreign recognises traces, sums of nsys stats and perfdiff's own reports.
func foreign(head []byte) bool {
	says := func(s string) bool { return bytes.Contains(head, []byte(s)) }
	return slices.ContainsFunc([]string{`"traceEvents"`, `"log_history"`, "Time (%)", "Total Time (ns)", "Start (ns)",
		`"tool": "perfdiff`, `"tool":"perfdiff`, `"written_by": "perfdiff`}, says)
}

// Keys of facts beside those of a trace. Hosts and commits differ from run to run, and are no difference of machines.
const (
	Host   = "host"
	Commit = "commit"
)

var (
	errLarge   = errors.New("is larger than 64 MB, and results are a few KB (give the summary that the benchmark prints)")
	errUnknown = errors.New("holds no results that are known (give what hyperfine --export-json, pytest " +
		"--benchmark-json, Google Benchmark's " +
		"--benchmark_out, go test -bench, vLLM bench serve --save-result, SGLang or AIPerf write, or named numbers as " +
		"CSV, JSON or JSON lines)")
	errNone = errors.New("holds no number that is a result (name each after what it measures and its unit, as in " +
		"latency_ms or tokens_per_s)")
)

// Read reads the file at path, plain or compressed with gzip or zstd, into its repeats. opt may be nil. The error is
// for a file that cannot be read or holds no result, and says what to give instead.
func Read(ctx context.Context, path string, opt *trace.Options) ([]Run, error) {
	in, err := trace.Open(ctx, path, opt)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	text, err := textOf(in)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, fmt.Errorf("%s: cannot be read: %w", in.Name, trace.WithoutPath(err))
	}
	if len(text) > longestFile {
		return nil, fmt.Errorf("%s: %w", in.Name, errLarge)
	}
	g := gathering{file: in.Name, at: map[string]int{}}
	if err := g.read(text); err != nil {
		return nil, fmt.Errorf("%s: %w", in.Name, err)
	}
	runs := g.finish()
	if len(runs) == 0 {
		return nil, fmt.Errorf("%s: %w", in.Name, errNone)
	}
	return runs, nil
}

// textOf returns what r gives, inflated, and at most one byte more than the longest file has.
func textOf(r io.Reader) ([]byte, error) {
	text, end, err := trace.InflateWithin(bufio.NewReader(r), widestFrame)
	if err != nil {
		return nil, err
	}
	defer end()
	return io.ReadAll(io.LimitReader(text, longestFile+1))
}

// read reads a text by the tool that wrote it.
func (g *gathering) read(text []byte) error {
	tool := Sniff(text[:min(len(text), headBytes)])
	switch tool {
	case "":
		return errUnknown
	case "go test -bench":
		g.goBench(string(text))
		return nil
	case "CSV":
		rows, bad, err := tableOf(string(text), false)
		g.warnOf(bad, "of its rows, %d cannot be read")
		g.rows(rows)
		return err
	}
	docs, bad, err := documents(text)
	switch _, read := toolOf(docs, false); {
	case err == errTooMuch:
		return err
	case err != nil:
		return fmt.Errorf("is no whole JSON document: %w (was the benchmark stopped while it wrote? run it again)", err)
	case read != nil:
		read(g, docs[0].(object))
	case tool == "vLLM bench serve" || tool == "SGLang":
		g.served(rowsOf(docs))
	default:
		g.rows(rowsOf(docs))
	}
	g.warnOf(bad, "of its lines, %d cannot be read")
	return nil
}

// warnOf warns of so many, if there are any.
func (g *gathering) warnOf(n int, text string) {
	if n > 0 {
		g.warn(fmt.Sprintf(text, n))
	}
}

func (g *gathering) warn(text string) {
	g.warnings = append(g.warnings, trace.Warning{File: g.file, Text: text})
}
