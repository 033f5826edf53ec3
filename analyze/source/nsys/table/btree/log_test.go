package btree

import (
	"bytes"
	"context"
	"encoding/binary"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// fileOf is a database of so many pages of 512 bytes, each filled with its number.
func fileOf(pages int) []byte {
	var b []byte
	for n := range pages {
		b = append(b, bytes.Repeat([]byte{byte(n + 1)}, pageSize)...)
	}
	binary.BigEndian.PutUint16(b[16:], pageSize)
	return b
}

// frame is a page for a write-ahead log; commit is the size of the database in pages
// where a commit ends with it.
type frame struct {
	number, commit uint32
	fill           byte
}

// walOf is a write-ahead log of these frames.
func walOf(order binary.ByteOrder, page uint32, frames ...frame) []byte {
	words := func(v ...uint32) (b []byte) {
		for _, x := range v {
			b = binary.BigEndian.AppendUint32(b, x)
		}
		return b
	}
	magic := uint32(walMagic)
	if order == binary.BigEndian {
		magic++
	}
	sum := walSum{order: order}
	out := words(magic, walFormat, page, 0, 11, 22)
	sum.add(out)
	out = append(out, words(sum.a, sum.b)...)
	for _, f := range frames {
		head, data := words(f.number, f.commit), bytes.Repeat([]byte{f.fill}, int(page))
		sum.add(head)
		sum.add(data)
		out = slices.Concat(out, head, words(11, 22, sum.a, sum.b), data)
	}
	return out
}

// journalOf is a rollback journal of these pages of a database of so many.
func journalOf(pages uint32, frames ...frame) []byte {
	out := make([]byte, pageSize)
	copy(out, journalMagic)
	for i, v := range []uint32{toTheEnd, 5, pages, pageSize, pageSize} {
		binary.BigEndian.PutUint32(out[8+4*i:], v)
	}
	for _, f := range frames {
		data := bytes.Repeat([]byte{f.fill}, pageSize)
		out = append(binary.BigEndian.AppendUint32(out, f.number), data...)
		out = binary.BigEndian.AppendUint32(out, journalSum(data, 5))
	}
	return out
}

// flipped changes the first byte of a log's first page.
func flipped(log []byte, at int) []byte {
	log[at+4+pageSize-200] ^= 1
	return log
}

// imageOf is a file with a log beside it: the first byte of each page behind the first,
// and what came of the log.
func imageOf(t testing.TB, file, log []byte, suffix string) (pages []byte, what LogState) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "x")
	for name, content := range map[string][]byte{path: file, path + suffix: log} {
		if err := os.WriteFile(name, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	m, err := OpenImage(path)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	if _, what, err = m.ApplyLogs(context.Background(), path); err != nil {
		t.Fatal(err)
	}
	all, err := io.ReadAll(io.NewSectionReader(m, 0, m.Size()))
	if err != nil || int64(len(all)) != m.Size() || !m.Stable() {
		t.Fatalf("read %d of %d bytes, %v", len(all), m.Size(), err)
	}
	for at := pageSize; at < len(all); at += pageSize {
		pages = append(pages, all[at])
	}
	return pages, what
}

func TestApplyLogs(t *testing.T) {
	big, little := binary.BigEndian, binary.LittleEndian
	cut := walOf(little, pageSize, frame{2, 3, 7}, frame{3, 3, 8})
	for name, tt := range map[string]struct {
		log    []byte
		suffix string
		pages  []byte
		what   LogState
	}{
		"none":                 {nil, WALSuffix, []byte{2, 3}, Nothing},
		"one commit":           {walOf(little, pageSize, frame{2, 3, 7}), WALSuffix, []byte{7, 3}, Whole},
		"the other order":      {walOf(big, pageSize, frame{2, 3, 7}), WALSuffix, []byte{7, 3}, Whole},
		"the last counts":      {walOf(little, pageSize, frame{2, 3, 7}, frame{2, 3, 8}), WALSuffix, []byte{8, 3}, Whole},
		"longer":               {walOf(little, pageSize, frame{4, 0, 7}, frame{5, 5, 8}), WALSuffix, []byte{2, 3, 7, 8}, Whole},
		"longer, one missing":  {walOf(little, pageSize, frame{5, 5, 8}), WALSuffix, []byte{2, 3}, Whole},
		"shorter":              {walOf(little, pageSize, frame{2, 2, 7}), WALSuffix, []byte{7}, Whole},
		"not committed":        {walOf(little, pageSize, frame{2, 0, 7}), WALSuffix, []byte{2, 3}, Broken},
		"not committed behind": {walOf(little, pageSize, frame{2, 3, 7}, frame{3, 0, 8}), WALSuffix, []byte{7, 3}, Broken},
		"cut":                  {cut[:len(cut)-1], WALSuffix, []byte{7, 3}, Broken},
		"used before":          {slices.Concat(cut[:walHead+frameHead+pageSize], make([]byte, 600)), WALSuffix, []byte{7, 3}, Whole},
		"no frames":            {walOf(little, pageSize), WALSuffix, []byte{2, 3}, Nothing},
		"other pages":          {walOf(little, 1024, frame{2, 3, 7}), WALSuffix, []byte{2, 3}, NotALog},
		"undone":               {journalOf(3, frame{2, 0, 9}), JournalSuffix, []byte{9, 3}, Undone},
		"undone, shorter":      {journalOf(2, frame{2, 0, 9}, frame{3, 0, 9}), JournalSuffix, []byte{9}, Undone},
		"undone, cut":          {journalOf(3, frame{2, 0, 9}, frame{3, 0, 9})[:3*pageSize], JournalSuffix, []byte{9, 3}, Undone},
		"damaged":              {flipped(journalOf(3, frame{2, 0, 9}, frame{3, 0, 9}), pageSize), JournalSuffix, []byte{2, 3}, Damaged},
		"one of several":       {append(journalOf(3, frame{2, 0, 9}), journalMagic...), JournalSuffix, []byte{2, 3}, NotALog},
		"done with":            {make([]byte, 2000), JournalSuffix, []byte{2, 3}, Nothing},
		"something else":       {bytes.Repeat([]byte{1}, 2000), JournalSuffix, []byte{2, 3}, NotALog},
	} {
		if pages, what := imageOf(t, fileOf(3), tt.log, tt.suffix); !bytes.Equal(pages, tt.pages) || what != tt.what {
			t.Errorf("%s: got pages %v, %d want %v, %d", name, pages, what, tt.pages, tt.what)
		}
	}
	if pages, what := imageOf(t, make([]byte, 2*pageSize), journalOf(0), JournalSuffix); len(pages) != 0 || what != Undone {
		t.Errorf("a first write that never ended: got pages %v, %d", pages, what)
	}
}

// FuzzLogs applies any log to any file: nothing panics, and no page is made up.
func FuzzLogs(f *testing.F) {
	f.Add(fileOf(3), walOf(binary.LittleEndian, pageSize, frame{2, 3, 7}, frame{9, 1 << 31, 7}), true)
	f.Add(fileOf(3), journalOf(1<<31, frame{2, 3, 7}), false)
	f.Add([]byte{}, journalOf(3, frame{2, 3, 7}), false)
	f.Add(make([]byte, 40), walOf(binary.BigEndian, 0, frame{2, 3, 7}), true)
	f.Fuzz(func(t *testing.T, file, log []byte, wal bool) {
		suffix := map[bool]string{true: WALSuffix, false: JournalSuffix}[wal]
		if pages, _ := imageOf(t, file, log, suffix); len(pages)*pageSize > len(file)+len(log) {
			t.Errorf("%d pages of %d and %d bytes", len(pages), len(file), len(log))
		}
	})
}
