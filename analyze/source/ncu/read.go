package ncu

import (
	"bufio"
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"sort"
	"strings"

	"perfdiff/analyze/kernelname"
	"perfdiff/analyze/trace"
)

// The limits of one side, beyond which it is refused. Two sides of 2 million values each took 375 MB in all,
// measured on two files of 1,000 launches with 2,000 metrics.
const (
	maxValues   = 4_000_000
	maxLaunches = 1_000_000
)

// reader reads one file.
type reader struct {
	set      *Set
	file     *File
	index    int // of the file
	canon    func(string) string
	writing  writing
	facts    recording
	columns  map[string]int // of the table that is read; nil: none yet
	names    []string       // of them
	units    []string       // of a raw table; nil: not read yet
	metrics  []column       // of a raw table; nil: not looked for yet
	details  bool
	byID     map[string]int // launch in s.launches by process and number, of this table
	launches []pending
	passes   float64
	damaged  int // rows that could not be read
	firstBad int // line of the first
	lists    int // values that are lists of instances
	noTime   int // durations that none can be
	values   int
}

// pending is a launch with its values in both readings.
type pending struct {
	Launch
	written string // the kernel's name, as it is in the file
	values  []twice
}

// twice is a value in both readings, see writing.
type twice struct {
	key        int32
	dot, comma float64
}

// read adds the launches of a file to the set.
func (s *Set) read(f *File, index int, in io.Reader) error {
	sum := sha256.New()
	in = io.TeeReader(in, sum)
	r := &reader{set: s, file: f, index: index, canon: kernelname.Remember(kernelname.CanonicalKernel)}
	if err := r.all(&lines{r: bufio.NewReaderSize(narrow(in), 1<<16), next: 1}); err != nil {
		return err
	}
	f.digest = string(sum.Sum(nil))
	return r.finish()
}

func (r *reader) all(l *lines) error {
	for {
		row, err := l.read()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return fmt.Errorf("line %d: %w", l.at, trace.WithoutPath(err))
		case strings.HasPrefix(row, `"ID",`) || strings.HasPrefix(row, "ID,"):
			err = r.header(row)
		case strings.HasPrefix(row, "=="), r.columns == nil:
			r.facts.line(row)
		case row != "":
			r.row(row, l)
		}
		if err == nil && (r.set.values+r.values > maxValues || len(r.set.Launches)+len(r.launches) > maxLaunches) {
			err = fmt.Errorf("more than %d values or %d launches are on one side (record fewer: ncu --launch-count, --kernel-name, or name fewer --metrics)",
				maxValues, maxLaunches)
		}
		if err != nil {
			return fmt.Errorf("line %d: %w", l.at, err)
		}
	}
}

// header begins a table. Another one of the same file begins its numbers anew.
func (r *reader) header(row string) error {
	names, ok := fields(row)
	if !ok || slices.Index(names, "Kernel Name") < 0 {
		return errors.New("the table has no column \"Kernel Name\" (print the page with: ncu --csv --page raw)")
	}
	r.columns, r.names, r.units, r.metrics, r.byID = make(map[string]int), names, nil, nil, make(map[string]int)
	for i, name := range names {
		if _, twice := r.columns[name]; !twice {
			r.columns[name] = i
		}
	}
	_, summary := r.columns["Invocations"]
	if _, average := r.columns["Average"]; average || summary {
		return errors.New("the table is a summary over launches, which holds no single ones (print it without --print-summary)")
	}
	_, r.details = r.columns["Metric Name"]
	if _, value := r.columns["Metric Value"]; r.details && !value {
		return errors.New("the table has no column \"Metric Value\" (print the page with: ncu --csv --page details)")
	}
	if !r.details && !slices.ContainsFunc(names, isMetric) {
		return errors.New("the table has no metrics (print the page with: ncu --csv --page raw)")
	}
	return nil
}

// isMetric reports whether a name is a metric's, such as "sm__throughput.avg" and "inst_executed"; other columns and
// the names of the page "details" are words.
func isMetric(name string) bool {
	return name != "" && name[0] >= 'a' && name[0] <= 'z' && !strings.ContainsAny(name, " :")
}

