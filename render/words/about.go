package words

import (
	"cmp"
	"time"

	"perfdiff/diff"
	"perfdiff/render/number"
)

// Sides returns the names of the two sides for the head of a column or a mark of a picture: the given names, else the
// roles. Names longer than limit characters are cut in the middle; if that makes them equal, the roles are used.
func Sides(r *diff.Report, limit int) [2]string {
	if r.About.Names == [2]string{} {
		return [2]string{baseline, candidate}
	}
	out := [2]string{cut(r.About.Names[0], limit), cut(r.About.Names[1], limit)}
	if out[0] == out[1] || out[0] == "" || out[1] == "" {
		return [2]string{baseline, candidate}
	}
	return out
}

// Called returns the name of a side in a list of several, else the label of its set.
func Called(r *diff.Report, side int) string {
	return cmp.Or(r.About.Names[side], []string{r.Base.Label, r.Cand.Label}[side])
}

// SideHeads does what Sides does with a capital letter where they are roles, as at the head of a page's
// table: a name stays as it was given.
func SideHeads(r *diff.Report, limit int) [2]string {
	out := Sides(r, limit)
	if out == [2]string{baseline, candidate} {
		return [2]string{number.Capital(baseline), number.Capital(candidate)}
	}
	return out
}

// cut returns s in at most so many characters: its beginning and its end.
func cut(s string, limit int) string {
	r := []rune(s)
	if len(r) <= limit {
		return s
	}
	head := (limit - 1) * 6 / 10
	return string(r[:head]) + "…" + string(r[len(r)-(limit-1-head):])
}

// Captured says when the runs of a side began: "2026-03-01 14:05 UTC", "2026-03-01 14:05 to
// 2026-03-02 09:00 UTC"; "" where it is not known.
func Captured(c diff.Captured) string {
	if c == (diff.Captured{}) {
		return ""
	}
	const minute = "2006-01-02 15:04"
	first, last := time.Unix(0, c.First).UTC(), time.Unix(0, c.Last).UTC()
	if first.Format(minute) == last.Format(minute) {
		return first.Format(minute) + " UTC"
	}
	return first.Format(minute) + " to " + last.Format(minute) + " UTC"
}
