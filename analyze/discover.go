package analyze

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"perfdiff/analyze/run"
	"perfdiff/analyze/source"
	"perfdiff/analyze/trace"
)

// file is one file to read.
type file struct {
	path  string // as it is opened
	name  string // relative to the run set, with forward slashes
	run   string // the directory it lies in, which is a run or a part of one
	part  string // that relative to the run set; "" the run set's own
	above string // the directory of that one, likewise
	size  int64
	watch Progress // may be nil
	side  string   // of the comparison; "" where there is one set only

	beside int // files of its run
}

// found is what a path holds.
type found struct {
	label    string
	files    []file // in order of name
	ignored  []run.File
	warnings []trace.Warning
	beside   []string // directories that are left out
	other    error    // what the first file is that is known and no profile
}

func (f found) bytes() (sum int64) {
	for _, x := range f.files {
		sum += x.size
	}
	return sum
}

// formatIgnored marks files that are in a run set's directory and are no
// profiles; they are listed and harm nothing.
const formatIgnored = "ignored"

// profileExtensions are the ends of names by which a file is meant to be a
// profile: if it cannot be read, that is said.
var profileExtensions = []string{".sqlite", ".json", ".json.gz", ".nsys-rep", ".qdrep", ".ncu-rep", ".db", ".sqlite3"}

// labelOf is how people call what is at a path: its base name.
func labelOf(path string) string {
	if abs, err := filepath.Abs(path); err == nil { // "." has a name too
		return filepath.Base(abs)
	}
	return filepath.Base(filepath.Clean(path))
}

// discover lists the files of a run set: of a file itself, of a directory of rank
// files (one run), or of a directory of such directories (several runs, or the nodes of
// one), of which each may hold a directory for each of its nodes.
// It ends early with ctx.
func discover(ctx context.Context, path string) (found, error) {
	out := found{label: labelOf(path)}
	st, err := os.Stat(path)
	if err != nil {
		return out, fmt.Errorf("%s: %w", path, trace.WithoutPath(err))
	}
	if profile := st.IsDir() && source.IsProfile(path); profile || !st.IsDir() {
		out.files = []file{{path: path, name: filepath.Base(path), run: out.label, size: size(path, st)}}
		return out, nil
	}
	top, dirs, err := list(path, "", out.label)
	if err != nil {
		return out, err
	}
	out.add(ctx, top)
	if len(out.files) == 0 {
		out.below(ctx, path, "", dirs)
	} else if len(dirs) > 0 {
		out.beside = dirs
		out.warn("", "%s holds profiles and directories (%s); the profiles are taken as one run and the directories are left out", out.label, strings.Join(dirs, ", "))
	}
	switch {
	case ctx.Err() != nil:
		return out, ctx.Err()
	case len(out.files) == 0 && out.other != nil:
		return out, fmt.Errorf("%s: %w: no profiles; %w", path, ErrNothing, out.other)
	case len(out.files) == 0:
		return out, fmt.Errorf("%s: %w: no profiles (expected Nsight Systems exports, .sqlite, or PyTorch profiler traces, .json or .json.gz, in it or up to two directories below)", path, ErrNothing)
	}
	return out, nil
}

// below lists the files of directories, each a run or a part of one. A directory of
// nothing but directories is a run whose nodes they are, or a set of repeats.
func (f *found) below(ctx context.Context, path, above string, dirs []string) {
	for _, d := range dirs {
		if ctx.Err() != nil {
			return
		}
		name := filepath.ToSlash(filepath.Join(above, d))
		files, inner, err := list(filepath.Join(path, name), name, name)
		if err != nil {
			f.warn(name, "the directory cannot be read: %v; its run is left out", trace.WithoutPath(err))
			continue
		}
		for i := range files {
			files[i].part, files[i].above = name, above
		}
		before := len(f.files)
		f.add(ctx, files)
		if len(f.files) == before && above == "" {
			f.below(ctx, path, name, inner)
		}
	}
}

func (f *found) warn(file, format string, args ...any) {
	f.warnings = append(f.warnings, trace.Warning{File: file, Text: fmt.Sprintf(format, args...)})
}

// add sorts out which files are meant to be profiles.
func (f *found) add(ctx context.Context, files []file) {
	for _, x := range files {
		switch {
		case ctx.Err() != nil:
			return
		case exportedBeside(x, files): // the export is read, the report is not needed
		case slices.ContainsFunc(profileExtensions, func(ext string) bool { return strings.HasSuffix(strings.ToLower(x.name), ext) }):
			f.files = append(f.files, x)
		default:
			_, err := source.Identify(x.path)
			if err == nil {
				f.files = append(f.files, x)
				continue
			}
			if f.other == nil && errors.Is(err, source.ErrOther) {
				f.other = err
			}
			f.ignored = append(f.ignored, run.File{Name: x.name, Format: formatIgnored, Bytes: x.size})
		}
	}
}

// exportedBeside reports whether x is a report or an export whose better export
// is in files: to SQLite, or else to a directory of tables.
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
	}
	return better != nil && slices.ContainsFunc(files, func(y file) bool { return slices.Contains(better, y.path) })
}

// tablesSuffix ends the names of directories that nsys exports tables to.
const tablesSuffix = "_pqtdir"

// list returns the files and directories in dir, hidden ones left out, in
// order of name.
func list(dir, prefix, run string) (files []file, dirs []string, err error) {
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
			files = append(files, file{path: full, name: filepath.ToSlash(filepath.Join(prefix, name)), run: run, size: size(full, st)})
		}
	}
	return files, dirs, nil
}

// size is the bytes of a file, or of the files of a directory.
func size(path string, info fs.FileInfo) (sum int64) {
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
