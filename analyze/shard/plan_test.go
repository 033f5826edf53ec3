package shard

import (
	"bytes"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

var then = time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC)

// filesOf are n files whose sizes are lognormal with a sigma, about 400 MB.
func filesOf(n int, sigma float64) []File {
	random := rand.New(rand.NewPCG(1, 2))
	out := make([]File, n)
	for i := range out {
		out[i] = File{Path: fmt.Sprintf("rank%d.sqlite", i), Bytes: int64(4e8 * math.Exp(sigma*random.NormFloat64())), Modified: then}
	}
	return out
}

func planOf(t *testing.T, files []File, n int) Plan {
	t.Helper()
	p, err := MakePlan(files, n)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// imbalance is the most that a shard reads over the mean.
func imbalance(count int, shard func(i int) int, files []File) float64 {
	loads, sum, most := make([]int64, count), int64(0), int64(0)
	for i, f := range files {
		loads[shard(i)] += f.Bytes
		sum += f.Bytes
	}
	for _, l := range loads {
		most = max(most, l)
	}
	return float64(most) * float64(count) / float64(sum)
}

// TestBalance holds why files are planned by size: by order one shard has a quarter more than the
// mean where sizes vary, by a hash of the name half as much again.
func TestBalance(t *testing.T) {
	for _, c := range []struct {
		files, shards          int
		sigma                  float64
		planned, strode, least float64 // at most, at most; by hash at least
	}{
		{1024, 64, 0, 1.001, 1.001, 1.4},
		{1024, 64, 0.5, 1.02, 1.35, 1.4},
		{16384, 256, 0, 1.001, 1.001, 1.25},
		{16384, 256, 0.5, 1.005, 1.3, 1.25},
	} {
		files := filesOf(c.files, c.sigma)
		p := planOf(t, files, c.shards)
		planned := imbalance(c.shards, func(i int) int { return p.Files[i].Shard }, p.Files)
		order := inOrder(files)
		strode := imbalance(c.shards, func(i int) int { return i % c.shards }, order)
		hashed := imbalance(c.shards, func(i int) int {
			h := fnv.New64a()
			h.Write([]byte(order[i].Path))
			return int(h.Sum64() >> 32 % uint64(c.shards))
		}, order)
		t.Logf("%d files, %d shards, sigma %g: largest first %.2f, stride %.2f, hash %.2f", c.files, c.shards, c.sigma, planned, strode, hashed)
		if planned > c.planned || strode > c.strode || hashed < c.least {
			t.Errorf("%d files, %d shards, sigma %g: got %.3f, %.3f, %.3f, want at most %g and %g, by hash at least %g",
				c.files, c.shards, c.sigma, planned, strode, hashed, c.planned, c.strode, c.least)
		}
	}
}

// each names the files of all shards.
func each(n int, of func(i int) []File) []string {
	var out []string
	for i := range n {
		for _, f := range of(i) {
			out = append(out, f.Path)
		}
	}
	slices.Sort(out)
	return out
}

// TestAllOnce holds that each file is in one shard, whatever the order in which files are listed.
func TestAllOnce(t *testing.T) {
	files := filesOf(50, 1)
	for i := range 10 { // of one size, and empty
		files = append(files, File{Path: fmt.Sprintf("node1/empty%d.json", i)})
	}
	p := planOf(t, files, 7)
	mixed := slices.Clone(files)
	rand.New(rand.NewPCG(3, 4)).Shuffle(len(mixed), func(i, j int) { mixed[i], mixed[j] = mixed[j], mixed[i] })
	if again := planOf(t, mixed, 7); again.ID != p.ID || !slices.Equal(again.Files, p.Files) {
		t.Errorf("the order of files makes another plan")
	}
	want := each(1, func(int) []File { return files })
	if got := each(7, p.Of); !slices.Equal(got, want) {
		t.Errorf("planned: got %v, want %v", got, want)
	}
	if got := each(7, func(i int) []File { return Stride(mixed, i, 7) }); !slices.Equal(got, want) {
		t.Errorf("by order: got %v, want %v", got, want)
	}
	if Listing(files, 7) != Listing(mixed, 7) || Listing(files, 7) == Listing(files, 8) || Listing(files, 7) == Listing(files[1:], 7) {
		t.Errorf("the digest of a listing must tell files and shards, and not their order")
	}
}

// TestEmptyFiles holds that files without a size are divided, too.
func TestEmptyFiles(t *testing.T) {
	files := make([]File, 8)
	for i := range files {
		files[i].Path = fmt.Sprint(i)
	}
	for i, l := range planOf(t, files, 4).Loads() {
		if l.Files != 2 {
			t.Errorf("shard %d: got %d files, want 2", i, l.Files)
		}
	}
}

func TestLoads(t *testing.T) {
	p := planOf(t, []File{{Path: "a", Bytes: 5}, {Path: "b", Bytes: 9}, {Path: "c", Bytes: 4}, {Path: "d", Bytes: 1}}, 2)
	got := fmt.Sprintln(p.Loads()[0].Bytes, p.Loads()[0].Largest.Path, p.Loads()[1].Bytes, p.Loads()[1].Largest.Path)
	if want := "10 b 9 a\n"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestMakePlanRefuses(t *testing.T) {
	two := []File{{Path: "a", Bytes: 1}, {Path: "b"}}
	for want, c := range map[string]struct {
		files  []File
		shards int
	}{
		"must be 1 to":              {two, 0},
		"0 shards: must be 1":       {nil, 0},
		"at most 2":                 {two, 3},
		"stands twice":              {append(two[:1:1], two[0]), 1},
		"rename the file":           {[]File{{Path: "a\xff"}}, 1},
		"no path below a run set":   {[]File{{Path: "../a"}}, 1},
		"x: -1 bytes":               {[]File{{Path: "x", Bytes: -1}}, 1},
		"1000000 shards: must be 1": {two, 1_000_000},
	} {
		if _, err := MakePlan(c.files, c.shards); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got error %v, want %q", err, want)
		}
	}
}

// write saves a text as a plan.
func write(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "plan.json")
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestPlanFile(t *testing.T) {
	p := planOf(t, append(filesOf(9, 0.5), File{Path: "node 1/<a>&\"b\"\n.json", Bytes: 7, Modified: then.In(time.FixedZone("x", 3600))}), 3)
	var b, again bytes.Buffer
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	got, err := ReadPlan(write(t, b.String()))
	if err != nil {
		t.Fatal(err)
	}
	if err := got.Write(&again); err != nil || !bytes.Equal(again.Bytes(), b.Bytes()) || got.ID != p.ID || got.Shards != 3 || !slices.Equal(got.Files, p.Files) {
		t.Errorf("got %+v, %v, want %+v", got, err, p)
	}
	for i := range b.Len() - 1 { // the last byte ends a line
		if _, err := ReadPlan(write(t, b.String()[:i])); err == nil {
			t.Fatalf("the first %d bytes are read as a plan", i)
		}
	}
}

func TestEditedPlan(t *testing.T) {
	var b bytes.Buffer
	if err := planOf(t, filesOf(4, 0), 2).Write(&b); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	for _, c := range []struct{ name, from, to, want string }{
		{"another shard", `"shard":0`, `"shard":1`, "edited"},
		{"more shards", `"shards": 2`, `"shards": 3`, "edited"},
		{"another size", `"bytes":4`, `"bytes":5`, "edited"},
		{"another file", `rank1`, `rank9`, "edited"},
		{"another time", `2026-`, `2025-`, "edited"},
		{"a later version", `"perfdiff_plan": 1`, `"perfdiff_plan": 2`, "version 2, and this perfdiff knows 1"},
		{"no version", `"perfdiff_plan": 1`, `"perfdiff_plan": 0`, "no plan"},
		{"another field", `"shards": 2`, `"shards": 2, "more": 1`, "no plan"},
		{"more behind", "\n]}\n", "\n]}\n{}", "no plan"},
		{"another thing", text, `{"runs": []}`, "no plan"},
		{"nothing", text, "", "no plan"},
	} {
		path := write(t, strings.Replace(text, c.from, c.to, 1))
		_, err := ReadPlan(path)
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), path+": ") {
			t.Errorf("%s: got error %v, want %q", c.name, err, c.want)
		}
	}
	for _, path := range []string{t.TempDir(), filepath.Join(t.TempDir(), "none")} {
		if _, err := ReadPlan(path); err == nil || strings.Count(err.Error(), path) != 1 {
			t.Errorf("got error %v, want one that names %s once", err, path)
		}
	}
}

