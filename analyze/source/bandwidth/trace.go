package bandwidth

import (
	"bufio"
	"context"
	"fmt"
	"math"

	"perfdiff/analyze/trace"
)

// IsLog reports whether a file that begins with head is a log of any of the tools.
func IsLog(head []byte) bool { return Sniff(head) != "" }

// ReadTraces reads the log at path into one trace, which has its collectives without times. opt may be nil.
func ReadTraces(ctx context.Context, path string, opt *trace.Options) ([]*trace.Trace, error) {
	in, err := trace.Open(ctx, path, opt)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	text, end, err := trace.Inflate(bufio.NewReader(in))
	if err != nil {
		return nil, fmt.Errorf("%s: cannot be read: %w", in.Name, err)
	}
	defer end()
	log, err := Read(ctx, text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", in.Name, err)
	}
	in.Done()
	return []*trace.Trace{log.trace(in.Name)}, nil
}

// trace converts the log to a trace. The rank is the rank in the largest communicator.
func (log *Log) trace(name string) *trace.Trace {
	t := &trace.Trace{File: name, Names: trace.NewNames(), Epoch: trace.NoTime,
		Timed:    make([]trace.Timed, 0, len(log.Calls)),
		Identity: trace.Identity{Rank: -1, Device: -1, Host: log.Host},
		Facts:    []trace.Fact{{Key: trace.FactProfiler, Value: string(log.Tool)}}}
	for _, c := range log.Calls {
		if c.Time <= 0 || c.Time > float64(math.MaxInt64)*1e-9 {
			log.Unread++
			continue
		}
		ns := int64(math.Round(float64(c.Time * 1e9)))
		t.Timed = append(t.Timed, trace.Timed{Name: t.Names.ID(c.name()), Bytes: c.Bytes, Duration: ns})
		if c.Rank >= 0 && c.Ranks > t.Identity.WorldSize && c.Rank < c.Ranks {
			t.Identity.Rank, t.Identity.WorldSize, t.Identity.RankFrom = c.Rank, c.Ranks, "NCCL communicator"
		}
	}
	if log.Unread > 0 {
		text := fmt.Sprintf("%d lines were left out: they are no collectives that can be", log.Unread)
		t.Warnings = append(t.Warnings, trace.Warning{File: name, Text: text})
	}
	return t
}

// name names a group of comparable calls: collective, size and whether it is in place.
func (c *Call) name() string {
	name := c.Collective
	if name == "" {
		name = "collective"
	}
	name += " " + size(c.Bytes)
	if c.InPlace {
		name += " in place"
	}
	if c.Ranks > 0 {
		name += fmt.Sprintf(", %d ranks", c.Ranks)
	}
	return name
}

// size returns a number of bytes in the unit in which it is a small whole number.
func size(bytes int64) string {
	for i, unit := range []string{"GiB", "MiB", "KiB"} {
		if one := int64(1) << (30 - 10*i); bytes >= one && bytes%one == 0 {
			return fmt.Sprintf("%d %s", bytes/one, unit)
		}
	}
	return fmt.Sprintf("%d B", bytes)
}
