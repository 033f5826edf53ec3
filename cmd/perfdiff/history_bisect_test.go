//go:build unix

package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"perfdiff/analyze"
	"perfdiff/analyze/store"
)

// trainer stands in for a job: a run of the commit that is checked out, whose step time stands in a file of it.
const trainer = `mkdir -p "$1" && awk "BEGIN { for (i = 1; i <= 16; i++)
printf \" iteration %d/ 16 | elapsed time per iteration (ms): %.4f | lm loss: 1.0\\n\", i, $(cat step_ms) * $NOISE * (1 + (i * 7 % 5 - 2) / 1000) }" > "$1/train.log"
`

// bisected is a repository of 17 commits, of which the last 16 follow those of main's runs in a store.
type bisected struct {
	*testing.T
	random  *rand.Rand
	commits []string
	runs    int
}

func (b *bisected) sh(line string) string {
	b.Helper()
	out, err := exec.Command("sh", "-c", line).CombinedOutput()
	if err != nil {
		b.Fatalf("%s: %v: %s", line, err, out)
	}
	return strings.TrimSpace(string(out))
}

// train records a run of what is checked out, of which runs differ by 1 %.
func (b *bisected) train() (dir string) {
	b.Helper()
	b.runs++
	dir = fmt.Sprintf("runs/%d", b.runs)
	b.sh(fmt.Sprintf("NOISE=%.6f sh train.sh %s", math.Exp(0.01*b.random.NormFloat64()), dir))
	return dir
}

// newBisected makes a repository in which a commit makes steps slower by so many percent, 0 none, with 20 runs of its
// first commit and some of its last, enough for a change to be told if there is one.
func newBisected(t *testing.T, slow int, by float64) *bisected {
	b := &bisected{T: t, random: rand.New(rand.NewPCG(11, uint64(slow)))}
	t.Chdir(t.TempDir())
	b.sh("git init -q . && git config user.email a@example.org && git config user.name a && echo runs > .gitignore && printf 'perf\\nrun\\nrun.count\\ngood\\nprofile.sh\\n' >> .gitignore")
	if err := os.WriteFile("train.sh", []byte(trainer), 0o600); err != nil {
		t.Fatal(err)
	}
	for i := range 17 {
		step := 100.0
		if slow > 0 && i >= slow {
			step = 100 + by
		}
		b.sh(fmt.Sprintf("echo %g > step_ms && git add . && git commit -q --allow-empty -m %d", step, i))
		b.commits = append(b.commits, b.sh("git rev-parse HEAD"))
	}
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	after := map[bool]int{true: 6, false: 1}[slow > 0]
	for i := range 20 + after {
		commit := b.commits[i/20*16]
		if i%20 == 0 {
			b.sh("git checkout -q " + commit)
		}
		set, err := analyze.Load(context.Background(), b.train(), newCommand().Load)
		if err != nil {
			t.Fatal(err)
		}
		setOrigin(set, analyze.Origin{Commit: commit})
		if _, err := store.Save("perf", set, store.Saving{Now: at.AddDate(0, 0, i)}); err != nil {
			t.Fatal(err)
		}
	}
	return b
}

// TestBisect runs commits as perfdiff says, until it has found the one that made main slower, or says that none did.
func TestBisect(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("there is no git")
	}
	for slow, want := range map[int]string{11: "found", 0: "none"} {
		t.Run(want, func(t *testing.T) {
			b := newBisected(t, slow, 4)
			args := []string{"history", "bisect", "perf"}
			if slow == 0 {
				if _, stderr := mustRun(t, statusError, args...); !strings.Contains(stderr, "no change of step time is open: name a range with --between A..B") {
					t.Errorf("got %s", stderr)
				}
				args = append(args, "--between", b.commits[0][:9]+".."+b.commits[16])
			}
			said, _ := mustRun(t, statusOK, args...)
			first, added := strings.Fields(said), 0
			for ; first[0] == "run" && added < 30; added++ {
				b.sh("git checkout -q " + first[1])
				said, _ = mustRun(t, anyVerdict, append(args, "--add", b.train(), "--commit", first[1])...)
				first = strings.Fields(said)
			}
			again, _ := mustRun(t, map[string]int{"found": statusRegressed, "none": statusNotJudged}[want], args...)
			if again != said || first[0] != want || slow > 0 && first[1] != b.commits[slow] {
				t.Errorf("after %d runs: %s, want %s %s", added, said, want, b.commits[slow])
			}
			mustRun(t, statusOK, "history", "verify", "perf")
			mustRun(t, statusOK, "history", "verify", filepath.Join("perf", store.BisectDir))
		})
	}
}

// TestBisectScripts runs the scripts of the topic ci in such a repository.
func TestBisectScripts(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("there is no git")
	}
	t.Setenv("PATH", buildPerfdiff(t)+string(os.PathListSeparator)+os.Getenv("PATH"))
	b := newBisected(t, 6, 10)
	b.sh("echo 1 > run.count && git checkout -q " + b.commits[0])
	const profile = "#!/bin/sh\nn=$(cat run.count); echo $((n+1)) > run.count; NOISE=1.00$((n*37%10))$n sh train.sh \"$1\"\n" // each run another
	if err := os.WriteFile("profile.sh", []byte(profile), 0o700); err != nil {
		t.Fatal(err)
	}
	for i, noise := range []float64{0.995, 1, 1.005} {
		b.sh(fmt.Sprintf("NOISE=%g sh train.sh good/%d", noise, i+1))
	}
	names := strings.NewReplacer("44ab01c", b.commits[0], "9e1f2c0", b.commits[16])
	for begin, want := range map[string]string{"next=": "found " + b.commits[6], "git bisect start": b.commits[6] + " is the first bad commit"} {
		script := regexp.MustCompile(`(?m)^    ` + begin + `.*\n(?:    .*\n)+`).FindString(topicText("ci"))
		if out := b.sh(names.Replace(script)); !strings.Contains(out, want) {
			t.Errorf("%s: got %s, want %s", begin, out, want)
		}
	}
}
