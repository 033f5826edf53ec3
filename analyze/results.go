package analyze

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"os"
	"path"
	"slices"
	"strings"

	"perfdiff/analyze/order"
	"perfdiff/analyze/run"
	"perfdiff/analyze/source"
	bench "perfdiff/analyze/source/result"
	"perfdiff/analyze/trace"
)

// What a run printed of itself, as benchmarks do, is one number a metric and run. A set of results alone has runs of one
// rank and one step, which stand for the run as a whole. Results beside profiles or logs belong to their run.

// isResults reports whether a file holds results.
func isResults(x file) bool {
	if !slices.ContainsFunc(logExtensions, func(ext string) bool { return strings.HasSuffix(strings.ToLower(x.name), ext) }) {
		return false
	}
	format, err := source.IdentifyByHead(x.path)
	return err == nil && format.Results != nil
}

// readResults reads a file of results.
func readResults(ctx context.Context, f file, format source.Format, opt Options) result {
	out := result{file: run.File{Name: f.name, Bytes: f.size, Format: format.Name}}
	before := stampOf(f.path)
	runs, err := format.Results(ctx, f.path, &source.Options{StepColumns: opt.StepColumns})
	text, again := os.ReadFile(f.path) // results are small
	if err = cmp.Or(err, again); err != nil {
		out.file.Err, out.again, out.elsewhere = err.Error(), mayComeBack(err) || stampOf(f.path) != before, readableElsewhere(err)
		return out
	}
	if out.toldBytes = f.size; f.progress != nil {
		f.progress.Read(f.size)
	}
	for i := range runs {
		runs[i].Values = slices.DeleteFunc(runs[i].Values, func(v bench.Value) bool { return math.IsNaN(v.Value) || math.IsInf(v.Value, 0) })
	}
	out.results = slices.DeleteFunc(runs, func(r bench.Run) bool { return len(r.Values) == 0 })
	out.file.Digest = fmt.Sprintf("%016x", fnv64a(fnvOffset, string(text)))
	return out
}

// repeat is what one run printed into one file.
type repeat struct {
	bench.Run
	file run.File // its part of a file with several
	dir  string
	name string // of the run, if it is the first of it
}

// repeatsOf returns the repeats that files hold, in order of file.
func repeatsOf(found discovered, read []result) (out []repeat) {
	for i := range read {
		for _, r := range read[i].results {
			f := read[i].file
			name := path.Join(found.files[i].part, runOfLog(path.Base(f.Name)))
			if len(read) == 1 {
				name = found.label
			}
			if len(read[i].results) > 1 {
				f.Name, f.Digest = f.Name+r.Name, combine([]string{f.Digest, r.Name})
				f.Bytes /= int64(len(read[i].results))
			}
			out = append(out, repeat{r, f, found.files[i].part, name + r.Name})
		}
	}
	return out
}

// addResults adds results to a set, and returns the digests of their files. The nth value of a metric in a directory is
// that of its nth run: files that hold other metrics are of one run, and files of the same ones are repeats.
func addResults(set *run.Set, found discovered, read []result) (digests []string) {
	repeats := withoutSettings(set, repeatsOf(found, read))
	metrics := metricsOf(set, repeats)
	set.Metrics = append(set.Metrics, metrics...)
	for _, dir := range dirsOf(repeats) {
		runs := runsOfResults(dir, repeats, metrics)
		if at := runsIn(set, dir); len(at) > 0 {
			attach(set, at, runs)
		} else {
			set.Runs = append(set.Runs, runs...)
		}
	}
	for i := range repeats {
		set.Files, digests = append(set.Files, repeats[i].file), append(digests, repeats[i].file.Digest)
		for _, w := range repeats[i].Warnings {
			w.File = cmp.Or(w.File, repeats[i].file.Name)
			set.Warnings = append(set.Warnings, w)
		}
	}
	return digests
}

// withoutSettings leaves out what is no result of the runs that were recorded, where there are some: files of numbers of
// which none is known to be good or bad, which are the job's settings, and results that stand beside none of the runs.
func withoutSettings(set *run.Set, repeats []repeat) []repeat {
	if len(set.Runs) == 0 {
		return repeats
	}
	return slices.DeleteFunc(repeats, func(r repeat) bool {
		judged := slices.ContainsFunc(r.Values, func(v bench.Value) bool { return v.Better != run.Neither })
		beside := len(runsIn(set, r.dir)) > 0
		if judged && beside {
			return false
		}
		if !beside {
			set.Warnings = append(set.Warnings, trace.Warning{File: r.file.Name, Text: "results stand beside none of the runs, so that nothing says whose they are; left out: put them into the directory of their run"})
		}
		set.Files = append(set.Files, run.File{Name: r.file.Name, Format: run.FormatIgnored, Bytes: r.file.Bytes})
		return true
	})
}

