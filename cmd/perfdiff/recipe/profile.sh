#!/usr/bin/env bash
# Records one profile for each rank, by {{profiler}}, {{about}}.
# {{tried}}
#   ./profile.sh OUT [ARGUMENTS]                       one run, in OUT
#   ./profile.sh --repeat 3 OUT                        OUT/run1, OUT/run2, OUT/run3
#   ./profile.sh --repeat 3 --pair TREE_A TREE_B OUT   OUT/baseline/run1, OUT/candidate/run1, ...: the program in two
#                                                      work trees, in turns
#   ./profile.sh --rank OUT                            what a rank runs: under a launcher of your own
#
# ARGUMENTS follow those of the program. OUT must be empty: no run is written over another or mixed with it.
set -eu
nodes={{nodes}} per_node={{per_node}}
ranks="{{ranks}}"    # that are recorded
program=({{program}})

say() { echo "profile.sh: $*" >&2; }
die() { say "$*"; exit 2; }

# recorded DIR RANK: its profile is there.
recorded() { {{recorded}}; }

# launch DIR ARGUMENTS: starts all ranks.
launch() {
    {{launch}} bash "$self" --rank "$@"
}

# rank DIR ARGUMENTS: one rank, which the launcher has started.
rank() {
    local out=$1 rank=${{{rank}}:?is not set: a launcher starts this}
    shift
    export PERFDIFF_OUT=$out
    case " $ranks " in *" $rank "*) ;; *) exec "${program[@]}" "$@" ;; esac
    if recorded "$out" "$rank"; then die "$out holds a profile of rank $rank: give another directory"; fi
    mkdir -p "$out"
{{exec}}
}

# run DIR ARGUMENTS: one run, and whether each rank left its profile.
run() {
    local dir=$1 status=0 missing= rank try
    runs=$((runs + 1))
    launch "$@" || status=$?
    for try in 1 2 3 4 5 6 7 8 9 10; do
        missing=
        for rank in $ranks; do recorded "$dir" "$rank" || missing+=" $rank"; done
        if [ -z "$missing" ] || [ "$nodes" = 1 ] || [ "$status" != 0 ]; then break; fi
        sleep 1    # files of other nodes may show later
    done
    case $status$missing in
    0) say "$dir: $(wc -w <<<"$ranks") profiles" ;;
    0*) say "$dir: no profile of rank$missing: did it reach step {{last}}, and what did its profiler say?" && exit 1 ;;
    *) say "the job ended with status $status: $dir is no whole run" && exit "$status" ;;
    esac
}

self=$(cd "$(dirname "$0")" && pwd)/$(basename "$0")
runs=0 repeat= trees=()
while :; do
    case ${1-} in
    --rank) shift && rank "$@" ;;
    --repeat) repeat=${2-no number} && shift $(($# > 1 ? 2 : 1)) ;;
    --pair)
        for tree in "${2-}" "${3-}"; do [ -d "$tree" ] || die "--pair: $tree: no directory"; done
        trees=("$(cd "$2" && pwd)" "$(cd "$3" && pwd)") && shift 3 ;;
    -* | '') sed -n 's/^#   //p' "$self" >&2 && exit 2 ;;
    *) break ;;
    esac
done
case ${repeat:=${trees:+1}} in *[!0-9]* | 0*) die "--repeat $repeat: must be a number from 1 on" ;; esac
case $1 in /*) out=$1 ;; *) out=$PWD/$1 ;; esac
shift
case $out in *%*) die "$out: must hold no %, which nsys reads as a pattern" ;; esac
case $self in */slurm_script) die "sbatch copies this file to one node: sbatch ... --wrap './profile.sh OUT'" ;; esac
if [ -n "$(find "$out" -type f 2>/dev/null | head -n 1)" ]; then
    die "$out holds files, and runs are not mixed: give another directory, or move it away"
fi
case ${program[0]##*/} in python*)
    "${program[0]}" -c 'import torch' 2>/dev/null || say "${program[0]} has no torch here, which marks the steps" ;;
esac
if [ -z "$repeat" ]; then run "$out" "$@"; fi
for ((i = 1; i <= ${repeat:-0}; i++)); do
    if [ ${#trees[@]} = 0 ]; then
        run "$out/run$i" "$@"
    else
        cd "${trees[0]}" && run "$out/baseline/run$i" "$@"
        cd "${trees[1]}" && run "$out/candidate/run$i" "$@"
    fi
done
out=$(printf %q "$out")
if [ ${#trees[@]} = 0 ]; then
    say "next: perfdiff report $out; with another: perfdiff $out OTHER -o report.html"
else
    say "next: perfdiff $out/baseline $out/candidate -o report.html"
fi
