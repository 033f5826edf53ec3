package analyze

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"perfdiff/analyze/run"
	"perfdiff/analyze/source"
	"perfdiff/analyze/trace"
)

// A directory of profiles is one run. A directory of logs is mostly several: a log is what a whole job printed, and
// they cost nothing, so that there are many. They are ranks of one run where their names call them so.

// logExtensions are ends of names that say nothing of a run.
var logExtensions = []string{".gz", ".zst", ".log", ".out", ".err", ".txt", ".csv", ".tsv", ".jsonl", ".ndjson", ".json"}

// splitLogs makes each log a run of its own, unless its name, its directory or the marks of its lines say that it is
// one of several ranks. If the user gave an expression that finds ranks in names, directories are runs as they are for
// profiles.
func splitLogs(found discovered, read []result, opt Options) {
	if opt.RankName != nil {
		return
	}
	marked := markedRanks(found, read)
	for i := range read {
		if !isStepLog(read[i].file) || len(read[i].captures) != 1 {
			continue
		}
		f, c := &found.files[i], &read[i].captures[0]
		dir := path.Dir(f.name)
		rank, rest := source.RankWord(path.Base(f.name))
		if of := rankOfLogDir(dir); rank < 0 && of >= 0 {
			rank, dir = of, path.Dir(dir)
		} else if rank < 0 && marked[dir] {
			rank, rest = c.id.Rank, ""
		}
		if strings.Contains(rest, "tfevents.") && dir != "." { // TensorBoard's run is a directory
			rest = ""
		}
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

// ofLauncher matches directories that torchrun gives the logs of each rank.
var ofLauncher = regexp.MustCompile(`(?:^|/)attempt_\d+/(\d{1,7})$`)

// rankOfLogDir returns the rank whose logs a directory holds; -1: it says none.
func rankOfLogDir(dir string) int {
	if m := ofLauncher.FindStringSubmatch(dir); m != nil {
		rank, _ := strconv.Atoi(m[1])
		return rank
	}
	return source.RankOfDir(path.Base(dir))
}

// markedRanks returns the directories of several logs whose lines are marked with one rank each, in each another.
func markedRanks(found discovered, read []result) map[string]bool {
	ranks, logs := map[string]map[int]bool{}, map[string]int{}
	for i := range read {
		if !isStepLog(read[i].file) || len(read[i].captures) != 1 {
			continue
		}
		dir := path.Dir(found.files[i].name)
		if ranks[dir] == nil {
			ranks[dir] = map[int]bool{}
		}
		if logs[dir]++; read[i].captures[0].id.Rank >= 0 {
			ranks[dir][read[i].captures[0].id.Rank] = true
		}
	}
	out := map[string]bool{}
	for dir, n := range logs {
		out[dir] = n > 1 && len(ranks[dir]) == n
	}
	return out
}

// forLogs returns the options for files that include logs. The lines of a log are its steps, whatever ranges and
// kernels profiles have, and mostly the log is about all ranks: asking for a marker or for ranks cannot be heeded,
// which is an error. A project's settings for all of its run sets are meant for profiles; a warning says that they
// were left out.
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
		case opt.Step.WindowText() != "":
			return opt, nil, fmt.Errorf("%s: is a log, whose steps are on no clock: --window is for profiles (leave the option out)", name)
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

// onlyLogged removes the metrics that logs cannot answer from a set of only logs: there is no capture that could have
// recorded them.
func onlyLogged(set *run.Set) {
	if slices.ContainsFunc(set.Files, func(f run.File) bool {
		return f.Err == "" && !isStepLog(f) && f.Format != run.FormatIgnored && source.Named(f.Format).Results == nil
	}) {
		return
	}
	saysOtherWork(set)
	measured := map[string]bool{}
	for k := range set.EachRank() {
		for _, s := range k.Series {
			measured[s.Metric] = true
		}
	}
	set.Metrics = slices.DeleteFunc(set.Metrics, func(m run.Metric) bool {
		return (len(measured) > 0 || set.OfResults()) && !measured[m.Name] && !m.OfResult
	})
}

// ofWork are the facts by which a log says how much a step does.
var ofWork = []string{trace.FactBatch, trace.FactRankBatch, trace.FactTokens, trace.FactSequence, trace.FactWorld, trace.FactTimes}

// saysOtherWork warns of runs of a set of logs whose steps do not do the same work.
func saysOtherWork(set *run.Set) {
	for _, key := range ofWork {
		var values []string
		first := map[string]string{} // run by value
		for i := range set.Runs {
			for _, r := range set.Runs[i].Ranks {
				for _, f := range r.Facts {
					if f.Key == key && first[f.Value] == "" {
						first[f.Value], values = set.Runs[i].Name, append(values, f.Value)
					}
				}
			}
		}
		if len(values) > 1 {
			set.Warnings = append(set.Warnings, trace.Warning{Text: fmt.Sprintf("runs do not do the same work in a step: %s is %s in %s and %s in %s",
				strings.ReplaceAll(key, "_", " "), values[0], first[values[0]], values[1], first[values[1]])})
		}
	}
}

// isStepLog reports whether a file is a log of step times.
func isStepLog(f run.File) bool { return source.Named(f.Format).StepTimes }

// runOfLog returns the name of a log without extensions and rank; "" if nothing is left of it.
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
