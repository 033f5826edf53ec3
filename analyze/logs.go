package analyze

import (
	"fmt"
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
		if !isStepLog(read[i].file) || len(read[i].captures) != 1 {
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

// forLogs are the options for files of which some are logs. The lines of a log are its steps, whatever ranges and kernels
// profiles have, and mostly the log is of all ranks: what is asked of either cannot be heeded, which is an error. What a
// project says once for all of its run sets is meant for profiles, and said to have been left out.
func forLogs(files []file, read []result, opt Options) (own Options, said []trace.Warning, err error) {
	own = opt
	marker := opt.Step.Range != nil || opt.Step.Kernel != nil
	for i := range read {
		name := path.Base(files[i].name)
		rank, _ := source.RankWord(name)
		chosen := opt.Ranks != nil && rank < 0 && opt.RankName == nil
		switch {
		case !isStepLog(read[i].file) || read[i].file.Err != "":
			continue
		case marker && !opt.MarkerOfProject:
			return opt, nil, fmt.Errorf("%s: is a log, whose lines say what a step is: --step-range and --step-kernel are for "+
				"profiles (leave the option out, or name what holds the step times: --step-column NAME:UNIT)", name)
		case chosen && !opt.RanksOfProject:
			return opt, nil, fmt.Errorf("%s: is the log of a whole run, of which --ranks can choose none (leave the option out; "+
				"logs of single ranks are told by their names, as in job_rank3.log, or by --rank-name)", name)
		case (marker || chosen) && said == nil:
			said = []trace.Warning{{File: files[i].name, Text: "the policy's steps and ranks are for profiles: logs are read without them"}}
		}
		if chosen {
			own.Ranks = nil
		}
	}
	return own, said, nil
}

// onlyLogged leaves of the metrics those that logs answer, in a set of nothing else: there is no capture that could
// have recorded the others.
func onlyLogged(set *run.Set) {
	if slices.ContainsFunc(set.Files, func(f run.File) bool {
		return f.Err == "" && !isStepLog(f) && f.Format != run.FormatIgnored
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

// isStepLog reports whether a file is a log of step times.
func isStepLog(f run.File) bool { return source.Named(f.Format).StepTimes }

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
