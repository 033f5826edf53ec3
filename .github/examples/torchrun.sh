#!/bin/bash
# torchrun: on each node, as the training itself is started, with the same environment. profile.sh is what
# perfdiff record --launcher torchrun --only profile writes; --rank is what it does with one rank.
# Tried with torchrun of PyTorch 1.13, on one node.
#
#   NNODES=4 MASTER=host:29500 PARTS=/shared/parts ./torchrun.sh
#   perfdiff merge /shared/parts -o run.perfdiff       then, once, anywhere
set -u
LOCAL=${LOCAL:-/tmp/profiles} # on each node
PARTS=${PARTS:?a directory that all nodes see}
group=(--nnodes="${NNODES:?number of nodes}" --rdzv_backend=c10d --rdzv_endpoint="${MASTER:?host:port}")

torchrun "${group[@]}" --nproc_per_node="${GPUS:-8}" --no_python ./profile.sh --rank "$LOCAL"
torchrun "${group[@]}" --nproc_per_node=1 --no_python perfdiff summarize "$LOCAL" --shard local -o "$PARTS"

# Profiles that all nodes see are divided by the numbers that torchrun gives:
#   torchrun "${group[@]}" --nproc_per_node=4 --no_python sh -c \
#     'exec perfdiff summarize profiles/ --shard "$RANK/$WORLD_SIZE" -o parts/'
