package analyze

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"sync"

	"perfdiff/analyze/kernelname"
	"perfdiff/analyze/metric"
	"perfdiff/analyze/run"
	"perfdiff/analyze/saved"
	"perfdiff/analyze/source"
	"perfdiff/analyze/source/report"
	"perfdiff/analyze/step"
	"perfdiff/analyze/trace"
)

// Set is a measured run set.
type Set = run.Set

// Warning is shown with what it qualifies.
type Warning = trace.Warning

// Origin is what the user said about a run: label, commit, link.
type Origin = run.Origin

// Options say how a run set is read and measured.
type Options struct {
	Step step.Options
	// MarkerOfProject and RanksOfProject say of Step.Range or Step.Kernel, and of Ranks, that they are said once for all
	// run sets of a project: logs are read without them. Asked of these run sets, they are an error with logs.
	MarkerOfProject, RanksOfProject bool
	// StepColumns are the columns or fields of logs that hold step times; nil: those whose name says it.
	StepColumns []StepColumn
	Ranks       func(rank int) bool // which ranks to keep; nil: all
	Jobs        int                 // files read at once; 0: GOMAXPROCS
	Strict      bool                // any file that cannot be read is an error
	Runs        Runs                // what the directories of a run set are
	// RankName finds the rank in the name of a file, relative to the run set: its group "rank"
	// is the number, its group "node" what numbers count anew on. nil: names are read as
	// launchers write them.
	RankName *regexp.Regexp
	// Families are rules for families of kernels that are tried before perfdiff's own.
	Families []FamilyRule
	// Communication are expressions for kernels that move data between ranks, beside those of
	// known libraries.
	Communication []*regexp.Regexp
	// Reports says how reports of Nsight Systems are exported.
	Reports report.Options
	// Memory bounds the heap while files are read, in bytes; 0: half of MachineMemory. A file
	// that needs more by itself is read in parts or refused.
	Memory int64
	// Summaries is the memory that saved summaries may still take. nil: each call may take
	// SummaryRoom.
	Summaries *saved.MemoryBudget
	// Progress is told of files found, bytes read and files done; it is called
	// from several goroutines and may be nil.
	Progress Progress
	// Past are the markers by which steps of past runs were found. If the sides have several
	// markers in common, one of these is taken.
	Past []run.Marker

	// Candidates asks for step candidates in every receipt, also where steps were found.
	Candidates bool

	listOnly bool // listOnly reads nothing but the markers that captures have.
}

// StepColumn is a column of logs that holds step times.
type StepColumn = source.StepColumn

// ParseStepColumn reads a column of logs that holds step times, as users write it: NAME or NAME:UNIT, with ns, us, ms
// or s; or "timestamps", by which steps take what lies between lines.
func ParseStepColumn(text string) (StepColumn, error) { return source.ParseStepColumn(text) }

// FamilyRule puts kernels whose canonical name matches into a family.
type FamilyRule = kernelname.FamilyRule

// Progress is told how far a load is.
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
	sets, err := LoadSeveral(ctx, []Side{{Path: at, Progress: opt.Progress}}, opt)
	if err != nil {
		return nil, err
	}
	return sets[0], nil
}

// Side is one of the run sets that are loaded together.
type Side struct {
	Name     string // stands before its errors: "baseline"
	Path     string
	Progress Progress // may be nil; Options.Progress is not told
}

// LoadPair loads the two sides of a comparison with one pool of workers, so that a side with few files leaves none of
// them idle. Both paths are checked before any file is read.
func LoadPair(ctx context.Context, base, cand Side, opt Options) (b, c *run.Set, err error) {
	sets, err := LoadSeveral(ctx, []Side{base, cand}, opt)
	if err != nil {
		return nil, nil, err
	}
	return sets[0], sets[1], nil
}

