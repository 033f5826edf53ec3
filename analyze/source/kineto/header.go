package kineto

import (
	"fmt"
	"strconv"
	"strings"

	"perfdiff/analyze/trace"
)

// gpu is one entry of deviceProperties.
type gpu struct {
	id     int64
	name   string
	memory string
}

// maxGPUs bounds the list of devices that is kept.
const maxGPUs = 1024

// header is what the members beside the events say, by allow-list: jobs write
// users, paths and environments there too.
type header struct {
	known     bool  // some member was one that only the profiler writes
	versioned bool  // schemaVersion was there
	plain     bool  // the profiler without Kineto wrote the events
	base      int64 // baseTimeNanoseconds
	hasBase   bool
	rank      int // -1: not said
	world     int
	gpus      []gpu
	facts     []trace.Fact
	options   []string // of the profiler that were on
}

// member consumes the value of one key of the document.
func (h *header) member(w *window, key string) bool {
	switch key {
	case "baseTimeNanoseconds":
		return scalar(w, func(v []byte) {
			if n, ok := integer(v); ok {
				h.known, h.base, h.hasBase = true, n, true
			}
		})
	case "distributedInfo":
		h.known = true
		return w.members(func(key string) bool { return h.distributed(w, key) })
	case "deviceProperties":
		h.known = true
		return h.devices(w)
	case "schemaVersion":
		h.versioned = true
		return h.fact(w, trace.FactSchema)
	case "record_shapes", "with_stack", "profile_memory", "with_flops", "with_modules":
		return scalar(w, func(v []byte) {
			if s := string(v); s == "1" || s == "true" {
				h.options = append(h.options, key)
			}
		})
	case "displayTimeUnit", "traceName":
		h.known = true
		return w.skip()
	}
	if fact, ok := versionKeys[key]; ok {
		return h.version(w, fact)
	}
	return w.skip()
}

// versionKeys are the members that newer profilers write about software. Of ROCm they
// hold HIP's version twice, and never that of the driver.
var versionKeys = map[string]string{
	"cuda_runtime_version": trace.FactCUDA,
	"cuda_version":         trace.FactCUDA,
	"cuda_driver_version":  trace.FactDriver,
	"hip_runtime_version":  trace.FactROCm,
	"torch_version":        trace.FactFramework,
	"pytorch_version":      trace.FactFramework,
}

// scalar consumes a value and gives it to use if it is no array or object.
func scalar(w *window, use func([]byte)) bool {
	if c := w.next(); c == '{' || c == '[' {
		return w.skip()
	}
	v, ok := w.text()
	if ok {
		use(v)
	}
	return ok
}

// fact keeps a short value under key if it looks like a version or a list of
// backends ("cpu:gloo,cuda:nccl") and not like a path or a sentence.
func (h *header) fact(w *window, key string) bool {
	return scalar(w, func(v []byte) { h.add(key, string(v)) })
}

const harmless = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.+-_:, "

// add keeps a fact; the first of each key counts.
func (h *header) add(key, value string) {
	if value == "" || value == "null" || len(value) > 60 || strings.Trim(value, harmless) != "" {
		return
	}
	for _, f := range h.facts {
		if f.Key == key {
			return
		}
	}
	h.facts = append(h.facts, trace.Fact{Key: key, Value: value})
}

// version keeps a version: "12.4", or CUDA's number for it, 12040.
func (h *header) version(w *window, fact string) bool {
	return scalar(w, func(v []byte) {
		s := string(v)
		n, err := strconv.Atoi(s)
		switch {
		case err == nil && n >= 1000 && n < 100000: // CUDA: 12080 is 12.8
			s = strconv.Itoa(n/1000) + "." + strconv.Itoa(n%1000/10)
		case err == nil && n >= 10_000_000 && n < 1_000_000_000: // HIP: 60241134 is 6.2.41134
			s = fmt.Sprintf("%d.%d.%d", n/10_000_000, n/100_000%100, n%100_000)
		}
		if fact == trace.FactFramework {
			s = "PyTorch " + s
		}
		h.add(fact, s)
	})
}

// distributed consumes one member of distributedInfo.
func (h *header) distributed(w *window, key string) bool {
	switch key {
	case "rank":
		return scalar(w, func(v []byte) {
			if n, ok := integer(v); ok && n >= 0 && n < 1<<31 {
				h.rank = int(n)
			}
		})
	case "world_size":
		return scalar(w, func(v []byte) {
			if n, ok := integer(v); ok && n > 0 && n < 1<<31 {
				h.world = int(n)
			}
		})
	case "backend":
		return h.fact(w, trace.FactBackend)
	case "nccl_version":
		return h.fact(w, trace.FactNCCL)
	}
	return w.skip()
}

// devices consumes deviceProperties.
func (h *header) devices(w *window) bool {
	if w.next() != '[' {
		return w.skip()
	}
	w.pos++
	for !w.accept(']') {
		g := gpu{id: -1}
		if !w.members(func(key string) bool { return g.member(w, key) }) {
			return false
		}
		if len(h.gpus) < maxGPUs {
			h.gpus = append(h.gpus, g)
		}
		if !w.accept(',') && w.next() != ']' {
			return false
		}
	}
	return true
}

func (g *gpu) member(w *window, key string) bool {
	return scalar(w, func(v []byte) {
		switch key {
		case "id":
			g.id, _ = integer(v)
		case "name":
			g.name = string(v)
		case "totalGlobalMem":
			if _, ok := integer(v); ok {
				g.memory = string(v)
			}
		}
	})
}

// gpuOf returns the properties of a device. ROCm counts agents, CPUs among
// them, so a device that is not listed is taken for one of the others where
// those are all alike.
func (h *header) gpuOf(device int64) (gpu, bool) {
	for _, g := range h.gpus {
		if g.id == device {
			return g, true
		}
	}
	for _, g := range h.gpus {
		if g.name != h.gpus[0].name || g.memory != h.gpus[0].memory {
			return gpu{}, false
		}
	}
	if len(h.gpus) == 0 {
		return gpu{}, false
	}
	return h.gpus[0], true
}