// row reads one row of the table.
func (r *reader) row(row string, l *lines) {
	cells, ok := fields(row)
	switch {
	case ok && len(cells) == len(r.names):
	case strings.HasPrefix(row, `"`): // else it is of the program that was recorded
		if r.damaged++; r.damaged == 1 {
			r.firstBad = l.at
		}
		return
	default:
		return
	}
	if !r.details && r.units == nil && r.cell(cells, "ID") == "" {
		r.units = cells
		return
	}
	if r.cell(cells, "ID") == "" {
		return
	}
	if r.details {
		r.detail(cells)
		return
	}
	at := r.launch(cells)
	if r.metrics == nil {
		r.columnsOfMetrics()
	}
	for _, m := range r.metrics {
		r.value(at, m.key, m.factor, cells[m.column])
	}
}

// column is a metric of the page "raw".
type column struct {
	column int
	key    Key
	factor float64
}

// columnsOfMetrics finds what columns of the page "raw" are metrics. Attributes of the device are facts, and not
// of a kernel.
func (r *reader) columnsOfMetrics() {
	r.metrics = []column{}
	for i, name := range r.names {
		if !isMetric(name) || strings.HasPrefix(name, "device__attribute_") {
			continue
		}
		unit := ""
		if r.units != nil {
			unit = r.units[i]
		}
		u, factor := Unit(unit)
		r.metrics = append(r.metrics, column{i, Key{"", name, u}, factor})
	}
}

// detail reads a row of the page "details", which is one metric or one rule.
func (r *reader) detail(cells []string) {
	at := r.launch(cells)
	name, section := r.cell(cells, "Metric Name"), r.cell(cells, "Section Name")
	if name == "" {
		return
	}
	if isMetric(name) { // asked for by name: the same metric as that of the page "raw"
		section = ""
	}
	unit, factor := Unit(r.cell(cells, "Metric Unit"))
	r.value(at, Key{section, name, unit}, factor, r.cell(cells, "Metric Value"))
}

func (r *reader) cell(cells []string, name string) string {
	if i, ok := r.columns[name]; ok {
		return strings.TrimSpace(cells[i])
	}
	return ""
}

// known returns a cell, or "" for a text that stands for nothing.
func (r *reader) known(cells []string, name string) string {
	if s := r.cell(cells, name); s != "n/a" {
		return s
	}
	return ""
}

// launch returns the index of the launch that a row is of.
func (r *reader) launch(cells []string) int {
	id := r.cell(cells, "Process ID") + " " + r.cell(cells, "ID") + " " + r.cell(cells, "Kernel Name")
	at, seen := r.byID[id]
	if !seen {
		at = len(r.launches)
		r.byID[id] = at
		name := r.cell(cells, "Kernel Name")
		if name == "range" && r.known(cells, "Stream") == "" {
			r.facts.replay = "range"
		}
		r.launches = append(r.launches, pending{written: name, Launch: Launch{
			File: r.index, Kernel: r.canon(name), Grid: r.known(cells, "Grid Size"), Block: r.known(cells, "Block Size"),
			CC: r.known(cells, "CC"), Device: r.known(cells, "device__attribute_display_name"),
		}})
	}
	return at
}

// value adds a value to a launch. What is no number is not recorded.
func (r *reader) value(at int, key Key, factor float64, text string) {
	if strings.Contains(text, ";") && !strings.Contains(text, " (") {
		r.lists++
		return
	}
	dot, comma, ok := r.writing.number(text)
	if !ok {
		return
	}
	r.values++
	r.launches[at].values = append(r.launches[at].values, twice{r.set.key(key), dot * factor, comma * factor})
	if key.Name == "profiler__replayer_passes" && !math.IsNaN(dot) {
		r.passes = max(r.passes, dot)
	}
}