// LoadSeveral loads any number of sides like LoadPair: sides that have a marker of steps in common are measured by it.
// The names of the sides must differ.
func LoadSeveral(ctx context.Context, sides []Side, opt Options) ([]*run.Set, error) {
	opt.Summaries = opt.room()
	sets, founds, files, err := discoverSides(ctx, sides, opt)
	if err != nil {
		return nil, err
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
	if err := agreeOnMarker(ctx, files, read, fixed, opt); err != nil {
		return nil, err
	}
	if err := agreeOnPass(ctx, files, read, fixed, opt); err != nil {
		return nil, err
	}
	if err := putTogether(sets, sides, founds, read, opt); err != nil {
		return nil, err
	}
	return sets, nil
}

// putTogether makes the sets that are not saved summaries from what was read. It makes them at once if several files
// may be read at once: with hundreds of ranks it takes as long as a tenth of reading. It does not where memory is
// limited, since both sides would need theirs at the same time.
func putTogether(sets []*run.Set, sides []Side, founds []discovered, read []result, opt Options) error {
	errs := make([]error, len(sides))
	var making sync.WaitGroup
	for i, side := range sides {
		if sets[i] != nil {
			continue
		}
		n := len(founds[i].files)
		own := read[:n]
		read = read[n:]
		one := func() { sets[i], errs[i] = sideSet(side, founds[i], own, opt) }
		if opt.Jobs == 1 || opt.Memory > 0 {
			one()
		} else {
			making.Go(one)
		}
	}
	making.Wait()
	for i, err := range errs {
		if err != nil {
			return sides[i].wrap(err) // of the first side, whichever was done first
		}
	}
	return nil
}

// sideSet makes a side's set from what was read.
func sideSet(side Side, found discovered, read []result, opt Options) (*run.Set, error) {
	own, said, err := forLogs(found.files, read, opt)
	if err != nil {
		return nil, err
	}
	set := newSet(found, read, own)
	set.Warnings = append(set.Warnings, said...)
	if err := loadError(set, side.Path, opt.Strict); err != nil || opt.Step.WindowText() == "" {
		return set, err
	}
	why := "no step was found"
	for k := range set.EachRank() {
		if len(k.Kept()) > 0 {
			return set, nil
		}
		for _, x := range k.Receipts {
			why = cmp.Or(x.Hint, why)
		}
	}
	return set, fmt.Errorf("%s: %w in %s: %s", filepath.Base(side.Path), ErrNothing, opt.Step.WindowText(), why)
}

// discoverSides finds the files of all sides. sets holds the sides that are saved summaries, and nil for the others;
// founds is what was found for each side, and files lists the files of all sides in order.
func discoverSides(ctx context.Context, sides []Side, opt Options) (sets []*run.Set, founds []discovered, files []file, err error) {
	sets, founds = make([]*run.Set, len(sides)), make([]discovered, len(sides))
	for i, side := range sides {
		if sets[i], err = loadSaved(side.Path, opt); err != nil {
			return nil, nil, nil, side.wrap(err)
		}
		if sets[i] != nil {
			continue
		}
		if founds[i], err = discover(ctx, side.Path, &source.Options{StepColumns: opt.StepColumns}); err == nil {
			err = founds[i].checkNames(opt.RankName)
		}
		if err != nil {
			return nil, nil, nil, side.wrap(err)
		}
		ofRun := map[string]int{}
		for _, f := range founds[i].files {
			ofRun[f.run]++
		}
		for j := range founds[i].files {
			f := &founds[i].files[j]
			f.progress, f.filesOfRun, f.side = side.Progress, ofRun[f.run], side.Name
		}
		files = append(files, founds[i].files...)
	}
	if err := refuseNested(sides, founds); err != nil {
		return nil, nil, nil, err
	}
	for i, side := range sides {
		if side.Progress != nil {
			side.Progress.Found(len(founds[i].files), founds[i].totalBytes())
		}
	}
	return sets, founds, files, nil
}

func (s Side) wrap(err error) error {
	if s.Name == "" {
		return err
	}
	return fmt.Errorf("%s: %w", s.Name, err)
}

// Metrics describes everything that is measured, in the order in which people read it.
func Metrics() []run.Metric { return slices.Clone(metric.Descriptions()) }

func newSet(found discovered, read []result, opt Options) *run.Set {
	set := &run.Set{Label: found.label, Warnings: found.warnings, OtherDirs: found.leftOutDirs}
	set.Metrics = Metrics()
	set.Files = append(set.Files, found.ignored...)
	assemble(set, found, read, opt)
	nameProfilers(set)
	noteNotAsked(set, opt.Ranks)
	onlyLogged(set)
	return set
}

// loadError returns the error for a set that cannot be used, nil for one that can.
func loadError(set *run.Set, at string, strict bool) error {
	var first error
	read, ranks := 0, 0
	for _, f := range set.Files {
		switch {
		case f.Format == run.FormatIgnored:
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
