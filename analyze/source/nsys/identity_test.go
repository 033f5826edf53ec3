package nsys

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"perfdiff/analyze/source/build"
	"perfdiff/analyze/source/nsys/table"
	"perfdiff/analyze/synth/nsystest"
	"perfdiff/analyze/trace"
)

func TestRank(t *testing.T) {
	const slurm = `INSERT INTO META_DATA_CAPTURE VALUES ('PROCESS_0:ENVIRONMENT_VARIABLE', 'SLURM_PROCID="3"'),
		('PROCESS_0:ENVIRONMENT_VARIABLE', 'SLURM_NTASKS="16"'), ('PROCESS_0:ENVIRONMENT_VARIABLE', 'TOKEN="secret"')`
	const name = `INSERT INTO StringIds VALUES (50, 'MPI Rank 5'); INSERT INTO ThreadNames VALUES (50, $T)`
	const mpi = `INSERT INTO MPI_RANKS VALUES ($T, 6), ($U, 7)`
	const nccl = `INSERT INTO META_DATA_EXPORT VALUES ('EXPORT_PARAM_INCLUDE_JSON', 'true');
		INSERT INTO NVTX_EVENTS VALUES (1, 2, 59, 'ncclCommInitRank', NULL, 0, $T, '{"Rank": 9, "No. of ranks": 32}'),
		(1, 2, 59, 'ncclCommInitRank', NULL, 0, $T, '{"Rank": 1, "No. of ranks": 8}'), (1, 2, 59, 'x', NULL, 0, $T, '{"Rank":')`
	tests := []struct {
		name  string
		rows  []string
		rank  int
		from  string
		world int
	}{
		{"nothing", nil, -1, "", 0},
		{"environment", []string{slurm}, 3, "SLURM_PROCID", 16},
		{"mpirun inside Slurm", []string{slurm, `INSERT INTO TARGET_INFO_SYSTEM_ENV VALUES
			('DeviceEnvironment', 'HOME=/root;OMPI_COMM_WORLD_RANK=2;OMPI_COMM_WORLD_SIZE=4')`}, 2, "OMPI_COMM_WORLD_RANK", 4},
		{"torchrun", []string{`INSERT INTO TARGET_INFO_SYSTEM_ENV VALUES ('DeviceEnvironment', 'RANK=1;WORLD_SIZE=2')`}, 1, "RANK", 2},
		{"torchrun inside Slurm", []string{strings.ReplaceAll(slurm, `"3"`, `"0"`), `INSERT INTO TARGET_INFO_SYSTEM_ENV VALUES
			('DeviceEnvironment', 'RANK=5;WORLD_SIZE=16')`}, 5, "RANK", 16},
		{"nodes for torchrun inside Slurm", []string{slurm, `INSERT INTO TARGET_INFO_SYSTEM_ENV VALUES ('DeviceEnvironment', 'RANK=1;WORLD_SIZE=2')`}, 3, "SLURM_PROCID", 16},
		{"RANK without a size inside Slurm", []string{slurm, `INSERT INTO TARGET_INFO_SYSTEM_ENV VALUES ('DeviceEnvironment', 'RANK=1')`}, 3, "SLURM_PROCID", 16},
		{"not a number", []string{`INSERT INTO TARGET_INFO_SYSTEM_ENV VALUES ('DeviceEnvironment', 'RANK=-1;SLURM_PROCID=x;PMI_RANK=99999999999')`}, -1, "", 0},
		{"thread name", []string{slurm, name}, 5, "thread name MPI Rank 5", 16},
		{"range of type thread name", []string{`INSERT INTO NVTX_EVENTS VALUES (1, NULL, 39, 'MPI Rank 4', NULL, 0, $T, NULL)`}, 4, "thread name MPI Rank 4", 0},
		{"two thread names", []string{name, `INSERT INTO StringIds VALUES (51, 'MPI Rank 8'); INSERT INTO ThreadNames VALUES (51, $T)`}, -1, "", 0},
		{"MPI", []string{slurm, name, mpi}, 6, "MPI_RANKS", 16},
		{"NCCL", []string{slurm, name, mpi, nccl}, 9, "NCCL communicator", 32},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			id := readSmall(t, append(tt.rows, nsystest.KernelRow)...).Identity
			if id.Rank != tt.rank || id.RankFrom != tt.from || id.WorldSize != tt.world {
				t.Errorf("got %d from %q of %d want %d from %q of %d", id.Rank, id.RankFrom, id.WorldSize, tt.rank, tt.from, tt.world)
			}
		})
	}
}

