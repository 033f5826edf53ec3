package report

import (
	"context"
	"errors"
	"io"
	"os/exec"
	"time"

	"perfdiff/analyze/trace"
)

// Print runs a profiler's program and gives its output to read, with the care of Export: no shell, a time limit (0:
// DefaultTimeout), and all that it started ends with it. said is what it wrote to standard error, on one line and
// without paths. It fails with ErrNoTool, the error of read, or how the program ended.
func Print(ctx context.Context, limit time.Duration, read func(io.Reader) error, name string, args ...string) (said string, err error) {
	tool, err := exec.LookPath(name)
	if err != nil {
		return "", ErrNoTool
	}
	if limit <= 0 {
		limit = DefaultTimeout
	}
	ctx, cancel := context.WithTimeoutCause(ctx, limit, errTimeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, tool, args...)
	words := &lastBytes{}
	cmd.Stderr = words
	cmd.WaitDelay = 2 * time.Second
	ownGroup(cmd)
	out, in := io.Pipe() // not StdoutPipe, which a child that was missed would hold open
	cmd.Stdout = in
	done := make(chan error, 1)
	go func() {
		err := read(out)
		if err != nil {
			cancel() // nobody reads on
		}
		out.CloseWithError(io.ErrClosedPipe)
		done <- err
	}()
	ended := cmd.Run()
	timeout := errors.Is(context.Cause(ctx), errTimeout)
	in.Close()
	failed := <-done
	said = cleanOutput(words.String(), "", "")
	switch {
	case timeout:
		return said, errors.New("it did not end within " + limit.String())
	case failed != nil:
		return said, failed
	}
	return said, trace.WithoutPath(ended)
}
