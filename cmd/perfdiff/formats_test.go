package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"perfdiff/analyze/source"
	"perfdiff/analyze/synth"
)

// otherFormats are the forms of stories beside those that all stories are held to.
var otherFormats = map[string]synth.Format{"rocprofv3": synth.Rocpd, "XLA planes": synth.XPlane, "XLA trace": synth.XLATrace}

var (
	sources  = regexp.MustCompile(`(?s)What was compared.*`)
	messages = regexp.MustCompile(`(?s)Details that differ.*?\n\n`) // bandwidths need sizes of messages
)

// TestOtherFormats: a story in another profiler's files says what it says in exports of Nsight
// Systems, to the byte, but for where ranks come from and what sizes of messages tell.
func TestOtherFormats(t *testing.T) {
	for _, story := range []string{"slow-kernel", "slow-allreduce", "host-bound"} {
		want := toldOf(t, writeStory(t, story, synth.Nsight))
		for name, format := range otherFormats {
			if got := toldOf(t, writeStory(t, story, format)); got != want {
				t.Errorf("%s, %s: got\n%s\nwant\n%s", story, name, got, want)
			}
		}
	}
}

// toldOf is what is told of two sides on standard output.
func toldOf(t *testing.T, dir string) string {
	t.Helper()
	out, _ := mustRun(t, statusRegressed, filepath.Join(dir, "baseline"), filepath.Join(dir, "candidate"))
	return messages.ReplaceAllString(sources.ReplaceAllString(out, ""), "")
}

// TestOtherFormatsDamaged: a file that is cut is named with the reason, half of the ranks are
// said to be missing, and without ranges on one side nothing passes.
func TestOtherFormatsDamaged(t *testing.T) {
	for name, format := range otherFormats {
		dir := writeStory(t, "slow-kernel", format)
		candidate := filepath.Join(dir, "candidate")
		files, err := os.ReadDir(candidate)
		if err != nil || len(files) != 4 {
			t.Fatalf("%s: %d files, %v", name, len(files), err)
		}
		cut := filepath.Join(candidate, files[1].Name())
		if err := os.Truncate(cut, sizeOf(t, cut)/2); err != nil {
			t.Fatal(err)
		}
		if err := os.Remove(filepath.Join(candidate, files[3].Name())); err != nil {
			t.Fatal(err)
		}
		var stdout, stderr bytes.Buffer
		status := run(t.Context(), []string{filepath.Join(dir, "baseline"), candidate}, &stdout, &stderr)
		told := flat(stdout.String() + stderr.String())
		if status == statusOK || !strings.Contains(told, files[1].Name()) || !strings.Contains(told, "truncated") || strings.Contains(told, "nsys export") {
			t.Errorf("%s: exit %d:\n%s", name, status, told)
		}
	}
}

// TestOtherFormatsUnmarked: without steps on a side nothing is judged, and the hint is in the
// words of the profiler.
func TestOtherFormatsUnmarked(t *testing.T) {
	hints := map[synth.Format]string{synth.Rocpd: "record with --runtime-trace", synth.XPlane: "jax.profiler.StepTraceAnnotation", synth.XLATrace: "jax.profiler.StepTraceAnnotation"}
	for name, format := range otherFormats {
		marked := writeStory(t, "slow-kernel", format)
		unmarked, _ := writeEdited(t, "slow-kernel", format, strings.NewReplacer("job:", "job:\n  markers: false"))
		out, _ := mustRun(t, statusNotJudged, filepath.Join(marked, "baseline"), filepath.Join(unmarked, "candidate"))
		if !strings.Contains(flat(out), hints[format]) {
			t.Errorf("%s: got\n%s\nwant %q", name, out, hints[format])
		}
	}
}

func sizeOf(t *testing.T, path string) int64 {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}

// TestViewersBeside: the trace that is made of a profile's planes does not count beside them.
func TestViewersBeside(t *testing.T) {
	planes, viewers := writeStory(t, "slow-kernel", synth.XPlane), writeStory(t, "slow-kernel", synth.XLATrace)
	want := toldOf(t, planes)
	for _, side := range []string{"baseline", "candidate"} {
		if err := os.CopyFS(filepath.Join(planes, side), os.DirFS(filepath.Join(viewers, side))); err != nil {
			t.Fatal(err)
		}
		one, err := os.ReadFile(filepath.Join(viewers, side, "rank0.trace.json.gz"))
		if err != nil {
			t.Fatal(err)
		}
		writeFile(t, filepath.Join(planes, side, "perfetto_trace.json.gz"), string(one))
	}
	if got := toldOf(t, planes); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestFormatsAreTold: help, manual and README name every kind of file that is read.
func TestFormatsAreTold(t *testing.T) {
	readme, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range source.Formats() {
		if f.Kind == "" {
			continue
		}
		what, ends, _ := strings.Cut(f.Kind, ", ")
		for _, end := range strings.Split(ends, " or ") {
			if !strings.Contains(help, end) {
				t.Errorf("%s: the help does not name %s", f.Name, end)
			}
		}
		for where, text := range map[string]string{"help": help, "manual": manual(t), "README": string(readme)} {
			if tool, _, _ := strings.Cut(what, " "); !strings.Contains(text, tool) {
				t.Errorf("%s: the %s does not name %s", f.Name, where, tool)
			}
		}
	}
}
