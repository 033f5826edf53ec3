package store

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// The kinds of events.
const (
	Accept  = "accept"  // a change that came with a commit may stay
	Exclude = "exclude" // the runs of a commit do not count
	Note    = "note"    // something to be known at a commit
)

// Event is what somebody decided about the runs of main.
type Event struct {
	Kind   string    `json:"kind"` // one of the above; another one was written by a later perfdiff
	Commit string    `json:"commit,omitempty"`
	Metric string    `json:"metric,omitempty"` // "" all
	UpTo   float64   `json:"up_to,omitempty"`  // a share: 0.07 is 7 %
	Reason string    `json:"reason,omitempty"`
	By     string    `json:"by,omitempty"`
	At     time.Time `json:"at"`
	Until  time.Time `json:"until,omitzero"` // zero: for good
	Number int64     `json:"number"`         // of saving, as runs have it
	File   string    `json:"-"`
}

// largestEvent bounds the size of an event's file, in bytes: what it holds is bounded, and a later perfdiff may know
// more.
const largestEvent = 64 << 10

const (
	longestReason = 1000 // characters
	longestName   = 100
)

func (v *Event) known() bool { return slices.Contains([]string{Accept, Exclude, Note}, v.Kind) }

// digest returns the digest in the event's name.
func (v *Event) digest() string {
	return strings.TrimSuffix(strings.TrimPrefix(v.File, eventPrefix), eventExt)
}

// Check returns the first fault of an event.
func (v *Event) Check() error {
	from := run.Origin{Commit: v.Commit}
	line := func(what, s string, most int) error {
		bad := func(r rune) bool { return r < ' ' || r == 0x7f || r == '\ufffd' }
		if len([]rune(s)) > most || strings.ContainsFunc(s, bad) {
			return fmt.Errorf("%s %.80q: must be one line of up to %d characters", what, s, most)
		}
		return nil
	}
	switch {
	case !v.known():
		return fmt.Errorf("kind %.20q: must be one of %s, %s and %s", v.Kind, Accept, Exclude, Note)
	case v.Commit == "" && v.Kind != Note:
		return fmt.Errorf("commit: is missing: which one is it that you %s?", v.Kind)
	case math.IsNaN(v.UpTo) || v.UpTo < 0 || v.UpTo > 100:
		return fmt.Errorf("up to %v: must be a share, as 0.07 for 7 %%", v.UpTo)
	case !v.Until.IsZero() && !v.Until.After(v.At):
		return errors.New("until: is before the event itself")
	case v.Number < 1 || v.Number > run.LargestNumber:
		return fmt.Errorf("number %d: is none of a store", v.Number)
	}
	return errors.Join(from.Check(), line("reason", v.Reason, longestReason), line("by", v.By, longestName),
		line("metric", v.Metric, longestName))
}

// AddEvent writes an event into a store, and returns it with its file, its number and, where it has none, its time.
// Whatever others write at the same time, it stays.
func AddEvent(dir string, v Event, now time.Time) (Event, error) {
	l, err := list(dir)
	if err != nil {
		return v, err
	}
	if v.At.IsZero() {
		v.At = now
	}
	if v.Number, err = l.next(0); err != nil {
		return v, err
	}
	v.At, v.Until = v.At.UTC().Truncate(time.Second), v.Until.UTC()
	if err := v.Check(); err != nil {
		return v, err
	}
	text, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return v, err
	}
	text = append(text, '\n')
	v.File = eventName(text)
	if err := writeFile(dir, v.File, text); err != nil {
		return v, writeError(v.File, "cannot be saved", err)
	}
	return v, nil
}

func eventName(text []byte) string {
	return fmt.Sprintf("%s%.*x%s", eventPrefix, digestLength/2, sha256.Sum256(text), eventExt)
}

// readEvent reads an event. One of an unknown kind is no error.
func readEvent(dir, file string) (v Event, err error) {
	path := filepath.Join(dir, file)
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return v, trace.WithoutPath(err)
	case !info.Mode().IsRegular() || info.Size() > largestEvent:
		return v, errors.New("is no event that perfdiff wrote (remove it)")
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return v, trace.WithoutPath(err)
	}
	if eventName(text) != file {
		return v, errors.New("the event is damaged or was changed: its name is that of another content " +
			"(copy it again, or remove it and decide anew)")
	}
	if err := json.NewDecoder(bytes.NewReader(text)).Decode(&v); err != nil {
		return v, errors.New("the event cannot be understood (remove it and decide anew)")
	}
	v.File = file
	if !v.known() {
		v.Number = min(max(v.Number, 0), run.LargestNumber)
		return v, nil
	}
	return v, v.Check()
}

func (c *Contents) addEvent(file string) {
	v, err := readEvent(c.Dir, file)
	switch {
	case errors.Is(err, os.ErrNotExist):
	case err != nil:
		c.Damaged = append(c.Damaged, findingOf(file, err))
	default:
		c.Events = append(c.Events, v)
	}
}

// sortEvents puts events in the order of saving.
func sortEvents(all []Event) {
	slices.SortFunc(all, func(a, b Event) int {
		return cmp.Or(cmp.Compare(a.Number, b.Number), a.At.Compare(b.At), strings.Compare(a.File, b.File))
	})
}

// Uncounted is an event that does not count, with why.
type Uncounted struct {
	Event
	Why string
}

// Counted divides the events of a store: those that count where a candidate of a commit is judged, and the others, which
// are named. Both keep their order.
//
// What a pull request is judged by must not be what the pull request brings along. So an event counts once main saved
// a run after it: a run names the events that the store held when it was saved, and a pull request saves none. And an
// event about the candidate's own commit counts only if that commit has a run on main. Where main itself is judged,
// and saves its run, the store is main's and all events count.
func Counted(events []Event, runs []Entry, commit string, saving bool) (counted []Event, others []Uncounted) {
	heard, onMain := map[string]bool{}, saving
	for i := range runs {
		for _, d := range runs[i].Events {
			heard[d] = true
		}
		onMain = onMain || sameCommit(runs[i].Origin.Commit, commit)
	}
	for _, v := range events {
		why := ""
		switch {
		case !v.known():
			why = fmt.Sprintf("this perfdiff does not know its kind, %.20q", v.Kind)
		case saving:
		case sameCommit(v.Commit, commit) && !onMain:
			why = "it is about the candidate's own commit: what is judged does not decide about itself"
		case !heard[v.digest()]:
			why = "main has saved no run since: it counts from main's next run on"
		}
		if why != "" {
			others = append(others, Uncounted{v, why})
			continue
		}
		counted = append(counted, v)
	}
	return counted, others
}

// sameCommit reports whether two commits, either of which may be shortened, are one.
func sameCommit(a, b string) bool {
	a, b = strings.ToLower(a), strings.ToLower(b)
	return a != "" && b != "" && (strings.HasPrefix(a, b) || strings.HasPrefix(b, a))
}
