package report

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"perfdiff/analyze/trace"
)

// errTimeout is the cause when nsys takes too long.
var errTimeout = errors.New("timeout")

// maxOutput is how many bytes of nsys' output are kept, the last ones, since they name the
// cause.
const maxOutput = 400

// runNsys runs nsys for an export to SQLite and returns what it printed. nsys and the processes
// it started are stopped when ctx ends or the time limit is reached.
func (e *Exporter) runNsys(ctx context.Context, tool string, args ...string) (words string, err error) {
	ctx, cancel := context.WithTimeoutCause(ctx, e.opt.Timeout, errTimeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, tool, append([]string{"export", "--type", "sqlite"}, args...)...)
	said := &lastBytes{}
	cmd.Stdout, cmd.Stderr = said, said
	cmd.WaitDelay = 2 * time.Second // a child that was missed may hold the pipe
	ownGroup(cmd)
	err = cmd.Run()
	if context.Cause(ctx) == errTimeout {
		err = errTimeout
	}
	return said.String(), err
}

// lastBytes keeps the last maxOutput bytes that are written to it.
type lastBytes struct{ bytes.Buffer }

func (t *lastBytes) Write(p []byte) (int, error) {
	t.Buffer.Write(p)
	if extra := t.Len() - 64<<10; extra > 0 {
		t.Next(extra)
	}
	return len(p), nil
}

// cleanOutput returns what nsys printed as one line, without its progress bars and without directories and settings of
// this machine.
func cleanOutput(words, report, dir string) string {
	for _, p := range []string{filepath.Dir(report), dir} {
		if len(p) > 1 {
			words = strings.ReplaceAll(words, p+string(filepath.Separator), "")
		}
	}
	var kept []string
	for line := range strings.FieldsFuncSeq(words, func(r rune) bool { return r == '\n' || r == '\r' }) {
		line = trace.WithoutPrivate(line)
		if line != "" && !strings.Contains(line, "%") && (len(kept) == 0 || kept[len(kept)-1] != line) {
			kept = append(kept, line)
		}
	}
	text := strings.Join(kept, "; ")
	if len(text) > maxOutput {
		text = "… " + strings.ToValidUTF8(text[len(text)-maxOutput:], "")
	}
	return text
}

// exportInto exports a report into dir and returns the path of the database.
func (e *Exporter) exportInto(ctx context.Context, tool, report, dir string) (string, error) {
	out := filepath.Join(dir, "export.sqlite")
	words, err := e.runNsys(ctx, tool, "--include-json", "true", "--lazy", "true", "-o", out, report)
	if err != nil && ctx.Err() == nil && strings.Contains(strings.ToLower(words), "unrecogni") { // an older nsys has fewer options
		os.Remove(out)
		words, err = e.runNsys(ctx, tool, "-o", out, report)
	}
	said := func(format string, args ...any) error {
		text := fmt.Sprintf(format, args...)
		if words = cleanOutput(words, report, dir); words != "" {
			text += ": nsys says: " + words
		}
		return errors.New(text + " (try by hand: " + Command(report) + ")")
	}
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case errors.Is(err, errTimeout):
		return "", said("nsys export did not end within %v (--timeout gives it longer)", e.opt.Timeout)
	case err != nil:
		return "", said("nsys export failed, %v", trace.WithoutPath(err))
	case !isDatabase(out):
		return "", said("nsys export wrote no SQLite database")
	}
	named := filepath.Join(dir, filepath.Base(report))
	return named, trace.WithoutPath(os.Rename(out, named))
}

func isDatabase(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, 16)
	_, err = io.ReadFull(f, head)
	return err == nil && string(head) == "SQLite format 3\x00"
}
