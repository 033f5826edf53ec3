// Package notices holds the licences of all that perfdiff is linked with or carries: modules of Go,
// Go itself, and what the page's charts are drawn with.
package notices

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"io"
)

// packed is the text as make golden writes it. TestGoldenNotices holds it to what is linked.
//
//go:embed notices.txt.gz
var packed []byte

// Text returns the names of all parts, each with its licence, in order of their names.
func Text() (string, error) {
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return "", err
	}
	text, err := io.ReadAll(z)
	return string(text), err
}
