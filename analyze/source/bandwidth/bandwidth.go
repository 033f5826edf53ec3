// Package bandwidth reads what tools of NCCL measured of collectives one by one: logs of NCCL
// Inspector (ext-profiler/inspector of NVIDIA/nccl, JSON lines, format v4) and the tables that
// nccl-tests print. Both hold sizes, times and bus bandwidths of calls, and no steps: nothing is
// judged of them, and calls of one collective, size and number of ranks are compared.
package bandwidth

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"perfdiff/analyze/kernelname"
	"perfdiff/analyze/trace"
)

// Tool is the program that wrote a log.
type Tool string

// The tools, as people know them.
const (
	Inspector Tool = "NCCL Inspector"
	Tests     Tool = "nccl-tests"
)

// Call is one collective as one rank saw it, or one line of a table: the mean over its
// iterations.
type Call struct {
	Collective string  // canonical name: "AllReduce"; "" where the log does not say
	Bytes      int64   // of the message, as nccl-tests count them
	Ranks      int     // of the communicator; 0: not recorded
	Rank       int     // in it; -1: of all ranks together
	Time       float64 // s
	Algorithm  float64 // bandwidth, B/s
	Bus        float64 // bandwidth, B/s
	InPlace    bool    // of nccl-tests: the result was written over the input
}

// Log holds what was read from a file.
type Log struct {
	Tool  Tool
	Host  string // "" where the log does not say
	Calls []Call // in the order of the file
	// Unread counts lines that should be calls and are none that can be.
	Unread int
}

// Limits of what is read: files come from anywhere. Chosen, not measured.
const (
	maxLine   = 1 << 20 // bytes of a line: verbose ones of Inspector have an entry for each channel
	mostRanks = 1 << 16 // whose tables are told apart by marks
)

var errNone = errors.New("no log of NCCL Inspector and no table of nccl-tests")

// Sniff returns the tool that wrote a file that begins with head, "" for any other file.
func Sniff(head []byte) Tool {
	line, _, _ := bytes.Cut(bytes.TrimLeft(head, " \t\r\n"), []byte("\n"))
	_, unmarked := trace.CutRankMark(string(line))
	first := []byte(unmarked)
	has := func(text []byte, word string) bool { return bytes.Contains(text, []byte(word)) }
	switch {
	case bytes.HasPrefix(first, []byte("{")) &&
		(has(first, `"coll_perf"`) || has(first, `"inspector_output_format_version"`)):
		return Inspector
	case has(head, "algbw") && has(head, "busbw") && has(head, "#"):
		return Tests
	}
	return ""
}

// Read reads a log. It fails for a text that is no log, a line that is too long, and the end of ctx.
func Read(ctx context.Context, r io.Reader) (Log, error) {
	in := bufio.NewReaderSize(r, 64<<10)
	head, _ := in.Peek(64 << 10)
	log := Log{Tool: Sniff(head)}
	if log.Tool == "" {
		return Log{}, errNone
	}
	ranks := map[int]reader{} // by launcher's mark: each may print a table of its own
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, maxLine)
	for n := 0; lines.Scan(); n++ {
		if n&1023 == 0 && ctx.Err() != nil {
			return Log{}, ctx.Err()
		}
		rank, text := trace.CutRankMark(lines.Text())
		if rank > mostRanks {
			rank = -1
		}
		if ranks[rank] == nil {
			ranks[rank] = log.Tool.reader()
		}
		ranks[rank].line(text, &log)
	}
	if err := lines.Err(); err != nil {
		return Log{}, fmt.Errorf("line %d: %w", len(log.Calls)+log.Unread+1, err)
	}
	if len(log.Calls) == 0 {
		return Log{}, fmt.Errorf("%w: of %s, and no collective in it can be read", errNone, log.Tool)
	}
	return log, nil
}

// reader takes the lines of a tool, one by one.
type reader interface{ line(text string, log *Log) }

func (t Tool) reader() reader {
	if t == Inspector {
		return new(inspector)
	}
	return new(tests)
}

// tests reads the tables of nccl-tests.
type tests struct {
	collective string
	ranks      int
	columns    []string
}

// line takes a line. Lines that begin with # say what the columns are, which ranks take part
// and, since 2.13, which test runs.
func (x *tests) line(text string, log *Log) {
	fields := strings.Fields(strings.TrimPrefix(strings.TrimSpace(text), "#"))
	if len(fields) == 0 {
		return
	}
	if strings.HasPrefix(strings.TrimSpace(text), "#") {
		switch {
		case fields[0] == "Rank" && len(fields) > 1:
			x.ranks++
		case len(fields) == 4 && strings.Join(fields[:3], " ") == "Collective test starting:":
			x.collective = collectiveOf(fields[3])
			x.ranks = 0
		case fields[0] == "size":
			x.columns = fields
		}
		return
	}
	if _, err := strconv.ParseInt(fields[0], 10, 64); err != nil || x.columns == nil {
		return // of the program or its launcher
	}
	if len(fields) != len(x.columns) {
		log.Unread++
		return
	}
	x.row(fields, log)
}

// row takes a row, which holds up to two measurements: time, algbw and busbw with results in other memory and in that
// of the input.
func (x *tests) row(fields []string, log *Log) {
	c := Call{Collective: x.collective, Ranks: x.ranks, Rank: -1}
	if log.Unread++; !whole(fields[0], &c.Bytes) {
		return
	}
	before := len(log.Calls)
	for i, name := range x.columns {
		if name != "time" || i+2 >= len(fields) || x.columns[i+1] != "algbw" || x.columns[i+2] != "busbw" {
			continue
		}
		one := c
		one.InPlace = len(log.Calls) > before
		if amount(fields[i], 1e-6, &one.Time) && amount(fields[i+1], 1e9, &one.Algorithm) &&
			amount(fields[i+2], 1e9, &one.Bus) {
			log.Calls = append(log.Calls, one)
		}
	}
	if len(log.Calls) > before {
		log.Unread--
	}
}

// collectiveOf returns the canonical name of a collective, as of the test "all_reduce_perf"; "" unknown.
func collectiveOf(test string) string {
	if name := kernelname.CollectiveName(test); name != "Generic" {
		return name
	}
	return ""
}

// whole reads a whole number that is not negative.
func whole(text string, into *int64) bool {
	n, err := strconv.ParseInt(text, 10, 64)
	*into = n
	return err == nil && n >= 0
}

// amount reads a number that is not negative, in a unit.
func amount(text string, unit float64, into *float64) bool {
	v, err := strconv.ParseFloat(text, 64)
	*into = float64(v * unit)
	return err == nil && v >= 0 && v < 1e300
}
