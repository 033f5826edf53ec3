package recipe

import (
	"cmp"
	"fmt"
	"regexp"
	"strconv"
)

// Version is a version of Nsight Systems: the year, and the release of that year.
type Version struct{ Year, Release int }

var versionText = regexp.MustCompile(`^(?:NVIDIA Nsight Systems version )?(20\d\d)\.(\d{1,2})(?:\.\d+)*(?:-\d+v\d+)?$`)

// ReadVersion reads a version as nsys prints it, as in 2024.5, 2024.5.1.113-245134619542v0 and the whole line.
func ReadVersion(s string) (Version, error) {
	m := versionText.FindStringSubmatch(s)
	if m == nil {
		return Version{}, fmt.Errorf("%q is no version of nsys: nsys --version prints it, as in 2024.5.1", s)
	}
	year, _ := strconv.Atoi(m[1]) // the expression admits digits alone
	release, _ := strconv.Atoi(m[2])
	return Version{year, release}, nil
}

var installed = regexp.MustCompile(`(?i)nsight-?systems(?:-linux-[a-z]+-public)?[/\\-](?:v?)(20\d\d\.\d{1,2})`)

// VersionOfPath reads the version out of the path of nsys: installers put it into the name of
// the directory. ok is false where it is not there.
func VersionOfPath(path string) (v Version, ok bool) {
	m := installed.FindStringSubmatch(path)
	if m == nil {
		return Version{}, false
	}
	v, err := ReadVersion(m[1])
	return v, err == nil
}

// String writes a version: "2024.5".
func (v Version) String() string { return fmt.Sprintf("%d.%d", v.Year, v.Release) }

func (v Version) less(w Version) bool {
	return cmp.Or(cmp.Compare(v.Year, w.Year), cmp.Compare(v.Release, w.Release)) < 0
}

// The oldest and the newest version whose list of options was at hand.
var (
	oldest = Version{2022, 4}
	newest = Version{2026, 2}
)

// Newest returns the newest version whose options are known.
func Newest() Version { return newest }