// finish decides how numbers are written, and hands the launches to the set.
func (r *reader) finish() error {
	w := &r.writing
	switch {
	case r.columns == nil && r.facts.failed != "":
		return fmt.Errorf("no table of kernels: ncu says: %s", r.facts.failed)
	case r.columns == nil:
		return errNoTable
	case len(r.launches) == 0:
		return errors.New("no kernel: the table has a head and no launch (was a kernel selected that ran?)")
	case w.dots > 0 && w.commas > 0:
		return errors.New("numbers are written in two ways, 1,234.5 and 1.234,5 (print the page anew with LC_ALL=C)")
	}
	written := map[string]bool{}
	for i := range r.launches {
		written[r.launches[i].written] = true
	}
	byLine := kernelname.Lines(maps.Keys(written))
	for i := range r.launches {
		l := r.launches[i].Launch
		l.Kernel = cmp.Or(byLine[r.launches[i].written], l.Kernel)
		l.Values = r.timed(settled(r.launches[i].values, w.commas > 0))
		r.set.Launches = append(r.set.Launches, l)
		r.fillIn(&r.set.Launches[len(r.set.Launches)-1])
	}
	r.set.values += r.values
	r.set.Incomplete = r.set.Incomplete || r.damaged > 0 || r.facts.failed != ""
	r.file.Launches, r.file.Page = len(r.launches), "raw"
	if r.details {
		r.file.Page = "details"
	}
	r.file.Facts = r.facts.known(r.launches, r.passes)
	r.warn()
	return nil
}

// timed returns values without durations that none can be.
func (r *reader) timed(values []Value) []Value {
	return slices.DeleteFunc(values, func(v Value) bool {
		none := !(v.Number > 0) && isDuration(r.set.Keys[v.Key])
		if none {
			r.noTime++
		}
		return none
	})
}

// durations counts them in words.
func durations(n int) string {
	if n == 1 {
		return "1 duration is"
	}
	return fmt.Sprintf("%d durations are", n)
}

// damagedRows says how many rows were left out.
func damagedRows(n, first int) string {
	if n == 1 {
		return fmt.Sprintf("1 row is cut or damaged, line %d, and was left out", first)
	}
	return fmt.Sprintf("%d rows are cut or damaged, the first in line %d, and were left out", n, first)
}

// settled returns values in the reading that the file decides on, by key, the first of each.
func settled(values []twice, commas bool) []Value {
	out := make([]Value, 0, len(values))
	for _, v := range values {
		n := v.dot
		if commas {
			n = v.comma
		}
		if !math.IsNaN(n) {
			out = append(out, Value{v.key, n})
		}
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].Key < out[j].Key }) // package slices is a copy of itself for each type
	n := 0
	for i, v := range out {
		if i == 0 || v.Key != out[n-1].Key {
			out[n], n = v, n+1
		}
	}
	return out[:n]
}

// fillIn takes the sizes of a launch from its metrics, where an older version has no columns.
func (r *reader) fillIn(l *Launch) {
	for _, size := range []struct {
		of   *string
		name string
	}{{&l.Grid, "Grid Size"}, {&l.Block, "Block Size"}} {
		raw := map[string]string{"Grid Size": "launch__grid_size", "Block Size": "launch__block_size"}[size.name]
		for _, k := range []Key{{"Launch Statistics", size.name, ""}, {"", raw, ""}, {"", raw, "block"}, {"", raw, "thread"}} {
			if v, ok := r.set.Value(l, k); ok && *size.of == "" {
				*size.of = fmt.Sprint(int64(v))
			}
		}
	}
}

// warn says what was not read in the file.
func (r *reader) warn() {
	say := func(format string, args ...any) {
		r.set.Warnings = append(r.set.Warnings, Warning{r.file.Name, fmt.Sprintf(format, args...)})
	}
	if r.damaged > 0 {
		say("%s: print the page anew", damagedRows(r.damaged, r.firstBad))
	}
	if r.lists > 0 {
		say("%d values are lists of instances, which are not compared: print the page without --print-metric-instances", r.lists)
	}
	if r.noTime > 0 {
		say("%s not above zero, which is none: left out; print the page anew, or record again", durations(r.noTime))
	}
	if w := &r.writing; w.unclear > 0 && w.dots == 0 && w.commas == 0 {
		r.set.Unclear = true
		say("numbers such as 1,234 are taken for 1234: where the comma stands before decimals, print the page anew with LC_ALL=C")
	}
	if r.facts.failed != "" {
		say("ncu says: %s", r.facts.failed)
	}
}
