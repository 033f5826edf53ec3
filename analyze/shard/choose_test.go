package shard

import (
	"fmt"
	"strings"
	"testing"
)

// vars is an environment of "NAME=VALUE" pairs.
func vars(text string) func(string) (string, bool) {
	env := map[string]string{}
	for _, field := range strings.Fields(text) {
		name, value, _ := strings.Cut(field, "=")
		env[name] = value
	}
	return func(name string) (string, bool) { value, ok := env[name]; return value, ok }
}

// Environments as launchers were seen to set them, or document them.
const (
	envStep    = "SLURM_JOB_ID=7 SLURM_PROCID=3 SLURM_NTASKS=8 SLURM_STEP_NUM_TASKS=8 SLURM_STEP_ID=0 SLURM_NODEID=1 SLURM_LOCALID=1"
	envBatch   = "SLURM_JOB_ID=7 SLURM_PROCID=0 SLURM_NTASKS=8 SLURM_NODEID=0 SLURM_LOCALID=0"
	envSalloc  = "SLURM_JOB_ID=7 SLURM_NTASKS=8"
	envShell   = "SLURM_JOB_ID=7 SLURM_PROCID=0 SLURM_NTASKS=8 SLURM_STEP_NUM_TASKS=1 SLURM_STEP_ID=4294967290"
	envArray   = "SLURM_JOB_ID=7 SLURM_PROCID=0 SLURM_NTASKS=1 SLURM_ARRAY_TASK_ID=3 SLURM_ARRAY_TASK_COUNT=8 SLURM_ARRAY_TASK_MIN=0 SLURM_ARRAY_TASK_MAX=7 SLURM_ARRAY_TASK_STEP=1"
	envRerun   = "SLURM_JOB_ID=9 SLURM_PROCID=0 SLURM_ARRAY_TASK_ID=5 SLURM_ARRAY_TASK_COUNT=2 SLURM_ARRAY_TASK_MIN=3 SLURM_ARRAY_TASK_MAX=5 SLURM_ARRAY_TASK_STEP=1"
	envHoles   = "SLURM_JOB_ID=9 SLURM_PROCID=0 SLURM_ARRAY_TASK_ID=8 SLURM_ARRAY_TASK_COUNT=3 SLURM_ARRAY_TASK_MIN=1 SLURM_ARRAY_TASK_MAX=15 SLURM_ARRAY_TASK_STEP=7"
	envFirst   = "SLURM_ARRAY_TASK_ID=0 SLURM_ARRAY_TASK_COUNT=1 SLURM_ARRAY_TASK_MIN=0 SLURM_ARRAY_TASK_MAX=0 SLURM_ARRAY_TASK_STEP=1"
	envBoth    = "SLURM_PROCID=1 SLURM_NTASKS=4 SLURM_STEP_NUM_TASKS=4"
	envOpenMPI = "OMPI_COMM_WORLD_RANK=5 OMPI_COMM_WORLD_SIZE=8 OMPI_UNIVERSE_SIZE=2 PMIX_RANK=5"
	envMPICH   = "PMI_RANK=5 PMI_SIZE=8 MPI_LOCALRANKID=1 MPI_LOCALNRANKS=2"
	envPALS    = "PALS_RANKID=5 PMI_RANK=5 PMI_SIZE=8 PALS_LOCAL_RANKID=1 PALS_NODEID=2"
	envPod     = "JOB_COMPLETION_INDEX=5"
	envTorch   = "RANK=5 WORLD_SIZE=8 LOCAL_RANK=1 TORCHELASTIC_RUN_ID=a"
	envOne     = "SLURM_PROCID=0 SLURM_NTASKS=1 SLURM_STEP_NUM_TASKS=1"
)

