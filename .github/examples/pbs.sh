#!/bin/bash
#PBS -l select=4:ncpus=64:mpiprocs=8
#PBS -l place=scatter
#PBS -l walltime=01:00:00
# PBS with PALS (mpiexec of Cray systems) or MPICH, not Open MPI, whose options are others: profiles on disks of the nodes
# are measured where they are, after the run that wrote them. profile.sh is what perfdiff record --launcher pbs (or mpich)
# --only profile writes; --rank is what it does with one rank. Tried with MPICH 4.0 and a stand-in for nsys, not with PALS.
#
#   qsub pbs.sh
#   qsub -v LOCAL=/local/scratch/profiles pbs.sh
set -u
cd "$PBS_O_WORKDIR" || exit
nodes=$(sort -u "$PBS_NODEFILE" | wc -l)
LOCAL=${LOCAL:-/local/scratch/profiles} # on each node
PARTS=${PARTS:-$PWD/parts}              # seen by all nodes

mpiexec -n "$((8 * nodes))" --ppn 8 ./profile.sh --rank "$LOCAL"
mpiexec -n "$nodes" --ppn 1 perfdiff summarize "$LOCAL" --shard local -o "$PARTS"
perfdiff merge "$PARTS" -o run.perfdiff

# Profiles that all nodes see are divided by the ranks of MPI instead:
#   mpiexec -n 32 --ppn 8 perfdiff summarize profiles/ --shard auto -o "$PARTS"
