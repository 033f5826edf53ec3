package steplog

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"perfdiff/analyze/trace"
)

// eventFile is an event file of TensorBoard, as its writers make it.
type eventFile []byte

func member(number, wire int, value []byte) []byte {
	out := binary.AppendUvarint(nil, uint64(number)<<3|uint64(wire))
	if wire == 2 {
		out = binary.AppendUvarint(out, uint64(len(value)))
	}
	return append(out, value...)
}

func fixed64(v float64) []byte { return binary.LittleEndian.AppendUint64(nil, math.Float64bits(v)) }
func fixed32(v float64) []byte {
	return binary.LittleEndian.AppendUint32(nil, math.Float32bits(float32(v)))
}

// record appends a record with its checksums.
func (f *eventFile) record(data []byte) {
	length := binary.LittleEndian.AppendUint64(nil, uint64(len(data)))
	*f = binary.LittleEndian.AppendUint32(append(*f, length...), masked(crc32.Checksum(length, castagnoli)))
	*f = binary.LittleEndian.AppendUint32(append(*f, data...), masked(crc32.Checksum(data, castagnoli)))
}

// scalar appends an event with a scalar: as a plain number, or as the tensor that TensorFlow 2 writes.
func (f *eventFile) scalar(wall float64, step int, tag string, v float64, tensor bool) {
	value := append(member(1, 2, []byte(tag)), member(2, 5, fixed32(v))...)
	if tensor {
		value = append(member(1, 2, []byte(tag)), member(8, 2, append(member(1, 0, []byte{float32s}), member(4, 2, fixed32(v))...))...)
	}
	f.record(slices.Concat(member(1, 1, fixed64(wall)), member(2, 0, binary.AppendUvarint(nil, uint64(step))), member(5, 2, member(1, 2, value))))
}

// events makes an event file of 60 rows, 10 steps apart, with an evaluation behind every 20th; more adds to a row.
func events(ms float64, tensor bool, more func(f *eventFile, wall float64, step int)) []byte {
	var f eventFile
	wall := 1.7724e9
	f.record(append(member(1, 1, fixed64(wall)), member(3, 2, []byte("brain.Event:2"))...))
	for i := 1; i <= 60; i++ {
		wall += ms / 100 * (1 + 0.001*float64((7*i)%5-2))
		f.scalar(wall, 10*i, "train/loss", 2.5, tensor)
		f.scalar(wall+0.002, 10*i, "train/lr", 1e-5, tensor)
		if more != nil {
			more(&f, wall+0.003, 10*i)
		}
		if i%20 == 0 {
			wall += 30
			f.scalar(wall, 10*i, "eval/loss", 2.5, tensor)
		}
	}
	return f
}

func readEvents(t *testing.T, data []byte) (*trace.Trace, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "events.out.tfevents.1772400000.node1.4711.0")
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
	if !IsEvents(data[:min(len(data), 64)]) {
		t.Errorf("is not taken for an event file")
	}
	ts, err := ReadEvents(t.Context(), path, nil)
	if err != nil {
		return nil, err
	}
	return ts[0], nil
}

// medianOf returns the median of the steps that are kept, in ms, and how many these are.
func medianOf(l *trace.Logged) (ms float64, kept int) {
	var all []int64
	for _, s := range l.Steps {
		if s.Dropped == "" {
			all = append(all, s.Time)
		}
	}
	slices.Sort(all)
	if len(all) == 0 {
		return 0, 0
	}
	return float64(all[len(all)/2]) / 1e6, len(all)
}

