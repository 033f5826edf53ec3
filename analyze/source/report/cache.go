package report

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"perfdiff/analyze/trace"
)

// The cache is a directory with one directory for each export, named by the
// key. Its modification time is when the export was last used.

// cached returns the path of a report's export in the cache, which is made first if it is not
// there.
func (e *Exporter) cached(ctx context.Context, tool, abs string, info fs.FileInfo) (string, func(bool), error) {
	key := keyOf(abs, info.Size(), info.ModTime())
	defer e.lock(key)()
	kept := filepath.Join(e.opt.Cache, key)
	export := filepath.Join(kept, filepath.Base(abs))
	done := func(sound bool) {
		if !sound {
			os.RemoveAll(kept)
		}
	}
	now := time.Now()
	if isDatabase(export) {
		os.Chtimes(kept, now, now) // only for the order of removal
		return export, done, nil
	}
	if err := os.MkdirAll(e.opt.Cache, 0o700); err != nil {
		return "", nil, cacheError(err)
	}
	part, err := os.MkdirTemp(e.opt.Cache, ".part-*")
	if err != nil {
		return "", nil, cacheError(err)
	}
	defer os.RemoveAll(part)
	if _, err := e.exportInto(ctx, tool, abs, part); err != nil {
		return "", nil, err
	}
	os.RemoveAll(kept)                                                   // what was there is no database
	if err := os.Rename(part, kept); err != nil && !isDatabase(export) { // another process may have been faster
		return "", nil, cacheError(err)
	}
	e.removeOldest(now)
	return export, done, nil
}

func cacheError(err error) error {
	return fmt.Errorf("the cache of exports cannot be written: %w (--cache DIR names another, --no-cache keeps none)", trace.WithoutPath(err))
}

// lock locks the export of a report, by its key, until release is called, and notes that this
// process uses it.
func (e *Exporter) lock(key string) (release func()) {
	e.mu.Lock()
	one := e.exporting[key]
	if one == nil {
		one = new(sync.Mutex)
		e.exporting[key] = one
	}
	e.inUse[key] = true
	e.mu.Unlock()
	one.Lock()
	return one.Unlock
}

// How the times of files in the cache are read.
const (
	inUseFor       = time.Hour      // an export used since then may be open in another process
	abandonedAfter = 24 * time.Hour // an unfinished export older than that has no writer any more
)

// removeOldest removes the exports that were not used for longest until the others fit into the cache, and what
// interrupted exports left. Files that cannot be removed stay.
func (e *Exporter) removeOldest(now time.Time) {
	entries, err := os.ReadDir(e.opt.Cache)
	if err != nil {
		return
	}
	type entry struct {
		key  string
		last time.Time
		size int64
	}
	var all []entry
	total := int64(0)
	for _, d := range entries {
		info, err := d.Info()
		if err != nil || !d.IsDir() {
			continue
		}
		if strings.HasPrefix(d.Name(), ".part-") {
			if now.Sub(info.ModTime()) > abandonedAfter {
				os.RemoveAll(filepath.Join(e.opt.Cache, d.Name()))
			}
			continue
		}
		if !isKey(d.Name()) {
			continue
		}
		x := entry{d.Name(), info.ModTime(), sizeOf(filepath.Join(e.opt.Cache, d.Name()))}
		total += x.size
		all = append(all, x)
	}
	slices.SortFunc(all, func(a, b entry) int { return cmp.Or(a.last.Compare(b.last), cmp.Compare(a.key, b.key)) })
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, x := range all {
		if total <= e.limit {
			return
		}
		if !e.inUse[x.key] && now.Sub(x.last) > inUseFor && os.RemoveAll(filepath.Join(e.opt.Cache, x.key)) == nil {
			total -= x.size
		}
	}
}

// isKey reports whether a directory's name is one of the cache. Others are left alone, because
// --cache can name any directory.
func isKey(name string) bool { return len(name) == 32 && strings.Trim(name, "0123456789abcdef") == "" }

func sizeOf(dir string) (sum int64) {
	entries, _ := os.ReadDir(dir)
	for _, d := range entries {
		if info, err := d.Info(); err == nil {
			sum += info.Size()
		}
	}
	return sum
}

// keyOf returns a key that tells reports apart without reading them.
func keyOf(abs string, size int64, changed time.Time) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%d\x00%d", abs, size, changed.UnixNano()))
	return hex.EncodeToString(sum[:16])
}
