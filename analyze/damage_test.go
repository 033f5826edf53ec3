package analyze

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/analyze/synth"
	"perfdiff/golden"
)

// fewDamages is how many files are damaged in each way, unless PERFDIFF_DAMAGE says how many.
const fewDamages = 6

// wayNames are the ways of changed as the table calls them.
var wayNames = [ways]string{
	overwritten: "bytes overwritten", inserted: "bytes inserted", removed: "bytes removed", cutOff: "cut anywhere",
	cutAtPage: "cut at a page, header made to agree", spliced: "spliced with itself", aimed: "headers of pages overwritten", swapped: "two pages swapped",
}

// damages is what became of the files of one format that were damaged in one way.
type damages struct {
	format, way string
	tried       int
	said        int // an error, a warning, a file left out, or ranks of unequal steps
	same        int // nothing said, and every number as it was
	other       int // nothing said, and another number somewhere
}

// TestDamage loads runs of two ranks of which one file is damaged, in every format and
// way: no rank is lost without a word, what perfdiff reads of a database is what SQLite
// reads of it, and a damaged summary is refused. PERFDIFF_DAMAGE=N damages N files in each
// way and holds the table of what came out (make damage: 200).
func TestDamage(t *testing.T) {
	each, full := fewDamages, os.Getenv("PERFDIFF_DAMAGE")
	if full != "" {
		n, err := strconv.Atoi(full)
		if err != nil || n < 1 {
			t.Fatalf("PERFDIFF_DAMAGE=%s: want a number of files", full)
		}
		each = n
	}
	var all struct {
		sync.Mutex
		rows []damages
	}
	t.Run("formats", func(t *testing.T) {
		for _, format := range damageFormats {
			t.Run(format.name, func(t *testing.T) {
				t.Parallel()
				rows := append(format.damage(t, each), format.endEarly(t)...)
				all.Lock()
				defer all.Unlock()
				all.rows = append(all.rows, rows...)
			})
		}
	})
	if full != "" && !t.Failed() {
		slices.SortStableFunc(all.rows, func(a, b damages) int { return strings.Compare(a.format, b.format) })
		golden.Compare(t, filepath.Join("..", "golden"), "damage.txt", []byte(damageTable(each, all.rows)))
	}
}

// damageFormat is a format of run sets: how one of two ranks is made, and which ways of
// damage apply to it.
type damageFormat struct {
	name  string
	files func(t testing.TB, steps int) map[string][]byte
	only  string // end of the names of files that are damaged; "": all
	skip  []int
}

// fewSteps is how many steps a damaged run has.
const fewSteps = 3

var damageFormats = []damageFormat{
	{"Nsight SQLite", writtenAs(synth.Nsight), "", nil},
	{"its -wal", func(t testing.TB, _ int) map[string][]byte { return loggedRanks(t, "wal") }, "-wal", []int{cutAtPage}},
	{"its -journal", func(t testing.TB, _ int) map[string][]byte { return loggedRanks(t, "journal") }, "-journal", []int{cutAtPage}},
	{"Nsight Parquet", writtenAs(synth.NsightParquet), "", []int{cutAtPage, swapped}},
	{"rocpd", writtenAs(synth.Rocpd), "", nil},
	{"PyTorch JSON", writtenAs(synth.Kineto), "", []int{cutAtPage, swapped}},
	{"PyTorch gzip", writtenAs(synth.KinetoGzip), "", []int{cutAtPage, swapped}},
	{"XLA profile", writtenAs(synth.XPlane), "", []int{cutAtPage, swapped}},
	{"saved summary", savedRanks, "", []int{cutAtPage, swapped}},
}

// writtenAs makes the run in a format.
func writtenAs(format synth.Format) func(testing.TB, int) map[string][]byte {
	return func(t testing.TB, steps int) map[string][]byte { return twoRanksOf(t, format, steps) }
}

// loggedRanks is a run of two ranks of which one was copied while it was written: with a write-ahead log of pages that
// are not in it yet, or with the journal of a write that never ended.
func loggedRanks(t testing.TB, log string) map[string][]byte {
	t.Helper()
	files, name := twoRanks(t, synth.Nsight), "rank0.sqlite"
	for n := range files {
		if strings.Contains(n, "0") {
			name = n
		}
	}
	path := filepath.Join(writeAll(t, files), name)
	mode := map[string]string{"wal": "wal", "journal": "delete"}[log]
	db, err := sql.Open("sqlite", "file:"+path+"?_pragma=cache_size(4)&_pragma=wal_autocheckpoint(0)&_pragma=journal_mode("+mode+")")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	for _, s := range []string{"BEGIN", "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET end = end + 7", "UPDATE CUPTI_ACTIVITY_KIND_RUNTIME SET end = end + 7", "COMMIT"} {
		if _, err := db.Exec(s); err != nil {
			t.Fatal(err)
		}
		if log == "journal" && strings.HasSuffix(s, "end + 7") && strings.Contains(s, "RUNTIME") {
			break
		}
	}
	for _, n := range []string{name, name + "-" + log} {
		if files[n], err = os.ReadFile(filepath.Join(filepath.Dir(path), filepath.Base(n))); err != nil || len(files[n]) < pageSize {
			t.Fatalf("%s: %d bytes, %v", n, len(files[n]), err)
		}
	}
	return files
}