func TestEnvironmentIsOfOneRank(t *testing.T) {
	traces := read(t, nsystest.Export(t, nsystest.KernelRow, `INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (100, 200, 0, 7, 1, $Q, 0);
		INSERT INTO META_DATA_CAPTURE VALUES ('PROCESS_0:ENVIRONMENT_VARIABLE', 'RANK="3"')`))
	for _, x := range traces {
		if x.Identity.Rank != -1 {
			t.Errorf("rank of process %d: got %d want none: the variable is of their parent", x.Identity.Process, x.Identity.Rank)
		}
	}
}

func TestFacts(t *testing.T) {
	x := readSmall(t, nsystest.KernelRow, `INSERT INTO TARGET_INFO_SYSTEM_ENV VALUES ('Hostname', 'node1'), ('CudaDriverVersion', '12040'),
		('NvDriverVersion', '550.54'), ('CpuDescription', 'unknown'), ('OsDescription', 'Linux'), ('DeviceEnvironment', 'USER=me;SECRET=1');
		INSERT INTO META_DATA_EXPORT VALUES ('EXPORT_PRODUCT_VERSION', '2025.1'), ('EXPORT_PARAM_INPUT_FILE', '/home/me/run.3.nsys-rep'), ('EXPORT_USER', 'me');
		INSERT INTO META_DATA_CAPTURE VALUES ('CUDA_GRAPH_TRACE_OPTIONS:MODE', 'Node'), ('PROCESS_0:COMMAND', '/home/me/train.py');
		INSERT INTO TARGET_INFO_GPU VALUES (0, 1, 'other', 1), (1, 0, 'wrong', 1), (2, 3, 'right', 80);
		INSERT INTO TARGET_INFO_CUDA_DEVICE VALUES (2, 0, 4242)`)
	var got []string
	for _, f := range x.Facts {
		got = append(got, f.Key+"="+f.Value)
	}
	want := "cuda=12.4 driver=550.54 environment=recorded gpu=right gpu_memory=80 graph_mode=node os=Linux profiler=Nsight Systems 2025.1"
	if got := strings.Join(got, " "); got != want {
		t.Errorf("facts: got %s want %s", got, want)
	}
	if x.Identity.Host != "node1" || x.Identity.Report != "run.3.nsys-rep" {
		t.Errorf("identity: got %+v want host node1, report run.3.nsys-rep", x.Identity)
	}
}

func TestGPU(t *testing.T) {
	a, b := build.GPU{Ordinal: 1, Name: "A", Memory: 8}, build.GPU{ID: 1, Name: "B", Memory: 8}
	tests := []struct {
		name  string
		facts facts
		want  string
	}{
		{"none", facts{}, ""},
		{"by ordinal", facts{gpus: build.GPUs{a, b}}, "B"},
		{"only", facts{gpus: build.GPUs{a}}, "A"},
		{"equal", facts{gpus: build.GPUs{a, {ID: 2, Ordinal: 2, Name: "A", Memory: 8}}}, "A"},
		{"different", facts{gpus: build.GPUs{a, {ID: 2, Ordinal: 2, Name: "B", Memory: 8}}}, ""},
		{"map to nothing", facts{gpus: build.GPUs{a}, gpuOf: map[cudaDevice]int64{{1, 0}: 7}}, "A"},
	}
	for _, tt := range tests {
		if got, _ := tt.facts.gpu(cudaDevice{1, 0}); got.Name != tt.want {
			t.Errorf("%s: got %q want %q", tt.name, got.Name, tt.want)
		}
	}
}

