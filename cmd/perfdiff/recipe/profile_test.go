package recipe

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// had are the options of nsys profile that versions have, among those that recipes might use: those of 2022.4 as nsys
// profile --help prints them, the others as the user guides list them.
var had = map[string]string{
	"2022.4": "--capture-range --capture-range-end --cpuctxsw --cuda-graph-trace --mpi-impl --nic-metrics=true|false --output --sample --trace",
	"2024.7": "--capture-range --capture-range-end --cpuctxsw --cuda-graph-trace --mpi-impl --nic-metrics=true|false --output --sample --trace",
	"2026.2": "--capture-range --capture-range-end --cpuctxsw --cuda-graph-trace --mpi-impl --nic-metrics=lf|hf|none --output --sample --trace " +
		"--osrt-file-access --storage-metrics --storage-devices",
}

// launcherStandIn takes the options that the launchers document, and starts the ranks of all nodes one after another;
// LOST never starts.
const launcherStandIn = `#!/bin/bash
name=${0##*/} nodes=1
while :; do
	case $name$1 in
	srun--nodes=*) nodes=${1#*=} ;;
	srun--ntasks-per-node=*) each=${1#*=} ;;
	mpirun-n | mpiexec-n) all=$2 && shift ;;
	mpirun--map-by) each=${2//[!0-9]/} && shift ;;
	mpiexec-ppn | mpiexec--ppn) each=$2 && shift ;;
	torchrun--nnodes) nodes=$2 && shift ;;
	torchrun--nproc_per_node) each=$2 && shift ;;
	torchrun--standalone | torchrun--no_python) ;;
	torchrun--rdzv_backend | torchrun--rdzv_endpoint | torchrun--node_rank | torchrun--master_addr | torchrun--master_port) shift ;;
	$name-*) echo "$name: unrecognized arguments: $1" >&2 && exit 2 ;;
	*) break ;;
	esac
	shift
done
for ((i = 0; i < ${all:-$((nodes * each))}; i++)); do
	if [ "$i" != "$LOST" ]; then env "$RANK_NAME=$i" "$LOCAL_NAME=$((i % each))" "$@" || status=$?; fi
done
exit ${status:-0}
`

// nsysStandIn parses as nsys does: an option or a value that this version lacks ends the job before it begins. The
// report holds the options.
const nsysStandIn = `#!/bin/bash
if [ "$2" = --help ]; then
	for option in $NSYS; do
		values=${option#*=}
		printf '\t%s=\n\n\t   Possible values are %s. For oneself.\n\n' "${option%%=*}" "'${values//|/"', '"}'"
	done
	exit
fi
shift
for arg; do
	case $arg in -*) ;; *) break ;; esac
	for option in $NSYS none; do [ "${option%%=*}" != "${arg%%=*}" ] || break; done
	[ "$option" != none ] || { echo "unrecognised option '$arg'" >&2 && exit 1; }
	case $option in *=*) [[ ${arg#*=} =~ ^(${option#*=})$ ]] || exit 1 ;; esac
	case $arg in --output=*) out=${arg#*=}.nsys-rep ;; esac
	used+=("$arg") && shift
done
[ ! -e "$out" ] && printf '%s\n' "${used[@]}" >"$out"
exec "$@"
`

// pythonStandIn writes down how it was called; by the PyTorch profiler it leaves a trace.
const pythonStandIn = `#!/bin/bash
if [ "$1" = -c ]; then exit "${TORCHLESS:-0}"; fi
printf '%s|' "${!RANK_NAME}" "$PERFDIFF_OUT" "$PWD" "$@" >>"$CALLED" && echo >>"$CALLED"
if [[ " $TRACES " = *" ${!RANK_NAME} "* ]]; then mkdir -p "$PERFDIFF_OUT" && touch "$PERFDIFF_OUT/rank${!RANK_NAME}.17.pt.trace.json.gz"; fi
exit "${FAILS:-0}"
`

// bench is a machine of stand-ins with a profile.sh on it.
type bench struct {
	dir string
	env []string
}

