package analyze

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"perfdiff/analyze/saved"
	"perfdiff/analyze/shard"
)

// Files lists the profiles that Load would read at a path, reading only enough of them to tell what they are, and
// warnings about what is left out. Shards divide this list: the error for a path with nothing to divide names the
// file, the cause and the remedy.
func Files(ctx context.Context, path string) (files []shard.File, warnings []string, err error) {
	found, err := discover(ctx, path, nil)
	if err != nil {
		return nil, nil, err
	}
	if len(found.files) == 1 && beginsAs(found.files[0].path, saved.Is) {
		return nil, nil, fmt.Errorf("%s: is a saved summary, which no shards can divide (give the directory of profiles it was made of)", path)
	}
	for _, w := range found.warnings {
		if w.File != "" {
			w.Text = w.File + ": " + w.Text
		}
		warnings = append(warnings, w.Text)
	}
	return shardFiles(found.files), warnings, nil
}

// shardFiles returns files as shards divide them.
func shardFiles(files []file) []shard.File {
	out := make([]shard.File, len(files))
	for i, f := range files {
		out[i] = shard.File{Path: f.name, Bytes: f.size, Modified: modified(f.path)}
	}
	return out
}

// beginsAs reports whether a file begins as is says.
func beginsAs(path string, is func(head []byte) bool) bool {
	f, err := os.Open(path)
	if err != nil {
		return false // said by whoever reads it
	}
	defer f.Close()
	head := make([]byte, 64)
	n, _ := f.Read(head)
	return is(head[:n])
}

// modified returns when a file was last written, or the latest of all files in a directory; the zero time if it is
// gone, which its reader will report.
func modified(path string) time.Time {
	info, err := os.Stat(path)
	if err != nil {
		return time.Time{}
	}
	last := info.ModTime()
	if info.IsDir() {
		entries, _ := os.ReadDir(path)
		for _, e := range entries {
			if in, err := os.Stat(filepath.Join(path, e.Name())); err == nil && in.ModTime().After(last) {
				last = in.ModTime()
			}
		}
	}
	return last.UTC()
}
