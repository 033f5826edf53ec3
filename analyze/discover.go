package analyze

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"perfdiff/analyze/part"
	"perfdiff/analyze/run"
	"perfdiff/analyze/source"
	"perfdiff/analyze/trace"
)

// file is one file to read.
type file struct {
	path       string // as it is opened
	name       string // relative to the run set, with forward slashes
	run        string // directory of the file, which is a run or a part of one
	part       string // the same relative to the run set; "" for the run set's own directory
	parentPart string // directory above that, likewise
	size       int64
	progress   Progress // may be nil
	side       string   // of the comparison; "" where there is one set only

	filesOfRun int // number of files in its run
}

// discovered holds what was found at a path.
type discovered struct {
	label       string
	files       []file // in order of name
	ignored     []run.File
	warnings    []trace.Warning
	leftOutDirs []string // directories that are left out
	logs        []file   // of step times, which count where there are no profiles
	results     []file   // of benchmarks, which count beside either
	foreign     error    // what the first file is that was recognised as no profile
	text        error    // likewise the first that is called a log, and says no step time
	texts       int      // how many of these there are
	mixed       error    // logs, or profiles, lie at the top and in several directories
}

func (f discovered) totalBytes() (sum int64) {
	for _, x := range f.files {
		sum += x.size
	}
	return sum
}

// profileExtensions are the ends of names by which a file is meant to be a profile: if it
// cannot be read, a warning says so.
var profileExtensions = []string{".sqlite", ".json", ".json.gz", ".json.zst", ".nsys-rep", ".qdrep", ".ncu-rep", ".db", ".sqlite3", ".xplane.pb"}

// labelOf returns the label of a path: its base name.
func labelOf(path string) string {
	if abs, err := filepath.Abs(path); err == nil { // "." has a name too
		return filepath.Base(abs)
	}
	return filepath.Base(filepath.Clean(path))
}

// discover lists the files of a run set. The path is a file, or a directory of rank files (one run), or a directory of
// such directories (several runs, or the nodes of one run; each may hold a directory for each of its nodes). It ends
// early with ctx. opt may be nil; only its columns of logs are used.
func discover(ctx context.Context, path string, opt *source.Options) (discovered, error) {
	out := discovered{label: labelOf(path)}
	st, err := os.Stat(path)
	if err != nil {
		return out, fmt.Errorf("%s: %w", path, trace.WithoutPath(err))
	}
	if profile := st.IsDir() && source.IsProfile(path); profile || !st.IsDir() {
		out.files = []file{{path: path, name: filepath.Base(path), run: out.label, size: sizeOf(path, st)}}
		return out, nil
	}
	top, dirs, err := listDir(path, "", out.label)
	if err != nil {
		return out, err
	}
	out.addFiles(ctx, top, opt)
	logs := len(out.logs)
	if len(out.files) == 0 {
		out.addDirs(ctx, path, "", dirs, opt)
	} else if len(dirs) > 0 {
		beside := discovered{label: out.label}
		beside.addDirs(ctx, path, "", dirs, opt)
		out.refuseMixed("profiles", out.files[0], beside.files)
		out.leaveOut(dirs, "the profiles are taken as one run")
	}
	out.takeLogs(logs, dirs)
	out.files = append(out.files, out.results...)
	slices.SortStableFunc(out.files, func(a, b file) int { return strings.Compare(a.name, b.name) })
	switch {
	case ctx.Err() != nil:
		return out, ctx.Err()
	case out.mixed != nil:
		return out, out.mixed
	case len(out.files) == 0 && slices.ContainsFunc(out.ignored, func(f run.File) bool { return strings.HasSuffix(f.Name, part.Ext) }):
		return out, fmt.Errorf("%s: %w: it holds parts of a run set (put them together: perfdiff merge %s -o run.perfdiff)", path, ErrNothing, trace.ShellPath(path))
	case len(out.files) == 0 && out.foreign != nil:
		return out, fmt.Errorf("%s: %w: no profiles; %w", path, ErrNothing, out.foreign)
	case len(out.files) == 0 && out.text != nil:
		return out, fmt.Errorf("%s: %w: no profiles; the first of %d: %w", path, ErrNothing, out.texts, out.text)
	case len(out.files) == 0:
		return out, fmt.Errorf("%s: %w: no profiles (expected %s; in it or up to two directories below)", path, ErrNothing, source.Kinds())
	}
	return out, nil
}

