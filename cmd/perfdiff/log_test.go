package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"perfdiff/analyze/synth"
	"perfdiff/render"
)

var (
	lineEnd    = regexp.MustCompile(`\r\n|\r|\n`)
	nowCommand = regexp.MustCompile(`^::([\w-]+)(?: [^:]*)?::(.*)$`)
	oldCommand = regexp.MustCompile(`##\[([\w-]+)[^\]]*\]`)
)

// obeyed are the commands that the runner of GitHub Actions takes out of a stream, and those
// that it would if it did not know that it should not.
func obeyed(text string) (taken, possible []string) {
	token := ""
	for _, line := range lineEnd.Split(text, -1) {
		name, data := "", ""
		if m := nowCommand.FindStringSubmatch(strings.TrimSpace(line)); m != nil {
			name, data = m[1], m[2]
		} else if m := oldCommand.FindStringSubmatch(line); m != nil {
			name = m[1]
		}
		switch {
		case name == "":
		case token != "" && name == token:
			token = ""
		case name == "stop-commands" && token == "":
			token = data
		default:
			possible = append(possible, line)
			if token == "" {
				taken = append(taken, name)
			}
		}
	}
	if token != "" {
		taken = append(taken, "not resumed")
	}
	return taken, possible
}

// TestLogCommands: no name out of a profile is a command to the runner that prints it, and
// the verdict's annotations are.
func TestLogCommands(t *testing.T) {
	t.Setenv("GITHUB_ACTIONS", "true")
	for i, name := range []string{"step ##[error]PLANT", "aa ::error::T iter", "##[add-mask]", "::stop-commands::x", "\u00a0::add-mask::y", "x\r::error::z"} {
		dir, _ := writeEdited(t, "aa", synth.Nsight, strings.NewReplacer("ranks: 4", "ranks: 2", "steps: 30", "steps: 12"))
		sql := strings.ReplaceAll(name, "'", "''")
		for _, side := range []string{"baseline", "candidate"} {
			alter(t, filepath.Join(dir, side), "UPDATE NVTX_EVENTS SET text = '"+sql+" ' || substr(text, 6) WHERE text LIKE 'step %'; UPDATE StringIds SET value = '"+sql+"' || value WHERE value LIKE '%kernel%' OR value LIKE '%gemm%'")
		}
		from, to := filepath.Join(dir, "baseline"), filepath.Join(dir, fmt.Sprintf("x##[group]%d ::error::q", i))
		if err := os.Rename(from, to); err != nil {
			t.Fatal(err)
		}
		writeFile(t, filepath.Join(to, "::error::##[error].sqlite"), "SQLite format 3\x00 damaged")
		cand := filepath.Join(dir, "candidate")
		for _, args := range [][]string{{to, cand}, {to, cand, "-q"}, {"steps", to, cand}, {"check", to}, {"summarize", to, "-o", filepath.Join(dir, "x.perfdiff")}, {to, cand, "--strict"}, {to + "no", cand}, {to, cand, "-o", "-", "--format", "markdown"}, {to, cand, "-o", "-", "--format", "text"}} {
			var stdout, stderr strings.Builder
			run(t.Context(), args, &stdout, &stderr)
			for stream, text := range map[string]string{"stdout": stdout.String(), "stderr": stderr.String()} {
				taken, possible := obeyed(text)
				for _, line := range possible {
					if !strings.HasPrefix(line, "::notice title=perfdiff") && !strings.HasPrefix(line, "::warning title=perfdiff") && !strings.HasPrefix(line, "::error title=perfdiff") {
						t.Errorf("%q: %s: %s: could be a command: %q", name, args, stream, line)
					}
				}
				if len(taken) != len(possible) {
					t.Errorf("%q: %s: %s: obeyed %q of %q", name, args, stream, taken, possible)
				}
				summary := stream == "stdout" && len(args) < 4 && args[len(args)-1] != "-q" && args[0] != to+"no" && args[len(args)-1] != "--strict"
				if stops := strings.Contains("\n"+text, "\n::stop-commands::"); stops != summary && stream == "stdout" {
					t.Errorf("%q: %s: %s: stops commands: %v: %s", name, args, stream, stops, text)
				}
			}
		}
	}
}

// TestLogTokens: whoever writes a profile cannot know what resumes commands.
func TestLogTokens(t *testing.T) {
	t.Setenv("GITHUB_ACTIONS", "true")
	dir := writeStory(t, "no-steps", synth.Nsight)
	seen := map[string]bool{}
	for range 3 {
		out, _ := mustRun(t, statusNotJudged, sides(dir)...)
		m := regexp.MustCompile(`(?m)^::stop-commands::(\w{20,})$`).FindStringSubmatch(out)
		if m == nil || seen[m[1]] || !strings.HasSuffix(out, "\n::"+m[1]+"::\n") || strings.Index(out, "::error title") > strings.Index(out, m[1]) {
			t.Fatalf("got %s", out)
		}
		seen[m[1]] = true
	}
}

// TestLogForPrograms: what a program reads from standard output has no lines of ours, and
// means what it meant.
func TestLogForPrograms(t *testing.T) {
	t.Setenv("GITHUB_ACTIONS", "true")
	for _, args := range [][]string{{"--version"}, {"--help"}, {"policy"}} {
		if out, _ := mustRun(t, statusOK, args...); strings.Contains(out, "::stop-commands") {
			t.Errorf("%s: got %s", args, out)
		}
	}
	var out bytes.Buffer
	log := newBuildLog(&out, &out)
	const text = `{"a": "x##[error]y"}` + "\n"
	if _, err := forPrograms(log.out, render.JSON).Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	var doc map[string]string
	if err := json.Unmarshal(out.Bytes(), &doc); err != nil || doc["a"] != "x##[error]y" || strings.Contains(out.String(), "##[") {
		t.Errorf("got %s (%v)", out.String(), err)
	}
}
