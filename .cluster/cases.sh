#!/bin/bash
# What becomes of shards on a real Slurm, in a cluster of four nodes that slurm.sh runs:
#
#   slurm.sh run DIR 4 4 cases.sh RUNSET WORK EXAMPLES
#
# RUNSET holds 16 ranks, perfdiff is on PATH, and WORK is an empty directory. What is seen goes
# to standard output, the same each time; WORK/env gets what launchers set, a file each.
# Exit status 1: a wait took too long.
set -u
set=${1:?RUNSET} work=${2:?WORK} examples=${3:?EXAMPLES}
slurm=$(dirname "$0")/slurm.sh
cd "$work" || exit 2

give_up() { echo "cluster: $*" >&2; exit 1; }

# eventually COMMAND...: within a minute, which only what hangs takes.
eventually() {
  local last=$((SECONDS + 60))
  until "$@"; do
    [ $SECONDS -lt $last ] || give_up "$* did not become true"
    sleep 0.05
  done
}
settled() { "$slurm" wait 120 || give_up "the queue did not become empty"; }
lines() { [ "$(cat "$1" 2>/dev/null | wc -l)" -ge "$2" ]; }
submit() { sbatch --quiet --output="$work/slurm-%A_%a.log" "$@" || give_up "sbatch $*"; }

# merged NAME: what merge says of NAME.parts, and whether the result is that of one process.
merged() {
  perfdiff merge "$1.parts" -o "$1.perfdiff" >"$1.out" 2>"$1.err"
  local status=$?
  echo "    merge: exit $status$([ -e "$1.perfdiff" ] && { cmp -s "$1.perfdiff" one.perfdiff && echo ", the bytes of one process" || echo ", OTHER BYTES"; })"
  sed "s#$work/##g; s/^/    /" "$1.err"
}

# What a task does: it waits for FILE.go, so that what happens to nodes happens in the middle of it.
cat >task.sh <<'TASK'
#!/bin/bash
# $1 name of the case, $2 run set, then flags
name=$1 set=$2
shift 2
attempt=${SLURM_RESTART_COUNT:-0}
id=${SLURM_ARRAY_TASK_ID:-$SLURM_PROCID}
echo "$id $attempt $SLURMD_NODENAME" >>"$name.begun"
for i in $(seq 1200); do [ -e "$name.go" ] && break; sleep 0.05; done
perfdiff summarize "$set" --shard auto "$@" -q -o "$name.parts"
echo "$id $attempt $SLURMD_NODENAME exit $?" >>"$name.ended"
TASK
chmod +x task.sh

# Parts that a process begun and did not end leave, and parts.
count() { echo "    parts $(ls "$1.parts" | wc -l), tasks ended $(wc -l <"$1.ended")${2:-}"; }

environments() {
  mkdir env
  local show='env >env/$1.$(date +%N).$$'
  srun -n8 sh -c "$show" sh srun
  submit -n8 --wrap "sh -c '$show' sh sbatch"
  submit --array=0-7 --wrap "sh -c '$show' sh array"
  submit --array=3,5 --wrap "sh -c '$show' sh array-3,5"
  submit --array=1-15:7 --wrap "sh -c '$show' sh array-1-15:7"
  submit --array=0-1 -n2 --wrap "srun sh -c '$show' sh array-with-srun"
  submit -n8 --wrap "mpirun.openmpi --allow-run-as-root --oversubscribe $lo -n 8 sh -c '$show' sh openmpi"
  submit -n8 --wrap "mpirun.mpich -n 8 sh -c '$show' sh mpich"
  salloc -Q -n8 sh -c "$show" sh salloc
  settled
}
lo="--mca oob_tcp_if_include lo --mca btl_tcp_if_include lo"

node_lost() {
  echo "b  a node is lost in the middle of an array, and its tasks are put back into the queue"
  perfdiff plan "$set" --shards 8 -q -o plan.json
  submit --array=0-7 -c2 task.sh b "$set" --plan plan.json
  eventually lines b.begun 8
  "$slurm" lose n2 && "$slurm" hurry || give_up "n2 was not lost"
  touch b.go
  settled
  count b ", started again $(grep -c ' 1 ' b.ended)"
  merged b
  "$slurm" return n2 || give_up "n2 did not return"
}

two_writers() {
  echo "c  a node answers no more and goes on: two tasks write one part each, twice at once"
  submit --array=0-7 task.sh c "$set" --plan plan.json
  eventually lines c.begun 8
  node=$(awk '$1 == 3 { print $3 }' c.begun)
  there=$(grep -c " $node\$" c.begun)
  "$slurm" pause "$node" && "$slurm" hurry || give_up "$node was not paused"
  eventually lines c.begun $((8 + there))
  touch c.go
  eventually lines c.ended $((8 + there))
  "$slurm" return "$node" || give_up "$node did not return"
  settled
  echo "    parts $(ls c.parts | wc -l), tasks ended $(grep -c ' 0 ' c.ended), and again $(grep -c ' 1 ' c.ended) of $there, exits other than 0: $(grep -vc 'exit 0' c.ended)"
  merged c
}