func TestDiagnostics(t *testing.T) {
	x := readSmall(t, nsystest.KernelRow, `INSERT INTO DIAGNOSTIC_EVENT VALUES (1, 'fine'), (2, 'CUPTI buffer was lost.'), (2, 'CUPTI buffer was lost'), (2, 'Not all NVTX events might have been collected.'),
		(3, 'cannot open "/home/me/my file.txt" or C:\Users\me, TOKEN=abc123')`)
	var got []string
	for _, w := range x.Warnings {
		got = append(got, w.Text)
	}
	want := []string{
		"the profiler gave 1 error of source unknown, not repeated here since such text can hold names (read it in Nsight Systems)",
		"the profiler warned: CUPTI buffer was lost (2 times)",
		"the profiler warned: Not all NVTX events might have been collected",
	}
	if !slices.Equal(got, want) {
		t.Errorf("warnings: got %q want %q", got, want)
	}
}

func TestClock(t *testing.T) {
	const start, duration = 1_700_000_000_000_000_000, 1000
	tests := []struct {
		name                   string
		start, duration, shift int64
		normalized             bool
		from, to, epoch        int64
	}{
		{"session", start, duration, 0, false, 0, duration, start},
		{"unknown", table.Null, table.Null, table.Null, false, 0, table.Null, trace.NoTime},
		{"shifted", start, duration, 500, false, 500, 1500, start - 500},
		{"UTC", start, duration, 0, true, start, start + duration, 0},
		{"UTC shifted", start, duration, -7, true, start - 7, start - 7 + duration, 7},
		{"hostile", -1, 1 << 62, 1 << 62, false, 0, table.Null, trace.NoTime},
	}
	for _, tt := range tests {
		w := newWindow(tt.start, tt.duration, tt.shift, tt.normalized)
		if w.from != tt.from || w.to != tt.to || w.epoch != tt.epoch {
			t.Errorf("%s: got %d to %d, epoch %d want %d to %d, %d", tt.name, w.from, w.to, w.epoch, tt.from, tt.to, tt.epoch)
		}
	}
}

func TestWithoutVersion(t *testing.T) {
	for name, want := range map[string]string{
		"cudaLaunchKernel_v7000": "cudaLaunchKernel", "cuLaunchKernel": "cuLaunchKernel", "a_v": "a_v", "_v12": "_v12",
		"cudaMemcpyAsync_ptsz_v7000": "cudaMemcpyAsync_ptsz", "cuMemAlloc_v2": "cuMemAlloc", "x_v1b": "x_v1b", "": "",
	} {
		if got := withoutVersion(name); got != want {
			t.Errorf("withoutVersion(%q): got %q want %q", name, got, want)
		}
	}
}

// TestThreadNames: threads have the names that the system or the program gives them, the latter
// before the former; those of other processes are theirs.
func TestThreadNames(t *testing.T) {
	x := readSmall(t, nsystest.KernelRow, `INSERT INTO StringIds VALUES (50, 'python'), (51, 'loader_3 '), (52, '...'), (53, 'other');
		INSERT INTO ThreadNames VALUES (50, $T), (51, $T + 1), (52, $T + 2), (53, $U)`,
		`INSERT INTO NVTX_EVENTS VALUES (1, NULL, 39, 'trainer', NULL, 0, $T, NULL)`)
	main := thread(nsystest.Tid)
	want := map[int32]string{main: "trainer", main + 1: "loader_3"}
	if !maps.Equal(x.Threads, want) {
		t.Errorf("got %v, want %v", x.Threads, want)
	}
	if x := readSmall(t, nsystest.KernelRow); x.Threads != nil {
		t.Errorf("without names: got %v", x.Threads)
	}
}
