package recipe

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

// had are the options of nsys profile that versions have, among those that recipes might use:
// the first two as nsys profile --help prints them, the others as the user guides list them.
var had = map[Version][]string{
	{2022, 4}: {"--capture-range", "--capture-range-end", "--cpuctxsw", "--cuda-graph-trace", "--force-overwrite", "--gpu-metrics-device", "--mpi-impl",
		"--nic-metrics", "--output", "--sample", "--trace", "--osrt-threshold"},
	{2023, 4}: {"--capture-range", "--capture-range-end", "--cpuctxsw", "--cuda-graph-trace", "--flush-on-cudaprofilerstop", "--force-overwrite",
		"--gpu-metrics-device", "--mpi-impl", "--nic-metrics", "--output", "--sample", "--trace", "--osrt-threshold"},
	{2024, 7}: {"--capture-range", "--capture-range-end", "--cpuctxsw", "--cuda-graph-trace", "--force-overwrite", "--gpu-metrics-devices", "--mpi-impl",
		"--nic-metrics", "--output", "--sample", "--trace", "--osrt-threshold"},
	{2026, 2}: {"--capture-range", "--capture-range-end", "--cpuctxsw", "--cuda-graph-trace", "--force-overwrite", "--gpu-metrics-devices", "--mpi-impl",
		"--nic-metrics", "--osrt-file-access", "--output", "--sample", "--storage-metrics", "--trace", "--osrt-threshold"},
}

// rankOf and localOf are the variables that launchers set, as they were seen to or as their
// sources have them.
var rankOf = map[string]string{"slurm": "SLURM_PROCID", "torchrun": "RANK", "openmpi": "OMPI_COMM_WORLD_RANK", "mpich": "PMI_RANK",
	"pbs": "PALS_RANKID", "kubernetes": "RANK"}
var localOf = map[string]string{"slurm": "SLURM_LOCALID", "torchrun": "LOCAL_RANK", "openmpi": "OMPI_COMM_WORLD_LOCAL_RANK", "mpich": "MPI_LOCALRANKID",
	"pbs": "PALS_LOCAL_RANKID", "kubernetes": "LOCAL_RANK"}

// each calls f with every recipe of the table: profilers, launchers, versions, all ranks or some,
// and names that a shell and Python would take for something else.
func each(t *testing.T, f func(t *testing.T, q Request, parts map[Kind]string)) {
	t.Helper()
	count := 0
	for _, launcher := range Launchers() {
		for _, profiler := range Profilers() {
			for _, version := range []Version{{2022, 4}, {2023, 4}, {2024, 7}, {2025, 5}, {2026, 2}, {2027, 1}} {
				for _, ranks := range [][]int{nil, {1, 3, 9}} {
					q := Default()
					q.Profiler, q.Launcher, q.Version, q.Ranks = Profiler(profiler), launcher, version, ranks
					if ranks != nil {
						q.Nodes, q.Dir, q.Command = 3, `my "dir" $HOME`, []string{"python", "train it.py", "--name", `it's $5; "x"`}
					}
					all, err := Of(q)
					if err != nil {
						t.Fatal(err)
					}
					parts := map[Kind]string{}
					for _, p := range all {
						parts[p.Kind] = p.Text
					}
					t.Run(fmt.Sprintf("%s %s %s %d", launcher, profiler, version, len(ranks)), func(t *testing.T) { f(t, q, parts) })
					count++
				}
			}
		}
	}
	if count != 6*2*6*2 {
		t.Errorf("%d recipes", count)
	}
}

var option = regexp.MustCompile(`(?m)(?:^|\s)(--[a-z][a-z-]*)`)

// TestOptions: a script has only options that its version has, with values in the form of that
// version, and all that perfdiff reads.
func TestOptions(t *testing.T) {
	each(t, func(t *testing.T, q Request, parts map[Kind]string) {
		script := parts[Script]
		if (script != "") != (q.Profiler == Nsight) {
			t.Fatalf("got the script %q", script)
		}
		if script == "" {
			return
		}
		begin, end := strings.Index(script, "options=("), strings.Index(script, "exec nsys profile")
		if begin < 0 || end < begin {
			t.Fatal(script)
		}
		var used []string
		for line := range strings.Lines(script[begin:end]) {
			line, _, _ = strings.Cut(line, " #")
			for _, m := range option.FindAllStringSubmatch(line, -1) {
				used = append(used, m[1])
			}
		}
		list, known := had[q.Version]
		for _, name := range used {
			of := map[string]string{"--storage-devices": "--storage-metrics"}[name] // what that option takes
			if known && !slices.Contains(list, name) && !slices.Contains(list, of) {
				t.Errorf("nsys %s has no %s", q.Version, name)
			}
		}
		for _, name := range []string{"--trace", "--capture-range", "--capture-range-end", "--sample", "--cpuctxsw", "--output", "--nic-metrics", "--osrt-file-access", "--storage-metrics"} {
			if slices.Contains(list, name) != slices.Contains(used, name) && known {
				t.Errorf("%s of nsys %s: used %v", name, q.Version, slices.Contains(used, name))
			}
		}
		nic := "--nic-metrics=true"
		if !q.Version.less(Version{2026, 2}) {
			nic = "--nic-metrics=lf"
		}
		if !strings.Contains(script, nic) || strings.Contains(script, "--mpi-impl") != slices.Contains([]string{"openmpi", "mpich", "pbs"}, q.Launcher) {
			t.Errorf("got\n%s", script)
		}
	})
}

