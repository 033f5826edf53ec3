package main

import (
	"bytes"
	"fmt"
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
	declared := filepath.Join(dir, "perfdiff.yaml") // not every format names the host, on which the floor depends
	if err := os.WriteFile(declared, []byte("noise_floor: 1.4%\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	out, _ := mustRun(t, statusRegressed, filepath.Join(dir, "baseline"), filepath.Join(dir, "candidate"), "--policy", declared)
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

// inspectorLog is a rank's log of NCCL Inspector: all-reduces of so many microseconds.
func inspectorLog(rank, micros int) string {
	var b strings.Builder
	for i := range 40 {
		fmt.Fprintf(&b, `{"header":{"id":"0x7f","rank":%d,"n_ranks":2,"nnodes":1},"metadata":{"inspector_output_format_version":"v4.0","hostname":"node1","pid":7},`+
			`"coll_perf":{"coll":"AllReduce","coll_sn":%d,"coll_msg_size_bytes":67108864,"coll_exec_time_us":%d,"coll_algobw_gbs":1,"coll_busbw_gbs":1}}`+"\n", rank, i, micros+i%5)
	}
	return b.String()
}

// TestLogsOfCollectives: calls are compared, nothing is judged, and beside profiles logs do not
// count.
func TestLogsOfCollectives(t *testing.T) {
	dir := t.TempDir()
	for side, micros := range map[string]int{"baseline": 900, "candidate": 1170} {
		for rank := range 2 {
			if err := os.MkdirAll(filepath.Join(dir, side), 0o777); err != nil {
				t.Fatal(err)
			}
			writeFile(t, filepath.Join(dir, side, fmt.Sprintf("node1-pid%d.log", 4711+rank)), inspectorLog(rank, micros))
		}
	}
	out, _ := mustRun(t, statusNotJudged, filepath.Join(dir, "baseline"), filepath.Join(dir, "candidate"))
	for _, want := range []string{"A log of collectives has no steps", "AllReduce 64 MiB, 2 ranks 0.90 ms 1.17 ms +29.9 % 80", "AllReduce 64 MiB, 2 ranks takes longer per call: 0.90 and 1.17 ms, the median of 80 and 80 calls", "takes longer per call"} {
		if !strings.Contains(flat(out), want) {
			t.Errorf("got\n%s\nwant %q", out, want)
		}
	}
	profiles := writeStory(t, "slow-kernel", synth.Kineto)
	want := toldOf(t, profiles)
	writeFile(t, filepath.Join(profiles, "candidate", "node1-pid4711.log"), inspectorLog(0, 900))
	if got := toldOf(t, profiles); got != want {
		t.Errorf("with a log beside the profiles: got\n%s\nwant\n%s", got, want)
	}
}

// TestFormatsAreTold: help, manual and README name every kind of file that is read.
func TestFormatsAreTold(t *testing.T) {
	for _, f := range source.Formats() {
		if f.Kind == "" {
			continue
		}
		what, ends, _ := strings.Cut(f.Kind, ", ")
		for _, end := range strings.Split(ends, " or ") {
			if !strings.Contains(helpOf(""), end) {
				t.Errorf("%s: the help does not name %s", f.Name, end)
			}
		}
		for where, text := range map[string]string{"help": helpOf(""), "README": documents(t)} {
			if tool, _, _ := strings.Cut(what, " "); !strings.Contains(text, tool) {
				t.Errorf("%s: the %s does not name %s", f.Name, where, tool)
			}
		}
	}
}

// TestRemediesOfOtherFormats: no output of a comparison names options of Nsight Systems or of
// PyTorch's profiler where another one recorded both sides, neither with steps nor without.
func TestRemediesOfOtherFormats(t *testing.T) {
	foreign := []string{"trace=", "nsys ", "ProfilerActivity", "torch.cuda.nvtx", "osrt"}
	for name, format := range otherFormats {
		marked := writeStory(t, "host-bound", format)
		unmarked, _ := writeEdited(t, "host-bound", format, strings.NewReplacer("job:", "job:\n  markers: false"))
		for _, dir := range []string{marked, unmarked} {
			out := t.TempDir()
			args := []string{filepath.Join(dir, "baseline"), filepath.Join(dir, "candidate")}
			for _, ending := range []string{"txt", "md", "html", "json"} {
				args = append(args, "-o", filepath.Join(out, "report."+ending))
			}
			var stdout, stderr bytes.Buffer
			run(t.Context(), args, &stdout, &stderr)
			written, err := filepath.Glob(filepath.Join(out, "report.*"))
			if err != nil || len(written) != 4 {
				t.Fatalf("%s: %d files, %v: %s", name, len(written), err, stderr.String())
			}
			texts := map[string]string{"standard output": stdout.String() + stderr.String()}
			for _, path := range written {
				data, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				texts[filepath.Base(path)] = string(cutScripts(data))
			}
			for where, text := range texts {
				for _, word := range foreign {
					if at := strings.Index(text, word); at >= 0 {
						t.Errorf("%s, %s: %q in %q", name, where, word, text[max(0, at-120):min(len(text), at+80)])
					}
				}
			}
		}
	}
}
