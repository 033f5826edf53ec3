package nsys

import (
	"regexp"
	"strings"

	"perfdiff/analyze/trace"
)

// tracers are the parts of the profiler that its sentences name.
const tracers = `(?:CUDA|NVTX|OS runtime libraries|OSRT|OpenGL|Vulkan|OpenACC|OpenMP|cuDNN|cuBLAS|cuSPARSE|` +
	`NCCL|MPI|OpenSHMEM|UCX|Python|GPU metrics|NIC metrics|CPU sampling|ETW|WDDM)`

// known lists the sentences of the profiler that are passed on: they are fixed except for a number, a version or the
// name of a tracer. Any other text can hold whatever the recorded program or its machine is called, and no list of
// what to cut out is ever complete.
var known = func() []*regexp.Regexp {
	var out []*regexp.Regexp
	for _, sentence := range []string{
		`Not all {T} events might have been collected`,
		`No {T} events collected\. Does the process use {T}\?`,
		`No {T} events collected`,
		`{T} profiling might have not been started correctly`,
		`{T} profiling was not started`,
		`{T} tracing (?:is|was) not supported on this (?:system|platform|device)`,
		`Number of {T} events collected: {N}`,
		`{N} {T} events (?:were|have been) (?:lost|dropped)`,
		`(?:CUPTI|{T}) buffers? (?:was|were) lost`,
		`CUPTI buffer could not be allocated(?:, so events may be missing|\. Some events may be missing)?`,
		`Trace event size limit (?:was )?reached(?: for (?:a|the) process)?`,
		`Installed CUDA driver version \({N}\) is not supported by this build of Nsight Systems\. ` +
			`CUDA trace will be collected using libraries for driver version {N}`,
		`Profiling has been stopped(?: by the (?:user|timeout))?`,
	} {
		sentence = strings.NewReplacer("{T}", tracers, "{N}", `[0-9][0-9,.]{0,19}`).Replace(sentence)
		out = append(out, regexp.MustCompile(`^`+sentence+`\.?$`))
	}
	return out
}()

// knownSentence returns a diagnostic as it may be passed on; "" where it is not known.
func knownSentence(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	for _, re := range known {
		if len(text) <= trace.MaxFact && re.MatchString(text) {
			return strings.TrimSuffix(text, ".")
		}
	}
	return ""
}

// sourceOf returns where a diagnostic comes from, by its number.
func sourceOf(id int64) string {
	names := []string{"unknown", "injection", "daemon", "analysis"} // ENUM_DIAGNOSTIC_SOURCE_TYPE
	if id < 0 || id >= int64(len(names)) {
		return names[0]
	}
	return names[id]
}
