// Package recipe writes down how a job is recorded: the code that marks its steps, the script
// that every rank runs and the command that starts them, for a profiler, a launcher and a
// version of Nsight Systems. Nothing is run.
package recipe

import (
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

// Request says what to put into a recipe. The zero value of a field is not valid, except of Ranks: see Default.
type Request struct {
	Profiler Profiler
	Launcher string  // one of Launchers
	Version  Version // of Nsight Systems
	Assumed  bool    // nobody said the version, and no nsys at hand does
	First    int     // number of the first step that is recorded, from 0
	Last     int     // and of the last one
	Ranks    []int   // that are recorded; nil: all
	Nodes    int
	PerNode  int      // ranks on each node
	Dir      string   // into which profiles are written
	Command  []string // the program and its arguments
}

// Default returns the commonest recipe: fifty steps of all ranks, ten steps into the run.
func Default() Request {
	return Request{Profiler: Nsight, Launcher: launchers[0].Name, Version: Newest(), First: 11, Last: 60,
		Nodes: 2, PerNode: 8, Dir: "baseline", Command: []string{"python", "train.py"}}
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
	case q.Dir == "" || q.Dir[0] == '-' || strings.Contains(q.Dir, "%") || strings.ContainsFunc(q.Dir, unicode.IsControl):
		return fmt.Errorf("directory %q: must be a path without %% and line breaks", q.Dir)
	case len(q.Command) == 0 || q.Command[0] == "":
		return fmt.Errorf("there is no program to record")
	}
	if q.Profiler == Nsight && q.Version.less(oldest) {
		return fmt.Errorf("nsys %s: the options of versions before %s are not known: record with a newer one, "+
			"which may be installed beside it", q.Version, oldest)
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
	Code   Kind = "code"   // Python: what goes into the training loop
	Script Kind = "script" // a shell script that every rank runs
	Start  Kind = "start"  // the command, or the Kubernetes manifest, that starts all ranks
)

// Kinds returns all kinds.
func Kinds() []string { return []string{string(Code), string(Script), string(Start)} }

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
	var parts []Part
	if q.Profiler == Nsight {
		parts = []Part{{Code, "into the training loop", nvtxCode(&q)}, {Script, scriptName + ", which every rank runs", nsightScript(&q, l)}}
	} else {
		parts = []Part{{Code, "around the training loop", profilerCode(&q, l)}}
	}
	title := "start"
	if l.Name == kubernetes {
		title = "job.yaml, for kubectl apply -f"
	} else if q.Nodes > 1 && l.onEachNode {
		title = "start, on every node"
	}
	return append(parts, Part{Start, title, l.start(&q)}), nil
}

// scriptName is the name of the script that ranks run.
const scriptName = "record.sh"

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
	what := "PyTorch profiler"
	if q.Profiler == Nsight {
		what = "Nsight Systems " + q.Version.String()
	}
	ranks := "all ranks"
	if q.Ranks != nil {
		ranks = "some ranks"
	}
	out := []string{fmt.Sprintf("%s, %s: steps %d to %d of %s.", what, l.About, q.First, q.Last, ranks)}
	if n := q.Last - q.First + 1; n < fewSteps {
		out = append(out, fmt.Sprintf("These are few: perfdiff leaves out the first and the last, and a gate wants 10. Better: --steps %d-%d.", q.First, q.First+49))
	}
	if q.Profiler == Nsight && q.Assumed {
		out = append(out, "This version is assumed: no nsys at hand says its own. Options that yours lacks end the job: compare nsys --version, and give it as --nsys-version.")
	}
	if q.Profiler == Nsight && newest.less(q.Version) {
		out = append(out, "The newest version whose options are known is "+newest.String()+"; this one may have others.")
	}
	if q.Profiler == Nsight {
		for _, o := range missing(q.Version) {
			out = append(out, fmt.Sprintf("Without %s, which nsys has from %s on: %s.", o.name(), o.From, o.Without))
		}
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
