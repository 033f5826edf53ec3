package analyze

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"

	"perfdiff/analyze/kernelname"
	"perfdiff/analyze/metric"
	"perfdiff/analyze/run"
	"perfdiff/analyze/saved"
	"perfdiff/analyze/source"
	"perfdiff/analyze/source/report"
	"perfdiff/analyze/step"
)

// Set is a measured run set.
type Set = run.Set

// Origin is what people say of where a run comes from.
type Origin = run.Origin

// Options say how a run set is read.
type Options struct {
	Step   step.Options
	Ranks  func(rank int) bool // which ranks to keep; nil: all
	Jobs   int                 // files read at once; 0: GOMAXPROCS
	Strict bool                // any file that cannot be read is an error
	Runs   Runs                // what the directories of a run set are
	// RankName reads ranks out of names of files, relative to the run set: its group
	// "rank" is the number, "node" what it counts anew on. nil: as launchers write them.
	RankName *regexp.Regexp
	// Families are rules for kernels that stand before the table of families.
	Families []FamilyRule
	// Communication are expressions of kernels that move data between ranks, beside
	// those of the libraries that are known.
	Communication []*regexp.Regexp
	// Engine: exports to SQLite are read through the engine alone, which gives the same
	// and takes several times as long: to check the decoder of their pages.
	Engine bool
	// Reports says how reports of Nsight Systems are exported.
	Reports report.Options
	// Memory bounds what the process takes of memory, in bytes; 0: half of
	// MachineMemory. A file that needs more alone is refused.
	Memory int64
	// Summaries is what saved summaries may still take of it. nil: as much for each call
	// as SummaryRoom says.
	Summaries *saved.Room
	// Progress is told of files found, bytes read and files done; it is called
	// from several goroutines and may be nil.
	Progress Progress
	// Past are what the steps of past runs were found by: of several markers that both
	// sides have, theirs is taken.
	Past []run.Marker

	// Candidates asks for what may mark steps in every receipt, also where steps were found.
	Candidates bool

	list bool // only what may mark steps is asked
}

// FamilyRule puts kernels whose canonical name matches into a family.
type FamilyRule = kernelname.FamilyRule

// Progress watches a load.
type Progress interface {
	Found(files int, bytes int64)
	Read(bytes int64)
	Done()
}

// ErrNothing is the cause when a path holds nothing that could be measured.
var ErrNothing = errors.New("nothing to measure")

// Load reads and measures the run set at a path. The error names the file, the
// cause and the remedy; files that could not be read are in Set.Files, and are
// an error only with opt.Strict or when no file is left.
func Load(ctx context.Context, at string, opt Options) (*run.Set, error) {
	sets, err := loadAll(ctx, []Side{{Path: at, Progress: opt.Progress}}, opt)
	if err != nil {
		return nil, err
	}
	return sets[0], nil
}

// Side is one of two run sets that are loaded at once.
type Side struct {
	Name     string // stands before its errors: "baseline"
	Path     string
	Progress Progress // may be nil; Options.Progress is not told
}

// LoadPair loads the two sides of a comparison with one set of workers, so that
// a side of one file leaves none of them idle. Both paths are looked at before
// a file is read.
func LoadPair(ctx context.Context, base, cand Side, opt Options) (b, c *run.Set, err error) {
	sets, err := loadAll(ctx, []Side{base, cand}, opt)
	if err != nil {
		return nil, nil, err
	}
	return sets[0], sets[1], nil
}

func loadAll(ctx context.Context, sides []Side, opt Options) ([]*run.Set, error) {
	opt.Summaries = opt.room()
	if opt.Engine {
		ctx = source.ByEngine(ctx)
	}
	sets := make([]*run.Set, len(sides)) // of the sides that are saved summaries
	founds := make([]found, len(sides))
	var files []file
	for i, side := range sides {
		var err error
		if sets[i], err = savedSet(side.Path, opt); err != nil {
			return nil, side.wrap(err)
		}
		if sets[i] != nil {
			continue
		}
		if founds[i], err = discover(ctx, side.Path); err == nil {
			err = founds[i].checkNames(opt.RankName)
		}
		if err != nil {
			return nil, side.wrap(err)
		}
		ofRun := map[string]int{}
		for _, f := range founds[i].files {
			ofRun[f.run]++
		}
		for j := range founds[i].files {
			f := &founds[i].files[j]
			f.watch, f.beside, f.side = side.Progress, ofRun[f.run], side.Name
		}
		files = append(files, founds[i].files...)
	}
	if err := apart(sides, founds); err != nil {
		return nil, err
	}
	for i, side := range sides {
		if side.Progress != nil {
			side.Progress.Found(len(founds[i].files), founds[i].bytes())
		}
	}
	read, err := readAll(ctx, files, opt)
	if err != nil {
		return nil, err
	}
	var fixed []run.Marker // of summaries, which cannot be measured anew
	for _, set := range sets {
		if set != nil {
			fixed = append(fixed, markersOf(set)...)
		}
	}
	if err := agree(ctx, files, read, fixed, opt); err != nil {
		return nil, err
	}
	for i, side := range sides {
		if sets[i] != nil {
			continue
		}
		n := len(founds[i].files)
		sets[i], read = newSet(founds[i], read[:n], opt), read[n:]
		if err := refuse(sets[i], side.Path, opt.Strict); err != nil {
			return nil, side.wrap(err)
		}
	}
	return sets, nil
}

func (s Side) wrap(err error) error {
	if s.Name == "" {
		return err
	}
	return fmt.Errorf("%s: %w", s.Name, err)
}

// Metrics describes everything that is measured, in the order in which people read it.
func Metrics() []run.Metric { return slices.Clone(metric.Descriptions()) }

func newSet(found found, read []result, opt Options) *run.Set {
	set := &run.Set{Label: found.label, Warnings: found.warnings, Beside: found.beside}
	set.Metrics = Metrics()
	set.Files = append(set.Files, found.ignored...)
	assemble(set, found, read, opt)
	noteNotAsked(set, opt.Ranks)
	return set
}

// refuse returns the error of a set that cannot be used.
func refuse(set *run.Set, at string, strict bool) error {
	var first error
	read, ranks := 0, 0
	for _, f := range set.Files {
		switch {
		case f.Format == formatIgnored:
		case f.Err == "":
			read++
		case first == nil:
			first = errors.New(f.Err)
		}
	}
	for _, r := range set.Runs {
		ranks += len(r.Ranks)
	}
	switch {
	case strict && first != nil:
		return fmt.Errorf("%w (--strict makes a file that cannot be read an error)", first)
	case ranks > 0:
		return nil
	case read > 0:
		return fmt.Errorf("%s: %w: --ranks leaves out every rank of the set (give ranks that were captured, or leave the flag out to see which)", filepath.Base(at), ErrNothing)
	case len(set.Files) == 1:
		return first
	}
	return fmt.Errorf("%s: no file could be read; the first of %d: %w", filepath.Base(at), len(set.Files), first)
}
