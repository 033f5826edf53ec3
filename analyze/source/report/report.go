// Package report turns reports of Nsight Systems (.nsys-rep, .qdrep), whose
// format nobody else knows, into exports, by the nsys of this machine. An export
// is kept in a cache and made again only when its report changed.
package report

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"perfdiff/analyze/trace"
)

// Options say how reports are exported.
type Options struct {
	Cache   string        // directory of the cache; "": DefaultCache
	NoCache bool          // exports are not kept
	Timeout time.Duration // for each report; 0: DefaultTimeout
}

const (
	// DefaultTimeout is enough for reports of several GB.
	DefaultTimeout = 30 * time.Minute

	// maxCache is the size of the cache in bytes.
	maxCache = 20e9
)

// ErrNoTool is the cause when nsys is not on PATH.
var ErrNoTool = errors.New("nsys is not on PATH")

// IsReport reports whether a file is a report, by the end of its name: the first bytes of
// reports differ between versions.
func IsReport(path string) bool {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".nsys-rep", ".qdrep":
		return true
	}
	return false
}

// Command is the command with which a user can export the report, in the report's directory.
func Command(path string) string {
	name := filepath.Base(path)
	return "nsys export --type sqlite --include-json true --lazy true -o " + shellWord(strings.TrimSuffix(name, filepath.Ext(name))+".sqlite") + " " + shellWord(name)
}

// shellWord quotes a name as one word of a shell, where that is needed.
func shellWord(name string) string {
	if strings.ContainsFunc(name, func(r rune) bool { return !strings.ContainsRune("%+,-./:=@_", r) && !isWordRune(r) }) {
		return "'" + strings.ReplaceAll(name, "'", `'\''`) + "'"
	}
	return name
}

func isWordRune(r rune) bool {
	return r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
}

// Exporter exports reports, each one once, also if several goroutines ask for the same one.
type Exporter struct {
	opt   Options
	limit int64

	mu        sync.Mutex
	exporting map[string]*sync.Mutex // by key; locked while the report is exported
	inUse     map[string]bool        // keys of exports that this process reads
}

// New returns an exporter.
func New(opt Options) *Exporter {
	if opt.Timeout <= 0 {
		opt.Timeout = DefaultTimeout
	}
	if opt.Cache == "" && !opt.NoCache {
		dir, err := DefaultCache()
		opt.Cache, opt.NoCache = dir, err != nil // without a home nothing is kept
	}
	return &Exporter{opt: opt, limit: maxCache, exporting: make(map[string]*sync.Mutex), inUse: make(map[string]bool)}
}

// DefaultCache is perfdiff/exports in the user's cache directory, which is
// XDG_CACHE_HOME or ~/.cache on Linux.
func DefaultCache() (string, error) {
	dir, err := os.UserCacheDir()
	return filepath.Join(dir, "perfdiff", "exports"), err
}

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

// keyOf is a key that tells reports apart without reading them.
func keyOf(abs string, size int64, changed time.Time) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%d\x00%d", abs, size, changed.UnixNano()))
	return hex.EncodeToString(sum[:16])
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
