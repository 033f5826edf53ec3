#!/bin/bash
# Slurm: profiles in a directory that all nodes see are measured by an array of tasks, of which
# any may be lost, put back into the queue, or run twice. ./profile.sh RUNSET, which perfdiff record
# --only profile writes, records them. Tried with Slurm 22.05.
#
#   ./slurm-array.sh RUNSET SHARDS       on the login node; writes RUNSET.perfdiff
#
# 16 to 64 ranks per shard: each element of an array is an allocation. A shard that failed is
# started again by its number, as merge says: sbatch --array=3,5 with the same plan.
set -eu
set=${1:?RUNSET} shards=${2:?SHARDS}
set=${set%/} plan=${set%/}.plan.json parts=${set%/}.parts

perfdiff plan "$set" --shards "$shards" -o "$plan"
array=$(sbatch --parsable --requeue --time=30 --array="0-$((shards - 1))" --output="$set.%a.log" \
  --wrap "perfdiff summarize '$set' --shard auto --plan '$plan' -o '$parts'")
# afterany, not afterok: merge is what says which shards are missing. An exit status of 0 of all
# tasks would not say that none is.
sbatch --parsable --time=30 --dependency="afterany:$array" --output="$set.merge.log" \
  --wrap "perfdiff merge '$parts' -o '$set.perfdiff'"