// choices are what is asked, where, and what comes of it: "I/N", "local", or parts of the error,
// one a line.
var choices = []struct {
	name, arg, env string
	planned        int
	want           string
}{
	{"step of srun", Auto, envStep, 0, "3/8"},
	{"step, planned", Auto, envStep, 8, "3/8"},
	{"step, other plan", Auto, envStep, 64, "SLURM_PROCID=3, SLURM_STEP_NUM_TASKS=8\nthe plan has 64 shards\n--shards 8"},
	{"batch script", Auto, envBatch, 0, "SLURM_PROCID=0, SLURM_NTASKS=8\nstart it with srun"},
	{"batch script, planned", Auto, envBatch, 8, "start it with srun"},
	{"batch script of one task", Auto, "SLURM_JOB_ID=7 SLURM_PROCID=0 SLURM_NTASKS=1", 0,
		"SLURM_JOB_ID=7, SLURM_PROCID=0, SLURM_NTASKS=1\nsrun\n--shard I/N"},
	{"shell of salloc", Auto, envSalloc, 0, "SLURM_NTASKS=8\nstart it with srun"},
	{"shell of salloc that is a step", Auto, envShell, 0, "SLURM_STEP_NUM_TASKS=1\nstart it with srun"},
	{"srun -n1", Auto, envOne, 0, "0/1"},
	{"srun -n1, planned", Auto, envOne, 8, "SLURM_STEP_NUM_TASKS=1\nthe plan has 8 shards"},
	{"array", Auto, envArray, 0, "3/8"},
	{"array, planned", Auto, envArray, 64, "3/64"},
	{"array beyond plan", Auto, envArray, 3, "SLURM_ARRAY_TASK_ID=3\nthe plan has 3 shards, 0 to 2"},
	{"array 3,5", Auto, envRerun, 0, "SLURM_ARRAY_TASK_ID=5, SLURM_ARRAY_TASK_COUNT=2\nSLURM_ARRAY_TASK_MIN=3\n--plan"},
	{"array 3,5, planned", Auto, envRerun, 8, "5/8"},
	{"array 1-15:7", Auto, envHoles, 0, "SLURM_ARRAY_TASK_STEP=7\n--plan"},
	{"array 0 alone", Auto, envFirst, 0, "SLURM_ARRAY_TASK_COUNT=1\n--plan"},
	{"array 0 alone, planned", Auto, envFirst, 8, "0/8"},
	{"array of two tasks each, once", Auto, envArray + " SLURM_NTASKS=2", 0, "3/8"},
	{"array and step", Auto, envArray + " " + envBoth, 0, "SLURM_PROCID=1, SLURM_STEP_NUM_TASKS=4\nSLURM_ARRAY_TASK_ID=3\n--shard I/N"},
	{"array and step, planned", Auto, envArray + " " + envBoth, 8, "SLURM_ARRAY_TASK_ID=3\n--shard I/N"},
	{"array and step of one", Auto, envArray + " SLURM_STEP_NUM_TASKS=1", 0, "3/8"},
	{"array and MPI", Auto, envArray + " " + envOpenMPI, 8, "OMPI_COMM_WORLD_RANK=5\nSLURM_ARRAY_TASK_ID=3"},
	{"Open MPI", Auto, envOpenMPI, 0, "5/8"},
	{"Open MPI in a batch script", Auto, envBatch + " " + envOpenMPI, 0, "5/8"},
	{"Open MPI whose helpers srun started", Auto, envOpenMPI + " " + envBoth, 0, "5/8"},
	{"MPI of one process in steps", Auto, envStep + " OMPI_COMM_WORLD_RANK=0 OMPI_COMM_WORLD_SIZE=1", 0, "3/8"},
	{"MPI of one process", Auto, "PMI_RANK=0 PMI_SIZE=1", 0, "0/1"},
	{"MPICH", Auto, envMPICH, 0, "5/8"},
	{"MPICH in a batch script", Auto, envBatch + " " + envMPICH, 0, "5/8"},
	{"PALS", Auto, envPALS, 0, "5/8"},
	{"PALS of two numbers", Auto, "PALS_RANKID=2 PMI_RANK=3 PMI_SIZE=4", 0, "PALS_RANKID=2, PMI_RANK=3 number\n--shard I/N"},
	{"Open MPI of two numbers", Auto, "OMPI_COMM_WORLD_RANK=1 OMPI_COMM_WORLD_SIZE=4 PMIX_RANK=2", 0, "OMPI_COMM_WORLD_RANK=1, PMIX_RANK=2 number\n--shard I/N"},
	{"PALS without a count", Auto, "PALS_RANKID=5", 0, "PALS_RANKID=5\n--plan"},
	{"PALS without a count, planned", Auto, "PALS_RANKID=5", 8, "5/8"},
	{"PMIx through srun", Auto, envStep + " PMIX_RANK=3", 0, "3/8"},
	{"PMIx alone", Auto, "PMIX_RANK=3", 0, "PMIX_RANK=3\nnothing says of how many"},
	{"pod", Auto, envPod, 0, "JOB_COMPLETION_INDEX=5\nnothing says of how many\n--plan"},
	{"pod, planned", Auto, envPod, 8, "5/8"},
	{"pod beyond plan", Auto, envPod, 5, "JOB_COMPLETION_INDEX=5\n0 to 4"},
	{"MPI in a pod", Auto, envPod + " " + envMPICH, 8, "JOB_COMPLETION_INDEX=5\nPMI_RANK=5"},
	{"torchrun", Auto, envTorch, 0, "RANK=5, WORLD_SIZE=8\n$RANK/$WORLD_SIZE"},
	{"PBS array", Auto, "PBS_ARRAY_INDEX=3", 8, "PBS_ARRAY_INDEX=3\n$PBS_ARRAY_INDEX/N"},
	{"GNU parallel", Auto, "PARALLEL_SEQ=1", 8, "PARALLEL_SEQ=1\n--shard {}/N"},
	{"nothing", Auto, "", 8, "JOB_COMPLETION_INDEX\nOMPI_COMM_WORLD_RANK\nSLURM_ARRAY_TASK_ID\n--shard 0/8"},
	{"no number", Auto, "PMI_RANK=x PMI_SIZE=8", 0, "PMI_RANK=\"x\" is no number"},
	{"negative", Auto, "PMI_RANK=-1 PMI_SIZE=8", 0, "PMI_RANK=\"-1\" is no number"},
	{"count no number", Auto, "PMI_RANK=1 PMI_SIZE=many", 0, "PMI_SIZE=\"many\" is no number"},
	{"no process at all", Auto, "PMI_RANK=0 PMI_SIZE=0", 8, "PMI_RANK=0, PMI_SIZE=0: there is no such number"},
	{"beyond count", Auto, "PMI_RANK=8 PMI_SIZE=8", 0, "PMI_RANK=8, PMI_SIZE=8: there is no such number"},
	{"empty is not set", Auto, "OMPI_COMM_WORLD_RANK= " + envMPICH, 0, "5/8"},
	{"too many to count", Auto, "PMI_RANK=5 PMI_SIZE=2000000", 0, "PMI_SIZE=2000000: there can be 999999"},

	{"first", "0/8", "", 0, "0/8"},
	{"given beats what launchers say", "1/2", envStep, 0, "1/2"},
	{"last", "7/8", "", 8, "7/8"},
	{"from 1, as GNU parallel counts", "8/8", "PARALLEL_SEQ=8", 0, "count from 0\n0/8 to 7/8\nseq 0 7 | parallel"},
	{"other plan", "1/8", "", 64, "the plan has 64 shards: say --shard 1/64"},
	{"number alone", "3", "", 8, "I/N"},
	{"text", "first", "", 8, "I/N"},
	{"nothing given", "", "", 8, "I/N"},
	{"sign", "+1/8", "", 0, "I/N"},
	{"more", "1/8/2", "", 0, "I/N"},
	{"no shards", "0/0", "", 0, "number of shards must be 1 to 999999"},
	{"too many", "0/1000000", "", 0, "number of shards must be 1 to 999999"},
	{"far too many", "0/99999999999999999999", "", 0, "I/N"},
	{"local", Local, envStep, 0, "local"},
	{"local, planned", Local, "", 8, "leave one of them out"},
}