// dirsOf returns the directories of repeats, each once, in order.
func dirsOf(repeats []repeat) (dirs []string) {
	for i := range repeats {
		dirs = append(dirs, repeats[i].dir)
	}
	slices.Sort(dirs)
	return slices.Compact(dirs)
}

// printed is added to what a run calls its numbers where perfdiff calls another thing so.
const printed = " (printed)"

// metricsOf describes what was printed, each once: the judged ones first where there are too many. Names of repeats that
// are perfdiff's own are changed.
func metricsOf(set *run.Set, repeats []repeat) (out []run.Metric) {
	own := map[string]bool{run.Drift: true, run.Tail: true, run.Imbalance: true, run.Dispersion: true, run.StepTimeMean: true}
	for _, m := range Metrics() {
		own[m.Name] = true
	}
	at := map[string]int{}
	for i := range repeats {
		for j := range repeats[i].Values {
			v := &repeats[i].Values[j]
			if own[v.Name] {
				v.Name += printed
			}
			k, known := at[v.Name]
			if !known {
				at[v.Name] = len(out)
				out = append(out, run.Metric{Name: v.Name, Unit: v.Unit, Better: v.Better, OfResult: true, Main: v.Better != run.Neither})
			} else if out[k].Unit != v.Unit { // one number cannot be in two units
				out[k].Better, out[k].Main = run.Neither, false
			}
		}
	}
	if n := len(out); n > run.MaxResults {
		slices.SortFunc(out, func(a, b run.Metric) int {
			return cmp.Or(run.CompareBool(b.Main, a.Main), strings.Compare(a.Name, b.Name))
		})
		out = out[:run.MaxResults]
		set.Warnings = append(set.Warnings, trace.Warning{Text: fmt.Sprintf("results hold %d metrics: the first %d by name are read", n, run.MaxResults)})
	}
	return out
}

// runsOfResults makes the runs of a directory.
func runsOfResults(dir string, repeats []repeat, metrics []run.Metric) (runs []run.Run) {
	for i := range repeats {
		r := &repeats[i]
		if r.dir != dir {
			continue
		}
		holds := func(of run.Run) bool {
			return slices.ContainsFunc(r.Values, func(v bench.Value) bool { _, ok := of.Result(v.Name); return ok })
		}
		at := slices.IndexFunc(runs, func(of run.Run) bool { return !holds(of) })
		if at < 0 {
			at, runs = len(runs), append(runs, run.Run{Name: r.name, Ranks: []run.Rank{{Device: -1, Steps: []trace.Step{{}}}}})
		}
		of := &runs[at]
		for _, v := range r.Values {
			if slices.ContainsFunc(metrics, func(m run.Metric) bool { return m.Name == v.Name && m.Unit == v.Unit }) {
				of.Results = append(of.Results, run.Result{Metric: v.Name, Value: v.Value})
			}
		}
		k := &of.Ranks[0]
		k.Files, k.Facts = append(k.Files, r.file.Name), append(k.Facts, r.Facts...)
		by := run.Marker{Kind: run.MarkResult}
		k.Receipts = append(k.Receipts, run.Receipt{File: r.file.Name, Marker: by.String(), By: by, Found: 1, Kept: 1})
	}
	if len(runs) == 1 && dir != "" {
		runs[0].Name = dir
	}
	return runs
}

// runsIn returns which runs of a set were recorded in a directory.
func runsIn(set *run.Set, dir string) (at []int) {
	here := func(file string) bool { return path.Dir(file) == cmp.Or(dir, ".") }
	for i := range set.Runs {
		if slices.ContainsFunc(set.Runs[i].Ranks, func(k run.Rank) bool { return slices.ContainsFunc(k.Files, here) }) {
			at = append(at, i)
		}
	}
	return at
}

// attach gives what was printed to the runs that were recorded beside it: to each its own where there are as many, else
// to a single one the median of its repeats.
func attach(set *run.Set, at []int, printed []run.Run) {
	switch {
	case len(at) == 1:
		to := &set.Runs[at[0]]
		for i := range printed {
			for _, r := range printed[i].Results {
				if _, known := to.Result(r.Metric); !known {
					to.Results = append(to.Results, run.Result{Metric: r.Metric, Value: medianOf(printed, r.Metric)})
				}
			}
			to.Ranks[0].Files = append(to.Ranks[0].Files, printed[i].Ranks[0].Files...)
		}
	case len(at) == len(printed):
		for i := range printed {
			attach(set, at[i:i+1], printed[i:i+1])
		}
	default:
		set.Warnings = append(set.Warnings, trace.Warning{File: printed[0].Ranks[0].Files[0], Text: fmt.Sprintf(
			"%d runs stand beside %d results: these are left out, since nothing says whose they are (give each run its own directory)", len(at), len(printed))})
	}
}

func medianOf(runs []run.Run, metric string) float64 {
	var values []float64
	for i := range runs {
		if v, ok := runs[i].Result(metric); ok {
			values = append(values, v)
		}
	}
	return order.Median(values)
}
