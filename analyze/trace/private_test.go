package trace

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestWithoutPath(t *testing.T) {
	home := filepath.Join(t.TempDir(), "alice")
	_, opening := os.Open(home)
	renaming := os.Rename(home, home+"2")
	running := exec.Command(home).Run()
	_, looking := exec.LookPath(home + "-tool")
	for _, err := range []error{opening, renaming, running, looking, fmt.Errorf("%s: %w", home, opening)} {
		if got := WithoutPath(err).Error(); strings.Contains(got, "alice") || got == "" {
			t.Errorf("%v: got %q", err, got)
		}
	}
	if err := errors.New("any other"); WithoutPath(err) != err || WithoutPath(nil) != nil {
		t.Error("an error without a path changed")
	}
}

func TestWithoutPrivate(t *testing.T) {
	for text, want := range map[string]string{
		"no  path\n\there":                           "no path here",
		"licence /home/alice/.nv/x for user":         "licence … for user",
		`cannot open "/data of alice/run 1": denied`: "cannot open …: denied",
		`C:\Users\alice\x.log is full`:               "… is full",
		"TOKEN=abc123 was set":                       "TOKEN=… was set",
		"":                                           "",
	} {
		if got := WithoutPrivate(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}
