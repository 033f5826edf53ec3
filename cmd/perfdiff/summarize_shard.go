package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"perfdiff/analyze"
	"perfdiff/analyze/shard"
	"perfdiff/render"
)

// Exit statuses of shards and of merging them, besides those of all commands, as in sysexits.h: schedulers are told to
// start a job again for one and not for the other.
const (
	statusCorrupt = 65 // a profile or part is not what it should be, and will not be
	statusAgain   = 75 // it may be read later: the file system failed, or a file was being written
)

// shardRequest returns the request for SummarizeShard. It reads nothing but the plan.
func (l *line) shardRequest() (*analyze.ShardRequest, error) {
	out, which := l.text("output"), l.text("shard")
	req := &analyze.ShardRequest{Tool: version(), Dir: out}
	if which == "" && l.given("shard") {
		return req, errors.New("--shard is empty, as of a variable that is not set: say --shard I/N, or --shard auto or local")
	}
	if which == "" {
		return req, errors.New("--shard is missing: --plan says what each shard has, --shard which this is, as in --shard auto")
	}
	for _, name := range l.with(ofMerge) {
		return req, fmt.Errorf("--%s: is about the whole run set, of which a shard sees a share: give it to perfdiff merge", name)
	}
	planned := 0
	if plan := l.text("plan"); plan != "" {
		p, err := shard.ReadPlan(plan)
		if err != nil {
			return req, err
		}
		req.Plan, planned = &p, p.Shards
	}
	var err error
	if req.Shard, err = shard.Choose(which, os.LookupEnv, planned); err != nil {
		return req, err
	}
	return req, cmp.Or(checkPartsDir(out), l.checkOutputs(l.Args(), nil))
}

// checkPartsDir returns the error if parts cannot be written into a directory.
func checkPartsDir(dir string) error {
	info, err := os.Stat(dir)
	ending := strings.ToLower(filepath.Ext(filepath.Clean(dir)))
	switch {
	case dir == "-":
		return refuseDash("-o", dir, "parts are files in a directory")
	case err == nil && !info.IsDir():
		return fmt.Errorf("-o %s: is a file: name a directory, in which parts get names of their own", dir)
	case err != nil && (ending == summaryEnding || slices.Contains(otherEndings, ending)):
		return fmt.Errorf("-o %s: is the name of a file: a shard writes a part into a directory, as in -o parts/ (perfdiff merge parts/ -o FILE makes one file of all parts)", dir)
	}
	return nil
}

// summarizeShard measures a share of a run set and writes its part.
func (c *command) summarizeShard(ctx context.Context, set string, req analyze.ShardRequest, stdout, stderr io.Writer) int {
	bars := newProgress(stderr, c.quiet)
	opt := c.Load
	opt.Ranks, opt.Progress = nil, bars.side("shard") // a policy's ranks are for the merge
	done, err := analyze.SummarizeShard(ctx, set, req, opt)
	bars.stop()
	if err != nil || ctx.Err() != nil {
		return shardFailed(ctx, err, stderr)
	}
	c.printSetWarnings(done.Warnings, stderr)
	for _, text := range done.LeftOut {
		printMessage(stderr, "warning", text+"; left out, as the part says")
	}
	if !c.quiet {
		verb := "wrote"
		if done.There {
			verb = "found"
		}
		text := fmt.Sprintf("%s %s: %s of %s, %.1f MB\n", verb, render.Line(done.Path), countText(done.Ranks, "rank"), countText(done.Files, "profile"), float64(done.Bytes)/1e6)
		if status := printText(stdout, stderr, text); status != statusOK {
			return status
		}
	}
	if len(done.LeftOut) > 0 {
		return statusCorrupt
	}
	return statusOK
}

// shardFailed prints why a shard or a merge ended without a result, and returns the exit status.
func shardFailed(ctx context.Context, err error, stderr io.Writer) int {
	status := failed(ctx, err, "", stderr)
	switch {
	case status != statusError:
		return status
	case errors.Is(err, analyze.ErrAgain):
		return statusAgain
	case errors.Is(err, analyze.ErrIncomplete):
		return statusNotJudged
	case errors.Is(err, analyze.ErrUnlike), errors.Is(err, analyze.ErrCorrupt):
		return statusCorrupt
	}
	return status
}
