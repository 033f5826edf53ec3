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

// decidingRuns is how many runs of a candidate decide, see --escalate.
const decidingRuns = 3

// checkRecord checks that runs can be recorded: the command exists, and the candidate's
// directory is new or empty, since files in it would count as runs.
func (g *gateCommand) checkRecord() error {
	if len(g.record) == 0 {
		return nil
	}
	if _, err := exec.LookPath(g.record[0]); err != nil {
		return fmt.Errorf("--record %s: cannot be run: %w", g.record[0], causeWithoutPath(errors.Unwrap(err)))
	}
	entries, err := os.ReadDir(g.cand)
	switch {
	case err == nil && len(entries) > 0:
		return fmt.Errorf("candidate: %s: is there already, and --record writes new runs into it: remove it first",
			filepath.Base(g.cand))
	case err != nil && !errors.Is(err, os.ErrNotExist):
		return fmt.Errorf("candidate: %s: %w", filepath.Base(g.cand), causeWithoutPath(err))
	}
	return nil
}

// recordRuns records runs until there are so many, counting those that exist already.
func (g *gateCommand) recordRuns(ctx context.Context, runs int, stderr io.Writer) (status int) {
	for n := 1; n <= runs && len(g.record) > 0; n++ {
		dir := filepath.Join(g.cand, fmt.Sprint("run", n))
		if _, err := os.Stat(dir); err == nil {
			continue
		}
		err := g.recordRun(ctx, dir, stderr)
		switch {
		case ctx.Err() != nil:
			printMessage(stderr, "error", "interrupted; nothing was written")
			return statusInterrupted
		case err != nil:
			return printError(stderr, fmt.Errorf("--record %s: %w (it must write one profile for each rank "+
				"into the directory it is given)", g.record[0], err), "")
		}
	}
	return statusOK
}

// recordEndTimeout is how long a recording command may take to end when it is asked to.
const recordEndTimeout = 5 * time.Second

// recordRun records one run. What the command prints goes to standard error.
func (g *gateCommand) recordRun(ctx context.Context, dir string, stderr io.Writer) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return causeWithoutPath(err)
	}
	cmd := exec.CommandContext(ctx, g.record[0], append(g.record[1:len(g.record):len(g.record)], dir)...)
	cmd.Stdout, cmd.Stderr, cmd.WaitDelay = stderr, stderr, recordEndTimeout
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	if err := cmd.Run(); err != nil {
		return err
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) == 0 {
		return fmt.Errorf("it has left nothing in %s", filepath.Join(filepath.Base(g.cand), filepath.Base(dir)))
	}
	return nil
}
