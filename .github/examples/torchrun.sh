#!/bin/bash
# torchrun: on each node, as the training itself is started, with the same environment.
#
#   NNODES=4 MASTER=host:29500 PARTS=/shared/parts ./torchrun.sh
#   perfdiff merge /shared/parts -o run.perfdiff       then, once, anywhere
set -u
export LOCAL=${LOCAL:-/tmp/profiles} # on each node; train.py writes there
PARTS=${PARTS:?a directory that all nodes see}
TRAIN=${TRAIN:-train.py}
group=(--nnodes="${NNODES:?number of nodes}" --rdzv-backend=c10d --rdzv-endpoint="${MASTER:?host:port}")

torchrun "${group[@]}" --nproc-per-node="${GPUS:-8}" "$TRAIN"
torchrun "${group[@]}" --nproc-per-node=1 --no-python perfdiff summarize "$LOCAL" --shard local -o "$PARTS"

# Profiles that all nodes see are divided by the numbers that torchrun gives:
#   torchrun "${group[@]}" --nproc-per-node=4 --no-python sh -c \
#     'exec perfdiff summarize profiles/ --shard "$RANK/$WORLD_SIZE" -o parts/'
