package trace

import (
	"os/exec"
	"testing"
)

// TestShellWord: plain words stay as they are, all others are quoted, and a shell reads each back.
func TestShellWord(t *testing.T) {
	for _, tt := range [][2]string{
		{"runs/c.sqlite", "runs/c.sqlite"},
		{"my runs", "'my runs'"},
		{"it's", `'it'\''s'`},
		{"", "''"},
		{"$(x);`y`", "'$(x);`y`'"},
		{"~/a", "'~/a'"},
		{"\x1b[2J\n\\'7", `$'\033[2J\012\\\'7'`},
		{"\xff1", `$'\3771'`},
	} {
		got := ShellWord(tt[0])
		if got != tt[1] {
			t.Errorf("%q: got %s, want %s", tt[0], got, tt[1])
		}
		bash, err := exec.LookPath("bash")
		if err != nil {
			continue
		}
		if out, err := exec.Command(bash, "-c", "printf %s "+got).Output(); err != nil || string(out) != tt[0] {
			t.Errorf("%q: the shell reads %q (%v)", tt[0], out, err)
		}
	}
	for path, want := range map[string]string{"-rf": "./-rf", "-r f": "'./-r f'", "a-b": "a-b"} {
		if got := ShellPath(path); got != want {
			t.Errorf("%q: got %s, want %s", path, got, want)
		}
	}
}
