package policyfile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/token"
)

// The bounds of a policy file. The longest that anybody needs is a few kilobytes and four
// levels deep; what the library does with brackets that are not closed grows with their
// square (6 GB for 64 KB of them), and so does what it does with a line of dashes (1.6 GB). Both are
// counted in its tokens, which cost 20 MB.
const (
	Largest = 64 << 10 // bytes
	deepest = 16
)

// errNone is the cause when there is no file of the name.
var errNone = errors.New("no such file")

// readText is the text of a policy file. A device or a pipe of that name is never
// opened: it would not end, or not begin.
func readText(path string) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		if _, err := os.Lstat(path); err == nil {
			return nil, errors.New("is a link to a file that is not there")
		}
		return nil, errNone
	case err != nil:
		return nil, cause(err)
	case info.IsDir():
		return nil, errors.New("is a directory (name the file in it)")
	case !info.Mode().IsRegular():
		return nil, errors.New("is no regular file but a device or a pipe (name a file, or link to one)")
	case info.Size() > Largest:
		return nil, errLarge
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, cause(err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, Largest+1))
	switch {
	case err != nil:
		return nil, cause(err)
	case len(text) > Largest: // some files of the kernel have no size before they are read
		return nil, errLarge
	}
	return bytes.TrimPrefix(text, []byte("\ufeff")), nil // a byte order mark, which some editors write
}

var errLarge = fmt.Errorf("is larger than %d KB, which no policy is (name another file)", Largest>>10)

// checkDepth says where brackets, or the dashes and question marks of one line, are nested deeper than any
// policy, before anything is built of them.
func (d *document) checkDepth(text []byte) error {
	depth, line, entries := 0, 0, 0
	for _, t := range lexer.Tokenize(string(text)) {
		if t.Position.Line != line {
			line, entries = t.Position.Line, 0
		}
		switch t.Type {
		case token.SequenceEntryType, token.MappingKeyType:
			if entries++; entries > deepest {
				return d.wrong(t, fmt.Sprintf("more than %d lists are nested in this line, which no policy needs", deepest))
			}
		case token.SequenceStartType, token.MappingStartType:
			depth++
		case token.SequenceEndType, token.MappingEndType:
			depth--
		}
		if depth > deepest {
			return d.wrong(t, fmt.Sprintf("more than %d brackets are open here, which no policy needs", deepest))
		}
	}
	return nil
}