// TestForgedPlan holds that a plan with an ID of its own cannot name what is no file of a run set.
func TestForgedPlan(t *testing.T) {
	for want, p := range map[string]Plan{
		"no path":       {Shards: 1, Files: []File{{Path: "../../etc/passwd"}}},
		"stands twice":  {Shards: 1, Files: []File{{Path: "a"}, {Path: "a"}}},
		"shard 3 of 2":  {Shards: 2, Files: []File{{Path: "a", Shard: 3}}},
		"shard -1 of 2": {Shards: 2, Files: []File{{Path: "a", Shard: -1}}},
		"0 shards":      {},
	} {
		p.ID = p.digest()
		var b bytes.Buffer
		if err := p.Write(&b); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadPlan(write(t, b.String())); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got error %v, want %q", err, want)
		}
	}
}

func TestChanged(t *testing.T) {
	f := File{Path: "rank0.sqlite", Bytes: 5, Modified: then}
	if err := f.Changed(File{Bytes: 5, Modified: then.In(time.FixedZone("x", 3600))}); err != nil {
		t.Errorf("got %v for the same file", err)
	}
	for _, now := range []File{{Bytes: 6, Modified: then}, {Bytes: 5, Modified: then.Add(1)}} {
		if err := f.Changed(now); err == nil || !strings.Contains(err.Error(), "rank0.sqlite: has changed") {
			t.Errorf("got %v, want that it changed", err)
		}
	}
	if err := f.Changed(File{Bytes: 5, Modified: then.Add(1)}); !strings.Contains(err.Error(), "rsync -t") {
		t.Errorf("got %v, want the times and how copies keep them", err)
	}
}
