package main

import (
	"regexp"
	"runtime"
	"runtime/debug"
	"testing"
)

// TestVersionText: the version, the commit and what built it, of builds that know all of it and of
// builds that know nothing.
func TestVersionText(t *testing.T) {
	setting := func(key, value string) debug.BuildSetting { return debug.BuildSetting{Key: key, Value: value} }
	here := runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH + "\n"
	for _, tt := range []struct {
		name string
		info *debug.BuildInfo
		want string
	}{
		{"released", &debug.BuildInfo{Main: debug.Module{Version: "v1.2.3"}, Settings: []debug.BuildSetting{
			setting("GOOS", "windows"), setting("GOARCH", "arm64"), setting("vcs.revision", "0123abcd"), setting("vcs.time", "2026-11-23T02:51:24Z"), setting("vcs.modified", "false")}},
			"perfdiff v1.2.3\ncommit 0123abcd of 2026-11-23\n" + runtime.Version() + " windows/arm64\n"},
		{"changed", &debug.BuildInfo{Main: debug.Module{Version: "(devel)"}, Settings: []debug.BuildSetting{setting("vcs.revision", "0123abcd"), setting("vcs.modified", "true")}},
			"perfdiff (devel)\ncommit 0123abcd, changed since\n" + here},
		{"without a repository", &debug.BuildInfo{}, "perfdiff (devel)\ncommit not known\n" + here},
		{"without anything", nil, "perfdiff (devel)\ncommit not known\n" + here},
	} {
		if got := versionText(tt.info); got != tt.want {
			t.Errorf("%s: got\n%s\nwant\n%s", tt.name, got, tt.want)
		}
	}
	if text := printed(t, "--version"); !regexp.MustCompile(`^perfdiff \S+\ncommit .+\ngo\d\S* \S+/\S+\n$`).MatchString(text) {
		t.Errorf("got %q", text)
	}
}
