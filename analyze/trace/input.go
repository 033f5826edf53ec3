package trace

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// Input is a file that is read from its beginning. What is read is counted and told, and reading
// ends with the context.
type Input struct {
	Context context.Context
	Name    string // of the file, without its directory
	Size    int64  // bytes
	Used    int64  // bytes that were read so far
	Options *Options
	r       io.Reader
}

// Open opens the file at path. opt may be nil. The error is for a file that cannot be opened, and
// names it.
func Open(ctx context.Context, path string, opt *Options) (*Input, error) {
	name := filepath.Base(path)
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("%s: cannot be opened: %w", name, WithoutPath(err))
	}
	info, err := f.Stat()
	switch {
	case err != nil:
		err = fmt.Errorf("%s: cannot be read: %w", name, WithoutPath(err))
	case info.IsDir():
		err = fmt.Errorf("%s: is a directory (name the file in it)", name)
	default:
		return NewInput(ctx, name, f, info.Size(), opt), nil
	}
	f.Close()
	return nil, err
}

// NewInput returns what r gives, as a file of that name and size.
func NewInput(ctx context.Context, name string, r io.Reader, size int64, opt *Options) *Input {
	return &Input{Context: ctx, Name: name, Size: size, Options: opt, r: r}
}

// Read reads on, and ends with the context.
func (in *Input) Read(p []byte) (int, error) {
	if err := in.Context.Err(); err != nil {
		return 0, err
	}
	n, err := in.r.Read(p)
	in.use(int64(n))
	return n, err
}

func (in *Input) use(n int64) {
	if n > 0 {
		in.Options.Tell(n)
		in.Used += n
	}
}

// Done tells the rest of the file as read: of a compressed one the end may not have been asked for.
func (in *Input) Done() { in.use(in.Size - in.Used) }

// Close closes the file.
func (in *Input) Close() {
	if c, ok := in.r.(io.Closer); ok {
		c.Close()
	}
}
