#!/bin/bash
# A real Slurm on one machine, for tests: slurmctld and a slurmd for each of some nodes, that
# live as long as one command.
#
#   slurm.sh run DIR NODES CPUS COMMAND...   start in DIR, run COMMAND, end all; the status of COMMAND
#
# and, of what runs, with SLURM_CONF set as COMMAND has it:
#
#   slurm.sh lose NODE      the node and all on it are gone at once, and the controller knows
#   slurm.sh pause NODE     the node answers no more, and what runs on it goes on: a network that is cut
#   slurm.sh return NODE    a node that was lost or paused is back
#   slurm.sh hurry          what was put back into the queue starts now: Slurm would hold it for two minutes
#   slurm.sh wait SECONDS   until the queue is empty
#
# All of it is in namespaces of its own for processes, mounts, network and host name. So ports need
# no search, nothing but DIR is written, and nothing survives COMMAND, not even kill -9 of this script.
# DIR/local is another directory on each node, DIR/nodes/NODE: a disk of the node.
# Exit status 77: this machine cannot do it, and why is on standard error.
set -u

needs() {
  for program in slurmctld slurmd srun sbatch unshare; do
    command -v "$program" >/dev/null || { echo "cluster: left out: $program is not here (Debian: slurm-wlm)" >&2; exit 77; }
  done
  # slurmctld gives up groups, which a user namespace refuses.
  [ "$(id -u)" = 0 ] && [ "$(cat /proc/self/setgroups 2>/dev/null)" != deny ] ||
    { echo "cluster: left out: Slurm's controller has to be started by root" >&2; exit 77; }
  unshare --mount --pid --net --uts --fork --mount-proc true 2>/dev/null ||
    { echo "cluster: left out: namespaces are not permitted here" >&2; exit 77; }
}

# Names and the loopback device of the inner machine. With one address on it, getaddrinfo takes the
# machine for one without IPv4.
furnish() {
  hostname head
  echo "127.0.0.1 localhost head" >"$dir/hosts"
  mount --bind "$dir/hosts" /etc/hosts
  ip link set lo up
  ip address add 127.0.0.2/8 dev lo
}

# ReturnToService=1: what is set down here stays down. With 2 an answer that was under way when a
# node was paused brings it back, one time in thirty on a busy machine.
configure() {
  cat >"$dir/slurm.conf" <<CONF
ClusterName=test
SlurmctldHost=head(127.0.0.1)
SlurmctldPort=6800
SlurmUser=root
SlurmdUser=root
AuthType=auth/none
CredType=cred/none
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
StateSaveLocation=$dir/state
SlurmctldPidFile=$dir/state/controller.pid
SlurmctldLogFile=$dir/log/controller.log
SlurmdSpoolDir=$dir/spool/%n
SlurmdPidFile=$dir/spool/%n/daemon.pid
SlurmdLogFile=$dir/log/%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
SwitchType=switch/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
SchedulerType=sched/builtin
SchedulerParameters=batch_sched_delay=0,sched_interval=1,sched_min_interval=0
ReturnToService=1
SlurmdTimeout=6
SlurmctldTimeout=5
MessageTimeout=10
TCPTimeout=2
KillWait=2
InactiveLimit=0
JobRequeue=1
MaxArraySize=1001
CONF
  for i in $(seq "$1"); do
    echo "NodeName=n$i NodeHostname=head NodeAddr=127.0.0.1 Port=$((6800 + i)) CPUs=$2 RealMemory=1000 State=UNKNOWN"
  done >>"$dir/slurm.conf"
  echo "PartitionName=all Nodes=n[1-$1] Default=YES MaxTime=INFINITE State=UP" >>"$dir/slurm.conf"
}

# A node has its own processes and its own view of DIR/local: the end of its first process is the
# end of all that runs on it.
boot() {
  mkdir -p "$dir/spool/$1" "$dir/nodes/$1"
  unshare --mount --pid --fork --mount-proc --kill-child sh -c \
    'mount --bind "$1/nodes/$2" "$1/local" && exec slurmd -D -N "$2" -f "$1/slurm.conf"' sh "$dir" "$1" \
    </dev/null >>"$dir/log/$1.out" 2>&1 &
  echo $! >"$dir/pid/$1"
  disown # bash would report its end
}

idle() { [ "$(sinfo -h -N -t idle -o %N 2>/dev/null | wc -l)" = "$1" ]; }

# until_true SECONDS COMMAND...: polls, as waiting for events of Slurm itself may take ten seconds.
until_true() {
  local last=$((SECONDS + $1))
  shift
  until "$@"; do
    [ $SECONDS -lt $last ] || return 1
    sleep 0.05
  done
}

inside() {
  local nodes=$1 cpus=$2
  shift 2
  furnish && configure "$nodes" "$cpus" || exit 77
  slurmctld -D -c -f "$SLURM_CONF" </dev/null >"$dir/log/controller.out" 2>&1 &
  for i in $(seq "$nodes"); do boot "n$i"; done
  until_true 60 idle "$nodes" || { echo "cluster: not all of $nodes nodes are idle" >&2; tail -n 5 "$dir"/log/* >&2; exit 1; }
  "$@" # whose end is the end of all
}

first_process() { tr -d ' ' <"/proc/$1/task/$1/children"; }
is_up() { [[ $(sinfo -h -n "$1" -o %T) =~ ^(idle|mixed|allocated)$ ]]; }
start_of() { scontrol show node "$1" | grep -o 'SlurmdStartTime=[^ ]*'; }
has_restarted() { [ "$(start_of "$1")" != "$2" ]; }
queue_is_empty() { [ -z "$(squeue -h)" ]; }
held() { squeue -h -r -t PD -o '%i %r' | awk '$2 == "BeginTime" { print $1 }'; }
is_held() { [ -n "$(held)" ]; }

command=${1:?run, lose, pause, return, hurry or wait}
shift
if [ "$command" = run ]; then
  needs
  mkdir -p "$1" && dir=$(cd "$1" && pwd) || exit 2
  shift
  mkdir -p "$dir"/{log,pid,state,spool,nodes,local}
  export SLURM_CONF=$dir/slurm.conf
  exec unshare --mount --pid --net --uts --fork --mount-proc --kill-child -- "$0" inside "$@"
fi
dir=${SLURM_CONF%/slurm.conf}
case $command in
inside) inside "$@" ;;
lose)
  kill -KILL "$(cat "$dir/pid/$1")"
  scontrol update NodeName="$1" State=DOWN Reason=lost ;;
pause)
  kill -STOP "$(first_process "$(cat "$dir/pid/$1")")"
  scontrol update NodeName="$1" State=DOWN Reason=silent ;;
return)
  if [ -e "/proc/$(cat "$dir/pid/$1")" ]; then
    kill -CONT "$(first_process "$(cat "$dir/pid/$1")")"
    scontrol update NodeName="$1" State=RESUME
  else
    started=$(start_of "$1")
    boot "$1"
    # Resumed before it has reported itself, it would get tasks too early.
    until_true 60 has_restarted "$1" "$started" || { echo "cluster: $1 did not report itself" >&2; exit 1; }
    scontrol update NodeName="$1" State=RESUME
  fi
  until_true 60 is_up "$1" || { echo "cluster: $1 did not return" >&2; exit 1; } ;;
hurry)
  until_true 30 is_held || exit 1
  for task in $(held); do scontrol update JobId="$task" StartTime=now; done ;;
wait) until_true "$1" queue_is_empty || { squeue >&2; exit 1; } ;;
*) echo "cluster: $command is no command" >&2; exit 2 ;;
esac
