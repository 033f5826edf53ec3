//go:build unix

package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"perfdiff/analyze/synth"
)

// nsysThatCopies puts an nsys on PATH whose reports are their own exports. It
// fails for the reports of some ranks.
func nsysThatCopies(t *testing.T, failing string) {
	t.Helper()
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "nsys"), `#!/bin/sh
for a; do test "$last" = -o && out=$a; last=$a; done
case "$last" in `+failing+`) echo "Error: the report is damaged"; exit 1;; esac
cp "$last" "$out"
`)
	if err := os.Chmod(filepath.Join(dir, "nsys"), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+":/usr/bin:/bin")
}

// TestReports: a run set of reports gives what its exports give.
func TestReports(t *testing.T) {
	dir := writeStory(t, "straggler-rank3", synth.Nsight)
	document := func(args ...string) string {
		t.Helper()
		var out, errs bytes.Buffer
		if status := run(context.Background(), append(append(sides(dir), "-q", "-o", "-", "--format", "json"), args...), &out, &errs); status == statusError {
			t.Fatalf("got status %d: %s", status, errs.String())
		}
		text := out.String()
		for _, ends := range []string{".sqlite", ".nsys-rep"} {
			text = strings.ReplaceAll(text, ends, "")
		}
		return strings.NewReplacer("nsys report", "nsys sqlite").Replace(text)
	}
	want := document()
	files, err := filepath.Glob(filepath.Join(dir, "*", "*.sqlite"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no files to rename: %v", err)
	}
	for _, f := range files {
		if err := os.Rename(f, strings.TrimSuffix(f, ".sqlite")+".nsys-rep"); err != nil {
			t.Fatal(err)
		}
	}
	nsysThatCopies(t, "none")
	cache := t.TempDir()
	for range 2 { // made, then kept
		if got := document("--cache", cache); got != want {
			t.Errorf("reports differ from their exports: got %d bytes want %d", len(got), len(want))
		}
	}
	if kept, _ := filepath.Glob(filepath.Join(cache, "*", "report.*.nsys-rep")); len(kept) != len(files) {
		t.Errorf("got %d exports in the cache want %d", len(kept), len(files))
	}
	nsysThatCopies(t, "*candidate/report.2.*")
	if got := document("--no-cache"); !strings.Contains(got, "report.2: nsys export failed, exit status 1: nsys says: Error: the report is damaged (try by hand: nsys export") {
		t.Error("a report that cannot be exported is not named with the words of nsys")
	}
	var out, errs bytes.Buffer
	t.Setenv("PATH", "")
	if status := run(context.Background(), sides(dir), &out, &errs); status != statusError || !strings.Contains(errs.String(), "export it with: nsys export --type sqlite -o report.0.sqlite report.0.nsys-rep)") {
		t.Errorf("without nsys: got status %d and %s", status, errs.String())
	}
}

// TestPickReports: of a report the command exports the step's stretch alone.
func TestPickReports(t *testing.T) {
	set := filepath.Join(writeStory(t, "aa", synth.Nsight), "baseline")
	exports := pickedSteps(t, set)
	nsysThatCopies(t, "none")
	files, err := filepath.Glob(filepath.Join(set, "*.sqlite"))
	if err != nil || len(files) == 0 {
		t.Fatal("no exports", err)
	}
	for _, f := range files {
		rename(t, f, strings.TrimSuffix(f, ".sqlite")+".nsys-rep")
	}
	for i, p := range pickedSteps(t, set, "--no-cache") {
		want := fmt.Sprintf("nsys export --type sqlite --times=%.9fs/%.9fs ", float64(*exports[i].Start)/1e9, float64(*exports[i].End)/1e9)
		if !strings.HasPrefix(p.Command, want) || !strings.HasSuffix(p.Command, "/"+p.File) {
			t.Errorf("got %s, want %s", p.Command, want)
		}
	}
}