// leaveOut leaves out directories that are next to files of the run set. taken says what those files are taken for.
func (f *discovered) leaveOut(dirs []string, taken string) {
	f.leftOutDirs = dirs
	f.warn("", "%s holds profiles and directories (%s); %s and the directories are left out", f.label, strings.Join(dirs, ", "), taken)
}

// refuseMixed notes that files lie at the top and, as below, in several directories: it is not known which are the runs.
func (f *discovered) refuseMixed(what string, top file, below []file) {
	if n := len(below); n > 1 && below[0].run != below[n-1].run {
		f.mixed = fmt.Errorf("%[1]s: holds %[2]s (%[3]s) and directories with %[2]s (%[4]s, %[5]s): not known which are its runs (move one kind away)",
			f.label, what, top.name, below[0].run, below[n-1].run)
	}
}

// takeLogs makes the logs the files of a set that holds no profile; next to profiles, a log is the output of the
// profiled run. If there are logs at the top and in directories, only those at the top count: the first top of them,
// with dirs next to them. If several directories hold some, it is not known which are the runs.
func (f *discovered) takeLogs(top int, dirs []string) {
	if len(f.files) > 0 {
		for _, x := range f.logs {
			f.ignored = append(f.ignored, run.File{Name: x.name, Format: run.FormatIgnored, Bytes: x.size})
		}
		return
	}
	if top > 0 && len(f.logs) > top {
		f.refuseMixed("logs", f.logs[0], f.logs[top:])
		f.logs = f.logs[:top]
		f.leaveOut(dirs, "the logs are taken as runs")
	}
	f.files = f.logs
}

// addDirs lists the files of directories, each of which is a run or a part of one. A directory that holds only
// directories is a run with its nodes, or a set of repeats.
func (f *discovered) addDirs(ctx context.Context, path, above string, dirs []string, opt *source.Options) {
	for _, d := range dirs {
		if ctx.Err() != nil {
			return
		}
		name := filepath.ToSlash(filepath.Join(above, d))
		files, inner, err := listDir(filepath.Join(path, name), name, name)
		if err != nil {
			f.warn(name, "the directory cannot be read: %v; its run is left out", trace.WithoutPath(err))
			continue
		}
		for i := range files {
			files[i].part, files[i].parentPart = name, above
		}
		before := len(f.files)
		f.addFiles(ctx, files, opt)
		if len(f.files) == before && above == "" {
			f.addDirs(ctx, path, name, inner, opt)
		}
	}
}

func (f *discovered) warn(file, format string, args ...any) {
	f.warnings = append(f.warnings, trace.Warning{File: file, Text: fmt.Sprintf(format, args...)})
}

// addFiles adds the files that are profiles or are meant to be, and lists the others as
// ignored.
func (f *discovered) addFiles(ctx context.Context, files []file, opt *source.Options) {
	files = slices.DeleteFunc(files, func(x file) bool {
		is := (opt == nil || len(opt.StepColumns) == 0) && isResults(x) // a column of step times is one of a log
		if is {
			f.results = append(f.results, x)
		}
		return is
	})
	meant := meantAsProfile
	if slices.ContainsFunc(files, isTrainerState) { // beside which lie settings and results in JSON
		meant = func(x file) bool { return meantAsProfile(x) && !strings.HasSuffix(x.name, ".json") }
	}
	identify := func(path string) (source.Format, error) { return source.Identify(ctx, path, opt) }
	if slices.ContainsFunc(files, meant) { // then logs do not count, and need not be looked for
		identify = source.IdentifyByHead
	}
	for _, x := range files {
		switch {
		case ctx.Err() != nil:
			return
		case exportedBeside(x, files): // the export is read, the report is not needed
		case meant(x):
			f.files = append(f.files, x)
		default:
			format, err := identify(x.path)
			switch {
			case err == nil && format.IsLog:
				f.logs = append(f.logs, x)
				continue
			case err == nil:
				f.files = append(f.files, x)
				continue
			}
			if f.foreign == nil && errors.Is(err, source.ErrOther) {
				f.foreign = err
			}
			if errors.Is(err, source.ErrText) && slices.Contains(logExtensions, filepath.Ext(x.name)) {
				f.text, f.texts = cmp.Or(f.text, err), f.texts+1
			}
			f.ignored = append(f.ignored, run.File{Name: x.name, Format: run.FormatIgnored, Bytes: x.size})
		}
	}
}

