package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"perfdiff/cmd/perfdiff/policyfile"
	"perfdiff/render"
)

// writeTarget is one file or directory that a command writes.
type writeTarget struct {
	flag string // that asked for it
	path string // as it was given
	dir  bool
	at   string      // the same without links, from the root
	info fs.FileInfo // what is there; nil: nothing yet
}

// checkOutputs returns an error if what a command writes would replace what it reads or something else that it writes,
// or if the next command would read it as a part of a run set. sets are the run sets that it reads and files other
// paths, besides those that its flags name. It is called before anything is read.
func (l *line) checkOutputs(sets, files []string) error {
	out := l.written()
	if len(out) == 0 {
		return nil
	}
	if err := writtenTwice(out); err != nil {
		return err
	}
	logs := slices.Concat(l.list("baseline-logs"), l.list("candidate-logs"))
	var errs []error
	for _, set := range slices.Concat(sets, logs) {
		errs = append(errs, cmp.Or(overwritten(set, out), insideOf(set, out)))
	}
	for _, path := range slices.Concat(files, l.inputs(), []string{policyfile.Name}) {
		errs = append(errs, overwritten(path, out))
	}
	return errors.Join(errs...)
}

// inputs returns the paths that flags name to be read, but for logs, which are run sets.
func (l *line) inputs() (out []string) {
	for _, name := range l.with(isInput) {
		switch name {
		case "baseline-logs", "candidate-logs":
		case "ncu": // two paths
			out = append(out, strings.Split(l.text(name), ",")...)
		default:
			out = append(out, l.list(name)...)
		}
	}
	return out
}

// tableFiles returns the names of the files of --csv.
func tableFiles() []string {
	out := []string{schemaFile}
	for _, name := range render.TableNames() {
		out = append(out, name+".csv")
	}
	return out
}

// written returns what flags say that a command writes; in directories each file if their names are known. Standard
// output and what is no file, such as a pipe, are left out.
func (l *line) written() (out []writeTarget) {
	shard := l.given("shard") || l.given("plan") // -o is a directory
	inside := map[string][]string{"csv": tableFiles(), "write-up": render.WriteUpNames()}
	names := l.with(isOutput | isFolder)
	if at := slices.Index(names, "output"); at > 0 { // reports first: others are told to make way
		names = slices.Concat([]string{"output"}, names[:at], names[at+1:])
	}
	for _, name := range names {
		flag := map[bool]string{true: "-o", false: "--" + name}[name == "output"]
		for _, path := range l.list(name) {
			folder := l.rows[name].is&isFolder != 0
			out = addWritten(out, flag, path, folder || shard && name == "output")
			for _, file := range inside[name] {
				if folder {
					out = addWritten(out, flag, filepath.Join(path, file), false)
				}
			}
			if name == "output" && l.given("ncu") && strings.EqualFold(filepath.Ext(path), ".html") {
				out = addWritten(out, "--ncu", pageOfKernels(path), false)
			}
		}
	}
	return out
}

// addWritten adds an output, unless it is none in the file system.
func addWritten(out []writeTarget, flag, path string, dir bool) []writeTarget {
	if path == "-" {
		return out
	}
	at := path
	if !dir {
		end, stream, err := destination(path)
		if err != nil || stream {
			return out // said by whoever checks that it can be written
		}
		at = end
	}
	w := writeTarget{flag: flag, path: path, dir: dir, at: placeOf(at)}
	w.info, _ = os.Stat(w.at)
	return append(out, w)
}

// placeOf returns the absolute path, with the links in its existing part resolved.
func placeOf(path string) string {
	at, err := filepath.Abs(path)
	if err != nil {
		return path
	}
	rest := ""
	for up := filepath.Dir(at); ; at, up = up, filepath.Dir(up) {
		if real, err := filepath.EvalSymlinks(at); err == nil {
			return filepath.Join(real, rest)
		}
		rest = filepath.Join(filepath.Base(at), rest)
		if up == at {
			return filepath.Join(at, rest)
		}
	}
}

// is reports whether two outputs are one. Names that differ in case alone are one on some file
// systems, and nobody means two files by them on others.
func (w *writeTarget) is(o *writeTarget) bool {
	return strings.EqualFold(w.at, o.at) || w.info != nil && o.info != nil && os.SameFile(w.info, o.info)
}

// writtenTwice returns an error if two outputs go to one place.
func writtenTwice(out []writeTarget) error {
	for i := range out {
		for j := range i {
			a, b := &out[j], &out[i]
			switch {
			case !a.is(b), a.dir && b.dir && a.flag != b.flag: // of two directories the files decide
			case a.flag == b.flag:
				return fmt.Errorf("%s %s: is given twice: name each output once", b.flag, b.path)
			default:
				return fmt.Errorf("%s %s: is written by %s, too: name another place", b.flag, b.path, a.flag)
			}
		}
	}
	return nil
}

// setDepth is how deep a run set is read: its runs, their nodes, profiles that are directories, and
// the files of these.
const setDepth = 4

