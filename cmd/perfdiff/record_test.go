package main

import (
	"strings"
	"testing"

	"perfdiff/analyze/source"
	"perfdiff/cmd/perfdiff/recipe"
)

// TestGoldenRecord holds the recipes of the topic to what perfdiff record prints.
func TestGoldenRecord(t *testing.T) {
	indented := func(args ...string) string {
		text := "\n    " + strings.ReplaceAll(strings.TrimSpace(printed(t, append([]string{"record"}, args...)...)), "\n", "\n    ") + "\n\n"
		return strings.ReplaceAll(text, "\n    \n", "\n\n")
	}
	holdDoc(t, topicFile("record"), [][2]string{
		{"code", indented("--only", "code")}, {"list", indented("--list")}, {"pytorch", indented("--profiler", "pytorch", "--only", "code")},
	})
}

// TestRecord: without a word the commonest recipe is printed, with a line of what else there is;
// parts are printed alone as they stand in it.
func TestRecord(t *testing.T) {
	all := printed(t, "record")
	if !strings.HasPrefix(all, "# Nsight Systems, under Slurm: steps 11 to 60 of all ranks.\n") || !strings.HasSuffix(all, "--launcher NAME --profiler NAME, and --list\n") {
		t.Errorf("got\n%s", all)
	}
	all = printed(t, "record", "--launcher", "kubernetes")
	for _, kind := range recipe.Kinds() {
		if part := printed(t, "record", "--launcher", "kubernetes", "--only", kind); len(part) < 20 || !strings.Contains(all, "\n\n"+part) {
			t.Errorf("%s: got\n%s", kind, part)
		}
	}
	text := printed(t, "record", "--launcher", "mpich", "--steps", "5-9", "--ranks", "0-1,5", "--nodes", "2", "--ranks-per-node", "4", "--", "python", "t.py", "--steps", "3")
	for _, want := range []string{"Nsight Systems, under MPICH: steps 5 to 9 of some ranks", "FIRST, LAST = 5, 9", "rank=${PMI_RANK:?", `ranks="0 1 5"`,
		"program=(python t.py --steps 3)", "nodes=2 per_node=4", "mpiexec -n $((nodes * per_node)) -ppn $per_node bash"} {
		if !strings.Contains(text, want) {
			t.Errorf("lacks %q:\n%s", want, text)
		}
	}
}

// TestRecordErrors: what cannot be printed is said before anything is.
func TestRecordErrors(t *testing.T) {
	for line, want := range map[string]string{
		"--launcher ray":               `launcher "ray": must be one of slurm, torchrun, openmpi, mpich, pbs, kubernetes`,
		"--profiler perf":              `profiler "perf": must be one of nsys, pytorch`,
		"--steps 60":                   "--steps 60: must be the first and the last step that are recorded, as in 11-60",
		"--steps 60-11":                "steps 60-11: must be two numbers from 0 on",
		"--ranks 3-1":                  `--ranks: "3-1" is neither a rank nor a stretch`,
		"--ranks 16":                   "--ranks 16: the job has ranks 0 to 15 (--nodes, --ranks-per-node)",
		"--nsys-version 2024.5":        "--nsys-version is gone: profile.sh asks the nsys of the node what it can",
		"-o DIR":                       "-o is gone: profile.sh takes the directory",
		"--nodes 0":                    "0 nodes with 8 ranks each",
		"--only script":                "--only script: must be code, profile, manifest",
		"--only manifest":              "--only manifest: only Kubernetes has one",
		"--nodes 9000 --ranks 0-50000": "--ranks: more than 4,096 ranks cannot be listed",
		"--nope":                       "unknown flag: --nope",
	} {
		out, errors := mustRun(t, statusError, append([]string{"record"}, strings.Fields(line)...)...)
		if out != "" || !strings.Contains(errors, want) || !strings.Contains(errors, "perfdiff record --help") {
			t.Errorf("%s: got %q, %q", line, out, errors)
		}
	}
}

// TestRecordedNames: perfdiff finds the rank in the names that its recipes give to profiles.
func TestRecordedNames(t *testing.T) {
	for name, want := range map[string]int{"report.3.nsys-rep": 3, "report.12.sqlite": 12, "rank7.1763860000000000000.pt.trace.json.gz": 7} {
		if got := source.RankOfName(name); got.Rank != want {
			t.Errorf("%s: got %+v, want %d", name, got, want)
		}
	}
	if code := printed(t, "record", "--profiler", "pytorch", "--only", "code"); !strings.Contains(code, `worker_name=f"rank{rank}"`) {
		t.Errorf("got\n%s", code)
	}
}

// TestRecordForgotten: a launcher or profiler that stands where the program does is asked about, and no program;
// behind "--" it is one. Steps that warm up are warned of.
func TestRecordForgotten(t *testing.T) {
	for _, tt := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{"record", "slurm"}, statusError, "say --launcher slurm"},
		{[]string{"record", "pytorch"}, statusError, "say --profiler pytorch"},
		{[]string{"record", "--", "slurm"}, statusOK, ""},
		{[]string{"record", "train.sh"}, statusOK, ""},
		{[]string{"record", "--steps", "0-9"}, statusOK, "step 0 is recorded: the first steps of a run warm up"},
		{[]string{"summarize", "x", "--shard", "0/4"}, statusError, "-o DIR is missing"},
	} {
		var out, errs strings.Builder
		code := run(t.Context(), tt.args, &out, &errs)
		if code != tt.code || !strings.Contains(errs.String(), tt.says) || tt.says == "" && strings.Contains(errs.String(), "error") {
			t.Errorf("%q: got %d, %s", tt.args, code, errs.String())
		}
	}
}
