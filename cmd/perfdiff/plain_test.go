package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// plainJob is a job on CPUs as the PyTorch profiler without Kineto records it.
type plainJob struct {
	load  time.Duration // waited for a batch
	ranks int
	seed  int
}

// write writes one run of 30 steps: a batch, a forward pass, a collective of Gloo
// on a thread of its own, and the optimizer.
func (j plainJob) write(t *testing.T, dir string) {
	t.Helper()
	for rank := range j.ranks {
		var events []string
		at := 80
		add := func(name string, start, length, thread int) int {
			events = append(events, fmt.Sprintf(`{"name": "%s", "ph": "X", "ts": %d, "dur": %d, "tid": %d, "pid": "CPU functions", "args": {}}`,
				name, start, length, thread))
			return start + length
		}
		add("aten::zeros", at, 19, 1)
		for i := range 30 {
			jitter := (i*37+rank*11+j.seed*53)%97 + 31*j.seed
			start := at + 40
			wait := int(j.load.Microseconds()) + jitter/4
			next := add("enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", start+5, wait, 1)
			next = add("DistributedDataParallel.forward", next+20, 20_000+3*jitter, 1)
			add("aten::linear", next-15_000, 12_000, 1)
			next = add("gloo:all_reduce", next, 4_000+jitter, 2+i%2)
			next = add("Optimizer.step#SGD.step", next+50, 700, 1)
			add(fmt.Sprintf("ProfilerStep#%d", i+2), start, next-start, 1)
			at = next
		}
		writeFile(t, filepath.Join(dir, fmt.Sprintf("rank%d.pt.trace.json", rank)), "["+strings.Join(events, ", ")+"]")
	}
}

// TestProfilerWithoutKineto: its traces are compared by what the host recorded, and the
// slower loader is the first finding.
func TestProfilerWithoutKineto(t *testing.T) {
	dir := t.TempDir()
	for i := range 3 {
		plainJob{5 * time.Millisecond, 2, i}.write(t, fmt.Sprintf("%s/base/run%d", dir, i+1))
		plainJob{5 * time.Millisecond, 2, i + 3}.write(t, fmt.Sprintf("%s/same/run%d", dir, i+1))
		plainJob{12 * time.Millisecond, 2, i}.write(t, fmt.Sprintf("%s/slow/run%d", dir, i+1))
	}
	if out, _ := mustRun(t, statusOK, dir+"/base", dir+"/same"); strings.Contains(out, "  Also  ") {
		t.Errorf("an unchanged job has findings:\n%s", out)
	}
	if out, _ := mustRun(t, statusOK, dir+"/base/run1", dir+"/same/run1"); !strings.Contains(strings.Join(strings.Fields(out), " "), "; runs differ by 7 %") {
		t.Errorf("runs of a job on processors that it shares differ by more than is assumed:\n%s", out)
	}
	out, _ := mustRun(t, statusRegressed, dir+"/base", dir+"/slow", "-o", dir+"/r.json", "--table")
	for _, want := range []string{
		"SLOWER  Steps take 7.0 ms longer (+23 %)", "Input wait rose from 5.", "ranks 0-1 from file name",
		"ProfilerStep#N: 30 found, 29 kept", "this PyTorch was built without Kineto",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("got no %q in:\n%s", want, out)
		}
	}
	doc, err := os.ReadFile(dir + "/r.json")
	for _, want := range []string{`"metric": "gloo_time",`, `"part": "all_reduce",`} {
		if err != nil || !strings.Contains(string(doc), want) {
			t.Errorf("got no %s in the JSON (%v)", want, err)
		}
	}
}

// TestProfilerWithoutKinetoOrSteps: operators alone hold no steps, which is said.
func TestProfilerWithoutKinetoOrSteps(t *testing.T) {
	dir := t.TempDir()
	for i, side := range []string{"base", "cand"} {
		text := fmt.Sprintf(`[{"name": "aten::mm", "ph": "X", "ts": %d, "dur": 9, "tid": 1, "pid": "CPU functions", "args": {}}]`, 5+i)
		writeFile(t, filepath.Join(dir, side+".json"), text)
	}
	out, _ := mustRun(t, statusNotJudged, dir+"/base.json", dir+"/cand.json")
	if !strings.Contains(strings.ToLower(out), "no steps") {
		t.Errorf("got no word of missing steps in:\n%s", out)
	}
}