// savedRanks is a run of two ranks as a saved summary.
func savedRanks(t testing.TB, _ int) map[string][]byte {
	set := loadFiles(t, twoRanks(t, synth.Nsight))
	data, err := Summary(set)
	if err != nil {
		t.Fatal(err)
	}
	return map[string][]byte{"run.perfdiff": data}
}

// damage loads the run once for each way and each of so many damages.
func (f damageFormat) damage(t *testing.T, each int) (rows []damages) {
	files := f.files(t, fewSteps)
	names, whole := slices.Sorted(maps.Keys(files)), loadFiles(t, files)
	names = slices.DeleteFunc(names, func(name string) bool { return !strings.HasSuffix(name, f.only) })
	for way := range ways {
		if slices.Contains(f.skip, way) {
			continue
		}
		row := damages{format: f.name, way: wayNames[way]}
		for i := range each {
			r := rand.New(rand.NewPCG(uint64(way), uint64(i)))
			name := names[r.IntN(len(names))]
			patch := make([]byte, 1+r.IntN(9))
			for j := range patch {
				patch[j] = byte(r.Uint32())
			}
			now := maps.Clone(files)
			now[name] = changed(files[name], uint8(way), r.Uint32(), patch)
			t.Run(fmt.Sprintf("%s/%d", row.way, i), func(t *testing.T) { row.count(t, now, name, whole) })
		}
		rows = append(rows, row)
	}
	return rows
}

// endEarly loads runs of which one rank has fewer steps than the other, as where its profiler died: a file says so, or
// the steps of each rank are those that it has, which the verdict tells.
func (f damageFormat) endEarly(t *testing.T) []damages {
	if f.only != "" || f.name == "saved summary" {
		return nil
	}
	const all = 12
	files, row := f.files(t, all), damages{format: f.name, way: "a rank ends early"}
	for n := 1; n < all; n++ {
		less := f.files(t, n)
		for rank := range 2 {
			now := maps.Clone(files)
			for name := range files {
				if of, _, _ := strings.Cut(name, "/"); strings.Contains(of, fmt.Sprint(rank)) {
					now[name] = less[name]
				}
			}
			row.tried++
			set, err := Load(t.Context(), writeAll(t, now), Options{Jobs: 1, Memory: 1 << 30})
			if err == nil && !spokenOf(set) && !loses(set) && !uneven(set) {
				t.Errorf("rank %d with %d steps of %d: no word of those that it lacks", rank, n, all)
			}
			row.said++
		}
	}
	return []damages{row}
}

// count loads one damaged run and counts what became of it.
func (d *damages) count(t *testing.T, files map[string][]byte, name string, whole *run.Set) {
	t.Helper()
	d.tried++
	dir := writeAll(t, files)
	defer os.RemoveAll(dir)
	set, err := Load(context.Background(), dir, Options{Jobs: 1, Memory: 1 << 30})
	if err != nil || words(set) != words(whole) && (spokenOf(set) || loses(set)) || uneven(set) {
		d.said++
		return
	}
	ranks := 0
	for _, r := range set.Runs {
		for i := range r.Ranks {
			ranks++
			checkParts(t, &r.Ranks[i])
		}
	}
	switch {
	case ranks < 2:
		t.Errorf("%d ranks of 2, and no word of the other", ranks)
	case numbers(set) == numbers(whole):
		d.same++
	default:
		d.other++
		if got, want := spans(set), spans(whole); got < want-fewSpans {
			t.Errorf("%s: %d spans of %d, and no word of the others", name, got, want)
		}
		if d.format == "saved summary" {
			t.Error("a damaged summary is taken")
		}
		if got, want := steps(set), steps(whole); got < want {
			t.Errorf("%s: %d steps of %d, and no word of the others", name, got, want)
		}
		if strings.HasSuffix(name, ".sqlite") || strings.HasSuffix(name, ".db") {
			readable(t, filepath.Join(dir, name))
		}
	}
}

// fewSpans is how many spans a change of a few bytes can turn into something else: an
// event whose category is another, and its neighbour.
const fewSpans = 3

