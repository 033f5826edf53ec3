package main

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
)

// filesInGit is how many files of a store git tracks in the work tree of the candidate, or of
// the current directory: whoever changes that tree changes the store. A store in a work tree of
// its own does not count.
func filesInGit(store, cand string) (n int) {
	top, dir, ok := workTreeOf(store)
	if !ok {
		return 0
	}
	same := false
	for _, path := range []string{cand, "."} {
		if other, _, ok := workTreeOf(path); ok && other == top {
			same = true
		}
	}
	index, err := os.ReadFile(filepath.Join(dir, "index"))
	if !same || err != nil {
		return 0
	}
	in, err := resolvePath(store)
	if err != nil {
		return 0
	}
	rel, err := filepath.Rel(top, in)
	if err != nil {
		return 0
	}
	for _, path := range indexPaths(index) {
		if strings.HasPrefix(path, filepath.ToSlash(rel)+"/") || rel == "." {
			n++
		}
	}
	return n
}

// resolvePath is a path without links, as far as it exists.
func resolvePath(path string) (string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real, nil
	}
	return path, nil
}

// workTreeOf is the top of the git work tree that a path is in, and git's directory for it.
func workTreeOf(path string) (top, dir string, ok bool) {
	top, err := resolvePath(path)
	if err != nil {
		return "", "", false
	}
	for {
		dir = filepath.Join(top, ".git")
		if info, err := os.Stat(dir); err == nil {
			if info.IsDir() {
				return top, dir, true
			}
			text, err := os.ReadFile(dir) // of a further work tree: where it is
			to, found := strings.CutPrefix(strings.TrimSpace(string(text)), "gitdir: ")
			if err != nil || !found {
				return "", "", false
			}
			if !filepath.IsAbs(to) {
				to = filepath.Join(top, to)
			}
			return top, to, true
		}
		if above := filepath.Dir(top); above != top {
			top = above
			continue
		}
		return "", "", false
	}
}

// Bytes of git's index: of its header, and of what precedes the name in an entry: 10 numbers,
// an object id of 20 bytes (32 with SHA-256) and flags.
const (
	indexHead    = 12
	indexNumbers = 40
	indexFlags   = 2
)

// indexPaths are the paths in git's index, versions 2 to 4 (see Documentation/gitformat-index
// of git). Object ids are read as SHA-1; of an index with SHA-256, or of a damaged one, as many
// paths are read as make sense.
func indexPaths(index []byte) (paths []string) {
	if len(index) < indexHead || string(index[:4]) != "DIRC" {
		return nil
	}
	version, count := binary.BigEndian.Uint32(index[4:]), binary.BigEndian.Uint32(index[8:])
	for _, object := range []int{20, 32} {
		if paths = indexEntries(index[indexHead:], version, int(min(count, 1<<24)), object); len(paths) == int(count) {
			return paths
		}
	}
	return paths
}

// indexEntries are the paths of at most count entries.
func indexEntries(b []byte, version uint32, count, object int) (paths []string) {
	before := ""
	for range count {
		fixed := indexNumbers + object + indexFlags
		if len(b) < fixed+1 {
			return paths
		}
		if flags := binary.BigEndian.Uint16(b[fixed-indexFlags:]); version >= 3 && flags&0x4000 != 0 {
			fixed += indexFlags
		}
		if len(b) < fixed {
			return paths
		}
		rest, head := b[fixed:], ""
		if version == 4 { // as much is dropped of the last name, and this is added
			drop, n := packedNumber(rest)
			if n == 0 || drop > len(before) {
				return paths
			}
			head, rest = before[:len(before)-drop], rest[n:]
		}
		name, _, found := strings.Cut(string(rest[:min(len(rest), 1<<16)]), "\x00")
		if !found {
			return paths
		}
		before = head + name
		paths = append(paths, before)
		used := len(b) - len(rest) + len(name) + 1
		if version < 4 { // entries are multiples of eight bytes
			used = (fixed + len(name) + 8) / 8 * 8
		}
		if used > len(b) {
			return paths
		}
		b = b[used:]
	}
	return paths
}

// packedNumber is a number in git's variable-length encoding, and its length; 0 if there is
// none.
func packedNumber(b []byte) (value, length int) {
	for i, c := range b[:min(len(b), 5)] {
		value = value<<7 | int(c&0x7f)
		if c&0x80 == 0 {
			return value, i + 1
		}
		value++
	}
	return 0, 0
}
