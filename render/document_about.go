package render

import (
	"time"

	"perfdiff/diff"
)

// About is what was said of a comparison. It changes no number.
type About struct {
	Title   string        `json:"title,omitempty"`
	Names   *Both[string] `json:"names,omitempty"`   // what baseline and candidate are called; absent: by their roles
	Command string        `json:"command,omitempty"` // what was asked: without paths, and without what changes nothing here
}

// aboutDocument is nil where nothing was said.
func aboutDocument(a *diff.About) *About {
	if *a == (diff.About{}) {
		return nil
	}
	out := &About{Title: a.Title, Command: a.Command}
	if a.Names != [2]string{} {
		out.Names = &Both[string]{a.Names[0], a.Names[1]}
	}
	return out
}

// capturedDocument are both times, to the second; nil where they are not known.
func capturedDocument(c diff.Captured) []string {
	if c == (diff.Captured{}) {
		return nil
	}
	at := func(ns int64) string { return time.Unix(0, ns).UTC().Format(time.RFC3339Nano) }
	return []string{at(c.First), at(c.Last)}
}
