// Package kineto reads traces of the PyTorch profiler: the JSON that Kineto
// writes in Chrome's trace event format, plain or gzipped, in its dialects of
// 2021 to 2026, and what a PyTorch without Kineto writes in its place.
//
// A scanner that knows the shape of trace events runs over a window of 1 MB,
// so that memory depends on the number of device spans and calls and not on
// the size of the file. It hops over the events that nothing is made of: Python
// functions but modules, flows; and what events begin and end with it reads once, and
// compares from then on. What it reads of the others is what encoding/json
// reads, which tests compare on every event.
package kineto

import (
	"bufio"
	"bytes"
	"context"
	"io"

	"perfdiff/analyze/trace"
)

// Read reads the trace file at path into one trace for each process and device that did work, in order of process and
// device; or one for each process if no device did any. opt may be nil; its Progress is told compressed bytes of a
// gzipped file. The calls come from one goroutine at a time, though not always the caller's.
//
// From a file that is cut or broken, Read returns what stands before and between the breaks, with a warning. It also
// warns about events with impossible times and about missing work; if they are more than a
// small share they are among the trace's Losses. It fails for a file that cannot be opened, is no trace, or holds no
// event, and at the end of ctx.
func Read(ctx context.Context, path string, opt *trace.Options) ([]*trace.Trace, error) {
	in, err := trace.Open(ctx, path, opt)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	return read(in)
}

// read does what Read does for an open file.
func read(in *trace.Input) ([]*trace.Trace, error) {
	ctx, name := in.Context, in.Name
	text, zipped, stop := open(in)
	col := newCollector(in.Options.Fits)
	d := &document{w: newWindow(text, windowSize), emit: col.add, head: header{rank: -1}}
	err := d.read()
	stop()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err := d.unusable(name, err, col); err != nil {
		return nil, err
	}
	col.unread = d.unread
	ts := col.traces()
	col.completeGroups(&d.head)
	d.head.plain = col.plain.seen
	warnings := d.warnings(zipped, col)
	if w := d.head.identify(ts); w != "" {
		warnings = append(warnings, w)
	}
	for _, t := range ts {
		t.File = name
		d.head.describe(t)
		if s := d.endText(); s != "" {
			t.Warnings = append(t.Warnings, d.cutOff(name, s, zipped))
		}
		for _, w := range warnings {
			t.Warnings = append(t.Warnings, trace.Warning{File: name, Text: w})
		}
	}
	return ts, nil
}

// Sniff reports whether a file is a trace, by its first bytes, plain or compressed. It must be a
// JSON object with a key of the profiler (traceEvents, deviceProperties, distributedInfo, …)
// among its first keys, or an array of events. Other tools write schemaVersion too, so that it
// counts only where head ends before the next key. 4 KB are enough.
func Sniff(head []byte) bool {
	if trace.PackingOf(head) != trace.Unpacked {
		text, end, err := trace.Inflate(bufio.NewReader(bytes.NewReader(head)))
		if err != nil {
			return false
		}
		defer end()
		head, _ = io.ReadAll(io.LimitReader(text, lowWater)) // the end of head cuts it
	}
	w := newWindow(bytes.NewReader(head), len(head)+1)
	w.byteOrderMark()
	switch w.peek() {
	case '[':
		w.pos++
		var e event
		if w.peek() != '{' {
			return false
		}
		_, err := e.parse(w.unread())
		return err != errSyntax && e.ph != nil
	case '{':
		h := header{rank: -1}
		found := false
		whole := w.members(func(key string) bool {
			found = found || key == "traceEvents"
			ok := !found && h.member(w, key)
			return ok && !h.known
		})
		return found || h.known || (!whole && h.versioned)
	}
	return false
}