// isTrainerState reports whether the name of a file is that of a state of Hugging Face's trainer.
func isTrainerState(x file) bool { return filepath.Base(x.path) == "trainer_state.json" }

// meantAsProfile reports whether the name of a file says that it is a profile.
func meantAsProfile(x file) bool {
	return slices.ContainsFunc(profileExtensions, func(ext string) bool { return strings.HasSuffix(strings.ToLower(x.name), ext) })
}

// exportedBeside reports whether x is a report or an export, and files has a better export of
// the same: SQLite, or else a directory of tables; of XLA's profiler the planes that its traces
// for viewers are made of.
func exportedBeside(x file, files []file) bool {
	var better []string
	ext := filepath.Ext(x.path)
	stem, tables := strings.CutSuffix(x.path, tablesSuffix)
	switch {
	case ext == ".nsys-rep" || ext == ".qdrep":
		stem = strings.TrimSuffix(x.path, ext)
		better = []string{stem + ".sqlite", x.path + ".sqlite", stem + tablesSuffix}
	case tables:
		better = []string{stem + ".sqlite"}
	case filepath.Base(x.path) == "perfetto_trace.json.gz": // which bears the name of no host
		return slices.ContainsFunc(files, func(y file) bool { return strings.HasSuffix(y.path, planesSuffix) })
	case strings.HasSuffix(x.path, ".trace.json.gz"):
		better = []string{strings.TrimSuffix(x.path, ".trace.json.gz") + planesSuffix}
	}
	return better != nil && slices.ContainsFunc(files, func(y file) bool { return slices.Contains(better, y.path) })
}

// planesSuffix ends the names of profiles of XLA.
const planesSuffix = ".xplane.pb"

// tablesSuffix ends the name of a directory to which nsys exported tables.
const tablesSuffix = "_pqtdir"

// listDir returns the files and directories in dir, without hidden ones, in order of name.
func listDir(dir, prefix, run string) (files []file, dirs []string, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", dir, trace.WithoutPath(err))
	}
	for _, e := range entries {
		name := e.Name()
		full := filepath.Join(dir, name)
		st, err := os.Stat(full) // follows links; a loop is an error and is left out
		switch {
		case strings.HasPrefix(name, ".") || strings.HasSuffix(name, "-wal") || strings.HasSuffix(name, "-shm") || strings.HasSuffix(name, "-journal"):
		case err != nil:
			files = append(files, file{path: full, name: filepath.ToSlash(filepath.Join(prefix, name)), run: run})
		case st.IsDir() && !source.IsProfile(full):
			dirs = append(dirs, name)
		default: // pipes and sockets are refused when they are identified
			files = append(files, file{path: full, name: filepath.ToSlash(filepath.Join(prefix, name)), run: run, size: sizeOf(full, st)})
		}
	}
	return files, dirs, nil
}

// sizeOf returns the size of a file, or of all files in a directory, in bytes.
func sizeOf(path string, info fs.FileInfo) (sum int64) {
	if !info.IsDir() {
		return info.Size()
	}
	entries, _ := os.ReadDir(path) // its reader will say why it cannot be read
	for _, e := range entries {
		if info, err := e.Info(); err == nil {
			sum += info.Size()
		}
	}
	return sum
}
