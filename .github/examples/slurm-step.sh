#!/bin/bash
#SBATCH --nodes=4
#SBATCH --ntasks-per-node=8
#SBATCH --time=60
# Slurm: the profiled run writes to disks of its nodes, and its last step measures what lies
# there, on the same nodes: no profile goes over the network. Needs: a directory that all
# nodes see, for the parts; profile.sh, which perfdiff record --only profile writes.
# Tried with Slurm 22.05, and a stand-in for nsys.
#
#   sbatch slurm-step.sh
#   LOCAL=/scratch/profiles PARTS=/shared/parts sbatch slurm-step.sh
set -u
LOCAL=${LOCAL:-/tmp/profiles-$SLURM_JOB_ID} # on each node
PARTS=${PARTS:-$PWD/parts-$SLURM_JOB_ID}    # seen by all nodes
RUN=${RUN:-$PWD/run-$SLURM_JOB_ID.perfdiff}

srun ./profile.sh --rank "$LOCAL"

# One process per node, each to its end where another meets a corrupt profile. Whatever becomes of them, merge says what is missing.
srun --kill-on-bad-exit=0 --ntasks-per-node=1 --ntasks="$SLURM_NNODES" perfdiff summarize "$LOCAL" --shard local -o "$PARTS"
perfdiff merge "$PARTS" -o "$RUN"