// spans counts what was read of a set.
func spans(set *run.Set) (n int) {
	for _, r := range set.Runs {
		for _, k := range r.Ranks {
			n += k.Spans.Kernels + k.Spans.Copies + k.Spans.Sets + k.Spans.Graphs
			n += k.Spans.Ranges + k.Spans.Calls + k.Spans.OSCalls + k.Spans.FileCalls
		}
	}
	return n
}

// uneven reports whether ranks of a set have other numbers of steps, as no rank of these runs has: the verdict tells it.
func uneven(set *run.Set) bool {
	for _, r := range set.Runs {
		for _, k := range r.Ranks {
			if len(k.Steps) != len(r.Ranks[0].Steps) {
				return true
			}
		}
	}
	return false
}

// steps counts the steps of all ranks of a set.
func steps(set *run.Set) (n int) {
	for _, r := range set.Runs {
		for _, k := range r.Ranks {
			n += len(k.Steps)
		}
	}
	return n
}

// words are what a set says of its files.
func words(set *run.Set) string {
	var b strings.Builder
	for _, f := range set.Files {
		b.WriteString(f.Err)
	}
	fmt.Fprint(&b, set.Warnings)
	for _, r := range set.Runs {
		for _, k := range r.Ranks {
			fmt.Fprint(&b, k.Lost)
		}
	}
	return b.String()
}

// loses reports whether a rank of the set says that something of it was lost.
func loses(set *run.Set) bool {
	for _, r := range set.Runs {
		for _, k := range r.Ranks {
			if len(k.Lost) > 0 {
				return true
			}
		}
	}
	return false
}

// usedColumns are the columns that are read of the tables with most rows.
var usedColumns = map[string]string{
	"CUPTI_ACTIVITY_KIND_KERNEL":  "start, end, globalPid, deviceId, streamId, correlationId, demangledName, shortName",
	"CUPTI_ACTIVITY_KIND_RUNTIME": "start, end, globalTid, correlationId, nameId",
	"CUPTI_ACTIVITY_KIND_MEMCPY":  "start, end, globalPid, deviceId, streamId, correlationId, bytes, copyKind",
	"NVTX_EVENTS":                 "start, end, eventType, globalTid, text, textId",
	"OSRT_API":                    "start, end, globalTid, nameId",
	"StringIds":                   "id, value",
	"rocpd_region":                "start, end, name_id, event_id, tid",
	"rocpd_kernel_dispatch":       "start, end, kernel_id, event_id, agent_id",
	"rocpd_memory_copy":           "start, end, name_id, event_id, size",
	"rocpd_event":                 "correlation_id",
}

// readable holds a database whose numbers changed without a word to SQLite itself: it
// reads the columns of every row without an error too, so that the change is one of content.
func readable(t *testing.T, path string) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path+"?mode=ro")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for table, columns := range usedColumns {
		if strings.HasPrefix(table, "rocpd_") {
			table += "_0199a1b2_0000_7000_8000_000000000000"
		}
		rows, err := db.Query("select " + columns + " from " + table)
		if err == nil {
			for rows.Next() {
			}
			err = rows.Err()
			rows.Close()
		}
		if err != nil && !strings.Contains(err.Error(), "no such table") {
			t.Errorf("%s: SQLite says of %s: %v, perfdiff nothing", filepath.Base(path), table, err)
		}
	}
}

// numbers is a digest of all that was measured of a set, whatever its files are called.
func numbers(set *run.Set) string {
	h := sha256.New()
	for _, r := range set.Runs {
		for _, k := range r.Ranks {
			fmt.Fprintf(h, "%d %v\n", k.Rank, k.Steps)
			for _, s := range k.Series {
				fmt.Fprintf(h, "%s %s %v\n", s.Metric, s.Part, s.Values)
			}
		}
	}
	return fmt.Sprintf("%x", h.Sum(nil))
}

// loadFiles is the run set of files.
func loadFiles(t testing.TB, files map[string][]byte) *run.Set {
	t.Helper()
	set, err := Load(context.Background(), writeAll(t, files), Options{Jobs: 1, Memory: 1 << 30})
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// damageTable is what became of every damage, a line each.
func damageTable(each int, rows []damages) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Runs of two ranks of which one file was damaged, %d in each way (make damage).\n", each)
	b.WriteString("No panic, and no rank, step or row lost without a word. \"Other numbers\" are of content that is valid: a digit, a category, a value of a row;\n")
	b.WriteString("SQLite reads every such database without an error too.\n\n")
	fmt.Fprintf(&b, "%-16s%-38s%8s%8s%12s%15s\n", "", "", "tried", "said", "no effect", "other numbers")
	for _, r := range rows {
		fmt.Fprintf(&b, "%-16s%-38s%8d%8d%12d%15d\n", r.format, r.way, r.tried, r.said, r.same, r.other)
	}
	return b.String()
}
