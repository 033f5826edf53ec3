//go:build unix

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"perfdiff/analyze/shard"
	"perfdiff/analyze/synth"
	"perfdiff/golden"
)

// clusterPrograms are what TestCluster starts, on Debian from slurm-wlm, openmpi-bin, mpich, iproute2
// and hostname.
var clusterPrograms = []string{"slurmctld", "slurmd", "srun", "sbatch", "salloc", "squeue", "scontrol", "mpirun.openmpi", "mpirun.mpich", "unshare", "ip", "hostname", "bash"}

// clusterLimit ends a cluster that hangs. On two cores with nothing else to do it takes 25 s.
const clusterLimit = 8 * time.Minute

// TestCluster runs shards on a real Slurm of four nodes, of which some are lost, and holds what is
// seen to golden/cluster.txt. make cluster and make test ask for it.
func TestCluster(t *testing.T) {
	if os.Getenv("PERFDIFF_CLUSTER") == "" {
		t.Skip("starts a Slurm of its own: make cluster asks for it")
	}
	for _, name := range clusterPrograms {
		if _, err := exec.LookPath(name); err != nil {
			t.Skipf("%s is not here: left out", name)
		}
	}
	dir := t.TempDir()
	set := filepath.Join(writeStory(t, "o-direct", synth.Nsight), "baseline")
	work := filepath.Join(dir, "work")
	if err := os.Mkdir(work, 0o755); err != nil {
		t.Fatal(err)
	}
	at, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	scripts := filepath.Join(at, ".cluster")
	ctx, cancel := context.WithTimeout(t.Context(), clusterLimit)
	defer cancel()
	cmd := exec.CommandContext(ctx, filepath.Join(scripts, "slurm.sh"), "run", filepath.Join(dir, "slurm"), "4", "4",
		filepath.Join(scripts, "cases.sh"), set, work, filepath.Join(at, ".github", "examples"))
	cmd.Env = []string{"PATH=" + buildPerfdiff(t) + ":" + os.Getenv("PATH"), "HOME=" + dir, "LC_ALL=C"} // none of a Slurm around this
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	cmd.WaitDelay = 10 * time.Second
	err = cmd.Run()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && exit.ExitCode() == 77 {
		t.Skip(strings.TrimSpace(stderr.String()))
	}
	if err != nil {
		t.Fatalf("%v\n%s\n%s", err, stdout.String(), stderr.String())
	}
	text := "What becomes of shards on a real Slurm of four nodes (make cluster).\n\n" + launcherTable(t, filepath.Join(work, "env")) + "\n" + stdout.String()
	for _, wrong := range []string{"OTHER BYTES", "FAILED"} {
		if strings.Contains(text, wrong) {
			t.Errorf("got %q in\n%s\n%s", wrong, text, stderr.String())
		}
	}
	golden.Compare(t, filepath.Join(root, "golden"), "cluster.txt", []byte(text))
	t.Log("\n" + text)
}

// launcherTable says which shards processes took by what launchers really set: env holds a file for
// each process, whose name begins with that of the launcher.
func launcherTable(t *testing.T, env string) string {
	t.Helper()
	files, err := os.ReadDir(env)
	if err != nil {
		t.Fatal(err)
	}
	processes := map[string][]environment{}
	for _, f := range files {
		text, err := os.ReadFile(filepath.Join(env, f.Name()))
		if err != nil {
			t.Fatal(err)
		}
		name, _, _ := strings.Cut(f.Name(), ".")
		processes[name] = append(processes[name], environmentOf(string(text)))
	}
	var b strings.Builder
	b.WriteString("a  which shards processes have\n")
	for _, name := range []string{"srun", "sbatch", "salloc", "array", "array-3,5", "array-1-15:7", "array-with-srun", "openmpi", "mpich"} {
		list := processes[name]
		if len(list) == 0 {
			t.Errorf("%s started no process", name)
		}
		fmt.Fprintf(&b, "   %s, processes: %d\n", name, len(list))
		fmt.Fprintf(&b, "    without a plan: %s\n    a plan of 16:   %s\n", shardsOf(list, 0), shardsOf(list, 16))
	}
	return b.String()
}

// environment is what a process was given.
type environment map[string]string

func environmentOf(text string) environment {
	env := environment{}
	for line := range strings.Lines(text) {
		if name, value, ok := strings.Cut(strings.TrimRight(line, "\n"), "="); ok {
			env[name] = value
		}
	}
	return env
}

func (env environment) lookup(name string) (string, bool) {
	value, ok := env[name]
	return value, ok
}

// shardsOf are the shards that processes choose, or what the first of those is told that may choose none.
func shardsOf(list []environment, planned int) string {
	var got, refused []string
	for _, env := range list {
		s, err := shard.Choose(shard.Auto, env.lookup, planned)
		if err != nil {
			refused = append(refused, strings.ReplaceAll(err.Error(), "SLURM_JOB_ID="+env["SLURM_JOB_ID"], "SLURM_JOB_ID=N"))
			continue
		}
		got = append(got, fmt.Sprintf("%d/%d", s.Index, s.Count))
	}
	slices.Sort(got)
	slices.Sort(refused)
	if len(refused) > 0 {
		got = append(got, fmt.Sprintf("%d refused, the first: %s", len(refused), refused[0]))
	}
	return strings.Join(got, " ")
}