// tools puts programs of some names on PATH that write down how they were called.
func tools(t *testing.T, names ...string) (dir string) {
	t.Helper()
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("there is no bash here")
	}
	dir = t.TempDir()
	for _, name := range names {
		text := "#!" + bash + "\nprintf '%s\\n' " + name + " \"$@\" >>called\n"
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
	t.Chdir(dir)
	return dir
}

// called runs a shell script with some variables, and returns the words of what it called.
func called(t *testing.T, script string, env ...string) []string {
	t.Helper()
	os.Remove("called")
	cmd := exec.CommandContext(t.Context(), "bash", "-s", "more words")
	cmd.Stdin, cmd.Env = strings.NewReader(script), append(os.Environ(), env...)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s\n%s", err, out, script)
	}
	text, err := os.ReadFile("called")
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
}

// TestScript: the script of a rank, run, calls nsys with the rank of its launcher in the name, with
// the counters of the node on one rank of each, and the program with its arguments; ranks that are
// not recorded run the program alone.
func TestScript(t *testing.T) {
	dir := tools(t, "nsys", "python")
	each(t, func(t *testing.T, q Request, parts map[Kind]string) {
		script := parts[Script]
		if script == "" {
			return
		}
		t.Chdir(dir)
		script = strings.ReplaceAll(script, mounted+"/", "volume/")
		if q.Version != oldest && q.Version != newest {
			cmd := exec.CommandContext(t.Context(), "bash", "-n")
			cmd.Stdin = strings.NewReader(script)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v: %s", err, out)
			}
			return
		}
		program := append(slices.Clone(q.Command), "more words")
		for _, rank := range []int{0, 1, 2, 3, 8, 9} {
			env := []string{fmt.Sprintf("%s=%d", rankOf[q.Launcher], rank), fmt.Sprintf("%s=%d", localOf[q.Launcher], rank%8)}
			got := called(t, script, env...)
			recorded := q.Ranks == nil || slices.Contains(q.Ranks, rank)
			if !recorded {
				if !slices.Equal(got, program) {
					t.Errorf("rank %d, which is not recorded: got %q", rank, got)
				}
				continue
			}
			node := slices.Contains(got, "--nic-metrics=true") || slices.Contains(got, "--nic-metrics=lf")
			wantNode := rank%8 == 0
			if q.Ranks != nil {
				wantNode = rank == 1 || rank == 9
			}
			out := "--output=" + q.Dir + "/report.%q{" + rankOf[q.Launcher] + "}"
			if q.Launcher == kubernetes {
				out = strings.Replace(out, "=", "=volume/", 1)
			}
			if len(got) < 12 || got[0] != "nsys" || got[1] != "profile" || !slices.Contains(got, out) || node != wantNode || !slices.Equal(got[len(got)-len(program):], program) {
				t.Errorf("rank %d: got %q", rank, got)
			}
			if st, err := os.Stat(strings.TrimPrefix(strings.TrimPrefix(out, "--output="), "")[:strings.LastIndex(out, "/")-len("--output=")]); err != nil || !st.IsDir() {
				t.Errorf("the directory of reports is not made: %v", err)
			}
		}
		cmd := exec.CommandContext(t.Context(), "bash", "-s")
		cmd.Stdin = strings.NewReader(script)
		if out, err := cmd.CombinedOutput(); err == nil || !strings.Contains(string(out), "is not set") {
			t.Errorf("without a launcher: %v, %s", err, out)
		}
	})
}

