package recipe

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

// rankOf and localOf are the variables that launchers set, as they were seen to or as their
// sources have them.
var rankOf = map[string]string{"slurm": "SLURM_PROCID", "torchrun": "RANK", "openmpi": "OMPI_COMM_WORLD_RANK", "mpich": "PMI_RANK",
	"pbs": "PALS_RANKID", "kubernetes": "RANK"}
var localOf = map[string]string{"slurm": "SLURM_LOCALID", "torchrun": "LOCAL_RANK", "openmpi": "OMPI_COMM_WORLD_LOCAL_RANK", "mpich": "MPI_LOCALRANKID",
	"pbs": "PALS_LOCAL_RANKID", "kubernetes": "LOCAL_RANK"}

// each calls f with every recipe of the table: launchers, profilers, all ranks or some, and names that a shell and
// Python would take for something else.
func each(t *testing.T, f func(t *testing.T, q Request, parts map[Kind]string)) {
	t.Helper()
	for _, launcher := range Launchers() {
		for _, profiler := range Profilers() {
			for _, ranks := range [][]int{nil, {1, 2, 3}} {
				q := Default()
				q.Profiler, q.Launcher, q.Ranks, q.PerNode = Profiler(profiler), launcher, ranks, 2
				if ranks != nil {
					q.Command = []string{"python", "train it.py", "--name", `it's $5; "x"`}
				}
				t.Run(fmt.Sprintf("%s %s %d", launcher, profiler, len(ranks)), func(t *testing.T) { f(t, q, partsOf(t, q)) })
			}
		}
	}
}

func partsOf(t *testing.T, q Request) map[Kind]string {
	t.Helper()
	all, err := Of(q)
	if err != nil {
		t.Fatal(err)
	}
	parts := map[Kind]string{}
	for _, p := range all {
		parts[p.Kind] = p.Text
	}
	return parts
}

// TestManifest: the manifest is YAML with an index for each node, and its pods run the script.
func TestManifest(t *testing.T) {
	each(t, func(t *testing.T, q Request, parts map[Kind]string) {
		if (parts[Manifest] != "") != (q.Launcher == kubernetes) {
			t.Errorf("got the manifest %q", parts[Manifest])
		} else if parts[Manifest] != "" {
			if got := commandOfManifest(t, parts[Manifest], &q); got != "bash profile.sh /profiles/baseline" {
				t.Errorf("got %s", got)
			}
		}
	})
}

// commandOfManifest is what the pods of a manifest run, which has what an indexed job must have.
func commandOfManifest(t *testing.T, text string, q *Request) string {
	t.Helper()
	var service, job struct {
		APIVersion string `yaml:"apiVersion"`
		Kind       string
		Metadata   struct{ Name string }
		Spec       struct {
			ClusterIP      string `yaml:"clusterIP"`
			CompletionMode string `yaml:"completionMode"`
			Completions    int
			Parallelism    int
			Template       struct {
				Spec struct {
					Subdomain     string
					RestartPolicy string `yaml:"restartPolicy"`
					Containers    []struct {
						Command, Args []string
						Resources     struct{ Limits map[string]int }
						VolumeMounts  []struct {
							Name, MountPath string `yaml:",omitempty"`
						} `yaml:"volumeMounts"`
					}
					Volumes []struct{ Name string }
				}
			}
		}
	}
	d := yaml.NewDecoder(bytes.NewReader([]byte(text)))
	for _, into := range []any{&service, &job} {
		if err := d.Decode(into); err != nil {
			t.Fatal(err, text)
		}
	}
	pod := job.Spec.Template.Spec
	if service.Kind != "Service" || service.APIVersion != "v1" || service.Spec.ClusterIP != "None" || service.Metadata.Name != pod.Subdomain {
		t.Errorf("service: %+v", service)
	}
	if job.APIVersion != "batch/v1" || job.Kind != "Job" || job.Spec.CompletionMode != "Indexed" || job.Spec.Completions != q.Nodes ||
		job.Spec.Parallelism != q.Nodes || pod.RestartPolicy != "Never" || len(pod.Containers) != 1 || len(pod.Volumes) != 1 {
		t.Fatalf("job: %+v", job)
	}
	c := pod.Containers[0]
	if c.Resources.Limits["nvidia.com/gpu"] != q.PerNode || len(c.VolumeMounts) != 1 || c.VolumeMounts[0].Name != pod.Volumes[0].Name ||
		!slices.Equal(c.Command, []string{"bash", "-c"}) || len(c.Args) != 1 {
		t.Fatalf("container: %+v", c)
	}
	return c.Args[0]
}

