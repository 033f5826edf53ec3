package report

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"

	"perfdiff/analyze/trace"
)

// Export returns the path of the report's export to SQLite. The caller must call done after
// reading it and say whether it could be read: an export that could not is removed from the
// cache. The error is ErrNoTool, or ends in what nsys printed.
func (e *Exporter) Export(ctx context.Context, path string) (export string, done func(sound bool), err error) {
	tool, err := exec.LookPath("nsys")
	if err != nil {
		return "", nil, ErrNoTool
	}
	info, err := os.Stat(path)
	if err != nil {
		return "", nil, trace.WithoutPath(err)
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", nil, err
	}
	if e.opt.NoCache {
		dir, err := os.MkdirTemp("", "perfdiff-export-*")
		if err != nil {
			return "", nil, trace.WithoutPath(err)
		}
		export, err := e.exportInto(ctx, tool, abs, dir)
		if err != nil {
			os.RemoveAll(dir)
			return "", nil, err
		}
		return export, func(bool) { os.RemoveAll(dir) }, nil
	}
	return e.cached(ctx, tool, abs, info)
}