no_kill() {
  echo "d  srun --no-kill loses a node"
  srun --no-kill -N4 --ntasks-per-node=2 ./task.sh d "$set" 2>d.srun &
  eventually lines d.begun 8
  "$slurm" lose n3
  touch d.go
  wait $!
  echo "    srun: exit $?"
  count d
  merged d
  "$slurm" return n3 || give_up "n3 did not return"
}

rerun() {
  echo "e  two parts of a plan are missing, and their tasks are started again"
  cp -r b.parts e.parts
  rm e.parts/shard-000003-of-* e.parts/shard-000005-of-*
  merged e
  touch e.go
  submit --array=3,5 task.sh e "$set" --plan plan.json
  settled
  echo "    --array=3,5: $(sort e.ended | sed 's/ n[0-9]//; s/ 0 / /' | tr '\n' ';')"
  merged e
  submit --array=3,5 --output=unplanned.%a.log --wrap "perfdiff summarize '$set' --shard auto -o unplanned.parts"
  settled
  sed 's/^/    without a plan: /' unplanned.3.log | head -n 1
}

local_disks() {
  echo "f  each node has four ranks on a disk of its own"
  srun -N4 --ntasks-per-node=1 sh -c 'mkdir -p "$1" && for i in 0 1 2 3; do cp "$2"/*.$((4 * SLURM_PROCID + i)).* "$1"; done' sh "$disk/$name" "$set"
  srun -N4 --ntasks-per-node=1 perfdiff summarize "$disk/$name" --shard local -q -o f.parts
  echo "    srun: exit $?, parts $(ls f.parts | wc -l)"
  merged f
}
disk=${SLURM_CONF%/slurm.conf}/local name=$(basename "$set") # by which a summary calls its run set

all_see_the_same() {
  echo "   each of four nodes takes all that it sees, and all see the same"
  srun -N4 --ntasks-per-node=1 perfdiff summarize "$set" --shard local -q -o same.parts
  echo "    srun: exit $?, parts $(ls same.parts | wc -l)"
  merged same
}

mpirun_both() {
  echo "g  mpirun in the script of a batch, which has SLURM_PROCID=0"
  submit -n4 --wrap "mpirun.openmpi --allow-run-as-root $lo -n 4 perfdiff summarize '$set' --shard auto -q -o openmpi.parts; echo \$? >openmpi.status"
  submit -n4 --wrap "mpirun.mpich -n 4 perfdiff summarize '$set' --shard auto -q -o mpich.parts; echo \$? >mpich.status"
  submit -n4 --output=body.log --wrap "perfdiff summarize '$set' --shard auto -q -o body.parts"
  settled
  for mpi in openmpi mpich; do
    echo "    $mpi: exit $(cat $mpi.status), parts $(ls $mpi.parts | wc -l)"
    merged $mpi
  done
  sed 's/^/    without mpirun: /' body.log | head -n 1
}

recipes() {
  echo "   slurm-array.sh"
  mkdir recipe && cp -r "$set" recipe
  (cd recipe && "$examples/slurm-array.sh" "$name/" 8 >/dev/null) || echo "    FAILED"
  settled
  cmp "recipe/$name.perfdiff" one.perfdiff && echo "    the bytes of one process" || echo "    FAILED"
  echo "   slurm-step.sh"
  mkdir bin && cat >bin/nsys <<'NSYS' && chmod +x bin/nsys
#!/bin/bash
# In place of a profiler: the profile of this rank, under the name that is asked for.
[ "$2" = --help ] && echo --capture-range && exit
for option; do case $option in --output=*) out=${option#*=} ;; esac; done
cp "$SOURCE"/*."${out##*.}".sqlite "$out.sqlite"
NSYS
  perfdiff record --nodes 4 --ranks-per-node 4 --only profile >profile.sh && chmod +x profile.sh
  export PATH=$work/bin:$PATH SOURCE=$set LOCAL=$disk/step/$name PARTS=$work/step.parts RUN=$work/step.perfdiff
  submit --export=ALL --ntasks-per-node=4 "$examples/slurm-step.sh"
  settled
  cmp step.perfdiff one.perfdiff && echo "    parts $(ls step.parts | wc -l), the bytes of one process" || echo "    FAILED"
}

perfdiff summarize "$set" -q -o one.perfdiff || give_up "the run set cannot be summarized"
environments
node_lost
two_writers
no_kill
rerun
local_disks
all_see_the_same
mpirun_both
recipes
