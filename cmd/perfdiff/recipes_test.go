//go:build unix

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"perfdiff/analyze/synth"
)

// exampleFile is the path of an example.
func exampleFile(t *testing.T, name string) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join(root, ".github", "examples", name))
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// writeProgram writes a program.
func writeProgram(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
}

// runScript runs a script with an environment and no other. After two minutes all that it started
// is ended: launchers wait for ever for machines that are not there.
func runScript(t *testing.T, dir string, env []string, args ...string) {
	t.Helper()
	cmd := exec.Command("timeout", append([]string{"--kill-after=5", "120", "bash"}, args...)...)
	cmd.Dir, cmd.Env = dir, append(env, "HOME="+dir, "LC_ALL=C")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", args, err, out)
	}
}

// sameAsOne holds a merged run set to what one process measures.
func sameAsOne(t *testing.T, set, merged string) {
	t.Helper()
	one := filepath.Join(t.TempDir(), "one.perfdiff")
	mustRun(t, statusOK, "summarize", "-q", set, "-o", one)
	want, _ := os.ReadFile(one)
	if got, err := os.ReadFile(merged); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s: got %d bytes, %v, want the %d bytes of one process", merged, len(got), err, len(want))
	}
}

// nsysStandIn copies the profile of this rank, without its ending, to the name that nsys is asked for.
const nsysStandIn = `#!/bin/bash
[ "$2" = --help ] && echo --capture-range && exit
for option; do case $option in --output=*) out=${option#*=} ;; esac; done
cp "$SOURCE"/*."${out##*.}".sqlite "$out.sqlite"
`

// torchrunStandIn starts what torchrun would on one node, with the variables that it documents. An
// option that it does not document fails.
const torchrunStandIn = `#!/bin/bash
set -eu
for option; do
  case $option in
  --nnodes=*) nodes=${option#*=} ;;
  --nproc_per_node=*) each=${option#*=} ;;
  --rdzv_backend=c10d | --rdzv_endpoint=*:*) ;;
  --no_python) ;;
  -*) echo "torchrun: $option" >&2; exit 2 ;;
  *) break ;;
  esac
  shift
done
for i in $(seq 0 $((each - 1))); do
  export LOCAL_RANK=$i RANK=$((NODE * each + i)) WORLD_SIZE=$((nodes * each)) TORCHELASTIC_RUN_ID=none GROUP_RANK=$NODE
  "$@"
done
`

// TestShellRecipes runs the examples for PBS and torchrun, with MPICH as the MPI and a stand-in for
// torchrun. Those for Slurm are run by TestCluster.
func TestShellRecipes(t *testing.T) {
	if _, err := exec.LookPath("timeout"); err != nil {
		t.Skip("the examples are for Linux")
	}
	bin := buildPerfdiff(t)
	path := "PATH=" + bin + ":" + os.Getenv("PATH")
	set := filepath.Join(writeStory(t, "o-direct", synth.Nsight), "baseline")
	t.Run("pbs", func(t *testing.T) {
		if _, err := exec.LookPath("mpiexec.mpich"); err != nil {
			t.Skip("MPICH is not here")
		}
		writeProgram(t, filepath.Join(bin, "mpiexec"), "#!/bin/sh\nexec mpiexec.mpich \"$@\"\n") // a link would not find its helpers
		dir := t.TempDir()
		writeProgram(t, filepath.Join(bin, "nsys"), nsysStandIn)
		writeProgram(t, filepath.Join(dir, "profile.sh"), printed(t, "record", "--launcher", "mpich", "--only", "profile"))
		nodes := filepath.Join(dir, "nodes")
		writeProgram(t, nodes, strings.Repeat("a\n", 8)+strings.Repeat("b\n", 8))
		runScript(t, dir, []string{path, "PBS_O_WORKDIR=" + dir, "PBS_NODEFILE=" + nodes, "HYDRA_LAUNCHER=fork", "LOCAL=" + filepath.Join(dir, "baseline"), "SOURCE=" + set}, exampleFile(t, "pbs.sh"))
		sameAsOne(t, set, filepath.Join(dir, "run.perfdiff"))
	})
	t.Run("torchrun", func(t *testing.T) {
		writeProgram(t, filepath.Join(bin, "torchrun"), torchrunStandIn)
		dir := t.TempDir()
		parts := filepath.Join(dir, "parts")
		writeProgram(t, filepath.Join(dir, "profile.sh"), printed(t, "record", "--launcher", "torchrun", "--profiler", "pytorch", "--only", "profile",
			"--", "sh", "-c", `cp "$SOURCE"/*.$RANK.* "$PERFDIFF_OUT"`))
		for node := range 2 {
			runScript(t, dir, []string{path, "NNODES=2", fmt.Sprintf("NODE=%d", node), "MASTER=host:29500", "PARTS=" + parts, "SOURCE=" + set,
				"LOCAL=" + filepath.Join(dir, fmt.Sprint(node), "baseline")}, exampleFile(t, "torchrun.sh"))
		}
		merged := filepath.Join(dir, "run.perfdiff")
		mergeBy(t, bin, parts, merged)
		sameAsOne(t, set, merged)
	})
	t.Run("torchrun, seen by all", func(t *testing.T) {
		text, err := os.ReadFile(exampleFile(t, "torchrun.sh"))
		if err != nil {
			t.Fatal(err)
		}
		line := regexp.MustCompile(`(?m)^#   (torchrun .*\\)\n#     (.*)$`).FindStringSubmatch(string(text))
		if line == nil {
			t.Fatalf("the example has no line for profiles that all nodes see:\n%s", text)
		}
		writeProgram(t, filepath.Join(bin, "torchrun"), torchrunStandIn)
		dir := t.TempDir()
		if err := os.Symlink(set, filepath.Join(dir, "profiles")); err != nil {
			t.Fatal(err)
		}
		runScript(t, dir, []string{path, "NODE=0"}, "-c", "group=(--nnodes=1)\n"+line[1]+"\n"+line[2])
		merged := filepath.Join(dir, "run.perfdiff")
		mergeBy(t, bin, filepath.Join(dir, "parts"), merged)
		if parts, err := filepath.Glob(filepath.Join(dir, "parts", "*")); len(parts) != 4 {
			t.Errorf("got parts %v, %v, want 4", parts, err)
		}
	})
}