// newBench puts a script onto a bench. nsys is a version; "": there is none.
func newBench(t *testing.T, q *Request, nsys string) *bench {
	t.Helper()
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("there is no bash here")
	}
	b := &bench{dir: t.TempDir()}
	programs := map[string]string{"python": pythonStandIn, "sleep": "#!/bin/bash\n", "srun": launcherStandIn, "mpirun": launcherStandIn,
		"mpiexec": launcherStandIn, "torchrun": launcherStandIn, "profile.sh": partsOf(t, *q)[Profile]}
	if nsys != "" {
		programs["nsys"] = nsysStandIn
	}
	for name, text := range programs {
		if err := os.WriteFile(filepath.Join(b.dir, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	b.env = append(os.Environ(), "PATH="+b.dir+":"+os.Getenv("PATH"), "NSYS="+had[nsys], "RANK_NAME="+rankOf[q.Launcher],
		"LOCAL_NAME="+localOf[q.Launcher], "CALLED="+filepath.Join(b.dir, "called"), "HEAD=node-0", "JOB_COMPLETION_INDEX=1", "LOST=", "TRACES=")
	if q.Profiler == PyTorch {
		b.env = append(b.env, "TRACES="+cmp.Or(numbers(q.Ranks, " "), "0 1 2 3"))
	}
	return b
}

// run runs profile.sh, and returns what it says, its exit status, and how the program was called.
func (b *bench) run(t *testing.T, args ...string) (says string, status int, called [][]string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "bash", append([]string{"profile.sh"}, args...)...)
	cmd.Dir, cmd.Env = b.dir, b.env
	out, err := cmd.CombinedOutput()
	if _, isExit := errors.AsType[*exec.ExitError](err); err != nil && !isExit {
		t.Fatal(err)
	}
	text, _ := os.ReadFile(filepath.Join(b.dir, "called"))
	os.Remove(filepath.Join(b.dir, "called"))
	for line := range strings.Lines(string(text)) {
		called = append(called, strings.Split(strings.TrimSuffix(line, "|\n"), "|"))
	}
	return string(out), cmd.ProcessState.ExitCode(), called
}

// TestProfile: of each launcher, and of each version of nsys, every rank runs the program with its arguments; those
// that are recorded leave a profile with their number, by options that this nsys has, and by one rank of each node
// with the counters of the node. What is not recorded is said once.
func TestProfile(t *testing.T) {
	each(t, func(t *testing.T, q Request, _ map[Kind]string) {
		versions := []string{"2026.2", "2022.4", "2024.7"}
		if q.Profiler == PyTorch {
			versions = []string{""}
		} else if q.Launcher != Launchers()[0] { // on which options do not depend
			versions = versions[:1]
		}
		for _, version := range versions {
			b := newBench(t, &q, version)
			says, status, called := b.run(t, `a "run"`, "more words")
			out := filepath.Join(b.dir, `a "run"`)
			if status != 0 || !strings.Contains(says, "next: perfdiff report "+strings.NewReplacer(" ", `\ `, `"`, `\"`).Replace(out)) {
				t.Fatalf("%s: status %d, %s", version, status, says)
			}
			for rank, got := range called {
				if want := slices.Concat([]string{fmt.Sprint(rank), out, b.dir}, q.Command[1:], []string{"more words"}); !slices.Equal(got, want) {
					t.Errorf("%s: got %q, want %q", version, got, want)
				}
			}
			files, _ := os.ReadDir(out)
			ranks := q.Ranks
			if ranks == nil {
				ranks = []int{0, 1, 2, 3}
			}
			if len(called) != 4 || len(files) != len(ranks) {
				t.Fatalf("%s: %d calls, %d profiles: %s", version, len(called), len(files), says)
			}
			if version == "" {
				continue
			}
			for _, rank := range ranks {
				text, err := os.ReadFile(filepath.Join(out, fmt.Sprintf("report.%d.nsys-rep", rank)))
				onNode := rank == ranks[0] || rank == 2
				checkOptions(t, &q, version, string(text), onNode)
				if err != nil {
					t.Error(err)
				}
			}
			for option, words := range map[string]string{"--osrt-file-access": "reads have times and no bytes", "--storage-metrics": "storage counters are not recorded"} {
				want := 1
				if strings.Contains(had[version], option) {
					want = 0
				}
				if got := strings.Count(says, "this nsys has no "+option+": "+words); got != want {
					t.Errorf("%s: %s is told %d times: %s", version, option, got, says)
				}
			}
		}
	})
}

// checkOptions holds the options of a rank to what perfdiff reads. That the version has them was asked by the stand-in.
func checkOptions(t *testing.T, q *Request, version, options string, onNode bool) {
	t.Helper()
	isMPI := slices.Contains([]string{"openmpi", "mpich", "pbs"}, q.Launcher)
	for option, want := range map[string]bool{
		"--trace=cuda,nvtx,osrt": true, "--capture-range=cudaProfilerApi\n": true, "--capture-range-end=stop\n": true,
		"--sample=none\n": true, "--cpuctxsw=none\n": true, "--cuda-graph-trace=node\n": true, ",mpi\n--mpi-impl=": isMPI,
		"--osrt-file-access=true\n": version == "2026.2", "--storage-metrics\n--storage-devices=all\n": version == "2026.2" && onNode,
		"--nic-metrics=true\n": version != "2026.2" && onNode, "--nic-metrics=lf\n": version == "2026.2" && onNode,
	} {
		if strings.Contains(options, option) != want {
			t.Errorf("%s: %q is there: %v, in %q", version, option, !want, options)
		}
	}
}

// TestRepeat: runs have directories of their own, and those of two work trees take turns, each in its tree.
func TestRepeat(t *testing.T) {
	q := Default()
	q.Nodes, q.PerNode = 1, 1
	b := newBench(t, &q, "2024.7")
	for _, tree := range []string{"a", "b c"} {
		if err := os.Mkdir(filepath.Join(b.dir, tree), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct{ args, want string }{
		{"--repeat 3 x", "x/run1 . x/run2 . x/run3 ."},
		{"--repeat 2 --pair a b_c y", "y/baseline/run1 a y/candidate/run1 b_c y/baseline/run2 a y/candidate/run2 b_c"},
		{"--pair b_c a z", "z/baseline/run1 b_c z/candidate/run1 a"},
	} {
		args := strings.Fields(tt.args)
		for i := range args {
			args[i] = strings.ReplaceAll(args[i], "_", " ")
		}
		says, status, called := b.run(t, args...)
		var got []string
		for _, call := range called {
			for _, path := range call[1:3] {
				rel, _ := filepath.Rel(b.dir, path)
				got = append(got, strings.ReplaceAll(rel, " ", "_"))
			}
		}
		if status != 0 || strings.Join(got, " ") != tt.want {
			t.Errorf("%s: status %d, got %q: %s", tt.args, status, got, says)
		}
	}
}

// TestProfileRefuses: nothing is written over or mixed, and what went wrong is said, with a status that a gate sees.
func TestProfileRefuses(t *testing.T) {
	q := Default()
	q.Nodes, q.PerNode = 1, 2
	for _, tt := range []struct {
		env, args, says string
		status          int
	}{
		{"", "full", "full holds files, and runs are not mixed: give another directory", 2},
		{"", "--repeat 2 full", "full holds files", 2},
		{"SLURM_PROCID=0", "--rank full", "full holds a profile of rank 0", 2},
		{"", "--rank x", "SLURM_PROCID: is not set: a launcher starts this", 1},
		{"LOST=1", "x", "x: no profile of rank 1: did it reach step 60, and what did its profiler say?", 1},
		{"LOST=1", "--repeat 2 x", "x/run1: no profile of rank 1", 1},
		{"FAILS=7", "x", "the job ended with status 7", 7},
		{"NSYS=", "x", "no nsys runs on ", 2},
		{"TORCHLESS=1", "x", "python has no torch here", 0},
		{"", "", "./profile.sh --repeat 3 --pair TREE_A TREE_B OUT", 2},
		{"", "--help", "./profile.sh --repeat 3 OUT", 2},
		{"", "--repeat 0 x", "--repeat 0: must be a number from 1 on", 2},
		{"", "--repeat", "OUT/run1", 2},
		{"", "--pair full gone x", "--pair: gone: no directory", 2},
		{"", "a%p", "must hold no %", 2},
	} {
		b := newBench(t, &q, "2024.7")
		b.env = append(b.env, tt.env)
		full := filepath.Join(b.dir, "full")
		if err := errors.Join(os.Mkdir(full, 0o755), os.WriteFile(filepath.Join(full, "report.0.nsys-rep"), nil, 0o644)); err != nil {
			t.Fatal(err)
		}
		says, status, called := b.run(t, strings.Fields(tt.args)...)
		if status != tt.status || !strings.Contains(says, tt.says) || tt.status == 2 && len(called) > 0 {
			t.Errorf("%s %s: got %d, %d calls, %s", tt.env, tt.args, status, len(called), says)
		}
	}
}
