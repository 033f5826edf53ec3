package analyze

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"perfdiff/analyze/metric"
	"perfdiff/analyze/part"
	"perfdiff/analyze/saved"
	"perfdiff/analyze/shard"
	"perfdiff/analyze/source/report"
	"perfdiff/analyze/trace"
)

// ShardRequest says which share of a run set is to be measured, and where its part goes.
type ShardRequest struct {
	Shard shard.Shard
	Plan  *shard.Plan // nil: files are divided by order
	Tool  string      // the program with its version: parts of others are not merged with it
	Dir   string      // where the part is written
}

// ShardWritten is the result of writing a shard.
type ShardWritten struct {
	Path         string // of the part
	Bytes        int64
	Files, Ranks int
	There        bool     // the part was there already, and is as it would be
	LeftOut      []string // why files were left out, each with its name: the part says so too
	Warnings     []trace.Warning
}

// ErrAgain is the cause where a shard failed for a reason that may be gone when it is started again.
var ErrAgain = errors.New("start this shard again")

// ErrCorrupt is the error if a profile that the user asked for is no valid profile.
var ErrCorrupt = errors.New("a profile cannot be read")

// corrupt marks an error as an ErrCorrupt and keeps its text.
type corrupt struct{ error }

// Is makes errors.Is(err, ErrCorrupt) true.
func (corrupt) Is(target error) bool { return target == ErrCorrupt }

// Unwrap returns the marked error.
func (c corrupt) Unwrap() error { return c.error }

// SummarizeShard reads and measures the profiles of one shard and writes its part. A file that cannot be read is left
// out, and the part says why, as a run set would. But if the reason may be gone later (the file system failed, the
// file is being written) the error is an ErrAgain and nothing is written; nothing is written either if the reason is
// this machine's, which may not read the file or lacks the tool for it. A part of the same files that exists already
// is left as it is.
func SummarizeShard(ctx context.Context, path string, req ShardRequest, opt Options) (ShardWritten, error) {
	found, err := discover(ctx, path, nil)
	if err == nil {
		err = found.checkShards(path, req)
	}
	if err != nil {
		return ShardWritten{}, err
	}
	all := shardFiles(found.files)
	own, err := ownFiles(found, all, req)
	if err != nil {
		return ShardWritten{}, err
	}
	h := headerOf(found, all, req, opt)
	if at, ok := partThere(h, own, all, req); ok {
		return at, nil
	}
	read, err := readShard(ctx, own, opt)
	if err != nil {
		return ShardWritten{}, err
	}
	out := ShardWritten{Warnings: found.warnings, Files: len(read)}
	files := make([]part.File, 0, len(read))
	for i := range read {
		if read[i].again {
			return ShardWritten{}, fmt.Errorf("%s (%w: nothing was written)", read[i].file.Err, ErrAgain)
		}
		if read[i].elsewhere {
			return ShardWritten{}, fmt.Errorf("%s (the file may be sound: nothing was written, for a part without it would be taken for whole)", read[i].file.Err)
		}
		if e := read[i].file.Err; e != "" {
			out.LeftOut = append(out.LeftOut, e)
		}
		out.Ranks += len(read[i].captures)
		files = append(files, read[i].part())
	}
	if opt.Strict && len(out.LeftOut) > 0 {
		return ShardWritten{}, corrupt{fmt.Errorf("%s (--strict makes a file that cannot be read an error)", out.LeftOut[0])}
	}
	p, err := part.New(h, besideOf(found, all, req), files)
	if err == nil {
		out.Path, out.Bytes, err = p.Write(req.Dir)
	}
	if err != nil {
		return out, again(fmt.Errorf("%s: the part cannot be written: %w", filepath.Base(req.Dir), trace.WithoutPath(err)), err)
	}
	return out, nil
}

// checkShards returns the error of a run set that cannot be divided as is asked.
func (f discovered) checkShards(path string, req ShardRequest) error {
	switch {
	case len(f.files) == 1 && beginsAs(f.files[0].path, saved.Is):
		return fmt.Errorf("%s: is a saved summary, which no shards can divide (give the directory of profiles it was made of)", path)
	case req.Plan == nil && !req.Shard.Local && req.Shard.Count > len(f.files):
		return fmt.Errorf("%s: %d shards for %d files: a shard reads at least one, so at most %d",
			path, req.Shard.Count, len(f.files), len(f.files))
	}
	return nil
}

