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

// maxWords bounds what is kept of what nsys says, at its end: causes come last.
const maxWords = 400

// nsys runs an export to SQLite and returns what it said. It is stopped, with
// the processes it started, when ctx ends or the time is over.
func (e *Exporter) nsys(ctx context.Context, tool string, args ...string) (words string, err error) {
	ctx, cancel := context.WithTimeoutCause(ctx, e.opt.Timeout, errTimeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, tool, append([]string{"export", "--type", "sqlite"}, args...)...)
	said := &tail{}
	cmd.Stdout, cmd.Stderr = said, said
	cmd.WaitDelay = 2 * time.Second // a child that was missed may hold the pipe
	ownGroup(cmd)
	err = cmd.Run()
	if context.Cause(ctx) == errTimeout {
		err = errTimeout
	}
	return said.String(), err
}

// tail keeps the last bytes of what is written to it.
type tail struct{ bytes.Buffer }

func (t *tail) Write(p []byte) (int, error) {
	t.Buffer.Write(p)
	if extra := t.Len() - 64<<10; extra > 0 {
		t.Next(extra)
	}
	return len(p), nil
}

// ownWords is what nsys said on one line, without the progress it draws and the
// directories and settings of this machine.
func ownWords(words, report, dir string) string {
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
	if len(text) > maxWords {
		text = "… " + strings.ToValidUTF8(text[len(text)-maxWords:], "")
	}
	return text
}