// mergeBy merges with the program that measured: it knows of its commit, and the test does not.
func mergeBy(t *testing.T, bin, parts, merged string) {
	t.Helper()
	if out, err := exec.Command(filepath.Join(bin, "perfdiff"), "merge", parts, "-o", merged).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
}

// Fields that Kubernetes and the MPI operator document, as far as the examples use them: any other
// is an error. kubernetes.io/docs/reference/kubernetes-api/workload-resources/job-v1 and the CRD in
// kubeflow/mpi-operator, deploy/v2beta1.
type (
	manifest[T any] struct {
		APIVersion string `yaml:"apiVersion"`
		Kind       string
		Metadata   struct{ Name string }
		Spec       T
	}
	jobSpec struct {
		CompletionMode       string `yaml:"completionMode"`
		Completions          int
		Parallelism          int
		BackoffLimitPerIndex *int `yaml:"backoffLimitPerIndex"`
		MaxFailedIndexes     *int `yaml:"maxFailedIndexes"`
		PodFailurePolicy     struct {
			Rules []struct {
				Action      string
				OnExitCodes *struct {
					ContainerName string `yaml:"containerName"`
					Operator      string
					Values        []int
				} `yaml:"onExitCodes"`
				OnPodConditions []struct{ Type, Status string } `yaml:"onPodConditions"`
			}
		} `yaml:"podFailurePolicy"`
		Template podTemplate
	}
	mpiJobSpec struct {
		SlotsPerWorker    int    `yaml:"slotsPerWorker"`
		MPIImplementation string `yaml:"mpiImplementation"`
		RunPolicy         struct {
			CleanPodPolicy string `yaml:"cleanPodPolicy"`
			BackoffLimit   int    `yaml:"backoffLimit"`
		} `yaml:"runPolicy"`
		MPIReplicaSpecs struct {
			Launcher replicas `yaml:"Launcher"`
			Worker   replicas `yaml:"Worker"`
		} `yaml:"mpiReplicaSpecs"`
	}
	replicas struct {
		Replicas int
		Template podTemplate
	}
	podTemplate struct {
		Spec struct {
			RestartPolicy   string `yaml:"restartPolicy"`
			SecurityContext struct {
				RunAsNonRoot bool `yaml:"runAsNonRoot"`
				RunAsUser    int  `yaml:"runAsUser"`
			} `yaml:"securityContext"`
			Containers []struct {
				Name, Image   string
				Command, Args []string
				Resources     struct {
					Requests, Limits struct{ CPU, Memory string }
				}
				VolumeMounts []struct {
					Name      string
					MountPath string `yaml:"mountPath"`
				} `yaml:"volumeMounts"`
			}
			Volumes []struct {
				Name                  string
				PersistentVolumeClaim struct {
					ClaimName string `yaml:"claimName"`
				} `yaml:"persistentVolumeClaim"`
			}
		}
	}
)

// readManifest reads an example strictly.
func readManifest[T any](t *testing.T, name string) manifest[T] {
	t.Helper()
	text, err := os.ReadFile(exampleFile(t, name))
	if err != nil {
		t.Fatal(err)
	}
	var m manifest[T]
	if err := yaml.UnmarshalWithOptions(text, &m, yaml.Strict()); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return m
}

