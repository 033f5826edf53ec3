package analyze

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/analyze/synth"
	"perfdiff/analyze/synth/parquetdir"
)

// twoRanks is a run of two ranks as the profilers would write it: its files by their
// paths.
func twoRanks(t testing.TB, format synth.Format) (files map[string][]byte) {
	t.Helper()
	return twoRanksOf(t, format, 3)
}

// twoRanksOf is the same with so many steps.
func twoRanksOf(t testing.TB, format synth.Format, steps int) (files map[string][]byte) {
	t.Helper()
	story, err := synth.Parse("two-ranks", fmt.Appendf(nil, "about: a small job\nranks: 2\nsteps: %d\nseed: 3\n", steps))
	if err != nil {
		t.Fatal(err)
	}
	story.Tables = parquetdir.Write
	dir := t.TempDir()
	if _, err := story.Write(context.Background(), dir, format); err != nil {
		t.Fatal(err)
	}
	files = make(map[string][]byte)
	side := filepath.Join(dir, "baseline")
	err = filepath.WalkDir(side, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, _ := filepath.Rel(side, path)
		files[rel], err = os.ReadFile(path)
		return err
	})
	if err != nil || len(files) < 2 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	return files
}

// The ways in which a file is changed, as in damage on disks and in copies.
const (
	overwritten = iota
	inserted
	removed
	cutOff
	cutAtPage // and the header made to agree
	spliced   // with another part of itself
	aimed     // at the beginning of a page, where its header and cell pointers are
	swapped   // two pages
	ways
)

// changed is content after one change: way, where, and with what.
func changed(content []byte, way uint8, at uint32, patch []byte) []byte {
	c := bytes.Clone(content)
	if len(c) == 0 {
		return c
	}
	where := int(at % uint32(len(c)))
	switch way % ways {
	case overwritten:
		copy(c[where:], patch)
	case inserted:
		c = slices.Insert(c, where, patch...)
	case removed:
		c = slices.Delete(c, where, min(len(c), where+len(patch)))
	case cutOff:
		c = c[:where]
	case cutAtPage:
		if c = c[:where/pageSize*pageSize]; len(c) > 0 {
			binary.BigEndian.PutUint32(c[28:], uint32(len(c)/pageSize))
		}
	case spliced:
		copy(c[where:], content[len(content)-where:])
	case aimed:
		page := where / pageSize * pageSize
		copy(c[page+len(patch)*7%64:], patch)
	case swapped:
		if pages := len(c) / pageSize; pages > 2 {
			a, b := 1+where%(pages-1), 1+where/(pages-1)%(pages-1) // never the first
			copy(c[a*pageSize:(a+1)*pageSize], content[b*pageSize:])
			copy(c[b*pageSize:(b+1)*pageSize], content[a*pageSize:])
		}
	}
	return c
}

// fuzzLoad loads the run with one file changed: nothing panics, the rank of the other
// file is there, and that of the changed one too, or its file is spoken of.
func fuzzLoad(f *testing.F, format synth.Format) {
	files := twoRanks(f, format)
	names := slices.Sorted(maps.Keys(files))
	if ranks, said := loaded(f, files); ranks != 2 || said {
		f.Fatalf("unchanged: %d ranks, spoken of: %v", ranks, said)
	}
	for i := range 6 * ways {
		f.Add(uint8(i), uint32(i*i*7919+i*104729), bytes.Repeat([]byte{byte(1 + i*37)}, 1+i%9))
	}
	f.Fuzz(func(t *testing.T, way uint8, at uint32, patch []byte) {
		now, name := maps.Clone(files), names[at%uint32(len(names))]
		now[name] = changed(files[name], way, at, patch)
		if ranks, said := loaded(t, now); ranks < 2 && !said {
			t.Errorf("%s: %d ranks of 2, and no word of the other", name, ranks)
		}
	})
}

// loaded writes a run set and loads it: the number of its ranks, and whether any of its
// files is spoken of.
func loaded(t testing.TB, files map[string][]byte) (ranks int, said bool) {
	t.Helper()
	set, err := Load(context.Background(), writeAll(t, files), Options{Jobs: 1, Memory: 1 << 30})
	if err != nil {
		t.Fatalf("the set is lost: %v", err)
	}
	for _, r := range set.Runs {
		for i := range r.Ranks {
			ranks++
			checkParts(t, &r.Ranks[i])
		}
	}
	return ranks, spokenOf(set)
}

// writeAll writes a run set into a directory of its own, which has the same name each time: a saved
// summary holds it, and the table of damages was another one each time.
func writeAll(t testing.TB, files map[string][]byte) (dir string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "run")
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	for name, content := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// spokenOf reports whether a set says of a file that it was left out or is doubtful.
func spokenOf(set *run.Set) bool {
	for _, file := range set.Files {
		if file.Err != "" {
			return true
		}
		for _, w := range set.Warnings {
			if strings.Contains(fmt.Sprint(w.File, w.Text), filepath.Base(file.Name)) {
				return true
			}
		}
	}
	return false
}

func FuzzLoadNsight(f *testing.F)  { fuzzLoad(f, synth.Nsight) }
func FuzzLoadParquet(f *testing.F) { fuzzLoad(f, synth.NsightParquet) }
func FuzzLoadKineto(f *testing.F)  { fuzzLoad(f, synth.Kineto) }
func FuzzLoadGzip(f *testing.F)    { fuzzLoad(f, synth.KinetoGzip) }