// TestStart: the command that starts the ranks is a shell's, and starts as many as there are; the
// manifest is YAML with an index for each node.
func TestStart(t *testing.T) {
	dir := tools(t, "srun", "mpirun", "mpiexec", "torchrun")
	each(t, func(t *testing.T, q Request, parts map[Kind]string) {
		if q.Version != newest {
			return // on which the start does not depend
		}
		t.Chdir(dir)
		start := parts[Start]
		if q.Launcher == kubernetes {
			start = commandOfManifest(t, start, &q)
		}
		got := called(t, start, "JOB_COMPLETION_INDEX=1")
		all, per := fmt.Sprint(q.Nodes*q.PerNode), fmt.Sprint(q.PerNode)
		nodes := fmt.Sprint(q.Nodes)
		want := map[string][]string{
			"slurm":      {"srun", "--nodes=" + nodes, "--ntasks-per-node=" + per},
			"torchrun":   {"torchrun", "--nnodes", nodes, "--nproc-per-node", per, "--rdzv-backend", "c10d", "--rdzv-endpoint", "node-0:29500", "--no-python"},
			"openmpi":    {"mpirun", "-n", all, "--map-by", "ppr:" + per + ":node"},
			"mpich":      {"mpiexec", "-n", all, "-ppn", per},
			"pbs":        {"mpiexec", "-n", all, "--ppn", per},
			"kubernetes": {"torchrun", "--nnodes", nodes, "--nproc-per-node", per, "--node-rank", "1", "--master-addr", "train-0.train", "--master-port", "29500", "--no-python"},
		}[q.Launcher]
		if q.Profiler == Nsight {
			want = append(want, "bash", scriptName)
		} else {
			want = append(want, q.Command...)
		}
		if !slices.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
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
			all, err := Of(q)
			if err != nil {
				t.Fatal(err)
			}
			for _, rank := range []int{1, 2} {
				cases = append(cases, codeCase{q, rankOf[q.Launcher], rank, q.Last + 4, all[0].Text})
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
		dir := q.Dir
		if q.Launcher == kubernetes {
			dir = "/profiles/" + dir
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
		`profiler "perf": must be one of nsys, pytorch`:                                         func(q *Request) { q.Profiler = "perf" },
		`launcher "ray": must be one of slurm, `:                                                func(q *Request) { q.Launcher = "ray" },
		"nsys 2021.3: the options of versions before 2022.4 are not known: record with a newer": func(q *Request) { q.Version = Version{2021, 3} },
		"steps 9-3: must be two numbers from 0 on":                                              func(q *Request) { q.First, q.Last = 9, 3 },
		"0 nodes with 8 ranks each":                                                             func(q *Request) { q.Nodes = 0 },
		`directory "a%q{HOME}": must be a path without % and line breaks`:                       func(q *Request) { q.Dir = "a%q{HOME}" },
		`directory "-x": must be`:                                                               func(q *Request) { q.Dir = "-x" },
		"there is no program to record":                                                         func(q *Request) { q.Command = nil },
		`"a\nb": an argument of the program must not hold a line break`:                         func(q *Request) { q.Command = []string{"x", "a\nb"} },
	} {
		q := Default()
		change(&q)
		if _, err := Of(q); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	q := Default()
	q.Profiler, q.Version = PyTorch, Version{2021, 3}
	if _, err := Of(q); err != nil {
		t.Errorf("PyTorch needs no nsys: %v", err)
	}
}

// TestVersions: versions are read as nsys prints them and as directories are called.
func TestVersions(t *testing.T) {
	for s, want := range map[string]Version{"2024.5": {2024, 5}, "2024.5.1.113": {2024, 5}, "2025.10.2": {2025, 10},
		"2024.5.1.113-245134619542v0": {2024, 5}, "NVIDIA Nsight Systems version 2024.5.1.113-245134619542v0": {2024, 5}} {
		if v, err := ReadVersion(s); err != nil || v != want {
			t.Errorf("%s: got %v, %v", s, v, err)
		}
	}
	for _, s := range []string{"", "2024", "v2024.5", "24.5", "2024.123"} {
		if v, err := ReadVersion(s); err == nil {
			t.Errorf("%s: got %v", s, v)
		}
	}
	for path, want := range map[string]Version{
		"/opt/nvidia/nsight-systems/2025.3.2/target-linux-x64/nsys":           {2025, 3},
		"/group/cuda-12.9.1/nsight-systems-2025.1.3/target-linux-x64/nsys":    {2025, 1},
		`C:\Program Files\NVIDIA Corporation\NsightSystems-2024.6.2\nsys.exe`: {2024, 6},
		"/usr/local/cuda-12.4/bin/nsys":                                       {},
	} {
		if v, ok := VersionOfPath(path); v != want || ok != (want != Version{}) {
			t.Errorf("%s: got %v, %v", path, v, ok)
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

// TestHeads: what a version cannot record is said above the recipe, and that a newer one than is
// known may have more.
func TestHeads(t *testing.T) {
	for v, want := range map[Version]string{
		{2024, 7}: "# Without --osrt-file-access, which nsys has from 2025.5 on: reads have times and no bytes.\n",
		{2026, 2}: "",
		{2027, 1}: "# The newest version whose options are known is 2026.2; this one may have others.\n",
	} {
		q := Default()
		q.Version = v
		parts, err := Of(q)
		if err != nil {
			t.Fatal(err)
		}
		head, _, _ := strings.Cut(Text(q, parts), "\n# ----")
		if !strings.Contains(head, "# Nsight Systems "+v.String()+", under Slurm: steps 11 to 60 of all ranks.\n"+want) || want == "" && strings.Count(head, "\n") != 1 {
			t.Errorf("%s: got\n%s", v, head)
		}
	}
}