// TestEvents: of an event file the time of a step is what a tag says, else what lies between the times of writing; what
// follows an evaluation is left out.
func TestEvents(t *testing.T) {
	for name, x := range map[string]struct {
		data []byte
		ms   float64
		kept int
		of   string
	}{
		"no time, plain":    {events(250, false, nil), 250, 56, "differences of wall time"},
		"no time, tensors":  {events(250, true, nil), 250, 56, "differences of wall time"},
		"a time, no unit":   {events(250, false, tagged("perf/step_time", 0.25)), 250, 59, "perf/step_time"},
		"a time in ms":      {events(250, false, tagged("step_time_ms", 250)), 250, 59, "step_time_ms"},
		"a rate of steps":   {events(250, true, tagged("steps_per_sec", 4)), 250, 59, "1 / steps_per_sec"},
		"a rate of samples": {events(250, false, tagged("samples_per_second", 128)), 250. / 32, 59, "1 sample / samples_per_second"},
	} {
		tr, err := readEvents(t, x.data)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		ms, kept := medianOf(tr.Logged)
		if math.Abs(ms/x.ms-1) > 0.003 || kept != x.kept || tr.Logged.Name != x.of {
			t.Errorf("%s: got %.4g ms of %d steps by %q, want %.4g ms of %d by %q", name, ms, kept, tr.Logged.Name, x.ms, x.kept, x.of)
		}
	}
	var epochs eventFile
	for i := range 40 {
		epochs.scalar(1.7724e9+90*float64(i)+float64(i%3), i, "epoch_loss", 2.5, true)
	}
	if tr, err := readEvents(t, epochs); err == nil || !strings.Contains(err.Error(), "40 events, none with a step time; its lines say epoch_loss") {
		t.Errorf("epochs: got %v, %v", tr, err)
	}
	if tr, err := readEvents(t, events(250, false, tagged("perf/step_time", 0.05))); err == nil || !strings.Contains(err.Error(), "its lines are 250ms a step apart") {
		t.Errorf("a tag that the times of writing deny: got %v, %v", tr, err)
	}
}

func tagged(tag string, v float64) func(f *eventFile, wall float64, step int) {
	return func(f *eventFile, wall float64, step int) {
		f.scalar(wall, step, tag, v*(1+0.001*float64((3*step)%7-3)), false)
	}
}

// TestEventsCut: every prefix of an event file is read as far as it goes, and a damaged one up to the damage.
func TestEventsCut(t *testing.T) {
	whole := events(250, false, nil)
	for n := 0; n < len(whole); n += 1 + n/50 {
		path := filepath.Join(t.TempDir(), "events")
		if err := os.WriteFile(path, whole[:n], 0o666); err != nil {
			t.Fatal(err)
		}
		ts, err := ReadEvents(t.Context(), path, nil)
		if n > len(whole)/2 && (err != nil || len(ts[0].Logged.Steps) < 20) {
			t.Errorf("%d of %d bytes: %v", n, len(whole), err)
		}
	}
	damaged := slices.Clone(whole)
	damaged[len(damaged)*3/4] ^= 1
	tr, err := readEvents(t, damaged)
	if err != nil || !strings.Contains(fmt.Sprint(tr.Warnings), "events (a checksum is wrong): steps behind it are missing") || len(tr.Logged.Steps) > 50 {
		t.Errorf("damaged: got %v, %v", tr, err)
	}
}

// FuzzEvents reads any data as an event, and any text as a file of events.
func FuzzEvents(f *testing.F) {
	f.Add(events(250, true, nil)[:400])
	f.Fuzz(func(t *testing.T, data []byte) {
		g := newGathering(nil)
		g.event(data)
		path := filepath.Join(t.TempDir(), "events")
		if err := os.WriteFile(path, data, 0o666); err != nil {
			t.Fatal(err)
		}
		ReadEvents(t.Context(), path, nil)
	})
}

// state is a state of Hugging Face's trainer; end adds members to the last entry, more to each.
func state(end, more map[string]any) string {
	var history []map[string]any
	for i := 1; i <= 50; i++ {
		e := map[string]any{"epoch": float64(i) / 10, "grad_norm": 1.5, "learning_rate": 1e-5, "loss": 2.5, "step": 10 * i}
		for k, v := range more {
			e[k] = v.(float64) * (1 + 0.001*float64((3*i)%7-3))
		}
		history = append(history, e)
		if i%20 == 0 {
			history = append(history, map[string]any{"epoch": float64(i) / 10, "eval_loss": 2.5, "eval_runtime": 9.5, "eval_steps_per_second": 20.5, "step": 10 * i})
		}
	}
	if end != nil {
		end["step"] = 500
		history = append(history, end)
	}
	out, _ := json.MarshalIndent(map[string]any{"best_metric": nil, "epoch": 5.0, "global_step": 500, "log_history": history, "max_steps": 500}, "", "  ")
	return string(out)
}