// inputWalk visits what is at a path and so many directories below it, each once, without hidden ones. Links are
// followed, as by whoever reads the input; whatever cannot be read is left for the reader to report.
type inputWalk struct {
	files bool // not directories alone: of a thousand files only those are looked at that have to be
	seen  map[string]bool
	visit func(path string, info fs.FileInfo)
}

func (w *inputWalk) walk(path string, depth int) {
	info, err := os.Stat(path)
	if err != nil {
		return
	}
	w.visit(path, info)
	if !info.IsDir() || depth == 0 {
		return
	}
	at := placeOf(path)
	if w.seen[at] { // links can go round in circles
		return
	}
	w.seen[at] = true
	entries, _ := os.ReadDir(path)
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), ".") && (w.files || !e.Type().IsRegular()) {
			w.walk(filepath.Join(path, e.Name()), depth-1)
		}
	}
}

func walkInput(path string, files bool, visit func(path string, info fs.FileInfo)) {
	w := inputWalk{files, map[string]bool{}, visit}
	w.walk(path, setDepth)
}

// overwritten returns the error of an output that would take the place of a file that is read.
func overwritten(input string, out []writeTarget) (wrong error) {
	there := slices.DeleteFunc(slices.Clone(out), func(w writeTarget) bool { return w.info == nil || w.dir })
	if len(there) == 0 {
		return nil
	}
	walkInput(input, true, func(path string, info fs.FileInfo) {
		for _, w := range there {
			if wrong == nil && os.SameFile(w.info, info) {
				wrong = fmt.Errorf("%s %s: would overwrite %s, which is read: name another file", w.flag, w.path, path)
			}
		}
	})
	return wrong
}

// insideOf returns an error if an output is in a run set, where the next command would take it for a part of the set.
// A page or a text would not be, and is often written next to profiles.
func insideOf(set string, out []writeTarget) error {
	var dirs []fs.FileInfo
	summaries := false
	walkInput(set, false, func(path string, info fs.FileInfo) {
		if info.IsDir() {
			dirs = append(dirs, info)
		}
	})
	if len(dirs) > 0 {
		summaries = holdsSummaries(set)
	}
	for _, w := range out {
		if w.within(dirs) && (summaries || !w.harmless()) {
			name := filepath.Base(w.at)
			if w.at == placeOf(set) {
				name = "out"
			}
			return fmt.Errorf("%s %s: lies in the run set %s, where the next command would take it for a part of that: write it elsewhere, as in %s",
				w.flag, w.path, set, filepath.Join(set, "..", name))
		}
	}
	return nil
}

// within reports whether an output is one of these directories, or in one.
func (w *writeTarget) within(dirs []fs.FileInfo) bool {
	at := w.at
	if !w.dir {
		at = filepath.Dir(at)
	}
	for up := filepath.Dir(at); ; at, up = up, filepath.Dir(up) {
		if info, err := os.Stat(at); err == nil && slices.ContainsFunc(dirs, func(d fs.FileInfo) bool { return os.SameFile(d, info) }) {
			return true
		}
		if up == at {
			return false
		}
	}
}

// harmless reports whether an output next to profiles is never taken for a part of a run set. The endings are those of
// reports for people and of summaries, which -o enforces; a trace or a brief is recognised by its first bytes,
// whatever its name.
func (w *writeTarget) harmless() bool {
	if strings.HasPrefix(filepath.Base(w.path), ".") {
		return !w.dir
	}
	ending := strings.ToLower(filepath.Ext(w.path))
	return !w.dir && (w.flag == "-o" || w.flag == "--ncu") &&
		slices.Contains([]string{".html", ".md", ".txt", ".xml", ".svg", summaryEnding}, ending)
}

// holdsSummaries reports whether a directory holds saved summaries and nothing else. It is a run set
// only as long as it does.
func holdsSummaries(dir string) bool {
	entries, err := os.ReadDir(dir)
	some := false
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".") {
			continue
		}
		if some = true; filepath.Ext(e.Name()) != summaryEnding {
			return false
		}
	}
	return err == nil && some
}

// summaryEnding is how the names of saved summaries end.
const summaryEnding = ".perfdiff"

// otherEndings are endings of files that are neither a summary nor a plan: whoever finds one under such a name would
// read it as something else.
var otherEndings = []string{".html", ".md", ".txt", ".xml", ".svg", ".json", ".csv", ".tsv", ".jsonl", ".parquet", ".sqlite", ".sqlite3", ".db", ".nsys-rep",
	".qdrep", ".ncu-rep", ".pb", ".part", ".log"}

// checkEnding returns the error if a file's name says that it is something else. usual is the ending
// that it should have.
func checkEnding(path, usual string) error {
	stem := strings.TrimSuffix(strings.ToLower(path), ".gz")
	if end := filepath.Ext(stem); end != usual && slices.Contains(otherEndings, end) {
		return fmt.Errorf("-o %s: is written as %s, and its name says something else: let it end in %s", path, map[string]string{
			summaryEnding: "a saved summary", ".json": "a plan"}[usual], usual)
	}
	return nil
}

// refuseDash returns the error of - for what is no text.
func refuseDash(flag, path, what string) error {
	if path != "-" {
		return nil
	}
	return fmt.Errorf("%s -: %s, and nothing for standard output: name another place", flag, what)
}
