package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
)

// traced is a PyTorch trace that is being edited.
type traced struct {
	path   string
	doc    map[string]json.RawMessage
	events []event
}

// event is one trace event.
type event map[string]any

func openTrace(path string) (*traced, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	t := &traced{path: path}
	if err := json.Unmarshal(text, &t.doc); err != nil {
		return nil, err
	}
	dec := json.NewDecoder(bytes.NewReader(t.doc["traceEvents"]))
	dec.UseNumber() // times keep their nanoseconds
	return t, dec.Decode(&t.events)
}

func (t *traced) close() (err error) {
	if t.doc["traceEvents"], err = json.Marshal(t.events); err != nil {
		return err
	}
	text, err := json.Marshal(t.doc)
	if err != nil {
		return err
	}
	return os.WriteFile(t.path, text, 0o644)
}

func (t *traced) drop(unwanted func(event) bool) error {
	t.events = slices.DeleteFunc(t.events, unwanted)
	return nil
}

func (e event) text(key string) string { s, _ := e[key].(string); return s }

func (e event) start() float64 { return numeric(e["ts"]) }

func (e event) args() map[string]any { a, _ := e["args"].(map[string]any); return a }

func (e event) isStep() bool { return strings.HasPrefix(e.text("name"), "ProfilerStep#") }

func (e event) isComm() bool {
	return e.text("cat") == "kernel" && strings.HasPrefix(e.text("name"), "nccl")
}

func numeric(v any) float64 {
	n, _ := v.(json.Number)
	f, _ := n.Float64()
	return f
}

func (t *traced) dropMarkers() error {
	return t.drop(func(e event) bool { return e.text("cat") == "user_annotation" })
}

func (t *traced) dropSteps() error { return t.drop(event.isStep) }

func (t *traced) renameSteps(word string) error {
	for _, e := range t.events {
		if e.isStep() {
			e["name"] = strings.Replace(e.text("name"), "ProfilerStep#", word+" ", 1)
		}
	}
	return nil
}

// renameComm leaves the arguments out, which only NCCL's own operators have.
func (t *traced) renameComm(kernel string) error {
	for _, e := range t.events {
		if e.isComm() {
			e["name"] = kernel
			for key := range e.args() {
				if strings.Contains(key, "Process Group") || strings.Contains(key, "msg") || strings.Contains(key, "split") ||
					key == "Collective name" || key == "Group size" || key == "dtype" {
					delete(e.args(), key)
				}
			}
		}
	}
	return nil
}

func (t *traced) setRank(rank int) error {
	if rank < 0 {
		delete(t.doc, "distributedInfo")
		return nil
	}
	var info map[string]any
	if err := json.Unmarshal(t.doc["distributedInfo"], &info); err != nil {
		return err
	}
	info["rank"] = rank
	text, err := json.Marshal(info)
	t.doc["distributedInfo"] = text
	return err
}

// cut deletes what starts behind the steps that are kept, by their own ranges or else
// by their share of the host's calls.
func (t *traced) cut(steps, of int) error {
	var marks, calls []float64
	for _, e := range t.events {
		switch {
		case e.isStep():
			marks = append(marks, e.start())
		case e.text("cat") == "cuda_runtime":
			calls = append(calls, e.start())
		}
	}
	slices.Sort(marks)
	at := 0.0
	switch {
	case steps < len(marks):
		at = marks[steps]
	case len(calls) == 0:
		return errNoCalls
	default:
		first, last := slices.Min(calls), slices.Max(calls)
		at = first + (last-first)*float64(steps)/float64(of)
	}
	return t.drop(func(e event) bool {
		if e.text("cat") == "Trace" {
			e["dur"] = json.Number(fmt.Sprintf("%.3f", at-e.start()))
		}
		return e.start() >= at
	})
}

// replayGraphs makes of kernels, in order of launch, the nodes of graphs: they have the
// launch of their graph in common.
func (t *traced) replayGraphs() error {
	var kernels []event
	for _, e := range t.events {
		if e.text("cat") == "kernel" {
			kernels = append(kernels, e)
		}
	}
	slices.SortStableFunc(kernels, func(a, b event) int {
		return cmp.Compare(numeric(a.args()["correlation"]), numeric(b.args()["correlation"]))
	})
	launch, inside := map[float64]bool{}, map[float64]bool{}
	var first any
	held, done := 0, 0.0 // kernels of the replay, and when all before were done, in us
	for _, e := range kernels {
		own := e.args()["correlation"]
		if held == 0 || held == replayed || e.start()-done > replayPause/1000 {
			first, held = own, 0
		}
		held++
		done = max(done, e.start()+numeric(e["dur"]))
		inside[numeric(own)], launch[numeric(first)] = true, true
		e.args()["correlation"], e.args()["graph id"], e.args()["graph node id"] = first, 2, held
	}
	return t.drop(func(e event) bool {
		id := numeric(e.args()["correlation"])
		if e.text("cat") != "cuda_runtime" || !inside[id] {
			return e.text("cat") == "ac2g"
		}
		e["name"] = "cudaGraphLaunch"
		return !launch[id]
	})
}

