package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// filesInGit counts the files of a store that git tracks in the work tree of the candidate, or of
// the current directory: whoever changes that tree changes the store. A store in a work tree of
// its own does not count. Where git is not installed nothing is known, and the count is 0.
func filesInGit(store, cand string) int {
	if info, err := os.Stat(cand); err == nil && !info.IsDir() {
		cand = filepath.Dir(cand)
	}
	top := askGit(store, "rev-parse", "--show-toplevel")
	if len(top) == 0 {
		return 0
	}
	isTop := func(dir string) bool { return bytes.Equal(askGit(dir, "rev-parse", "--show-toplevel"), top) }
	if !slices.ContainsFunc([]string{cand, "."}, isTop) {
		return 0
	}
	return bytes.Count(askGit(store, "ls-files", "-z", "--", "."), []byte{0})
}

// askGit returns what git prints about a directory; nil if it fails or is not installed. Neither the environment of a
// hook nor what a checkout brings along, such as a bare repository with settings of its own, may choose another
// repository or start a program.
func askGit(dir string, args ...string) []byte {
	safe := []string{"-C", dir, "-c", "core.fsmonitor=false", "-c", "safe.bareRepository=explicit"}
	cmd := exec.Command("git", append(safe, args...)...)
	cmd.Env = slices.DeleteFunc(os.Environ(), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return slices.Contains([]string{"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"}, name)
	})
	out, err := cmd.Output()
	if err != nil {
		return nil
	}
	return out
}
