package store

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"perfdiff/analyze/run"
)

const (
	runExt      = ".perfdiff"
	eventPrefix = "event-"
	eventExt    = ".json"
	indexName   = "index.json"
	tempPrefix  = ".perfdiff-" // of a file that is being written
)

// BisectDir is the directory in a store with runs of commits that are bisected, a store of its own.
const BisectDir = "bisect"

const nameTime = "20060102T150405Z"

// digestLength is how many digits of a digest a name has.
const digestLength = 12

var runNames = regexp.MustCompile(`^(?:(\d{6,12})-(\d{8}T\d{6}Z)|(\d{8}T\d{6}Z)|undated-(\d{6,12}))-([0-9a-f]{12})$`)

// fileName is what the name of a run says; zero where it was not perfdiff that named it.
type fileName struct {
	number int64 // of saving; 0: it is of a store as it was before
	saved  int64 // UTC ns, to the second; 0 without a number
	began  int64 // when it was recorded, likewise; 0: its name does not say
	before int64 // of a name without number and time: how many runs the store held when it was saved, and one
	digest string
}

// parseName takes the name of a run apart.
func parseName(name string) (n fileName) {
	m := runNames.FindStringSubmatch(strings.TrimSuffix(name, runExt))
	if m == nil {
		return n
	}
	number := func(text string) int64 { v, _ := strconv.ParseInt(text, 10, 64); return v }
	at := func(text string) int64 {
		t, err := time.Parse(nameTime, text)
		if err != nil || t.Year() < 1970 || t.Year() > 2261 { // beyond what nanoseconds can say
			return 0
		}
		return t.UnixNano()
	}
	return fileName{number(m[1]), at(m[2]), at(m[3]), number(m[4]), m[5]}
}

// nameOf returns the name of a run's file.
func nameOf(k *run.Kept) string {
	at := time.Unix(0, k.Saved).UTC().Format(nameTime)
	return fmt.Sprintf("%06d-%s-%s%s", k.Number, at, k.Digest[:digestLength], runExt)
}

// IsOwn reports whether a file of a store is no run: an event, or the index.
func IsOwn(name string) bool { return name == indexName || isEvent(name) }

func isEvent(name string) bool {
	digest, ok := strings.CutPrefix(strings.TrimSuffix(name, eventExt), eventPrefix)
	return ok && strings.HasSuffix(name, eventExt) && len(digest) == digestLength &&
		strings.Trim(digest, "0123456789abcdef") == ""
}

// ofCommits is the directory in a store with the runs of commits that are not on main, a directory for each.
const ofCommits = "commits"

// OfCommit returns the directory of a store in which the runs of a commit are that is gated and not on main.
func OfCommit(dir, commit string) string {
	return filepath.Join(dir, ofCommits, strings.ToLower(commit))
}
