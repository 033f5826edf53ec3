// Package report turns reports of Nsight Systems (.nsys-rep, .qdrep), whose
// format nobody else knows, into exports, by the nsys of this machine. An export
// is kept in a cache and made again only when its report changed.
package report

import (
	"errors"
	"os"
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

// Command returns the command with which a user can export the report, in the report's directory, by any version of
// nsys: --include-json, which keeps sizes of messages, is not in 2022.4 and 2023.4.
func Command(path string) string {
	name := filepath.Base(path)
	return "nsys export --type sqlite -o " + trace.ShellPath(strings.TrimSuffix(name, filepath.Ext(name))+".sqlite") + " " + trace.ShellPath(name)
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

// DefaultCache returns perfdiff/exports in the user's cache directory, which is
// XDG_CACHE_HOME or ~/.cache on Linux.
func DefaultCache() (string, error) {
	dir, err := os.UserCacheDir()
	return filepath.Join(dir, "perfdiff", "exports"), err
}