// setTime writes a time of ns as a decimal of microseconds.
func (e event) setTime(key string, ns int64) {
	e[key] = json.Number(fmt.Sprintf("%d.%03d", ns/1000, ns%1000))
}

// ns are when an event begins and ends.
func (e event) ns() (start, end int64) {
	ts := int64(math.Round(e.start() * 1000))
	return ts, ts + int64(math.Round(numeric(e["dur"])*1000))
}

func (e event) isKernel() bool { return e.text("cat") == "kernel" }

func (e event) onDevice() bool {
	return e.isKernel() || e.text("cat") == "gpu_memcpy" || e.text("cat") == "gpu_memset"
}

// startsOf are when events of a kind begin, in ns, in order.
func (t *traced) startsOf(is func(event) bool) (out []int64, err error) {
	for _, e := range t.events {
		if is(e) {
			ts, _ := e.ns()
			out = append(out, ts)
		}
	}
	slices.Sort(out)
	return out, nil
}

func (t *traced) steps() ([]int64, error) { return t.startsOf(event.isStep) }

func (t *traced) kernels(from, to int64) ([]int64, error) {
	return t.startsOf(func(e event) bool {
		ts, _ := e.ns()
		return e.isKernel() && !e.isComm() && ts >= from && ts < to
	})
}

func (t *traced) lose(from, to int64) error {
	return t.loseWhere(func(e event) bool {
		ts, _ := e.ns()
		return ts >= from && ts < to
	}, true)
}

func (t *traced) loseEvery(n int, launches bool) error {
	at := 0
	return t.loseWhere(func(e event) bool {
		if e.isComm() {
			return false
		}
		at++
		return (at+at/31)%n == 3%n // not the same ones in every step
	}, launches)
}

func (t *traced) loseComm() error { return t.loseWhere(event.isComm, true) }

// loseWhere deletes kernels, and their launches too.
func (t *traced) loseWhere(unwanted func(event) bool, launches bool) error {
	lost := map[float64]bool{}
	for _, e := range t.events {
		if e.isKernel() && unwanted(e) {
			lost[numeric(e.args()["correlation"])] = true
		}
	}
	return t.drop(func(e event) bool {
		id := numeric(e.args()["correlation"])
		switch e.text("cat") {
		case "ac2g":
			return lost[numeric(e["id"])]
		case "cuda_runtime":
			return launches && lost[id]
		}
		return e.isKernel() && lost[id]
	})
}

func (t *traced) warp(bends []bend) error {
	for _, e := range t.events {
		if e.text("ph") == "M" {
			continue
		}
		start, end := e.ns()
		e.setTime("ts", bent(start, bends))
		if e["dur"] != nil {
			e.setTime("dur", bent(end, bends)-bent(start, bends))
		}
	}
	return nil
}

func (t *traced) delayDevice(ns int64) error {
	for _, e := range t.events {
		if start, _ := e.ns(); e.onDevice() || e.text("ph") == "f" {
			e.setTime("ts", start+ns)
		}
	}
	return nil
}

func (t *traced) stretchSteps(num, den int64) error {
	for _, e := range t.events {
		if start, end := e.ns(); e.isStep() {
			e.setTime("dur", (end-start)*num/den)
		}
	}
	return nil
}

func (t *traced) recordMore() error {
	for _, option := range []string{"with_stack", "record_shapes", "profile_memory"} {
		t.doc[option] = json.RawMessage("1")
	}
	return nil
}

// onDevices edits what a trace says of each device.
func (t *traced) onDevices(edit func(map[string]any)) error {
	var devices []map[string]any
	if err := json.Unmarshal(t.doc["deviceProperties"], &devices); err != nil {
		return err
	}
	for _, d := range devices {
		edit(d)
	}
	text, err := json.Marshal(devices)
	t.doc["deviceProperties"] = text
	return err
}

func (t *traced) halveSMs() error {
	return t.onDevices(func(d map[string]any) { d["numSms"] = 66 })
}

func (t *traced) lowerClock() error { return errNotSaid }

func (t *traced) setHost(name string) error {
	t.doc["hostname"] = json.RawMessage(strconv.Quote(name))
	return nil
}

func (t *traced) scaleWork(num, den int64) error {
	for _, e := range t.events {
		args := e.args()
		if grid, is := args["grid"].([]any); is && len(grid) > 0 {
			grid[0] = max(1, int64(numeric(grid[0]))*num/den)
		}
		if args["bytes"] != nil {
			args["bytes"] = int64(numeric(args["bytes"])) * num / den
		}
	}
	return nil
}

func (t *traced) openLoaderBefore(ns int64) error {
	for _, e := range t.events {
		if start, end := e.ns(); strings.HasPrefix(e.text("name"), "enumerate(DataLoader)") {
			e.setTime("ts", start-ns)
			e.setTime("dur", end-start+ns)
			return nil
		}
	}
	return errNotSaid
}
