package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"perfdiff/analyze/source"
	"perfdiff/cmd/perfdiff/recipe"
)

// recordText is what perfdiff record prints with an nsys on PATH that says nothing of its version.
func recordText(t *testing.T, args ...string) string {
	t.Helper()
	return printed(t, append([]string{"record", "--nsys-version", recipe.Newest().String()}, args...)...)
}

// TestGoldenRecord holds the recipes of the topic to what perfdiff record prints.
func TestGoldenRecord(t *testing.T) {
	indented := func(args ...string) string {
		text := "\n    " + strings.ReplaceAll(strings.TrimSpace(recordText(t, args...)), "\n", "\n    ") + "\n\n"
		return strings.ReplaceAll(text, "\n    \n", "\n\n")
	}
	holdDoc(t, topicFile("record"), [][2]string{
		{"code", indented("--only", "code")}, {"script", indented("--only", "script")}, {"start", indented("--only", "start")},
		{"list", indented("--list")}, {"pytorch", indented("--profiler", "pytorch", "--only", "code")},
	})
}

// TestRecord: without a word the commonest recipe is printed, with a line of what else there is;
// parts are printed alone as they stand in it.
func TestRecord(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	all := printed(t, "record")
	if !strings.HasPrefix(all, "# Nsight Systems 2026.2, under Slurm: steps 11 to 60 of all ranks.\n") || !strings.HasSuffix(all, "--launcher NAME --profiler NAME, and --list\n") {
		t.Errorf("got\n%s", all)
	}
	for _, kind := range recipe.Kinds() {
		if part := printed(t, "record", "--only", kind); len(part) < 20 || !strings.Contains(all, "\n\n"+part) {
			t.Errorf("%s: got\n%s", kind, part)
		}
	}
	text := printed(t, "record", "--launcher", "mpich", "--steps", "5-9", "--ranks", "0-1,8", "--nodes", "2", "--ranks-per-node", "4", "--nsys-version", "2024.5.1", "-o", "candidate", "--", "python", "t.py", "--steps", "3")
	for _, want := range []string{"Nsight Systems 2024.5, under MPICH: steps 5 to 9 of some ranks", "FIRST, LAST = 5, 9", "rank=${PMI_RANK:?", "    0|1) ;;", "--output=candidate/report.%q{PMI_RANK}",
		`"${options[@]}" python t.py --steps 3 "$@"`, "mpiexec -n 8 -ppn 4 bash record.sh"} {
		if !strings.Contains(text, want) {
			t.Errorf("lacks %q:\n%s", want, text)
		}
	}
}

// TestRecordVersion: the directory of the nsys on PATH says its version, and nothing is run.
func TestRecordVersion(t *testing.T) {
	dir := t.TempDir()
	real := filepath.Join(dir, "nsight-systems", "2025.5.2", "bin")
	if err := os.MkdirAll(real, 0o755); err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(real, "nsys"), "#!/bin/sh\necho ran >"+filepath.Join(dir, "ran")+"\n")
	if err := os.Chmod(filepath.Join(real, "nsys"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(real, "nsys"), filepath.Join(dir, "nsys")); err != nil {
		t.Skip("there are no links here")
	}
	t.Setenv("PATH", dir)
	text := printed(t, "record")
	if !strings.HasPrefix(text, "# Nsight Systems 2025.5, under Slurm") || strings.Contains(text, dir) || !strings.Contains(text, "--osrt-file-access=true") || strings.Contains(text, "\n        --storage-metrics") {
		t.Errorf("got\n%s", text)
	}
	if _, err := os.Stat(filepath.Join(dir, "ran")); err == nil {
		t.Error("nsys was run")
	}
}

// TestRecordAssumed: a version that nobody said is not taken for known.
func TestRecordAssumed(t *testing.T) {
	t.Setenv("PATH", "")
	if text := printed(t, "record"); !strings.Contains(text, "This version is assumed") {
		t.Errorf("got\n%s", text)
	}
	for _, said := range []string{"2026.2", "2024.5.1.113-245134619542v0", "NVIDIA Nsight Systems version 2024.5.1.113-245134619542v0"} {
		if text := printed(t, "record", "--nsys-version", said); strings.Contains(text, "assumed") {
			t.Errorf("%s: got\n%s", said, text)
		}
	}
}

// TestRecordErrors: what cannot be printed is said before anything is.
func TestRecordErrors(t *testing.T) {
	for line, want := range map[string]string{
		"--launcher ray":                   `launcher "ray": must be one of slurm, torchrun, openmpi, mpich, pbs, kubernetes`,
		"--profiler perf":                  `profiler "perf": must be one of nsys, pytorch`,
		"--steps 60":                       "--steps 60: must be the first and the last step that are recorded, as in 11-60",
		"--steps 60-11":                    "steps 60-11: must be two numbers from 0 on",
		"--ranks 3-1":                      `--ranks: "3-1" is neither a rank nor a stretch`,
		"--ranks 16":                       "--ranks 16: the job has ranks 0 to 15 (--nodes, --ranks-per-node)",
		"--nsys-version new":               `"new" is no version of nsys: nsys --version prints it, as in 2024.5.1`,
		"--nsys-version 2021.3":            "nsys 2021.3: the options of versions before 2022.4 are not known",
		"--nodes 0":                        "0 nodes with 8 ranks each",
		"--only all":                       "--only all: must be code, script, start",
		"--profiler pytorch --only script": "--only script: the PyTorch profiler needs no script",
		"--nodes 9000 --ranks 0-50000":     "--ranks: more than 4,096 ranks cannot be listed",
		"--nope":                           "unknown flag: --nope",
	} {
		out, errors := mustRun(t, statusError, append([]string{"record"}, strings.Fields(line)...)...)
		if out != "" || !strings.Contains(errors, want) || !strings.Contains(errors, "perfdiff record --help") {
			t.Errorf("%s: got %q, %q", line, out, errors)
		}
	}
}

// TestRecordedNames: perfdiff finds the rank in the names that its recipes give to profiles.
func TestRecordedNames(t *testing.T) {
	for _, launcher := range recipe.Launchers() {
		script := recordText(t, "--launcher", launcher, "--only", "script")
		name := "report.%q{" + recipe.Variable(launcher) + "}"
		if !strings.Contains(script, name) {
			t.Errorf("%s: the script does not write %s", launcher, name)
		}
	}
	for name, want := range map[string]int{"report.3.nsys-rep": 3, "report.12.sqlite": 12, "rank7.1763860000000000000.pt.trace.json.gz": 7} {
		if got := source.RankOfName(name); got.Rank != want {
			t.Errorf("%s: got %+v, want %d", name, got, want)
		}
	}
	if code := recordText(t, "--profiler", "pytorch", "--only", "code"); !strings.Contains(code, `worker_name=f"rank{rank}"`) {
		t.Errorf("got\n%s", code)
	}
}

// TestRecordForgotten: a launcher or profiler that stands where the program does is asked about, and no program;
// behind "--" it is one. Steps that warm up are warned of.
func TestRecordForgotten(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
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
