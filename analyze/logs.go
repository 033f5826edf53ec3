package analyze

import (
	"path"
	"slices"
	"strings"

	"perfdiff/analyze/run"
	"perfdiff/analyze/source"
	"perfdiff/analyze/trace"
)

// A directory of profiles is one run. A directory of logs is mostly several: a log is what a whole job printed, and
// they cost nothing, so that there are many. They are ranks of one run where their names call them so.

// logExtensions are ends of names that say nothing of a run.
var logExtensions = []string{".gz", ".zst", ".log", ".out", ".err", ".txt", ".csv", ".tsv", ".jsonl", ".ndjson", ".json"}

// splitLogs makes a run of each log that is not called one of several ranks. rank names are read by the user's
// expression where there is one, and then directories are runs as they are of profiles.
func splitLogs(found discovered, read []result, opt Options) {
	if opt.RankName != nil {
		return
	}
	for i := range read {
		if read[i].file.Format != source.StepLog || len(read[i].captures) != 1 {
			continue
		}
		f, c := &found.files[i], &read[i].captures[0]
		rank, rest := source.RankWord(path.Base(f.name))
		dir := path.Dir(f.name)
		name := path.Join(dir, runOfLog(rest))
		if dir == "." && runOfLog(rest) == "" {
			name = found.label
		}
		c.setRank(max(rank, 0), trace.RankFromLog)
		f.run, f.part, f.parentPart = name, name, ""
		if len(read) == 1 {
			f.run, f.part = found.label, ""
		}
	}
}

// onlyLogged leaves of the metrics those that logs answer, in a set of nothing else: there is no capture that could
// have recorded the others.
func onlyLogged(set *run.Set) {
	if slices.ContainsFunc(set.Files, func(f run.File) bool {
		return f.Err == "" && f.Format != source.StepLog && f.Format != run.FormatIgnored
	}) {
		return
	}
	measured := map[string]bool{}
	for i := range set.Runs {
		for j := range set.Runs[i].Ranks {
			for _, s := range set.Runs[i].Ranks[j].Series {
				measured[s.Metric] = true
			}
		}
	}
	set.Metrics = slices.DeleteFunc(set.Metrics, func(m run.Metric) bool { return len(measured) > 0 && !measured[m.Name] })
}

// runOfLog is the name of a log without extensions and the rank; "" if nothing is left of it.
func runOfLog(name string) string {
	for cut := true; cut; {
		cut = false
		for _, ext := range logExtensions {
			if s, ok := strings.CutSuffix(name, ext); ok {
				name, cut = s, true
			}
		}
	}
	return strings.Trim(name, "._- ")
}