// ownFiles returns the files of the shard. With a plan they must be as it says.
func ownFiles(found discovered, all []shard.File, req ShardRequest) ([]file, error) {
	mine := map[string]bool{}
	switch {
	case req.Plan != nil:
		if err := planFits(found, all, req); err != nil {
			return nil, err
		}
		for _, f := range req.Plan.Of(req.Shard.Index) {
			mine[f.Path] = true
		}
	case req.Shard.Local:
		return found.inRun(func(string) bool { return true }), nil
	default:
		for _, f := range shard.Stride(all, req.Shard.Index, req.Shard.Count) {
			mine[f.Path] = true
		}
	}
	return found.inRun(func(name string) bool { return mine[name] }), nil
}

// inRun returns the wanted files, each with the number of files in its run.
func (f discovered) inRun(wanted func(name string) bool) []file {
	ofRun := map[string]int{}
	for _, x := range f.files {
		ofRun[x.run]++
	}
	var out []file
	for _, x := range f.files {
		if x.filesOfRun = ofRun[x.run]; wanted(x.name) {
			out = append(out, x)
		}
	}
	return out
}

// planFits returns an error if a run set is not the one for which a plan was made, or if a file of the shard has
// changed since. A file of the plan that is not seen may come yet: its shard is to be started again, and the others go on.
func planFits(found discovered, all []shard.File, req ShardRequest) error {
	now := map[string]shard.File{}
	for _, f := range all {
		now[f.Path] = f
	}
	seen, missing := false, []string(nil)
	for _, f := range req.Plan.Files {
		x, there := now[f.Path]
		seen = seen || there
		switch mine := f.Shard == req.Shard.Index; {
		case !there && mine:
			missing = append(missing, f.Path)
		case mine:
			if err := f.Changed(x); err != nil {
				return err
			}
		}
		delete(now, f.Path)
	}
	for _, f := range all {
		if _, more := now[f.Path]; more {
			return fmt.Errorf("%s: is not in the plan: it came later (make the plan anew, and all parts)", f.Path)
		}
	}
	if len(missing) == 0 && seen {
		return nil
	}
	err := fmt.Errorf("%s: %s of the plan %s not there (name the run set that the plan was made of, or make the plan anew)",
		found.label, cmp.Or(strings.Join(missing, ", "), "all files"), map[bool]string{true: "is", false: "are"}[len(missing) == 1])
	if seen {
		return fmt.Errorf("%w (%w)", err, ErrAgain)
	}
	return err
}

// headerOf returns the header of the shard's part, but for what follows from its files.
func headerOf(found discovered, all []shard.File, req ShardRequest, opt Options) part.Header {
	h := part.Header{Tool: toolOf(req.Tool), Options: opt.measuredBy(), Label: found.label,
		Local: req.Shard.Local, Shard: req.Shard.Index, Shards: req.Shard.Count}
	switch {
	case req.Plan != nil:
		h.Plan, h.Total = req.Plan.ID, len(all)
	case !req.Shard.Local:
		h.Listing, h.Total = shard.Listing(all, req.Shard.Count), len(all)
	}
	return h
}

// toolOf returns the program with its version, and a digest of what it measures, which tells builds without a version
// apart.
func toolOf(tool string) string {
	sum := sha256.New()
	for _, m := range metric.Descriptions() {
		fmt.Fprintf(sum, "%+v\n", m)
	}
	return tool + ", metrics " + hex.EncodeToString(sum.Sum(nil)[:6])
}

// measuredBy returns a digest of the options that change how one rank is measured, as far as they are not the default;
// "" if none is. Options on how ranks are put together are for the merge.
func (o Options) measuredBy() string {
	var said []string
	say := func(format string, args ...any) { said = append(said, fmt.Sprintf(format, args...)) }
	if o.Step.Range != nil {
		say("range %q", o.Step.Range)
	}
	if o.Step.Kernel != nil {
		say("kernel %q", o.Step.Kernel)
	}
	say("first %d%s", o.Step.SkipFirst, o.Step.WindowText())
	for _, c := range o.StepColumns {
		say("column %+v", c)
	}
	for _, f := range o.Families {
		say("family %+v", f)
	}
	for _, re := range o.Communication {
		say("communication %q", re)
	}
	sum := sha256.Sum256([]byte(strings.Join(said, "\n")))
	return hex.EncodeToString(sum[:8])
}