// stub is a torch that writes down what it is asked, and runs code of recipes under it, each with
// a rank and a loader of some batches.
const stub = `
import json, os, sys, types
log = []
torch = types.ModuleType("torch")
cuda = torch.cuda = types.SimpleNamespace()
cuda.synchronize = lambda: None
cuda.profiler = types.SimpleNamespace(start=lambda: log.append("start"), stop=lambda: log.append("stop"))
cuda.nvtx = types.SimpleNamespace(range_push=lambda s: log.append("push " + s), range_pop=lambda: log.append("pop"))
class profile:
    def __init__(self, schedule, on_trace_ready): log.append(schedule + " " + on_trace_ready)
    def __enter__(self): return self
    def __exit__(self, *a): log.append("exit")
    def step(self): log.append("step")
tp = types.ModuleType("torch.profiler")
tp.profile = profile
tp.schedule = lambda wait, warmup, active, repeat: f"schedule {wait} {warmup} {active} {repeat}"
tp.tensorboard_trace_handler = lambda d, worker_name, use_gzip: f"{d} {worker_name} {use_gzip}"
sys.modules["torch"], sys.modules["torch.profiler"] = torch, tp
for case in json.load(sys.stdin):
    log.clear()
    os.environ[case["variable"]] = str(case["rank"])
    os.environ.pop("PERFDIFF_OUT", None)
    if case["rank"]: os.environ["PERFDIFF_OUT"] = "out"
    exec(compile(case["code"], "train.py", "exec"), {"loader": range(case["batches"]), "train": lambda batch: log.append("train")})
    del os.environ[case["variable"]]
    print(json.dumps(log))
`

// codeCase is one run of the code of a recipe.
type codeCase struct {
	q        Request
	Variable string `json:"variable"`
	Rank     int    `json:"rank"`
	Batches  int    `json:"batches"`
	Code     string `json:"code"`
}

// TestCode: the code, run, marks every step with a range that ends and captures those that are
// asked for; the schedule of the PyTorch profiler waits for exactly those before them.
func TestCode(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("there is no python3 here")
	}
	var cases []codeCase
	each(t, func(t *testing.T, q Request, _ map[Kind]string) {
		for _, steps := range [][2]int{{q.First, q.Last}, {0, 3}, {1, 1}, {2, 9}} {
			q.First, q.Last = steps[0], steps[1]
			for _, rank := range []int{0, 2} {
				cases = append(cases, codeCase{q, rankOf[q.Launcher], rank, q.Last + 4, partsOf(t, q)[Code]})
			}
		}
	})
	asked, err := json.Marshal(cases)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), python, "-c", stub)
	cmd.Stdin = bytes.NewReader(asked)
	out, err := cmd.CombinedOutput()
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	if err != nil || len(lines) != len(cases) {
		t.Fatalf("%v: %d of %d ran: %s\n%s", err, len(lines)-1, len(cases), out, cases[min(len(lines), len(cases))-1].Code)
	}
	for i, c := range cases {
		var got []string
		if err := json.Unmarshal([]byte(lines[i]), &got); err != nil {
			t.Fatal(err)
		}
		if want := wantLog(&c.q, c.Rank); !slices.Equal(got, want) {
			t.Fatalf("rank %d: got\n%s\nwant\n%s\nof\n%s", c.Rank, got, want, c.Code)
		}
	}
}

// wantLog is what the stub must have been asked.
func wantLog(q *Request, rank int) (log []string) {
	recorded := q.Ranks == nil || slices.Contains(q.Ranks, rank)
	if q.Profiler == PyTorch && recorded {
		warm := min(2, q.First)
		dir := "out"
		if rank == 0 {
			dir = q.dir()
		}
		log = append(log, fmt.Sprintf("schedule %d %d %d 1 %s rank%d True", q.First-warm, warm, q.Last-q.First+1, dir, rank))
	}
	for step := range q.Last + 4 {
		switch {
		case q.Profiler == Nsight && step == q.First:
			log = append(log, "start")
			fallthrough
		case q.Profiler == Nsight:
			log = append(log, fmt.Sprintf("push step %d", step), "train", "pop")
			if step == q.Last {
				log = append(log, "stop")
			}
		case recorded:
			log = append(log, "train", "step")
		default:
			log = append(log, "train")
		}
	}
	if q.Profiler == PyTorch && recorded {
		log = append(log, "exit")
	}
	return log
}

// TestRefused: what no recipe can be written for is an error that says why.
func TestRefused(t *testing.T) {
	for want, change := range map[string]func(q *Request){
		`profiler "perf": must be one of nsys, pytorch`:                 func(q *Request) { q.Profiler = "perf" },
		`launcher "ray": must be one of slurm, `:                        func(q *Request) { q.Launcher = "ray" },
		"steps 9-3: must be two numbers from 0 on":                      func(q *Request) { q.First, q.Last = 9, 3 },
		"0 nodes with 8 ranks each":                                     func(q *Request) { q.Nodes = 0 },
		"there is no program to record":                                 func(q *Request) { q.Command = nil },
		`"a\nb": an argument of the program must not hold a line break`: func(q *Request) { q.Command = []string{"x", "a\nb"} },
	} {
		q := Default()
		change(&q)
		if _, err := Of(q); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

// TestFewSteps: fewer steps than a gate wants are told, with how many are better.
func TestFewSteps(t *testing.T) {
	for last, few := range map[int]bool{21: true, 22: false} {
		q := Default()
		q.Last = last
		if got := strings.Contains(Text(q, nil), "Better: --steps 11-60.\n"); got != few {
			t.Errorf("steps 11-%d: told %v", last, got)
		}
	}
}
