package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// decisive is how many runs of a candidate decide, see --escalate.
const decisive = 3

// checkRecord checks that runs can be recorded: into a directory of their own, since what
// is there would count as one of them.
func (g *storeGate) checkRecord() error {
	if len(g.record) == 0 {
		return nil
	}
	if _, err := exec.LookPath(g.record[0]); err != nil {
		return fmt.Errorf("--record %s: cannot be run: %w", g.record[0], cause(errors.Unwrap(err)))
	}
	entries, err := os.ReadDir(g.cand)
	switch {
	case err == nil && len(entries) > 0:
		return fmt.Errorf("candidate: %s: is there already, and --record writes new runs into it: remove it first",
			filepath.Base(g.cand))
	case err != nil && !errors.Is(err, os.ErrNotExist):
		return fmt.Errorf("candidate: %s: %w", filepath.Base(g.cand), cause(err))
	}
	return nil
}

// recordRuns records so many runs in all, those that are not there yet.
func (g *storeGate) recordRuns(ctx context.Context, runs int, stderr io.Writer) (status int) {
	for n := 1; n <= runs && len(g.record) > 0; n++ {
		dir := filepath.Join(g.cand, fmt.Sprint("run", n))
		if _, err := os.Stat(dir); err == nil {
			continue
		}
		err := g.recordRun(ctx, dir, stderr)
		switch {
		case ctx.Err() != nil:
			say(stderr, "error", "interrupted; nothing was written")
			return statusInterrupted
		case err != nil:
			return fail(stderr, fmt.Errorf("--record %s: %w (it must write one profile for each rank "+
				"into the directory it is given)", g.record[0], err), "")
		}
	}
	return statusOK
}

// patience is how long a command that was asked to end may take to.
const patience = 5 * time.Second

// recordRun records one; what the command prints is none of the summary.
func (g *storeGate) recordRun(ctx context.Context, dir string, stderr io.Writer) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return cause(err)
	}
	cmd := exec.CommandContext(ctx, g.record[0], append(g.record[1:len(g.record):len(g.record)], dir)...)
	cmd.Stdout, cmd.Stderr, cmd.WaitDelay = stderr, stderr, patience
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	if err := cmd.Run(); err != nil {
		return err
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) == 0 {
		return fmt.Errorf("it has left nothing in %s", filepath.Join(filepath.Base(g.cand), filepath.Base(dir)))
	}
	return nil
}
