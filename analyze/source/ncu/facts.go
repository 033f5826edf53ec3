package ncu

import (
	"regexp"
	"strconv"
	"strings"

	"perfdiff/analyze/trace"
)

// recording is what the text above and between tables says about how kernels were recorded. The tables do not: clock
// and cache control are known only if ncu's own lines, or the command that was run, were kept in the file.
type recording struct {
	version, clock, cache, replay string
	passes                        int
	failed                        string // first error that ncu reports
}

var (
	versionText = regexp.MustCompile(`(?:Nsight Compute|Profiler).*Version (20\d\d(?:\.\d+){1,3})`)
	optionText  = regexp.MustCompile(`--(clock-control|cache-control|replay-mode)[ =]([a-z-]+)`)
	passesText  = regexp.MustCompile(`- (\d+) pass(?:es)?\b`)
)

// line notes what a line says.
func (r *recording) line(s string) {
	if len(s) > 4096 { // a line of the program's own
		return
	}
	if m := versionText.FindStringSubmatch(s); m != nil {
		r.version = m[1]
	}
	for _, m := range optionText.FindAllStringSubmatch(s, -1) {
		switch m[1] {
		case "clock-control":
			r.clock = m[2]
		case "cache-control":
			r.cache = m[2]
		case "replay-mode":
			r.replay = m[2]
		}
	}
	switch {
	case strings.HasPrefix(s, "==ERROR==") && r.failed == "":
		r.failed = trace.WithoutPrivate(strings.TrimPrefix(s, "==ERROR=="))
	case strings.HasPrefix(s, "==") && strings.Contains(s, "unmodified GPU clocks"):
		r.clock = "none"
	case strings.HasPrefix(s, "==PROF=="):
		r.profiling(s)
	}
}

// profiling notes what ncu's own line about a kernel says about its replay.
func (r *recording) profiling(s string) {
	if strings.Contains(s, "pplication replay pass") {
		r.replay = "application"
	} else if r.replay == "" && strings.Contains(s, "Profiling ") && strings.Contains(s, "%") {
		r.replay = "kernel" // only it shows how far the replay of a kernel is
	}
	if m := passesText.FindStringSubmatch(s); m != nil {
		n, _ := strconv.Atoi(m[1])
		r.passes = max(r.passes, n)
	}
}

// known returns the facts of a file with these launches.
func (r *recording) known(launches []pending, passes float64) map[string]string {
	out := map[string]string{}
	note := func(name, value string) {
		if value != "" {
			out[name] = value
		}
	}
	var devices, versions []string
	for i := range launches {
		devices, versions = appendNew(devices, launches[i].Device), appendNew(versions, launches[i].CC)
	}
	note(FactDevice, joined(devices))
	note(FactCC, joined(versions))
	note(FactVersion, r.version)
	note(FactClock, r.clock)
	note(FactCache, r.cache)
	note(FactReplay, r.replay)
	if n := max(r.passes, int(min(passes, 1e6))); n > 0 {
		note(FactPasses, strconv.Itoa(n))
	}
	return out
}

// appendNew appends a text that is not empty and not in the list yet.
func appendNew(list []string, s string) []string {
	for _, have := range list {
		if s == have {
			return list
		}
	}
	if s == "" {
		return list
	}
	return append(list, s)
}

func joined(list []string) string { return strings.Join(list, " and ") }
