package recipe

import "fmt"

// launcher describes a program that starts the ranks of a job, and how it tells a rank its number.
type launcher struct {
	Name  string
	About string // as in "under Slurm"
	// Rank and Local are the variables that hold the number of a rank in the job, and on its
	// node. OpenMPI, MPICH and Slurm were seen to set theirs; those of PALS and torchrun are as
	// their sources have them.
	Rank, Local string
	mpi         string // what nsys calls its MPI; "": the ranks need none
	onEachNode  bool   // the command is given on every node
	start       func(q *Request) string
}

// kubernetes is the name of the launcher whose start is a manifest.
const kubernetes = "kubernetes"

// launchers lists all of them, the commonest first.
var launchers = []launcher{
	{Name: "slurm", About: "under Slurm", Rank: "SLURM_PROCID", Local: "SLURM_LOCALID", start: func(q *Request) string {
		return fmt.Sprintf("srun --nodes=%d --ntasks-per-node=%d %s\n", q.Nodes, q.PerNode, q.perRank())
	}},
	{Name: "torchrun", About: "under torchrun", Rank: "RANK", Local: "LOCAL_RANK", onEachNode: true, start: torchrun},
	{Name: "openmpi", About: "under Open MPI", Rank: "OMPI_COMM_WORLD_RANK", Local: "OMPI_COMM_WORLD_LOCAL_RANK", mpi: "openmpi", start: func(q *Request) string {
		return fmt.Sprintf("mpirun -n %d --map-by ppr:%d:node %s\n", q.Nodes*q.PerNode, q.PerNode, q.perRank())
	}},
	{Name: "mpich", About: "under MPICH", Rank: "PMI_RANK", Local: "MPI_LOCALRANKID", mpi: "mpich", start: func(q *Request) string {
		return fmt.Sprintf("mpiexec -n %d -ppn %d %s\n", q.Nodes*q.PerNode, q.PerNode, q.perRank())
	}},
	{Name: "pbs", About: "under PBS with PALS", Rank: "PALS_RANKID", Local: "PALS_LOCAL_RANKID", mpi: "mpich", start: func(q *Request) string {
		return fmt.Sprintf("mpiexec -n %d --ppn %d %s\n", q.Nodes*q.PerNode, q.PerNode, q.perRank())
	}},
	{Name: kubernetes, About: "on Kubernetes", Rank: "RANK", Local: "LOCAL_RANK", start: manifest},
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

// perRank returns the command that every rank runs.
func (q *Request) perRank() string {
	if q.Profiler == Nsight {
		return "bash " + scriptName
	}
	return wordsOf(q.Command)
}

// torchrun starts the ranks of one node. It sets RANK only for what it starts, so nsys has to run inside of it.
func torchrun(q *Request) string {
	if q.Nodes == 1 {
		return fmt.Sprintf("torchrun --standalone --nproc-per-node %d --no-python %s\n", q.PerNode, q.perRank())
	}
	return fmt.Sprintf("HEAD=node-0    # the name of the first node\n"+
		"torchrun --nnodes %d --nproc-per-node %d --rdzv-backend c10d --rdzv-endpoint \"$HEAD:29500\" --no-python %s\n", q.Nodes, q.PerNode, q.perRank())
}

// manifest returns a job of one pod per node, each of which starts its ranks by torchrun. The index of a pod is the
// number of its node.
func manifest(q *Request) string {
	with := "PyTorch"
	if q.Profiler == Nsight {
		with = "PyTorch, nsys and " + scriptName
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
          image: your-image    # with the program, %[2]s in its working directory
          command: ["bash", "-c"]
          args:
            - |
              torchrun --nnodes %[1]d --nproc-per-node %[3]d --node-rank "$JOB_COMPLETION_INDEX" --master-addr train-0.train --master-port 29500 --no-python %[4]s
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
`, q.Nodes, with, q.PerNode, q.perRank(), mounted)
}

// mounted is where pods have the volume for profiles.
const mounted = "/profiles"

// dir returns where the ranks write their profiles.
func (q *Request) dir() string {
	if q.Launcher == kubernetes && q.Dir[0] != '/' {
		return mounted + "/" + q.Dir
	}
	return q.Dir
}
