package main

import (
	"path/filepath"
	"slices"
	"strings"

	"perfdiff/analyze"
)

// tellApart labels run sets whose directories have the same name with the part of their paths in which they differ:
// a/run and b/run become a and b. It uses only names of directories that were given, and changes nothing if they do
// not tell all apart: then the user names them.
func tellApart(paths []string, sets []*analyze.Set) {
	alike := map[string][]int{}
	for i, set := range sets {
		alike[set.Label] = append(alike[set.Label], i)
	}
	labels := make([]string, len(sets))
	for i, set := range sets {
		if labels[i] = set.Label; len(alike[set.Label]) < 2 {
			continue
		}
		var group []string
		for _, k := range alike[set.Label] {
			group = append(group, paths[k])
		}
		labels[i] = differingParts(group)[slices.Index(alike[set.Label], i)]
	}
	if slices.Contains(labels, "") || len(slices.Compact(slices.Sorted(slices.Values(labels)))) < len(labels) {
		return
	}
	for i, set := range sets {
		set.Label = labels[i]
	}
}

// differingParts returns for each path the last part that not all of them have at the same place from the end; ""
// where there is none.
func differingParts(paths []string) []string {
	out := make([]string, len(paths))
	parts := make([][]string, len(paths))
	for i, path := range paths {
		at, err := filepath.Abs(path)
		if err != nil {
			return out
		}
		parts[i] = strings.Split(filepath.ToSlash(at), "/")
		slices.Reverse(parts[i])
	}
	for depth := 0; ; depth++ {
		var here []string
		for _, p := range parts {
			if depth >= len(p) {
				return out
			}
			here = append(here, p[depth])
		}
		if different := len(slices.Compact(slices.Sorted(slices.Values(here)))); different == len(here) {
			return here
		} else if different > 1 { // some share this part, and differ above it
			return joinedAbove(parts, depth)
		}
	}
}

// joinedAbove joins for each path the parts between the front that all paths share and a depth; parts are in order
// from the end.
func joinedAbove(parts [][]string, depth int) []string {
	common := 0
	for common < len(parts[0]) {
		same := true
		for _, p := range parts {
			same = same && common < len(p)-depth && p[len(p)-1-common] == parts[0][len(parts[0])-1-common]
		}
		if !same {
			break
		}
		common++
	}
	var out []string
	for _, p := range parts {
		own := slices.Clone(p[depth : len(p)-common])
		slices.Reverse(own)
		out = append(out, strings.Join(own, "/"))
	}
	return out
}
