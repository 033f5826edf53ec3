package store

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"perfdiff/analyze/saved"
)

// index writes the index of a store and returns it.
func writeIndex(t *testing.T, dir string) ([]byte, bool) {
	t.Helper()
	how := reading(daily(9))
	how.Drop = true
	c, err := Read(dir, how)
	if err != nil {
		t.Fatal(err)
	}
	changed, err := c.WriteIndex(how, func(c *Contents) (json.RawMessage, error) {
		return json.Marshal(map[string]int{"runs": len(c.Entries)})
	})
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, indexName))
	if err != nil {
		t.Fatal(err)
	}
	return text, changed
}

// TestIndex: it is made of the files alone, and the same whoever makes it and when.
func TestIndex(t *testing.T) {
	dir := t.TempDir()
	saveAs(t, dir, "20260101T120000Z-0123456789ab", aRun(9, noon.AddDate(0, -2, 0)))
	save(t, dir, daily, 1, 2)
	addEvent(t, dir, accepted(2), daily(2))
	if _, err := Save(dir, aRun(3, time.Time{}), Saving{Now: daily(3), Branch: "release/2"}); err != nil {
		t.Fatal(err)
	}
	first, changed := writeIndex(t, dir)
	if changed {
		t.Error("there was none, and it has changed")
	}
	var got struct {
		Runs []struct {
			Name, Saved, Began, Commit, Branch, Job string
			Number                                  int64
			Hosts                                   []string
		}
		Events []struct {
			Kind, File string
			UpTo       float64 `json:"up_to"`
		}
		Levels struct{ Runs int }
	}
	if err := json.Unmarshal(first, &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Runs) != 4 || got.Runs[0].Number != 0 || got.Runs[0].Began != "2026-01-01T12:00:00Z" || got.Levels.Runs != 4 {
		t.Errorf("got %s", first)
	}
	if r := got.Runs[3]; r.Number != 5 || r.Saved != "2026-03-04T12:00:00Z" || r.Commit != "a000003" || r.Branch != "release/2" || r.Job != "1 rank, step" || len(r.Hosts) != 1 {
		t.Errorf("got %+v", r)
	}
	if len(got.Events) != 1 || got.Events[0].UpTo != 0.07 || !strings.HasPrefix(got.Events[0].File, eventPrefix) {
		t.Errorf("got %+v", got.Events)
	}
	for name, text := range map[string][]byte{"removed": nil, "forged": []byte(`{"runs": []}`)} {
		path := filepath.Join(dir, indexName)
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		if text != nil {
			if err := os.WriteFile(path, text, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if again, changed := writeIndex(t, dir); !bytes.Equal(again, first) || changed != (text != nil) {
			t.Errorf("%s: changed %v: got %s", name, changed, again)
		}
	}
	other := filepath.Join(t.TempDir(), "copy")
	if err := os.CopyFS(other, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(other, indexName)); err != nil {
		t.Fatal(err)
	}
	if again, _ := writeIndex(t, other); !bytes.Equal(again, first) {
		t.Errorf("of a copy: got %s", again)
	}
}

// TestVerify names every file in which something is wrong, and no other.
func TestVerify(t *testing.T) {
	dir := t.TempDir()
	names := save(t, dir, daily, upTo(6)...)
	data, err := saved.Marshal(aRun(7, noon.AddDate(0, -2, 0)))
	if err != nil {
		t.Fatal(err)
	}
	old := "undated-000001-" + strings.TrimSuffix(strings.TrimPrefix(eventName(data), eventPrefix), eventExt) + runExt
	if err := os.WriteFile(filepath.Join(dir, old), data, 0o644); err != nil {
		t.Fatal(err)
	}
	addEvent(t, dir, accepted(2), daily(2))
	if got := contents(t, dir, daily(7)).Verify(); len(got) > 0 {
		t.Errorf("a good store: got %v", got)
	}
	at := func(name string) string { return filepath.Join(dir, name) }
	want := map[string]string{}
	wrong := func(file, says string, err error) {
		if err != nil {
			t.Fatal(err)
		}
		want[file] = says
	}
	wrong(names[0], "the summary is damaged", os.Truncate(at(names[0]), 400))
	wrong(names[1], "begin like a summary", os.WriteFile(at(names[1]), nil, 0o644))
	wrong("000099"+names[2][6:], "rename it "+names[2], os.Rename(at(names[2]), at("000099"+names[2][6:])))
	copied, err := os.ReadFile(at(names[3]))
	if err != nil {
		t.Fatal(err)
	}
	wrong("mine.perfdiff", "rename it "+names[3], os.WriteFile(at("mine.perfdiff"), copied, 0o644))
	wrong("000077-20260101T000000Z-0123456789ab.perfdiff", "its content none", os.WriteFile(at("000077-20260101T000000Z-0123456789ab.perfdiff"), data, 0o644))
	wrong("undated-000005-0123456789ab.perfdiff", "is not that of its content", os.WriteFile(at("undated-000005-0123456789ab.perfdiff"), data, 0o644))
	wrong("notes.txt", "is neither a run", os.WriteFile(at("notes.txt"), nil, 0o644))
	wrong(".perfdiff-5", "was left by a process", os.WriteFile(at(".perfdiff-5"), nil, 0o644))
	event := "event-0123456789ab.json"
	wrong(event, "another content", os.WriteFile(at(event), []byte("{}"), 0o644))
	got := contents(t, dir, daily(7)).Verify()
	said := map[string]string{}
	for _, f := range got {
		said[f.File] += f.String()
		if f.Remedy == "" {
			t.Errorf("no remedy: %v", f)
		}
	}
	for file, says := range want {
		if !strings.Contains(said[file], says) {
			t.Errorf("%s: got %q want %q", file, said[file], says)
		}
	}
	if !strings.Contains(said["mine.perfdiff"]+said[names[3]], "counts once") {
		t.Errorf("a copy: got %v", said)
	}
	for file := range said {
		if want[file] == "" && file != names[3] {
			t.Errorf("%s: got %q", file, said[file])
		}
	}
	if !slices.IsSortedFunc(got, func(a, b Finding) int { return strings.Compare(a.File[:1], b.File[:1]) }) {
		t.Errorf("got %v", got)
	}
}