func readState(t *testing.T, text string) (*trace.Trace, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "trainer_state.json")
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	ts, err := ReadState(t.Context(), path, nil)
	if err != nil {
		return nil, err
	}
	return ts[0], nil
}

// TestState: of a trainer's state a time in its entries counts, else the run as a whole, else it is said what it lacks.
func TestState(t *testing.T) {
	ended := func() map[string]any {
		return map[string]any{"train_runtime": 125.5, "train_steps_per_second": 3.984, "train_loss": 2.5}
	}
	timed := state(nil, map[string]any{"step_time": 0.25})
	for name, x := range map[string]struct {
		text, of, why string
		ms            float64
		steps, every  int
	}{
		"the end of a run": {state(ended(), nil), "train_runtime / steps", "", 251, 1, 500},
		"with a time":      {state(ended(), map[string]any{"step_time": 0.25}), "step_time", "", 250, 50, 0},
		"of a checkpoint":  {state(nil, nil), "", "52 entries, none with a step time; it has epoch, grad_norm, learning_rate, loss, step", 0, 0, 0},
		"no history":       {`{"log_history": [], "max_steps": 5}`, "", "0 entries, none with a step time", 0, 0, 0},
		"cut":              {timed[:strings.Index(timed, `"step": 300,`)], "step_time", "", 250, 29, 0},
	} {
		tr, err := readState(t, x.text)
		if x.why != "" {
			if err == nil || !strings.Contains(err.Error(), x.why) {
				t.Errorf("%s: got %v, want %s", name, err, x.why)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		l := tr.Logged
		if ms, _ := medianOf(l); math.Abs(ms/x.ms-1) > 0.003 || len(l.Steps) != x.steps || l.Name != x.of || l.Every != x.every {
			t.Errorf("%s: got %.4g ms of %d steps, every %d, by %q", name, ms, len(l.Steps), l.Every, l.Name)
		}
	}
}

// TestWritten: tables of Weights & Biases, TensorBoard and Lightning, with empty cells, evaluations and the time of
// writing.
func TestWritten(t *testing.T) {
	table := func(head, row, eval string) string {
		var b strings.Builder
		b.WriteString(head + "\n")
		at := 5.0
		for i := 1; i <= 60; i++ {
			at += 2.5 * (1 + 0.001*float64((7*i)%5-2))
			ms := 250 * (1 + 0.001*float64((3*i)%7-3))
			b.WriteString(strings.NewReplacer("STEP", fmt.Sprint(10*i-1), "ROW", fmt.Sprint(i), "RUNTIME", fmt.Sprintf("%.4f", at),
				"STAMP", fmt.Sprintf("%.4f", 1.7724e9+at), "ISO", fmt.Sprintf("10:%02d:%06.3f", int(at)/60, math.Mod(at, 60)), "MS", fmt.Sprintf("%.3f", ms), "SEC", fmt.Sprintf("%.6f", ms/1000)).Replace(row) + "\n")
			if eval != "" && i%20 == 0 {
				at += 30
				b.WriteString(strings.NewReplacer("STEP", fmt.Sprint(10*i-1), "ROW", fmt.Sprint(i), "RUNTIME", fmt.Sprintf("%.4f", at),
					"STAMP", fmt.Sprintf("%.4f", 1.7724e9+at)).Replace(eval) + "\n")
			}
		}
		return b.String()
	}
	for name, x := range map[string]struct {
		text string
		ms   float64
		kept int
		of   string
	}{
		"W&B, no time": {table("_runtime,_step,_timestamp,train/global_step,train/loss,eval/loss", "RUNTIME,ROW,STAMP,STEP,2.5,", "RUNTIME,ROW,STAMP,STEP,,2.5"),
			250, 56, "differences of _runtime"},
		"W&B, a time":                            {table("_step,_runtime,_timestamp,train/step_time,train/loss", "STEP,RUNTIME,STAMP,SEC,2.5", ""), 250, 59, "train/step_time"},
		"W&B, a time in ms that its clock tells": {table("train/global_step,_runtime,_timestamp,train/step_time", "STEP,RUNTIME,STAMP,MS", ""), 250, 59, "train/step_time"},
		"W&B, rows of ten steps":                 {table("_step,_runtime,train/step_time", "ROW,RUNTIME,SEC", ""), 250, 59, "train/step_time"},
		"W&B, JSON lines":                        {table("", `{"_step": ROW, "_runtime": RUNTIME, "_timestamp": STAMP, "train/global_step": STEP, "train/loss": 2.5}`, ""), 250, 58, "differences of _runtime"},
		"W&B, a chart": {table(`"Step","test-run 12 - train/step_time","test-run 12 - train/step_time__MIN","test-run 12 - train/step_time__MAX"`,
			`"STEP","SEC","SEC","SEC"`, ""), 250, 59, "train/step_time"},
		"TensorBoard, a chart":     {table("Wall time,Step,Value", "STAMP,STEP,2.5", ""), 250, 58, "differences of Wall time"},
		"Lightning, sparse":        {table("epoch,step,train/step_time_s,train_loss,val_loss", "0,STEP,SEC,2.5,", "0,STEP,,,2.5"), 250, 59, "train/step_time_s"},
		"Lightning, sparse, split": {table("epoch,lr,step,step_time_s,train_loss,val_loss", "0,,STEP,SEC,2.5,\n0,1e-5,STEP,,,", "0,,STEP,,,2.5"), 250, 59, "step_time_s"},
	} {
		tr, err := read(t, "metrics.csv", []byte(x.text))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		ms, kept := medianOf(tr.Logged)
		if math.Abs(ms/x.ms-1) > 0.003 || kept != x.kept || tr.Logged.Name != x.of {
			t.Errorf("%s: got %.4g ms of %d steps by %q, want %.4g ms of %d by %q", name, ms, kept, tr.Logged.Name, x.ms, x.kept, x.of)
		}
	}
	clock := table("_step,_runtime,train/step_time_s", "STEP,RUNTIME,SEC", "")
	if tr, err := read(t, "a.csv", []byte(clock), Timestamps); err != nil {
		t.Errorf("asked for the time of writing: %v", err)
	} else if ms, _ := medianOf(tr.Logged); math.Abs(ms/250-1) > 0.003 {
		t.Errorf("asked for the time of writing: got %.4g ms", ms)
	}
	for _, stamp := range []string{"STAMP", "2026-03-01 ISO", "2026/03/01 ISO"} {
		stamped := table("timestamp,step,loss", stamp+",STEP,2.5", "")
		if _, err := read(t, "a.csv", []byte(stamped)); err == nil || !strings.Contains(err.Error(), "--step-column timestamps") {
			t.Errorf("%s: got %v", stamp, err)
		}
		tr, err := read(t, "a.csv", []byte(stamped), Timestamps)
		if err != nil {
			t.Errorf("%s, asked for: %v", stamp, err)
		} else if ms, kept := medianOf(tr.Logged); math.Abs(ms/250-1) > 0.003 || kept != 58 {
			t.Errorf("%s, asked for: got %.4g ms of %d", stamp, ms, kept)
		}
	}
	chart := table(`"Step","run-a - train/step_time","run-b - train/step_time"`, `"STEP","SEC","SEC"`, "")
	if _, err := read(t, "a.csv", []byte(chart)); err == nil || !strings.Contains(err.Error(), "a chart of 2 runs (run-a, run-b): export one run a file") {
		t.Errorf("a chart of two runs: got %v", err)
	}
	if tr, err := read(t, "a.csv", []byte(chart), "run-b - train/step_time:s"); err != nil {
		t.Errorf("one of them: %v", err)
	} else if ms, kept := medianOf(tr.Logged); math.Abs(ms/250-1) > 0.003 || kept != 59 {
		t.Errorf("one of them: got %.4g ms of %d", ms, kept)
	}
}
