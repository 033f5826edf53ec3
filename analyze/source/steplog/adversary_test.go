package steplog

import (
	"flag"
	"fmt"
	"maps"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"perfdiff/analyze/order"
)

var update = flag.Bool("update", false, "write the golden files of this package")

// taken says what the reader made of a log, and whether it is right.
func (u *unknown) taken(t *testing.T, n int, show bool) (as string, right, wrong bool) {
	tr, err := read(t, "unknown.log", []byte(u.text))
	line := strings.Split(u.text, "\n")[len(strings.Split(u.text, "\n"))/2]
	if err != nil {
		if show && !u.ask {
			t.Logf("%d %s: %v\n  %s", n, u.shape, err, line)
		}
		return "asked", false, false
	}
	var kept []int64
	for _, s := range tr.Logged.Steps {
		if s.Dropped == "" {
			kept = append(kept, s.Time)
		}
	}
	got, want := float64(order.Median(kept)), u.step
	if u.work > 0 {
		want /= u.work
		if u.work > 1000 {
			want *= 1000
		}
	}
	as = "a time"
	switch name := tr.Logged.Name; {
	case strings.HasPrefix(name, "differences"):
		as = "a clock"
	case strings.HasPrefix(name, "steps behind"):
		as = "a running mean"
	case strings.Contains(name, " / "):
		as = "a rate"
	case strings.Contains(name, ", a step of"):
		as = "a sum"
	}
	if right = !u.ask && math.Abs(got/want-1) < 0.015; !right {
		t.Errorf("%d, %s: got %.4g ms by %q, want %.4g ms (ask: %v)\n  %s", n, u.shape, got/1e6, tr.Logged.Name, want/1e6, u.ask, line)
	}
	return as, right, !right
}

// TestUnknown: of 500 logs of unknown layout none is read wrong, and at least 80 % of those that can be read are,
// without a flag; the others are asked about. The table of what is taken as what is golden.
func TestUnknown(t *testing.T) {
	table, right, readable := map[string]map[string]int{}, 0, 0
	for n := range unknownLogs {
		u := unknownLog(n)
		as, ok, _ := u.taken(t, n, testing.Verbose())
		column := u.column
		if column == "" || u.ask {
			column = "to be asked"
		} else {
			readable++
		}
		row := u.shape + ": " + column
		if table[row] == nil {
			table[row] = map[string]int{}
		}
		table[row][as]++
		if ok {
			right++
		}
	}
	heads := []string{"a time", "a clock", "a running mean", "a rate", "a sum", "asked"}
	var out strings.Builder
	fmt.Fprintf(&out, "%-36s", "holds / is taken as")
	for _, h := range heads {
		fmt.Fprintf(&out, "%15s", h)
	}
	for _, row := range slices.Sorted(maps.Keys(table)) {
		fmt.Fprintf(&out, "\n%-36s", row)
		for _, h := range heads {
			fmt.Fprintf(&out, "%15d", table[row][h])
		}
	}
	fmt.Fprintf(&out, "\nread right without a flag: %d of %d\n", right, readable)
	if 100*right < 80*readable {
		t.Errorf("read right: %d of %d", right, readable)
	}
	golden(t, "testdata/unknown.txt", out.String())
}

// golden compares a text with a file, or writes it.
func golden(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if err := os.MkdirAll("testdata", 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil || string(want) != got {
		t.Errorf("%s: got\n%s\nwant\n%s (%v)", path, got, want, err)
	}
}
