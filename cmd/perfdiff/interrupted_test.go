package main

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"perfdiff/analyze/synth"
)

// TestInterruptedWriting: an interrupt that comes when all is compared, and outputs are written,
// leaves those that are not complete as they were, and is the exit status.
func TestInterruptedWriting(t *testing.T) {
	dir, out := writeStory(t, "aa", synth.Nsight), t.TempDir()
	names := []string{"a.html", "b.md", "c.json", "brief.json", "trace.json"}
	in := func(name string) string { return filepath.Join(out, name) }
	for _, name := range names {
		writeFile(t, in(name), "earlier")
	}
	c, err := parse(append(sides(dir), "-o", in("a.html"), "-o", in("b.md"), "-o", in("c.json"), "--brief", in("brief.json"), "--perfetto", in("trace.json"), "--csv", in("tables")))
	if err != nil {
		t.Fatal(err)
	}
	var stdout, stderr strings.Builder
	report, err := compare(t.Context(), c, &stderr)
	if err != nil {
		t.Fatal(err)
	}
	ctx, interrupt := context.WithCancel(t.Context())
	interrupt()
	if status := c.finish(ctx, report, &stdout, &stderr); status != statusInterrupted || !strings.Contains(stderr.String(), "interrupted; outputs that were not complete were not written") || stdout.Len() > 0 {
		t.Errorf("exit %d, %s %s", status, stdout.String(), stderr.String())
	}
	for _, name := range names {
		if text := fileText(t, in(name)); text != "earlier" {
			t.Errorf("%s was replaced by %d bytes", name, len(text))
		}
	}
	if found, _ := filepath.Glob(in("tables/*")); len(found) > 0 {
		t.Errorf("written: %v", found)
	}
	if status := c.finish(t.Context(), report, &stdout, &stderr); status != statusOK || fileText(t, in("b.md")) == "earlier" {
		t.Errorf("left alone: exit %d, %s", status, stderr.String())
	}
}
