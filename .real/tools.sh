#!/usr/bin/env bash
# Records a job of two ranks by what perfdiff record prints, with the tools that Debian has:
#   tools.sh DIR PERFDIFF KEEP
# DIR/NAME/profiles is what profile.sh wrote of two work trees, of which one loads more slowly, with the
# profiler NAME under torchrun, three runs a side; DIR/NAME/LAUNCHER is one run under another launcher, where
# that is here; DIR/NAME/base and slow are results of a program that measures. DIR/tools.txt has a line for
# each: name, launcher, what was tried, its exit status, and how often it was begun. Nsight Systems is unpacked below KEEP, of each release of Debian that has
# another one, and installed nowhere. Exits with 77 where PyTorch or Nsight Systems cannot be had.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
out=$1 perfdiff=$2 keep=$3
export GLOO_SOCKET_IFNAME=${GLOO_SOCKET_IFNAME:-lo}
export PET_REDIRECTS=0:1,1:1 PET_TEE=0:1,1:1                             # Debian's torchrun knows no shorter form
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1 HYDRA_LAUNCHER=fork
export NSYS_NVTX_PROFILER_REGISTER_ONLY=0                                # the range named capture is no registered string

left_out() { echo "left out: $*" && exit 77; }

# unpack RELEASE: Nsight Systems of a release of Debian, below KEEP.
unpack() {
  local to="$keep/$1" uri apt
  if [ -e "$to/whole" ]; then return; fi
  uri=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Origin: Debian' 'Component: main' | head -n 1)
  rm -rf "$to" && mkdir -p "$to/lists/partial" "$to/root"
  echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $uri $1 main non-free" >"$to/sources.list"
  apt=(apt-get -qq -o "Dir::Etc::sourcelist=$to/sources.list" -o Dir::Etc::sourceparts=- -o "Dir::State::lists=$to/lists"
    -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache= -o APT::Sandbox::User=)
  "${apt[@]}" update || return
  (cd "$to" && "${apt[@]}" download nsight-systems nsight-systems-target libnvtoolsext1 libssh-4) || return
  for deb in "$to"/*.deb; do dpkg -x "$deb" "$to/root" || return; done
  # Debian's nsys looks for its importer beside itself, and that for a library by a name that Debian does not give it.
  local lib=$to/root/usr/lib
  rm -rf "$to"/*.deb "$to/lists" "$to/root/usr/share" "$lib"/nsight-systems/host-linux-x64/{libQt6WebEngineCore.so.6,translations,resources}
  ln -sfn ../../nsight-systems/host-linux-x64 "$(echo "$lib"/*-linux-gnu/nsight-systems)/host-linux-x64"
  ln -sfn "$(echo "$lib"/*-linux-gnu/libssh.so.4)" "$lib/nsight-systems/host-linux-x64/libssh.so"
  touch "$to/whole"
}

# trees NAME PROFILER LAUNCHER: two work trees with the code that is printed, and profile.sh.
trees() {
  local to="$out/$1" asked=(--profiler "$2" --launcher "$3" --nodes 1 --ranks-per-node 2 --steps 8-31)
  mkdir -p "$to"
  "$perfdiff" record "${asked[@]}" --only code >"$to/code.py"
  "$perfdiff" record "${asked[@]}" --only profile -- /usr/bin/python3 train.py >"$to/profile.sh"
  # Nothing calls cudaProfilerStart where there is no GPU.
  sed -i 's/--capture-range=cudaProfilerApi/--capture-range=nvtx --nvtx-capture=capture/' "$to/profile.sh"
  for side in base:0.01 slow:0.03; do
    mkdir -p "$to/${side%:*}"
    { echo "LOAD = ${side#*:}" && cat "$here/loop.py" "$to/code.py"; } >"$to/${side%:*}/train.py"
  done
}

# attempt NAME LAUNCHER ABOUT DIR COMMAND: up to six tries, for the nsys of 2022.4 and 2023.4 fails one in some ten starts of
# two ranks at a time: "sem_open: No such file or directory".
attempt() {
  local name=$1 launcher=$2 about=$3 dir=$4 status try
  shift 4
  for try in 1 2 3 4 5 6; do
    status=0
    find "$dir/.." -maxdepth 1 -name profiles -exec rm -rf {} +
    (cd "$dir" && timeout -k 5 200 "$@") >"$dir/../said.txt" 2>&1 || status=$?
    case $status in 0 | 77) break ;; esac
  done
  if [ "$status" != 77 ]; then printf '%s\t%s\t%s\t%s\t%s\n' "$name" "$launcher" "$about" "$status" "$try" >>"$out/tools.txt"; fi
}

# record NAME ABOUT: all runs with a profiler, and one under each other launcher that is here.
record() {
  local launcher start
  echo "$2"
  trees "$1" "${1%% *}" torchrun
  attempt "$1" torchrun "torchrun of $torch" "$out/$1/base" bash ../profile.sh --repeat 3 --pair . ../slow ../profiles
  for launcher in openmpi mpich slurm; do
    if [ -z "${!launcher}" ]; then continue; fi
    trees "$1/$launcher" "${1%% *}" "$launcher"
    start=(bash ../profile.sh ../profiles)
    if [ "$launcher" = slurm ]; then start=("$here/../.cluster/slurm.sh" run "$out/slurm" 1 4 "${start[@]}"); fi
    attempt "$1" "$launcher" "${!launcher}" "$out/$1/$launcher/base" "${start[@]}"
  done
}

# measure NAME PROGRAM COMMAND: three results a side of a program that measures, in NAME/base and NAME/slow. In COMMAND {} is where
# they go, and LOAD what is measured, in s.
measure() {
  local name=$1 side i
  if [ -z "$2" ]; then return; fi
  echo "$2"
  mkdir -p "$out/$name"
  for i in 1 2 3; do
    for side in base:0.01 slow:0.03; do
      mkdir -p "$out/$name/${side%:*}"
      (cd "$out/$name" && LOAD=${side#*:} bash -c "${3//\{\}/${side%:*}/run$i}") >"$out/$name/said.txt" 2>&1 || true
    done
  done
  printf '%s\t-\t%s\t0\t1\n' "$name" "$2" >>"$out/tools.txt"
}

# version NAME COMMAND: the number in what a program says of itself, under the program's name; nothing where it is not here.
version() {
  local name=$1 number
  shift
  if number=$("$@" 2>/dev/null | grep -o '[0-9]\+\.[0-9]\+\.[0-9]\+' | head -n 1) && [ -n "$number" ]; then echo "$name $number"; fi
}

if ! command -v apt-get >/dev/null || ! command -v dpkg >/dev/null; then left_out "this is no Debian, whose packages are tried"; fi
if ! { /usr/bin/python3 -c 'import torch.distributed, pytest_benchmark' && command -v hyperfine; } >/dev/null 2>&1 && [ "$(id -u)" = 0 ]; then
  echo "installing python3-torch, python3-pytest-benchmark and hyperfine"
  { apt-get update -qq && apt-get install -y -qq --no-install-recommends python3-torch python3-pytest-benchmark hyperfine >/dev/null; } || true
fi
torch=$(/usr/bin/python3 -c 'import torch, torch.distributed; print("PyTorch", torch.__version__.split("a")[0].split("+")[0])' 2>/dev/null) ||
  left_out "no python3-torch of Debian can be had here"

mkdir -p "$out/bin" "$out/meet"
out=$(cd "$out" && pwd)
export MEET=$out/meet/
openmpi=$(version "Open MPI" mpirun.openmpi --version)
mpich=$(version MPICH mpiexec.mpich --version)
slurm=$(version Slurm slurmctld -V)
for names in "mpirun mpirun.openmpi" "mpiexec mpiexec.mpich"; do
  printf '#!/bin/sh\nexec %s "$@"\n' "${names#* }" >"$out/bin/${names% *}" && chmod +x "$out/bin/${names% *}"
done
path=$PATH
: >"$out/tools.txt"
export PATH="$out/bin:$path"
measure hyperfine "$(version hyperfine hyperfine --version)" 'hyperfine -N --runs 10 --export-json {}.json "sleep $LOAD"'
measure pytest "$(version pytest-benchmark /usr/bin/python3 -c 'import pytest_benchmark; print(pytest_benchmark.__version__)')" \
  'echo "import time
def test_load(benchmark):
    benchmark(time.sleep, $LOAD)" >test_load.py && /usr/bin/python3 -m pytest --benchmark-max-time=0.3 --benchmark-json={}.json test_load.py'
measure go "$(version "go test of Go" go version)" \
  'echo "package load
import (\"testing\"; \"time\")
func BenchmarkLoad(b *testing.B) { for i := 0; i < b.N; i++ { time.Sleep($LOAD * 1e9) } }" >load_test.go && echo "module load" >go.mod && go test -bench . >{}.txt'
record pytorch "$torch"
for release in bookworm trixie; do
  echo "fetching Nsight Systems of Debian's $release"
  unpack "$release" || { echo "left out: it cannot be had here" && continue; }
  export PATH="$out/bin:$keep/$release/root/usr/lib/nsight-systems/bin:$path"
  NVTX=$(echo "$keep/$release"/root/usr/lib/*/libnvToolsExt.so.1) && export NVTX
  nsys=$(version nsys nsys --version)
  mkdir -p "$out/$nsys" && ln -sf "$(command -v nsys)" "$out/$nsys/nsys"
  record "$nsys" "Nsight Systems ${nsys#* }"
  unset NVTX
done
grep -q ^nsys "$out/tools.txt" || left_out "no nsight-systems of Debian can be had here"
