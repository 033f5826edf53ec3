// Package recipe writes down how a job is recorded: the code that marks its steps, and a script that starts the ranks
// under a launcher, each with its profiler. Nothing is run; the script asks the tools of its node what they can.
package recipe

import (
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// Profiler is the profiler that records.
type Profiler string

// The profilers that recipes are known for.
const (
	Nsight  Profiler = "nsys"
	PyTorch Profiler = "pytorch"
)

// Profilers lists all profilers, the commonest first.
func Profilers() []string { return []string{string(Nsight), string(PyTorch)} }

// name is what the profiler is called in text.
func (p Profiler) name() string {
	if p == Nsight {
		return "Nsight Systems"
	}
	return "PyTorch profiler"
}

// tried says with which versions profile.sh recorded a program, in Debian's builds and on machines without a GPU, where
// a range began the capture of nsys, as nothing else does there (golden/tools.txt). Stand-ins in tests are not counted.
var tried = map[string]string{
	"slurm": "Slurm 22.05.8", "torchrun": "torchrun of PyTorch 1.13", "openmpi": "Open MPI 4.1.4", "mpich": "MPICH 4.0.2",
	string(Nsight):  "Nsight Systems 2022.4.2 and 2023.4.4, without a GPU",
	string(PyTorch): "PyTorch 1.13, without a GPU",
}

// Tried returns what profile.sh was tried with, of a launcher or a profiler.
func Tried(name string) string {
	if with := tried[name]; with != "" {
		return "tried with " + with
	}
	return "untried"
}

// Request says what to put into a recipe. The zero value of a field is not valid, except of Ranks: see Default.
type Request struct {
	Profiler Profiler
	Launcher string // one of Launchers
	First    int    // number of the first step that is recorded, from 0
	Last     int    // and of the last one
	Ranks    []int  // that are recorded; nil: all
	Nodes    int
	PerNode  int      // ranks on each node
	Command  []string // the program and its arguments
}

// Default returns the commonest recipe: fifty steps of all ranks, ten steps into the run.
func Default() Request {
	return Request{Profiler: Nsight, Launcher: launchers[0].Name, First: 11, Last: 60,
		Nodes: 2, PerNode: 8, Command: []string{"python", "train.py"}}
}

// maxStep bounds the numbers of steps, nodes and ranks: beyond it something was mistyped.
const maxStep = 1 << 30

// check returns nil where a recipe can be written.
func (q *Request) check() error {
	switch {
	case !slices.Contains(Profilers(), string(q.Profiler)):
		return fmt.Errorf("profiler %q: must be one of %s", q.Profiler, strings.Join(Profilers(), ", "))
	case launcherNamed(q.Launcher) == nil:
		return fmt.Errorf("launcher %q: must be one of %s", q.Launcher, strings.Join(Launchers(), ", "))
	case q.First < 0 || q.Last < q.First || q.Last > maxStep:
		return fmt.Errorf("steps %d-%d: must be two numbers from 0 on, the smaller one first", q.First, q.Last)
	case q.Nodes < 1 || q.PerNode < 1 || q.Nodes > maxStep || q.PerNode > maxStep:
		return fmt.Errorf("%d nodes with %d ranks each: both must be at least 1", q.Nodes, q.PerNode)
	case len(q.Command) == 0 || q.Command[0] == "":
		return fmt.Errorf("there is no program to record")
	}
	for _, s := range q.Command {
		if strings.ContainsFunc(s, unicode.IsControl) {
			return fmt.Errorf("%q: an argument of the program must not hold a line break", s)
		}
	}
	return nil
}

// Kind is the kind of a part of a recipe, and the word that asks for it.
type Kind string

// The kinds of parts, in the order in which a recipe has them.
const (
	Code     Kind = "code"     // Python: what goes into the training loop
	Profile  Kind = "profile"  // a shell script that records runs
	Manifest Kind = "manifest" // of Kubernetes: what starts the script
)

// Kinds returns all kinds.
func Kinds() []string { return []string{string(Code), string(Profile), string(Manifest)} }

// Part is one text of a recipe, to be copied as it is.
type Part struct {
	Kind  Kind
	Title string // where it goes
	Text  string // with a line break behind every line
}

// Of writes the recipe that is asked for. An error names what is wrong with the question.
func Of(q Request) ([]Part, error) {
	if err := q.check(); err != nil {
		return nil, err
	}
	l := launcherNamed(q.Launcher)
	code, title := Part{Code, "into the training loop", nvtxCode(&q)}, "profile.sh, which starts the ranks"
	if q.Profiler == PyTorch {
		code = Part{Code, "around the training loop", profilerCode(&q, l)}
	}
	if l.Name == "torchrun" && q.Nodes > 1 {
		title += ": on every node"
	}
	parts := []Part{code, {Profile, title, profileScript(&q, l)}}
	if l.Name == kubernetes {
		parts = append(parts, Part{Manifest, "job.yaml, for kubectl apply -f", manifest(&q)})
	}
	return parts, nil
}

// profileText is the script, and nsysText what it does with a rank under nsys.
var (
	//go:embed profile.sh
	profileText string
	//go:embed nsys.sh
	nsysText string
)

// profileScript fills the script in.
func profileScript(q *Request, l *launcher) string {
	ranks, node := "$(seq -s ' ' 0 $((nodes * per_node - 1)))", fmt.Sprintf(`[ "$%s" = 0 ]`, l.Local)
	if q.Ranks != nil {
		var first []int // of each node
		for _, rank := range q.Ranks {
			if n := len(first); n == 0 || first[n-1]/q.PerNode != rank/q.PerNode {
				first = append(first, rank)
			}
		}
		ranks, node = numbers(q.Ranks, " "), fmt.Sprintf(`[[ " %s " = *" $rank "* ]]`, numbers(first, " "))
	}
	rank, recorded := "    exec \"${program[@]}\" \"$@\"\n", `set -- "$1/rank$2."* && [ -e "$1" ]`
	if q.Profiler == Nsight {
		rank, recorded = nsysText, `[ -e "$1/report.$2.nsys-rep" ]`
	}
	mpi := "    # kernels, ranges, calls of the system"
	if l.mpi != "" {
		mpi = ",mpi --mpi-impl=" + l.mpi + mpi
	}
	text := strings.Replace(profileText, "{{exec}}\n", rank, 1)
	return strings.NewReplacer("{{profiler}}", q.Profiler.name(), "{{about}}", l.About,
		"{{tried}}", fmt.Sprintf("%s: %s; %s: %s", l.Name, Tried(l.Name), q.Profiler, Tried(string(q.Profiler))),
		"{{nodes}}", strconv.Itoa(q.Nodes), "{{per_node}}", strconv.Itoa(q.PerNode), "{{ranks}}", ranks,
		"{{program}}", wordsOf(q.Command), "{{recorded}}", recorded, "{{launch}}", startOf(q, l), "{{rank}}", l.Rank,
		"{{last}}", strconv.Itoa(q.Last), "{{mpi}}", mpi, "{{node}}", node).Replace(text)
}

// Text returns a whole recipe, every part under a line that says where it goes.
func Text(q Request, parts []Part) string {
	var b strings.Builder
	for _, line := range heads(&q) {
		b.WriteString("# " + line + "\n")
	}
	for _, p := range parts {
		fmt.Fprintf(&b, "\n# ---- %s\n\n%s", p.Title, p.Text)
	}
	return b.String()
}

// fewSteps is how many recorded steps are not few: 10, which a gate wants, and the two that are
// left out at the ends.
const fewSteps = 12

// heads say in some lines what the recipe records.
func heads(q *Request) []string {
	l := launcherNamed(q.Launcher)
	ranks := "all ranks"
	if q.Ranks != nil {
		ranks = "some ranks"
	}
	out := []string{fmt.Sprintf("%s, %s: steps %d to %d of %s.", q.Profiler.name(), l.About, q.First, q.Last, ranks)}
	if n := q.Last - q.First + 1; n < fewSteps {
		out = append(out, fmt.Sprintf("These are few: perfdiff leaves out the first and the last, and a gate wants 10. "+
			"Better: --steps %d-%d.", q.First, q.First+49))
	}
	return out
}

// word returns a text as one word of a shell, in quotes only where it needs them.
func word(s string) string {
	plain := func(r rune) bool {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("_-./=:,+@%", r)
	}
	if s != "" && !strings.ContainsFunc(s, func(r rune) bool { return !plain(r) }) {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// wordsOf returns a command line.
func wordsOf(args []string) string {
	out := make([]string, len(args))
	for i, s := range args {
		out[i] = word(s)
	}
	return strings.Join(out, " ")
}

// numbers returns numbers with something between them.
func numbers(all []int, between string) string {
	out := make([]string, len(all))
	for i, n := range all {
		out[i] = strconv.Itoa(n)
	}
	return strings.Join(out, between)
}
