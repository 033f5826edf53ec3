package report

import (
	"bytes"
	"context"
	"errors"
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

// cleanOutput is what nsys printed as one line, without its progress bars and without
// directories and settings of this machine.
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
