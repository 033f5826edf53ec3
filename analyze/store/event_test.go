package store

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func accepted(n int) Event {
	return Event{Kind: Accept, Commit: fmt.Sprintf("%07x", 0xa000000+n), Metric: "step_time", UpTo: 0.07, Reason: "a larger model, asked for", By: "ana"}
}

func addEvent(t *testing.T, dir string, v Event, now time.Time) Event {
	t.Helper()
	v, err := AddEvent(dir, v, now)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// TestEvents: events are read as they were written, in order; one that was changed or that nobody understands is named,
// and none of them is lost.
func TestEvents(t *testing.T) {
	dir := t.TempDir()
	save(t, dir, daily, 1, 2)
	first := addEvent(t, dir, accepted(2), daily(2))
	until := Event{Kind: Exclude, Commit: "a000001", Reason: "on a broken node", By: "ben", Until: daily(30)}
	second := addEvent(t, dir, until, daily(-300)) // a clock that jumped
	if names := save(t, dir, func(int) time.Time { return daily(3) }, 3); !strings.HasPrefix(names[0], "000005-") {
		t.Errorf("the next run: got %v", names)
	}
	c := contents(t, dir, daily(4))
	if !slices.Equal(c.Events, []Event{first, second}) || first.Number != 3 || second.Number != 4 || len(c.Damaged) > 0 {
		t.Errorf("got %+v and %v", c.Events, c.Damaged)
	}
	if got := c.Entries[2].Events; len(got) != 2 || c.Largest() != 5 {
		t.Errorf("the run knows %v", got)
	}

	write := func(text string) string {
		file := eventName([]byte(text))
		if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return file
	}
	later := write(`{"kind": "forgive", "commit": "a000001", "number": 9, "more": [1]}`)
	bad := []string{write("{"), write(`{"kind": "accept", "up_to": 0.1, "number": 1}`), write(`{"kind": "note", "number": -4}`), second.File}
	if err := os.WriteFile(filepath.Join(dir, second.File), []byte(`{"kind": "accept"}`), 0o644); err != nil {
		t.Fatal(err)
	}
	c = contents(t, dir, daily(4))
	var named []string
	for _, f := range c.Damaged {
		if named = append(named, f.File); f.Cause == "" || f.Remedy == "" {
			t.Errorf("got %+v", f)
		}
	}
	slices.Sort(bad)
	slices.Sort(named)
	if !slices.Equal(named, bad) || len(c.Events) != 2 || c.Events[1].File != later {
		t.Errorf("got %v and %v, want %v", named, c.Events, bad)
	}
	if len(c.Warnings) != 1 || c.Warnings[0].File != later || !strings.Contains(c.Warnings[0].Cause, "forgive") {
		t.Errorf("got %v", c.Warnings)
	}
}

// TestEventFaults: an event that says nothing useful is not written.
func TestEventFaults(t *testing.T) {
	dir := t.TempDir()
	for want, change := range map[string]func(*Event){
		"kind":             func(v *Event) { v.Kind = "forgive" },
		"commit: is":       func(v *Event) { v.Commit = "" },
		"is no commit":     func(v *Event) { v.Commit = "main" },
		"must be a share":  func(v *Event) { v.UpTo = -1 },
		"must be one line": func(v *Event) { v.Reason = "a\n::error::b" },
		"by ":              func(v *Event) { v.By = strings.Repeat("x", 101) },
		"until":            func(v *Event) { v.Until = daily(-1) },
	} {
		v := accepted(1)
		change(&v)
		if _, err := AddEvent(dir, v, noon); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v want %q", err, want)
		}
	}
	if c := contents(t, dir, noon); len(c.Events)+len(c.Litter) > 0 {
		t.Errorf("got %v", c.Events)
	}
	if _, err := AddEvent(filepath.Join(dir, "none"), accepted(1), noon); err == nil || strings.Contains(err.Error(), dir) {
		t.Errorf("no store: got %v", err)
	}
}

// TestCounted: what a pull request brings along does not count, whatever number it gives itself.
func TestCounted(t *testing.T) {
	dir := t.TempDir()
	save(t, dir, daily, 1, 2)
	heard := addEvent(t, dir, accepted(2), daily(2))
	own := addEvent(t, dir, accepted(9), daily(2)) // about a commit that is not on main
	save(t, dir, func(int) time.Time { return daily(3) }, 3)
	fresh := addEvent(t, dir, accepted(3), daily(4))
	forged := Event{Kind: Accept, Commit: "a000001", UpTo: 1, At: noon, Number: 1}
	text := fmt.Sprintf(`{"kind":"accept","commit":%q,"up_to":1,"at":"2026-03-01T12:00:00Z","number":1}`, forged.Commit)
	forged.File = eventName([]byte(text))
	unknown := `{"kind":"forgive","number":5}`
	for file, text := range map[string]string{forged.File: text, eventName([]byte(unknown)): unknown} {
		if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	c := contents(t, dir, daily(5))
	for name, tt := range map[string]struct {
		commit string
		saving bool
		want   []string
		why    map[string]string
	}{
		"a pull request":            {"b000000", false, []string{heard.File, own.File}, map[string]string{fresh.File: "no run since", forged.File: "no run since"}},
		"the one that is accepted":  {own.Commit + "123456", false, []string{heard.File}, map[string]string{own.File: "own commit", fresh.File: "no run since"}},
		"a commit of main":          {heard.Commit, false, []string{heard.File, own.File}, map[string]string{fresh.File: "no run since"}},
		"main, which saves its run": {heard.Commit, true, []string{forged.File, heard.File, own.File, fresh.File}, nil},
		"no commit":                 {"", false, []string{heard.File, own.File}, nil},
	} {
		counted, others := Counted(c.Events, c.Entries, tt.commit, tt.saving)
		var got []string
		for _, v := range counted {
			got = append(got, v.File)
		}
		if !slices.Equal(got, tt.want) || len(counted)+len(others) != len(c.Events) {
			t.Errorf("%s: got %v want %v", name, got, tt.want)
		}
		why := map[string]string{}
		for _, u := range others {
			why[u.File] = u.Why
		}
		for file, want := range tt.why {
			if !strings.Contains(why[file], want) {
				t.Errorf("%s: got %v want %q for %s", name, why, want, file)
			}
		}
		if !strings.Contains(why[eventName([]byte(unknown))], `"forgive"`) {
			t.Errorf("%s: an unknown kind: got %v", name, why)
		}
	}
}
