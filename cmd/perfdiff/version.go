package main

import (
	"cmp"
	"runtime"
	"runtime/debug"
	"strings"
)

// version returns the version of the module as the build recorded it.
func version() string {
	info, _ := debug.ReadBuildInfo()
	return versionOf(info)
}

// versionOf returns the version that a build recorded; info may be nil.
func versionOf(info *debug.BuildInfo) string {
	if info == nil || info.Main.Version == "" || info.Main.Version == "(devel)" {
		return "perfdiff (devel)"
	}
	return "perfdiff " + info.Main.Version
}

// versionText returns what --version prints: the version, the commit and the compiler, each as far as the build knew
// it. It does not say when and where it was built: the same commit gives the same text everywhere.
func versionText(info *debug.BuildInfo) string {
	settings := map[string]string{}
	if info != nil {
		for _, s := range info.Settings {
			settings[s.Key] = s.Value
		}
	}
	commit := cmp.Or(settings["vcs.revision"], "not known")
	if day, _, ok := strings.Cut(settings["vcs.time"], "T"); ok {
		commit += " of " + day
	}
	if settings["vcs.modified"] == "true" {
		commit += ", changed since"
	}
	system := cmp.Or(settings["GOOS"], runtime.GOOS) + "/" + cmp.Or(settings["GOARCH"], runtime.GOARCH)
	return versionOf(info) + "\ncommit " + commit + "\n" + runtime.Version() + " " + system + "\n"
}
