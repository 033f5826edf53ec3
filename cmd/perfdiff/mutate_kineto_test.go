package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"slices"
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
