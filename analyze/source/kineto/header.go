package kineto

import (
	"fmt"
	"strconv"
	"strings"

	"perfdiff/analyze/source/build"
	"perfdiff/analyze/trace"
)

// maxGPUs bounds the entries of deviceProperties that are kept.
const maxGPUs = 1024

// header holds what the members outside of the list of events say. Only known members are kept: jobs write users,
// paths and environments there too.
type header struct {
	known     bool  // a member was seen that only the profiler writes
	ofKineto  bool  // one was seen that PyTorch's profiler writes, which writes its options when they are on
	versioned bool  // schemaVersion was seen
	plain     bool  // a profiler without Kineto wrote the events
	base      int64 // baseTimeNanoseconds
	hasBase   bool
	rank      int // -1: the file does not say
	world     int
	gpus      build.GPUs
	groups    rankLists // of pg_config
	facts     build.Facts
	options   []string // options of the profiler that were on
	host      string   // "": the file does not say; jobs write it beside the rank
}

// member reads the value of one key of the document.
func (h *header) member(w *window, key string) bool {
	switch key {
	case "baseTimeNanoseconds":
		return scalar(w, func(v []byte) {
			if n, ok := integer(v); ok {
				h.known, h.ofKineto, h.base, h.hasBase = true, true, n, true
			}
		})
	case "distributedInfo":
		h.known, h.ofKineto = true, true
		return w.members(func(key string) bool { return h.distributed(w, key) })
	case "deviceProperties":
		h.known, h.ofKineto = true, true
		return h.devices(w)
	case "schemaVersion":
		h.versioned = true
		return h.fact(w, trace.FactSchema)
	case "record_shapes", "with_stack", "profile_memory", "with_flops", "with_modules":
		return scalar(w, func(v []byte) {
			h.ofKineto = true
			if s := string(v); s == "1" || s == "true" {
				h.options = append(h.options, key)
			}
		})
	case "hostname":
		return scalar(w, func(v []byte) {
			if s := string(v); s != "null" && len(s) <= 60 && strings.Trim(s, factCharacters) == "" {
				h.host = s
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

// versionKeys are the members in which newer profilers write versions of software. On ROCm two of them hold the
// version of HIP, and none holds the driver's.
var versionKeys = map[string]string{
	"cuda_runtime_version": trace.FactCUDA,
	"cuda_version":         trace.FactCUDA,
	"cuda_driver_version":  trace.FactDriverCUDA,
	"hip_runtime_version":  trace.FactROCm,
	"torch_version":        trace.FactFramework,
	"pytorch_version":      trace.FactFramework,
}

// scalar reads a value and calls use with it, unless it is an array or object.
func scalar(w *window, use func([]byte)) bool {
	if c := w.peek(); c == '{' || c == '[' {
		return w.skip()
	}
	v, ok := w.text()
	if ok {
		use(v)
	}
	return ok
}

// fact keeps a short value under key if it looks like a version or a list of backends
// ("cpu:gloo,cuda:nccl"), not like a path or a sentence.
func (h *header) fact(w *window, key string) bool {
	return scalar(w, func(v []byte) { h.add(key, string(v)) })
}

const factCharacters = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.+-_:, "

// add keeps a fact, unless there is one with its key.
func (h *header) add(key, value string) {
	if value == "" || value == "null" || len(value) > 60 || strings.Trim(value, factCharacters) != "" {
		return
	}
	h.facts.Add(key, value)
}

// version keeps a version: "12.4", or CUDA's number for it, 12040.
func (h *header) version(w *window, fact string) bool {
	return scalar(w, func(v []byte) {
		s := string(v)
		n, err := strconv.Atoi(s)
		switch {
		case err == nil && n < 100000: // CUDA: 12080 is 12.8
			s = build.CUDAVersion(s)
		case err == nil && n >= 10_000_000 && n < 1_000_000_000: // HIP: 60241134 is 6.2.41134
			s = fmt.Sprintf("%d.%d.%d", n/10_000_000, n/100_000%100, n%100_000)
		}
		if fact == trace.FactFramework {
			s = "PyTorch " + s
		}
		h.add(fact, s)
	})
}

// distributed reads one member of distributedInfo.
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
	case "pg_config":
		return h.listGroups(w)
	case "backend":
		return h.fact(w, trace.FactBackend)
	case "nccl_version":
		return h.fact(w, trace.FactNCCL)
	}
	return w.skip()
}

// devices reads deviceProperties.
func (h *header) devices(w *window) bool {
	return w.elements(func() bool {
		g := build.GPU{Ordinal: -1}
		ok := w.members(func(key string) bool { return gpuMember(&g, w, key) })
		if ok && len(h.gpus) < maxGPUs {
			h.gpus = append(h.gpus, g)
		}
		return ok
	})
}

func gpuMember(g *build.GPU, w *window, key string) bool {
	return scalar(w, func(v []byte) {
		switch key {
		case "id":
			g.Ordinal, _ = integer(v)
		case "name":
			g.Name = string(v)
		case "totalGlobalMem":
			g.Memory, _ = integer(v)
		case "numSms":
			g.SM.Count, _ = integer(v)
		}
	})
}