// besideOf returns what the part says about the whole run set.
func besideOf(found discovered, all []shard.File, req ShardRequest) part.Beside {
	b := part.Beside{Ignored: found.ignored, Warnings: found.warnings, OtherDirs: found.leftOutDirs}
	if req.Shard.Local {
		return b
	}
	owner := map[string]int{}
	if req.Plan != nil {
		for _, f := range req.Plan.Files {
			owner[f.Path] = f.Shard
		}
	} else {
		for i, f := range shard.Stride(all, 0, 1) {
			owner[f.Path] = i % req.Shard.Count
		}
	}
	for _, f := range all {
		b.Listed = append(b.Listed, part.Listed{Name: f.Path, Bytes: f.Bytes, Shard: owner[f.Path]})
	}
	return b
}

// partThere returns the part that an earlier attempt wrote, if it is whole, of the same files as they are
// now, and younger than these.
func partThere(h part.Header, own []file, all []shard.File, req ShardRequest) (ShardWritten, bool) {
	if h.Local {
		return ShardWritten{}, false // only its content tells what it is of
	}
	path := filepath.Join(req.Dir, h.Name())
	there, err := part.Open(path)
	if err != nil || !h.Same(&there.Header) || h.Shard != there.Shard || len(own) != len(there.Entries) {
		return ShardWritten{}, false
	}
	info, err := os.Stat(path)
	if err != nil {
		return ShardWritten{}, false
	}
	written := map[string]shard.File{}
	for _, f := range all {
		written[f.Path] = f
	}
	out := ShardWritten{Path: path, Bytes: info.Size(), Files: len(own), There: true}
	for _, e := range there.Entries {
		f, known := written[e.Name]
		if !known || f.Bytes != e.Bytes || !f.Modified.Before(info.ModTime()) || e.Err {
			return ShardWritten{}, false
		}
		out.Ranks += len(e.Ranks)
	}
	return out, true
}

// readShard reads and measures the files of a shard. If its captures are marked differently, it chooses a marker that
// all of them have, as for a whole run set; the merge finds out whether the other shards have the same.
func readShard(ctx context.Context, files []file, opt Options) ([]result, error) {
	bytes := int64(0)
	for i := range files {
		files[i].progress = opt.Progress
		bytes += files[i].size
	}
	if opt.Progress != nil {
		opt.Progress.Found(len(files), bytes)
	}
	read, err := readAll(ctx, files, opt)
	if err != nil {
		return nil, err
	}
	if _, _, err := forLogs(files, read, opt); err != nil {
		return nil, err
	}
	return read, agreeOnMarker(ctx, files, read, nil, opt)
}

// part returns what was read from a file, for a part.
func (r *result) part() part.File {
	out := part.File{File: r.file}
	for i := range r.captures {
		c := &r.captures[i]
		out.Captures = append(out.Captures, part.Capture{Rank: c.rank, Comm: c.comm, Cuts: c.cuts, Identity: c.id,
			Epoch: c.epoch, Window: c.window, Digest: c.digest, Warnings: c.warn})
	}
	return out
}

// resultOf returns the same the other way round.
func resultOf(f *part.File) result {
	out := result{file: f.File}
	for _, c := range f.Captures {
		out.captures = append(out.captures, capture{rank: c.Rank, comm: c.Comm, cuts: c.Cuts, id: c.Identity,
			epoch: c.Epoch, window: c.Window, digest: c.Digest, warn: c.Warnings})
	}
	return out
}

// readableElsewhere reports whether it is this machine that a file cannot be read on: nobody knows
// then that the file is damaged.
func readableElsewhere(err error) bool {
	return errors.Is(err, fs.ErrPermission) || errors.Is(err, report.ErrNoTool)
}

// mayComeBack reports whether the file system gave a reason that may be gone later: a server that does not answer, a
// file that is not there yet. A missing permission stays.
func mayComeBack(err error) bool {
	no, is := errors.AsType[syscall.Errno](err)
	return is && !slices.Contains([]syscall.Errno{syscall.EACCES, syscall.EPERM, syscall.EROFS, syscall.EISDIR, syscall.EINVAL, syscall.ENAMETOOLONG}, no)
}

// again makes an error an ErrAgain if its cause may be gone later.
func again(err, cause error) error {
	if mayComeBack(cause) {
		return fmt.Errorf("%w (%w)", err, ErrAgain)
	}
	return err
}
