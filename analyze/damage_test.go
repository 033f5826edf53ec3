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
	cutAtPage: "cut at a page, header made to agree", spliced: "spliced with itself", aimed: "headers of pages overwritten",
}

// damages is what became of the files of one format that were damaged in one way.
type damages struct {
	format, way string
	tried       int
	said        int // an error, a warning, or a file left out
	same        int // nothing said, and every number as it was
	other       int // nothing said, and another number somewhere
}

// TestDamage loads runs of two ranks of which one file is damaged, in every format and
// way: no rank is lost without a word, what perfdiff reads of a database is what SQLite
// reads of it, and a damaged summary is refused. PERFDIFF_DAMAGE=N damages N files in each
// way and holds the table of what came out (make damage: 250).
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
				rows := format.damage(t, each)
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
	files func(testing.TB) map[string][]byte
	skip  []int
}

var damageFormats = []damageFormat{
	{"Nsight SQLite", func(t testing.TB) map[string][]byte { return twoRanks(t, synth.Nsight) }, nil},
	{"Nsight Parquet", func(t testing.TB) map[string][]byte { return twoRanks(t, synth.NsightParquet) }, []int{cutAtPage}},
	{"PyTorch JSON", func(t testing.TB) map[string][]byte { return twoRanks(t, synth.Kineto) }, []int{cutAtPage}},
	{"PyTorch gzip", func(t testing.TB) map[string][]byte { return twoRanks(t, synth.KinetoGzip) }, []int{cutAtPage}},
	{"saved summary", savedRanks, []int{cutAtPage}},
}

// savedRanks is a run of two ranks as a saved summary.
func savedRanks(t testing.TB) map[string][]byte {
	set := loadFiles(t, twoRanks(t, synth.Nsight))
	data, err := Summary(set)
	if err != nil {
		t.Fatal(err)
	}
	return map[string][]byte{"run.perfdiff": data}
}

// damage loads the run once for each way and each of so many damages.
func (f damageFormat) damage(t *testing.T, each int) (rows []damages) {
	files := f.files(t)
	names, whole := slices.Sorted(maps.Keys(files)), loadFiles(t, files)
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

// count loads one damaged run and counts what became of it.
func (d *damages) count(t *testing.T, files map[string][]byte, name string, whole *run.Set) {
	t.Helper()
	d.tried++
	dir := writeAll(t, files)
	defer os.RemoveAll(dir)
	set, err := Load(context.Background(), dir, Options{Jobs: 1, Memory: 1 << 30})
	if err != nil || spokenOf(set) || loses(set) {
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
		if d.format == "Nsight SQLite" {
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
	b.WriteString("No panic, no rank and no span lost without a word. \"Other numbers\" are of content that is valid: a digit, a category, a value of a row;\n")
	b.WriteString("SQLite reads every such database without an error too.\n\n")
	fmt.Fprintf(&b, "%-16s%-38s%8s%8s%12s%15s\n", "", "", "tried", "said", "no effect", "other numbers")
	for _, r := range rows {
		fmt.Fprintf(&b, "%-16s%-38s%8d%8d%12d%15d\n", r.format, r.way, r.tried, r.said, r.same, r.other)
	}
	return b.String()
}
