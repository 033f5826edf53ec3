package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"perfdiff/analyze/synth"
)

// TestZstd: profiles and logs compressed with zstd say what the same say otherwise.
func TestZstd(t *testing.T) {
	dir := writeStory(t, "slow-kernel", synth.Kineto)
	want := toldOf(t, dir)
	files, err := filepath.Glob(filepath.Join(dir, "*", "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, path := range files {
		text, err := os.ReadFile(path)
		if err != nil || os.Remove(path) != nil {
			t.Fatal(err)
		}
		writeFile(t, path+".zst", packed(text))
	}
	if got := toldOf(t, dir); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func packed(text []byte) string {
	w, _ := zstd.NewWriter(nil)
	return string(w.EncodeAll(text, nil))
}

// TestWrittenTimes: runs of which only the times of writing are known are judged, both ways, and beside what else a
// trainer leaves in its directory; a finished run as one number is shown, and not judged.
func TestWrittenTimes(t *testing.T) {
	dirs := map[string][]string{"rows.csv": nil, "rows.csv.zst": nil, "trainer_state.json": nil}
	for name := range dirs {
		for side := range 2 {
			dir := t.TempDir()
			for n := range 3 {
				var b strings.Builder
				at := 10.0
				b.WriteString("_runtime,_step,train/global_step,train/loss\n")
				for i := 1; i <= 60; i++ {
					at += 2.5 * (1 + 0.05*float64(side)) * (1 + 0.001*float64((7*i+n)%11-5))
					fmt.Fprintf(&b, "%.4f,%d,%d,2.5\n", at, i, 10*i)
				}
				text := b.String()
				switch name {
				case "rows.csv.zst":
					text = packed([]byte(text))
				case "trainer_state.json":
					text = fmt.Sprintf(`{"epoch": 1.0, "log_history": [{"loss": 2.5, "step": 500}, {"train_runtime": %.4f, "step": 600}], "max_steps": 600}`, at)
				}
				writeFile(t, filepath.Join(dir, fmt.Sprintf("run%d", n), name), text)
				writeFile(t, filepath.Join(dir, fmt.Sprintf("run%d", n), "notes.md"), "of a run")
				if name == "trainer_state.json" {
					writeFile(t, filepath.Join(dir, fmt.Sprintf("run%d", n), "config.json"), `{"model_type": "llama"}`)
				}
			}
			dirs[name] = append(dirs[name], dir)
		}
	}
	for name, sides := range dirs {
		there, back := statusRegressed, statusOK
		if name == "trainer_state.json" {
			there, back = statusNotJudged, statusNotJudged
		}
		for want, order := range map[string][]string{"there": sides, "back": {sides[1], sides[0]}} {
			status := map[string]int{"there": there, "back": back}[want]
			var stdout, stderr bytes.Buffer
			if got := run(t.Context(), order, &stdout, &stderr); got != status || !strings.Contains(stdout.String(), "3 runs of 1 rank") {
				t.Errorf("%s, %s: got status %d, want %d:\n%s", name, want, got, status, stdout.String()+stderr.String())
			}
		}
	}
}
