package recipe

import "fmt"

// launcher describes a program that starts the ranks of a job, and how it tells a rank its number.
type launcher struct {
	Name  string
	About string // as in "under Slurm"
	// Rank and Local are the variables that hold the number of a rank in the job, and on its node.
	Rank, Local string
	mpi         string // what nsys calls its MPI; "": the ranks need none
	start       string // the command that starts the ranks, in profile.sh
}

// kubernetes is the name of the launcher that has a manifest.
const kubernetes = "kubernetes"

// launchers lists all of them, the commonest first.
var launchers = []launcher{
	{Name: "slurm", About: "under Slurm", Rank: "SLURM_PROCID", Local: "SLURM_LOCALID",
		start: "srun --nodes=$nodes --ntasks-per-node=$per_node"},
	{Name: "torchrun", About: "under torchrun", Rank: "RANK", Local: "LOCAL_RANK"},
	{Name: "openmpi", About: "under Open MPI", Rank: "OMPI_COMM_WORLD_RANK", Local: "OMPI_COMM_WORLD_LOCAL_RANK",
		mpi: "openmpi", start: "mpirun -n $((nodes * per_node)) --map-by ppr:$per_node:node"},
	{Name: "mpich", About: "under MPICH", Rank: "PMI_RANK", Local: "MPI_LOCALRANKID",
		mpi: "mpich", start: "mpiexec -n $((nodes * per_node)) -ppn $per_node"},
	{Name: "pbs", About: "under PBS with PALS", Rank: "PALS_RANKID", Local: "PALS_LOCAL_RANKID",
		mpi: "mpich", start: "mpiexec -n $((nodes * per_node)) --ppn $per_node"},
	{Name: kubernetes, About: "on Kubernetes, in every pod", Rank: "RANK", Local: "LOCAL_RANK"},
}

// Launchers returns the names of all launchers, the commonest first.
func Launchers() []string {
	out := make([]string, len(launchers))
	for i := range launchers {
		out[i] = launchers[i].Name
	}
	return out
}

// Variable returns the environment variable that holds the number of a rank under a launcher, "" if the launcher is
// not known.
func Variable(name string) string {
	if l := launcherNamed(name); l != nil {
		return l.Rank
	}
	return ""
}

func launcherNamed(name string) *launcher {
	for i := range launchers {
		if launchers[i].Name == name {
			return &launchers[i]
		}
	}
	return nil
}

// startOf returns the command that starts the ranks. torchrun sets RANK only for what it starts, so nsys has to run
// inside of it. Its options have underscores, which old and new versions take; the port is another one for each run.
func startOf(q *Request, l *launcher) string {
	head := "--nproc_per_node $per_node --no_python"
	switch {
	case l.start != "":
		return l.start
	case l.Name == kubernetes:
		return `torchrun --nnodes $nodes --node_rank "$JOB_COMPLETION_INDEX" --master_addr train-0.train ` +
			"--master_port $((29500 + runs)) \\\n        " + head
	case q.Nodes == 1:
		return "torchrun --standalone " + head
	}
	return "torchrun --nnodes $nodes --rdzv_backend c10d " +
		`--rdzv_endpoint "${HEAD:?name the first node}:$((29500 + runs))" ` + "\\\n        " + head
}

// manifest returns a job of one pod per node, each of which starts its ranks by torchrun. The index of a pod is the
// number of its node.
func manifest(q *Request) string {
	with := "PyTorch"
	if q.Profiler == Nsight {
		with = "PyTorch and nsys"
	}
	return fmt.Sprintf(`apiVersion: v1
kind: Service
metadata:
  name: train
spec:
  clusterIP: None
  publishNotReadyAddresses: true
  selector:
    job-name: train
---
apiVersion: batch/v1
kind: Job
metadata:
  name: train
spec:
  completionMode: Indexed
  completions: %[1]d
  parallelism: %[1]d
  backoffLimit: 0
  template:
    spec:
      subdomain: train
      restartPolicy: Never
      containers:
        - name: train
          image: your-image    # with %[2]s; the program and profile.sh in its working directory
          command: ["bash", "-c"]
          args: ["bash profile.sh %[4]s"]    # for the next run another directory
          resources:
            limits:
              nvidia.com/gpu: %[3]d
          volumeMounts:
            - name: profiles
              mountPath: %[5]s
      volumes:
        - name: profiles
          persistentVolumeClaim:
            claimName: your-claim
`, q.Nodes, with, q.PerNode, q.dir(), mounted)
}

// mounted is where pods have the volume for profiles.
const mounted = "/profiles"

// dir returns where profiles are written if nothing else is said.
func (q *Request) dir() string {
	if q.Launcher == kubernetes {
		return mounted + "/baseline"
	}
	return "baseline"
}
