//go:build unix

package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// recorder writes a program that gives the next of some runs each time that it is called.
func (p *project) recorder(name string, runs ...string) string {
	p.Helper()
	path := filepath.Join(p.dir, name)
	script := "#!/bin/sh\nset -e\necho recording \"$1\"\ncase $1 in\n"
	for i, dir := range runs {
		script += "  */run" + string(rune('1'+i)) + ") cp '" + dir + "'/* \"$1\" ;;\n"
	}
	if err := os.WriteFile(path, []byte(script+"  *) exit 7 ;;\nesac\n"), 0o755); err != nil {
		p.Fatal(err)
	}
	return path
}

// TestStoreRecord: the gate records one run, two more where that one looks slower, and says
// what went wrong with it.
func TestStoreRecord(t *testing.T) {
	p := newProject(t)
	for i := range 5 {
		p.push(100+i, 1)
	}
	same, slow := p.recorder("same.sh", p.run(200, 1)), p.recorder("slow.sh", p.run(201, 1.2), p.run(202, 1.2), p.run(203, 1.2))
	nothing := filepath.Join(p.dir, "nothing.sh")
	writeFile(t, nothing, "#!/bin/sh\nexit 0\n")
	if err := os.Chmod(nothing, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name, record, flags string
		want, runs          int
		say                 string
	}{
		{"unchanged", same, "--escalate", statusOK, 1, "as 5 past runs do"},
		{"slower", slow, "--escalate", statusRegressed, 3, "5 and 3 runs"},
		{"slower, and one run decides", slow, "", statusRegressed, 1, "SLOWER"},
		{"slower, and the further runs fail", p.recorder("once.sh", p.run(204, 1.2)), "--escalate", statusError, 2, "once.sh: exit status 7 (it must write one profile for each rank"},
		{"nothing recorded", nothing, "", statusError, 1, "it has left nothing in cand-"},
		{"no such command", filepath.Join(p.dir, "absent.sh"), "", statusError, 0, "absent.sh: cannot be run: no such file or directory"},
		{"no such command on PATH", "perfdiff-record-absent", "", statusError, 0, "perfdiff-record-absent: cannot be run: executable file not found in $PATH"},
	} {
		cand := filepath.Join(p.dir, "cand-"+tt.name)
		status, out, stderr := p.gate(cand, append(strings.Fields(tt.flags), "--record", tt.record)...)
		entries, _ := os.ReadDir(cand)
		if status != tt.want || len(entries) != tt.runs || !strings.Contains(out+stderr, tt.say) || strings.Contains(out, "recording") {
			t.Errorf("%s: exit %d want %d, %d runs want %d, %q: %s %s", tt.name, status, tt.want, len(entries), tt.runs, tt.say, out, stderr)
		}
	}
	if status, _, stderr := p.gate(filepath.Join(p.dir, "cand-unchanged"), "--record", same); status != statusError || !strings.Contains(stderr, "cand-unchanged: is there already, and --record writes new runs into it") {
		t.Errorf("a second time: exit %d: %s", status, stderr)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if status := run(ctx, []string{"gate", "--store", p.store, filepath.Join(p.dir, "late"), "--record", same}, &strings.Builder{}, &strings.Builder{}); status != statusInterrupted {
		t.Errorf("interrupted: exit %d", status)
	}
}
