package ncu

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"perfdiff/analyze/source/report"
	"perfdiff/analyze/trace"
)

// errNoTable is the cause where a file is none of ncu's.
var errNoTable = errors.New("no table of kernels (print it with: ncu --csv --page raw)")

// maxFiles is the largest number of files of one side. Chosen, not measured: one for each rank of a large job.
const maxFiles = 4096

// Load reads a file, or all files of a directory whose names end in .csv, .txt, .log, .ncu-rep or .ncu-repz. A file
// that cannot be read is listed with its error; Load fails if nothing could be read.
func Load(ctx context.Context, path string, opt Options) (*Set, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, trace.WithoutPath(err))
	}
	s := &Set{Label: filepath.Base(filepath.Clean(path)), ids: make(map[Key]int32)}
	names := []string{path}
	if info.IsDir() {
		if names, err = candidates(path); err != nil {
			return nil, fmt.Errorf("%s: %w", path, trace.WithoutPath(err))
		}
	}
	for _, name := range names {
		if err := s.add(ctx, path, name, info.IsDir(), opt); err != nil {
			return nil, err
		}
	}
	if len(s.Launches) > 0 {
		return s, nil
	}
	for _, f := range s.Files {
		return nil, fmt.Errorf("%s: %s", filepath.ToSlash(filepath.Join(path, relative(path, f.Name))), f.Err)
	}
	return nil, fmt.Errorf("%s: holds no output of Nsight Compute: no .csv and no .ncu-rep (print one with: ncu --csv --page raw > FILE.csv)", path)
}

// relative returns a name below a path, "" where the path is the file itself.
func relative(path, name string) string {
	if filepath.Base(filepath.Clean(path)) == name {
		if info, err := os.Stat(path); err == nil && !info.IsDir() {
			return ""
		}
	}
	return name
}

// candidates returns the sorted files of a directory that ncu may have written. A report next to its own table is left
// out: the table holds what it would print.
func candidates(dir string) ([]string, error) {
	var out []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != dir && strings.HasPrefix(d.Name(), "."):
			return filepath.SkipDir
		case d.IsDir() || !slices.Contains([]string{".csv", ".txt", ".log", ".ncu-rep", ".ncu-repz"}, filepath.Ext(path)):
			return nil
		}
		if st, err := os.Stat(path); err != nil || !st.Mode().IsRegular() {
			return nil
		}
		if out = append(out, path); len(out) > maxFiles {
			return fmt.Errorf("holds more than %d files (name a directory of one recording)", maxFiles)
		}
		return nil
	})
	slices.Sort(out)
	return slices.DeleteFunc(out, func(path string) bool {
		return IsReport(path) && slices.Contains(out, strings.TrimSuffix(path, filepath.Ext(path))+".csv")
	}), err
}

// IsReport reports whether a file is a report, by the end of its name.
func IsReport(path string) bool {
	ext := filepath.Ext(path)
	return ext == ".ncu-rep" || ext == ".ncu-repz"
}

// add reads one file; in a directory it skips files that are not tables and do not claim to be.
func (s *Set) add(ctx context.Context, root, path string, ofDir bool, opt Options) error {
	f := File{Name: filepath.Base(path)}
	if ofDir {
		if rel, err := filepath.Rel(root, path); err == nil {
			f.Name = filepath.ToSlash(rel)
		}
	}
	before, warned := len(s.Launches), len(s.Warnings)
	err := s.readFile(ctx, &f, path, opt)
	if err != nil { // what was read before a report's program failed is not half kept
		s.Launches, s.Warnings = s.Launches[:before], s.Warnings[:warned]
	}
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, errNoTable) && ofDir && filepath.Ext(path) != ".csv":
		return nil
	case err != nil:
		f.Err, s.Incomplete = err.Error(), true
	}
	for i := range s.Files {
		if f.digest != "" && s.Files[i].digest == f.digest {
			s.Launches, s.Warnings = s.Launches[:before], append(s.Warnings[:warned], Warning{f.Name, "is a copy of " + s.Files[i].Name + ", and counts once"})
			return nil
		}
	}
	s.Files = append(s.Files, f)
	return nil
}

func (s *Set) readFile(ctx context.Context, f *File, path string, opt Options) error {
	index := len(s.Files)
	if IsReport(path) {
		return s.importReport(ctx, f, index, path, opt)
	}
	in, err := os.Open(path)
	if err != nil {
		return trace.WithoutPath(err)
	}
	defer in.Close()
	return s.read(f, index, untilDone{ctx, in})
}

// importReport lets ncu print a report, and reads what it prints.
func (s *Set) importReport(ctx context.Context, f *File, index int, path string, opt Options) error {
	byHand := "ncu --import FILE --csv --page raw > FILE.csv"
	abs, err := filepath.Abs(path)
	if err != nil {
		return trace.WithoutPath(err)
	}
	said, err := report.Print(ctx, opt.Timeout, func(r io.Reader) error { return s.read(f, index, r) }, "ncu", "--import", abs, "--csv", "--page", "raw")
	switch {
	case errors.Is(err, report.ErrNoTool):
		return fmt.Errorf("ncu is not on PATH, and only it reads its reports (on a machine that has it: %s)", byHand)
	case errors.Is(err, errNoTable) && said != "":
		return fmt.Errorf("ncu printed no table; it says: %s (try by hand: %s)", said, byHand)
	case err != nil && said != "":
		return fmt.Errorf("%w; ncu says: %s (try by hand: %s)", err, said, byHand)
	case err != nil:
		return fmt.Errorf("%w (try by hand: %s)", err, byHand)
	}
	return nil
}

// untilDone reads until its context is done.
type untilDone struct {
	ctx context.Context
	r   io.Reader
}

func (u untilDone) Read(p []byte) (int, error) {
	if err := u.ctx.Err(); err != nil {
		return 0, err
	}
	return u.r.Read(p)
}
