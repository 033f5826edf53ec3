package main

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"perfdiff/analyze"
	"perfdiff/analyze/synth"
)

// plants are texts as a profiler may repeat them of the program and the machine that it
// recorded, each with what of it must appear nowhere.
var plants = map[string]string{
	"argument":    "started as train.py --token hf_PLANT01",
	"password":    "password: PLANT02",
	"bearer":      "Authorization: Bearer PLANT03",
	"mail":        "job of PLANT04@corp.example.com ended",
	"quoted user": "cannot switch to user 'PLANT05'",
	"JSON":        `config {"token":"PLANT06"} was read`,
	"spaced":      "PATH = PLANT07",
	"walrus":      "FOO:=PLANT08",
	"host":        "lost contact with PLANT09-gpu-17",
	"address":     "no route to 10.PLANT10.7.9",
	"address 6":   "no route to fe80::PLANT11",
	"path":        "cannot open /home/PLANT12/run 1/x",
	"windows":     `cannot open C:\\Users\\PLANT13\\x`,
	"variable":    "SECRET=PLANT14 was set",
	"login":       "ssh PLANT15@login1 failed",
	"URL":         "POST https://u:PLANT16@example.com/x failed",
	"UUID":        "GPU-PLANT17-52d1-11ee is gone",
	"known, then": "Not all CUDA events might have been collected. PLANT18",
	"known, two":  "Not all CUDA events might have been collected.\nPLANT19",
}

// leaks names the outputs that hold any of several words, in whatever case.
func leaks(t *testing.T, outputs map[string]string, words ...string) {
	t.Helper()
	for name, text := range outputs {
		lower := strings.ToLower(text)
		for _, word := range words {
			if at := strings.Index(lower, strings.ToLower(word)); at >= 0 {
				t.Errorf("%s holds %s: …%s…", name, word, text[max(0, at-60):min(len(text), at+60)])
			}
		}
	}
}

// everyOutput is everything that perfdiff writes of two sides: of the comparison, of each
// command that reads a run set, and what a saved summary holds.
func everyOutput(t *testing.T, base, cand string, flags ...string) map[string]string {
	t.Helper()
	out := written(t, anyVerdict, append([]string{base, cand}, flags...)...)
	_, out["quiet"] = mustRun(t, anyVerdict, append([]string{base, cand, "-q"}, flags...)...)
	saved := filepath.Join(t.TempDir(), "x.perfdiff")
	for _, args := range [][]string{{"check", base}, {"steps", base, cand}, {"summarize", base, "-o", saved}} {
		stdout, stderr := runAny(t, append(args, flags...)...)
		out[args[0]] = strings.ReplaceAll(stdout+stderr, saved, "")
	}
	sets, err := analyze.LoadHistory([]string{saved}, analyze.Options{})
	if err != nil {
		t.Fatal(err)
	}
	set := sets[0]
	for i := range set.Runs { // NaN is no JSON, and numbers name nobody
		for j := range set.Runs[i].Ranks {
			series := set.Runs[i].Ranks[j].Series
			for k := range series {
				series[k].Values = nil
			}
		}
	}
	text, err := json.Marshal(set)
	if err != nil {
		t.Fatal(err)
	}
	out["the saved summary"] = string(text)
	return out
}

// TestDiagnosticsArePrivate: no free text of the profiler comes through, whatever it holds;
// that there was any is said.
func TestDiagnosticsArePrivate(t *testing.T) {
	dir, _ := writeEdited(t, "aa", synth.Nsight, strings.NewReplacer("ranks: 4", "ranks: 2", "steps: 30", "steps: 12"))
	base, cand := filepath.Join(dir, "baseline"), filepath.Join(dir, "candidate")
	var rows []string
	for i, text := range plants {
		for severity := 2; severity <= 3; severity++ {
			rows = append(rows, fmt.Sprintf("(1, 1, %d, %d, '%s', NULL)", len(i)%5, severity, strings.ReplaceAll(text, "'", "''")))
		}
	}
	for _, side := range []string{base, cand} {
		alter(t, side, "INSERT INTO DIAGNOSTIC_EVENT (timestamp, timestampType, source, severity, text, globalPid) VALUES "+strings.Join(rows, ", "))
	}
	if len(plants) != 19 {
		t.Errorf("%d plants", len(plants))
	}
	out := everyOutput(t, base, cand)
	leaks(t, out, "PLANT", "hf_", "Bearer", "corp.example")
	for _, name := range []string{"report.md", "report.json", "report.html"} {
		if !strings.Contains(out[name], "warnings of source injection") || !strings.Contains(out[name], "of source unknown") {
			t.Errorf("%s says nothing of warnings: %.300s", name, out[name])
		}
	}
}
