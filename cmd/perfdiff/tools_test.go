package main

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"perfdiff/cmd/perfdiff/recipe"
)

// triedTool is a line of tools.txt as .real/tools.sh writes it.
type triedTool struct{ name, launcher, about, status, tries string }

// tools are what .real/tools.sh recorded, and the table that is made of it.
type tools struct {
	*testing.T
	dir   string
	tried []triedTool
	table strings.Builder
}

// TestTools holds perfdiff to what real tools recorded by what it prints (make tools): the slower loader is found in each
// form of the profiles, and every command line that is printed on the way does what it says. The table is written to
// PERFDIFF_TOOLS_FILE if all of it holds.
func TestTools(t *testing.T) {
	w := &tools{T: t, dir: os.Getenv("PERFDIFF_TOOLS")}
	if w.dir == "" {
		t.Skip("nothing was recorded by real tools here: make tools records it")
	}
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("PATH", "/usr/bin:/bin")
	w.recorded()
	w.table.WriteString("\nThe loader takes 30 in place of 10 ms a batch, three runs per side:\n\n")
	for _, x := range w.tried {
		switch at := filepath.Join(w.dir, x.name); {
		case x.launcher == "-":
			w.compare(x.about, "results", filepath.Join(at, "base"), filepath.Join(at, "slow"))
		case x.launcher != "torchrun":
		case x.name == string(recipe.PyTorch):
			w.compare("PyTorch profiler", "traces", filepath.Join(at, "profiles", "baseline"), filepath.Join(at, "profiles", "candidate"))
		default:
			w.nsight(x.name, filepath.Join(at, "nsys"), filepath.Join(at, "profiles"))
		}
	}
	t.Log("\n" + w.table.String())
	if path := os.Getenv("PERFDIFF_TOOLS_FILE"); path != "" && !t.Failed() {
		if err := os.WriteFile(filepath.Join(root, path), []byte(w.table.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// recorded says what recorded, and how it ended.
func (w *tools) recorded() {
	text, err := os.ReadFile(filepath.Join(w.dir, "tools.txt"))
	if err != nil {
		w.Fatal(err)
	}
	w.table.WriteString("What perfdiff prints, run as it prints it, with real tools on CPUs (make tools). For nsys a range begins the capture:\n" +
		"nothing calls cudaProfilerStart without a GPU.\n\n")
	fmt.Fprintf(&w.table, "%-16s %-28s %6s %6s\n", "profiler", "launcher, or program", "status", "starts")
	for line := range strings.Lines(string(text)) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(f) != 5 {
			w.Fatalf("tools.txt: got %q", line)
		}
		x := triedTool{f[0], f[1], f[2], f[3], f[4]}
		if x.status != "0" {
			w.Errorf("%s under %s: status %s: see said.txt there", x.name, x.about, x.status)
		}
		w.tried = append(w.tried, x)
		fmt.Fprintf(&w.table, "%-16s %-28s %6s %6s\n", strings.TrimSuffix(x.name, "go"), x.about, x.status, x.tries)
	}
}

// compare compares two sides, of which the second is slower, and says what came out.
func (w *tools) compare(with, form string, sides ...string) {
	w.Helper()
	a := compareForAnswer(w, sides...)
	finding := ""
	if len(a.findings) > 0 {
		finding = " " + a.findings[0].Text
	}
	if a.status != statusRegressed || form != "results" && first(a) != slowLoader {
		w.Errorf("%s, %s: exit %d, %s, first finding %q", with, form, a.status, a.headline, first(a))
	}
	fmt.Fprintf(&w.table, "%-22s %-15s exit %d  %s%s\n", with, form, a.status, strings.ReplaceAll(a.headline, " ", " "), strings.ReplaceAll(finding, " ", " "))
}

// said returns what a command prints, on both streams.
func (w *tools) said(args ...string) string {
	var out bytes.Buffer
	run(context.Background(), args, &out, &out)
	return out.String()
}

// shell runs a printed line in a directory, with an nsys on PATH, and counts it.
func (w *tools) shell(where, nsys, dir, line string) {
	w.Helper()
	cmd := exec.Command("bash", "-c", line)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "PATH="+filepath.Dir(nsys)+":"+os.Getenv("PATH"))
	if out, err := cmd.CombinedOutput(); err != nil || line == "" {
		w.Errorf("%s prints %q: %v: %.500s", where, line, err, out)
	}
}

// nsight holds what an nsys recorded as reports, exports and tables, and runs the lines that are printed of them.
func (w *tools) nsight(name, nsys, profiles string) {
	sides := []string{filepath.Join(profiles, "baseline"), filepath.Join(profiles, "candidate")}
	remedy := regexp.MustCompile(`export it with: (nsys export [^)\n]+)\)`).FindStringSubmatch(w.said(sides...))
	if remedy == nil {
		w.Fatalf("%s: no line that exports: %s", name, w.said(sides...))
	}
	exported := filepath.Join(sides[0], "run1", "report.0.sqlite")
	w.shell("the error", nsys, filepath.Dir(exported), remedy[1])
	if err := os.Remove(exported); err != nil {
		w.Errorf("the error prints %q: %v", remedy[1], err)
	}
	path := os.Getenv("PATH")
	w.Setenv("PATH", filepath.Dir(nsys)+":"+path)
	w.compare(name, "reports", sides...)
	w.picked(name, nsys, sides)
	loop := regexp.MustCompile(`for f in report\.\*.*done`).FindString(topicText("record"))
	runs, _ := filepath.Glob(filepath.Join(profiles, "*", "run*"))
	help, _ := exec.Command(nsys, "export", "--help").CombinedOutput()
	tables := w.TempDir()
	for _, dir := range runs {
		w.shell("help record", nsys, dir, loop)
		reports, _ := filepath.Glob(filepath.Join(dir, "*.nsys-rep"))
		for _, r := range reports {
			if to := filepath.Join(tables, strings.TrimPrefix(dir, profiles)); bytes.Contains(help, []byte("parquetdir")) {
				w.shell("Parquet", nsys, dir, fmt.Sprintf("mkdir -p %[1]s && nsys export --type parquetdir -o %[1]s/%[2]s.parquetdir %[2]s", to, filepath.Base(r)))
			}
			os.Remove(r)
		}
	}
	w.Setenv("PATH", path)
	w.compare(name, "exports", sides...)
	w.picked(name, nsys, sides)
	if entries, _ := os.ReadDir(tables); len(entries) > 0 {
		w.compare(name, "Parquet tables", filepath.Join(tables, "baseline"), filepath.Join(tables, "candidate"))
	}
}

// picked runs the first line of each kind that perfdiff pick prints; nsys-ui, which opens a window, is left out.
func (w *tools) picked(name, nsys string, sides []string) {
	done := map[string]bool{}
	for _, line := range regexp.MustCompile(`(?m)^ +(nsys (?:export|stats) .*)$`).FindAllStringSubmatch(w.said(append([]string{"pick"}, sides...)...), -1) {
		if kind := strings.Join(strings.Fields(line[1])[:2], " "); !done[kind] {
			done[kind] = true
			w.shell("pick", nsys, w.TempDir(), line[1])
			fmt.Fprintf(&w.table, "%-22s %-15s the line of perfdiff pick runs\n", name, kind)
		}
	}
}

// TestTried holds what perfdiff says it was tried with to what was run: each version stands in golden/tools.txt,
// golden/real.txt or the names of real profiles, what was run is said, and the rest is untried.
func TestTried(t *testing.T) {
	ran := string(goldenText(t, "tools.txt")) + string(goldenText(t, "real.txt"))
	for _, name := range slices.Concat(recipe.Launchers(), recipe.Profilers()) {
		for _, v := range regexp.MustCompile(`\d+(\.\d+)+`).FindAllString(recipe.Tried(name), -1) {
			if !strings.Contains(ran, " "+v) {
				t.Errorf("%s is %s: golden/tools.txt has no %s", name, recipe.Tried(name), v)
			}
		}
	}
	readme, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, rows, _ := strings.Cut(string(readme), "| tried with |")
	rows, _, _ = strings.Cut(rows, "\n\n")
	exports := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^nsys/\S*-(\d{4}\.\d)\S*\.sqlite`).FindAllStringSubmatch(string(goldenText(t, "data.txt")), -1) {
		exports[m[1]] = true
	}
	versions := slices.Sorted(maps.Keys(exports))
	if want := fmt.Sprintf("exports of %s to %s", versions[0], versions[len(versions)-1]); !strings.Contains(rows, want) {
		t.Errorf("README.md: the table of formats lacks %q", want)
	}
	claim, said := regexp.MustCompile(`(nsys|PyTorch|hyperfine|pytest-benchmark|Go) (\d+\.\d+)(?: and (\d+\.\d+))?`), map[string]bool{}
	for _, row := range strings.Split(strings.TrimSpace(rows), "\n")[2:] {
		cell := strings.Split(row, "|")[3]
		found := claim.FindAllStringSubmatch(cell, -1)
		if len(found) == 0 && !strings.Contains(cell, "untried") && strings.TrimSpace(cell) != "itself" {
			t.Errorf("README.md: %q names neither what it was tried with nor that it was not", cell)
		}
		for _, m := range found {
			for _, v := range m[2:] {
				if said[m[1]+" "+v] = true; v != "" && !strings.Contains(ran, m[1]+" "+v) {
					t.Errorf("README.md: tried with %s %s, which golden/tools.txt lacks", m[1], v)
				}
			}
		}
	}
	for _, m := range claim.FindAllString(ran, -1) {
		if !said[m] {
			t.Errorf("README.md: the table of formats does not say that it was tried with %s", m)
		}
	}
}

// goldenText is a file of the golden folder.
func goldenText(t *testing.T, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(goldenDir, name))
	if err != nil {
		t.Fatal(err)
	}
	return text
}
