package main

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"perfdiff/golden"
)

// drawnRooms are the packages of which the list of edits says little. Of each some conditions
// are drawn by a rule that was fixed before their tests were written.
var drawnRooms = []string{
	"analyze", "analyze/part", "analyze/saved", "analyze/shard", "analyze/source/ncu", "analyze/source/nsys/table",
	"analyze/source/rocpd", "analyze/source/steplog", "analyze/source/xla", "analyze/synth",
	"cmd/perfdiff/recipe", "diff/compute", "diff/sides", "diff/verdict", "diff/cause", "render/table",
}

const (
	drawnEach = 5  // edits of each room
	drawnSeed = 27 // the place in the list of its conditions at which the draw begins
)

// negated is what a condition becomes where its place in the draw is even, and edged where it is
// odd: a comparison that takes one value more or less, where there is such a one.
var (
	negated = map[token.Token]token.Token{token.EQL: token.NEQ, token.NEQ: token.EQL, token.LSS: token.GEQ, token.GEQ: token.LSS,
		token.GTR: token.LEQ, token.LEQ: token.GTR, token.LAND: token.LOR, token.LOR: token.LAND}
	edged = map[token.Token]token.Token{token.EQL: token.NEQ, token.NEQ: token.EQL, token.LSS: token.LEQ, token.GEQ: token.GTR,
		token.GTR: token.GEQ, token.LEQ: token.LSS, token.LAND: token.LOR, token.LOR: token.LAND}
)

// place is where an operator of a condition stands.
type place struct {
	file string
	at   token.Position
	op   token.Token
}

// conditionsOf lists the comparisons and the joints of conditions of a package, in order of files.
func conditionsOf(t *testing.T, dir string) (all []place) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(root, dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		set := token.NewFileSet()
		tree, err := parser.ParseFile(set, file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(tree, func(n ast.Node) bool {
			if e, ok := n.(*ast.BinaryExpr); ok && negated[e.Op] != 0 {
				all = append(all, place{file, set.Position(e.OpPos), e.Op})
			}
			return true
		})
	}
	return all
}

// draw makes edits of every n-th condition of a package.
func draw(t *testing.T, dir string) (out []mutant) {
	t.Helper()
	all := conditionsOf(t, dir)
	every := max(1, len(all)/drawnEach)
	for i := drawnSeed % every; i < len(all) && len(out) < drawnEach; i += every {
		c := all[i]
		to := negated[c.op]
		if len(out)%2 == 1 {
			to = edged[c.op]
		}
		text, err := os.ReadFile(c.file)
		if err != nil {
			t.Fatal(err)
		}
		edited := string(text[:c.at.Offset]) + to.String() + string(text[c.at.Offset+len(c.op.String()):])
		line := strings.TrimSpace(strings.Split(string(text), "\n")[c.at.Line-1])
		out = append(out, mutant{dir: dir, name: fmt.Sprintf("%s: %s for %s in %s", filepath.Base(c.file), to, c.op, line), file: c.file, text: edited,
			loops: "a loop may never end by a condition that is turned round"})
	}
	return out
}

// TestDrawnMutants reports which share of drawn edits the tests of their own package see. Some
// edits change nothing that can be seen, so the share is written down (golden/drawn.txt) and not
// held to a limit. "make mutate" runs it; MUTANTS picks packages, and the others' lines stay.
func TestDrawnMutants(t *testing.T) {
	if os.Getenv("PERFDIFF_MUTATE") == "" {
		t.Skip("make mutate runs it")
	}
	only := regexp.MustCompile(os.Getenv("MUTANTS"))
	rooms := slices.DeleteFunc(slices.Clone(drawnRooms), func(dir string) bool { return !only.MatchString(dir) })
	var all []mutant
	for _, dir := range rooms {
		all = append(all, draw(t, dir)...)
	}
	unedited(t, all)
	fates := make([]fate, len(all))
	parallel(len(all), func(i int) {
		fates[i] = all[i].ownFate(t.TempDir())
		t.Logf("%-15s %s: %s: %s", fates[i].end, all[i].dir, all[i].name, fates[i].test)
	})
	golden.Compare(t, goldenDir, drawnFile, []byte(drawnTable(t, rooms, all, fates)))
}

const drawnFile = "drawn.txt"

// drawnTable says of each room how many edits its own tests see, and names those they do not see.
// Rooms that were not asked keep what the file says of them.
func drawnTable(t *testing.T, asked []string, all []mutant, fates []fate) string {
	t.Helper()
	before, err := os.ReadFile(filepath.Join(goldenDir, drawnFile))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	table := "Conditions drawn by a fixed rule and turned round or moved by one value, in packages of which\n" +
		"mutants.txt says little, and which of them the package's own tests see (make mutate).\n"
	for _, room := range drawnRooms {
		if slices.Contains(asked, room) {
			table += "\n" + drawnRoom(room, all, fates)
			continue
		}
		for block := range strings.SplitSeq(string(before), "\n\n") {
			if strings.HasPrefix(block, room+": ") {
				table += "\n" + strings.TrimSuffix(block, "\n") + "\n"
			}
		}
	}
	return table
}

// drawnRoom is what the table says of one room.
func drawnRoom(room string, all []mutant, fates []fate) string {
	edits, seen, living := 0, 0, ""
	for i, m := range all {
		if m.dir != room {
			continue
		}
		edits++
		switch fates[i].end {
		case killedNear:
			seen++
		case undecided:
			living += "  nothing decided: " + m.name + "\n"
		default:
			living += "  not seen: " + m.name + "\n"
		}
	}
	return fmt.Sprintf("%s: %d of %d seen\n%s", room, seen, edits, living)
}

// TestDraw: the draw takes as many conditions as it says, and every edit is another text.
func TestDraw(t *testing.T) {
	for _, dir := range drawnRooms {
		edits := draw(t, dir)
		if want := min(drawnEach, len(conditionsOf(t, dir))); len(edits) != want {
			t.Errorf("%s: got %d edits, want %d", dir, len(edits), want)
		}
	}
}
