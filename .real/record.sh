#!/usr/bin/env bash
# Records real runs of two jobs, of which one loads its samples more slowly:
#   record.sh DIR [RUNS]
# writes DIR/base/runN, DIR/slow/runN and DIR/machine.txt. The sides take turns,
# so that what else the machine does falls on both. Needs a Python that has torch;
# exits with 77 where none can be had.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
out=$1
runs=${2:-12}
ranks=2
steps=40
export GLOO_SOCKET_IFNAME=${GLOO_SOCKET_IFNAME:-lo}

# python prints the first interpreter whose torch can train on several ranks.
python() {
  for one in python3 /usr/bin/python3; do
    if command -v "$one" >/dev/null && "$one" -c 'import torch.distributed as d; assert d.is_available()' 2>/dev/null; then
      echo "$one"
      return
    fi
  done
  return 1
}

# run SIDE NUMBER SECONDS records one run, every rank in a process of its own.
run() {
  local to="$out/$1/run$2" pids=() rank
  mkdir -p "$to"
  for ((rank = 0; rank < ranks; rank++)); do
    "$interpreter" "$here/train.py" "$to" --rank "$rank" --ranks "$ranks" --steps "$steps" --load "$3" 2>"$to.$rank.log" &
    pids+=($!)
  done
  for pid in "${pids[@]}"; do
    wait "$pid" || { cat "$to".*.log >&2; exit 1; }
  done
  rm -f "$to".*.log "$to.meet"
}

if ! interpreter=$(python) && command -v apt-get >/dev/null && [ "$(id -u)" = 0 ]; then
  echo "installing python3-torch"
  { apt-get update -qq && apt-get install -y -qq --no-install-recommends python3-torch >/dev/null; } || true
fi
if ! interpreter=$(python); then
  echo "left out: no Python here has torch with torch.distributed (install it: python3-torch on Debian and Ubuntu, elsewhere PyTorch for CPUs)"
  exit 77
fi

mkdir -p "$out"
cores=$(getconf _NPROCESSORS_ONLN)
load=$(cut -d' ' -f1 /proc/loadavg 2>/dev/null || echo 0)
if awk "BEGIN { exit !($load > 0.3 * $cores) }"; then
  echo "the machine is busy (load $load on $cores cores): runs will differ by more than they need to"
fi
{
  "$interpreter" -c 'import torch; print("PyTorch", torch.__version__.split("a")[0].split("+")[0])'
  cpu=$(sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo 2>/dev/null | head -1)
  echo "${cpu:-a CPU of $(uname -m)}, $cores cores, load $load before"
} >"$out/machine.txt"
for ((i = 1; i <= runs; i++)); do
  echo "run $i of $runs"
  run base "$i" 0.0002
  run slow "$i" 0.0006
done