func TestChoose(t *testing.T) {
	for _, c := range choices {
		t.Run(c.name, func(t *testing.T) {
			s, err := Choose(c.arg, vars(c.env), c.planned)
			got := fmt.Sprintf("%d/%d", s.Index, s.Count)
			if s.Local {
				got = Local
			}
			if err == nil {
				if got != c.want || s.From == "" {
					t.Errorf("got %s from %q, want %s", got, s.From, c.want)
				}
				return
			}
			if s != (Shard{}) {
				t.Errorf("got %+v beside an error", s)
			}
			for _, want := range append(strings.Split(c.want, "\n"), "--shard "+c.arg+": ") {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("got error %q, want %q", err, want)
				}
			}
		})
	}
}

// TestEachOnce holds that all processes of a launch together have each shard once.
func TestEachOnce(t *testing.T) {
	for name, env := range map[string]string{
		"srun":   "SLURM_PROCID=%[1]d SLURM_STEP_NUM_TASKS=%[2]d SLURM_NTASKS=%[2]d",
		"mpirun": "SLURM_PROCID=0 SLURM_NTASKS=4 PMI_RANK=%[1]d PMI_SIZE=%[2]d",
		"array": "SLURM_PROCID=0 SLURM_ARRAY_TASK_ID=%[1]d SLURM_ARRAY_TASK_COUNT=%[2]d SLURM_ARRAY_TASK_MIN=0 " +
			"SLURM_ARRAY_TASK_MAX=%[3]d SLURM_ARRAY_TASK_STEP=1",
	} {
		const n = 64
		seen := map[int]bool{}
		for i := range n {
			s, err := Choose(Auto, vars(fmt.Sprintf(env, i, n, n-1)), 0)
			if err != nil || s.Count != n {
				t.Fatalf("%s: got %+v, %v", name, s, err)
			}
			seen[s.Index] = true
		}
		if len(seen) != n {
			t.Errorf("%s: got %d shards, want %d", name, len(seen), n)
		}
	}
}
