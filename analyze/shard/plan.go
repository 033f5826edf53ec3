package shard

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// File is one profile of a run set. A directory of tables that a profiler exported is one.
type File struct {
	// Path is relative to the run set, with forward slashes; directories before its name are the
	// run, or the node of a run. Of a run set that is one file it is the file's name.
	Path     string    `json:"path"`
	Bytes    int64     `json:"bytes"`
	Modified time.Time `json:"modified"` // UTC
	Shard    int       `json:"shard"`    // whose it is; set by MakePlan
}

// Plan says which shard reads which files.
type Plan struct {
	ID     string // SHA-256, in hexadecimal digits, of all that the plan says
	Shards int
	Files  []File // in order of path
}

// Load is how much one shard has to read.
type Load struct {
	Files   int
	Bytes   int64
	Largest File // its largest file
}

// MakePlan divides files among n shards: each file, the largest first, goes to the shard that has the least so far (R.
// L. Graham, Bounds on multiprocessing timing anomalies, SIAM J. Appl. Math. 17 (1969): at most 4/3 of the best).
// Among equals the first by path goes to the shard with fewer files, then to the first. If a hash of the name divided
// 1,024 files among 64 shards, one would have half as much again as the mean (TestBalance).
func MakePlan(files []File, n int) (Plan, error) {
	switch {
	case n < 1 || n > MaxCount:
		return Plan{}, fmt.Errorf("%d shards: must be 1 to %d", n, MaxCount)
	case n > len(files):
		return Plan{}, fmt.Errorf("%s for %d files: a shard reads at least one, so at most %d", shards(n), len(files), len(files))
	}
	p := Plan{Shards: n, Files: slices.Clone(files)}
	for i := range p.Files {
		p.Files[i].Modified = p.Files[i].Modified.UTC()
	}
	slices.SortFunc(p.Files, func(a, b File) int {
		return cmp.Or(cmp.Compare(b.Bytes, a.Bytes), strings.Compare(a.Path, b.Path))
	})
	free := make(shares, n)
	for i := range free {
		free[i].shard = i
	}
	for i := range p.Files {
		f := &p.Files[i]
		f.Shard = free[0].shard
		free[0].bytes += f.Bytes
		free[0].files++
		free.sink()
	}
	slices.SortFunc(p.Files, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	p.ID = p.digest()
	return p, p.check()
}

// shares holds the shards as a heap: the first has the least to read.
type shares []struct {
	bytes        int64
	files, shard int
}

// less reports whether shard i gets the next file before shard j.
func (s shares) less(i, j int) bool {
	a, b := s[i], s[j]
	return cmp.Or(cmp.Compare(a.bytes, b.bytes), cmp.Compare(a.files, b.files), cmp.Compare(a.shard, b.shard)) < 0
}

// sink moves the first, which got heavier, to where it belongs.
func (s shares) sink() {
	for at := 0; ; {
		least := at
		for child := 2*at + 1; child <= 2*at+2 && child < len(s); child++ {
			if s.less(child, least) {
				least = child
			}
		}
		if least == at {
			return
		}
		s[at], s[least] = s[least], s[at]
		at = least
	}
}

// Of returns the files of a shard, in order of path.
func (p Plan) Of(index int) []File {
	var out []File
	for _, f := range p.Files {
		if f.Shard == index {
			out = append(out, f)
		}
	}
	return out
}

// Loads returns how much each shard has to read, by index.
func (p Plan) Loads() []Load {
	out := make([]Load, p.Shards)
	for _, f := range p.Files {
		l := &out[f.Shard]
		l.Files++
		l.Bytes += f.Bytes
		if l.Largest.Path == "" || f.Bytes > l.Largest.Bytes {
			l.Largest = f
		}
	}
	return out
}

// digest returns the ID of a plan.
func (p Plan) digest() string {
	h := sha256.New()
	fmt.Fprintf(h, "perfdiff plan %d\n%d\n", planVersion, p.Shards)
	for _, f := range p.Files {
		fmt.Fprintf(h, "%q %d %d %d\n", f.Path, f.Bytes, f.Modified.UnixNano(), f.Shard)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// check returns the error of a plan that cannot be one.
func (p Plan) check() error {
	if p.Shards < 1 || p.Shards > MaxCount {
		return fmt.Errorf("%d shards: must be 1 to %d", p.Shards, MaxCount)
	}
	for i, f := range p.Files {
		switch {
		case !utf8.ValidString(f.Path):
			return fmt.Errorf("%q: a name that is not UTF-8 cannot stand in a plan: rename the file", f.Path)
		case !fs.ValidPath(f.Path) || f.Path == ".":
			return fmt.Errorf("%q: no path below a run set", f.Path)
		case f.Bytes < 0:
			return fmt.Errorf("%s: %d bytes", f.Path, f.Bytes)
		case f.Shard < 0 || f.Shard >= p.Shards:
			return fmt.Errorf("%s: shard %d of %d, which count from 0", f.Path, f.Shard, p.Shards)
		case i > 0 && p.Files[i-1].Path >= f.Path:
			return fmt.Errorf("%s: stands twice, or out of order", f.Path)
		}
	}
	return nil
}

// Changed returns an error if a file is not as it was when the plan was made.
func (f File) Changed(now File) error {
	if f.Bytes == now.Bytes && f.Modified.Equal(now.Modified) {
		return nil
	}
	if f.Bytes == now.Bytes {
		const form = "2006-01-02T15:04:05.999999999Z"
		return fmt.Errorf("%s: has changed since the plan was made (written %s, then %s; a copy keeps the time with cp -p or rsync -t): make the plan anew, and all parts",
			f.Path, now.Modified.UTC().Format(form), f.Modified.UTC().Format(form))
	}
	return fmt.Errorf("%s: has changed since the plan was made (%d bytes, then %d): make the plan anew, and all parts",
		f.Path, now.Bytes, f.Bytes)
}

// Stride returns the files of a shard without a plan: each count-th in order of path, from index on.
func Stride(files []File, index, count int) []File {
	var out []File
	for i, f := range inOrder(files) {
		if i%count == index {
			f.Shard = index
			out = append(out, f)
		}
	}
	return out
}

// Listing returns a digest of what Stride divides: SHA-256, in hexadecimal digits. It differs for shards that saw
// other files. Times are left out, since copies of a file on several disks differ in them.
func Listing(files []File, count int) string {
	h := sha256.New()
	fmt.Fprintf(h, "perfdiff listing\n%d\n", count)
	for _, f := range inOrder(files) {
		fmt.Fprintf(h, "%q %d\n", f.Path, f.Bytes)
	}
	return hex.EncodeToString(h.Sum(nil))
}

func inOrder(files []File) []File {
	return slices.SortedFunc(slices.Values(files), func(a, b File) int { return strings.Compare(a.Path, b.Path) })
}