// mounts holds that what a pod mounts is a volume of it, and that the profiles are among it.
func mounts(t *testing.T, pod podTemplate) {
	t.Helper()
	for _, c := range pod.Spec.Containers {
		for _, m := range c.VolumeMounts {
			if m.MountPath != "/profiles" || len(pod.Spec.Volumes) != 1 || pod.Spec.Volumes[0].Name != m.Name {
				t.Errorf("container %s mounts %s, and its pod has %v", c.Name, m.Name, pod.Spec.Volumes)
			}
		}
	}
}

func TestKubernetesJob(t *testing.T) {
	m := readManifest[jobSpec](t, "kubernetes-job.yaml")
	s := m.Spec
	if m.APIVersion != "batch/v1" || m.Kind != "Job" || s.CompletionMode != "Indexed" || s.Completions < s.Parallelism || s.Parallelism < 1 {
		t.Errorf("got %+v, want an Indexed Job", m)
	}
	if s.BackoffLimitPerIndex == nil || s.MaxFailedIndexes == nil || s.Template.Spec.RestartPolicy != "Never" { // each needs the one before
		t.Errorf("got %+v: tries for each index need restartPolicy: Never", s)
	}
	c := s.Template.Spec.Containers[0]
	for _, r := range s.PodFailurePolicy.Rules {
		switch {
		case r.OnExitCodes != nil && (r.Action != "FailIndex" || r.OnExitCodes.Operator != "In" || fmt.Sprint(r.OnExitCodes.Values) != "[2 65]" || r.OnExitCodes.ContainerName != c.Name):
			t.Errorf("got %+v, want FailIndex for what no other try mends, of %s", r.OnExitCodes, c.Name)
		case r.OnExitCodes == nil && (r.Action != "Ignore" || r.OnPodConditions[0].Type != "DisruptionTarget"):
			t.Errorf("got %+v, want that an eviction is no try", r)
		}
	}
	mounts(t, s.Template)
	dir := t.TempDir()
	if err := os.CopyFS(filepath.Join(dir, "candidate"), os.DirFS(filepath.Join(writeStory(t, "o-direct", synth.Nsight), "candidate"))); err != nil {
		t.Fatal(err)
	}
	mustRun(t, statusOK, "plan", "-q", filepath.Join(dir, "candidate"), "--shards", "4", "-o", filepath.Join(dir, "plan.json"))
	for i := range 4 {
		t.Setenv("JOB_COMPLETION_INDEX", fmt.Sprint(i))
		mustRun(t, statusOK, inDir(c.Args, dir)...)
	}
	merged := filepath.Join(dir, "candidate.perfdiff")
	mustRun(t, statusOK, "merge", filepath.Join(dir, "parts"), "-o", merged)
	sameAsOne(t, filepath.Join(dir, "candidate"), merged)
}

// inDir has the arguments of a container with another directory in place of its volume.
func inDir(args []string, dir string) []string {
	out := make([]string, len(args))
	for i, a := range args {
		out[i] = strings.Replace(a, "/profiles", dir, 1)
	}
	return out
}

func TestMPIJob(t *testing.T) {
	m := readManifest[mpiJobSpec](t, "kubernetes-mpijob.yaml")
	s := m.Spec
	launcher, worker := s.MPIReplicaSpecs.Launcher, s.MPIReplicaSpecs.Worker
	if m.APIVersion != "kubeflow.org/v2beta1" || m.Kind != "MPIJob" || s.MPIImplementation != "OpenMPI" || launcher.Replicas != 1 || s.RunPolicy.CleanPodPolicy != "Running" {
		t.Errorf("got %+v, want an MPIJob with one launcher", m)
	}
	c := launcher.Template.Spec.Containers[0]
	slots := worker.Replicas * s.SlotsPerWorker
	options, args := c.Args[:5], c.Args[6:]
	if c.Command[0] != "mpirun" || c.Args[5] != "perfdiff" || strings.Join(options, " ") != fmt.Sprintf("--mca orte_abort_on_non_zero_status 0 -n %d", slots) {
		t.Errorf("got %v %v, want mpirun with an option by which other shards end, -n %d and perfdiff", c.Command, c.Args, slots)
	}
	mounts(t, worker.Template)
	dir := t.TempDir()
	if err := os.CopyFS(filepath.Join(dir, "candidate"), os.DirFS(filepath.Join(writeStory(t, "aa", synth.Nsight), "candidate"))); err != nil {
		t.Fatal(err)
	}
	t.Setenv("OMPI_COMM_WORLD_SIZE", "2")
	for i := range 2 {
		t.Setenv("OMPI_COMM_WORLD_RANK", fmt.Sprint(i))
		mustRun(t, statusOK, inDir(args, dir)...)
	}
	mustRun(t, statusOK, "merge", filepath.Join(dir, "parts"), "-o", filepath.Join(dir, "candidate.perfdiff"))
}
