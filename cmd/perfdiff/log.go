package main

import (
	"bytes"
	"crypto/rand"
	"io"
	"os"
	"unicode"

	"perfdiff/render"
)

// buildLog is standard output and standard error as the runner of GitHub Actions reads
// them: it takes commands ("::error::…", "##[add-mask]…") out of whatever is printed, and
// profiles hold whatever somebody called a kernel, a range or a file.
//
// Two things keep such names from being obeyed. What is printed stands between a command
// that stops all others and one, of a name that nobody can guess, that resumes them; the
// verdict's annotations stand outside. And no line holds what could be a command: the runner
// keeps one such state for both streams, and may read one of them behind the other.
type buildLog struct {
	out, err *logStream
	open     *logStream // where commands are stopped now; nil: they are not
	token    string     // that resumes them
}

// logStream is one of the two.
type logStream struct {
	log   *buildLog
	to    io.Writer
	line  []byte              // what is not yet a whole line
	plain bool                // a program may read it: no lines of ours beside the text
	part  func([]byte) []byte // takes what could be a command out of a line
}

// newBuildLog is nil where the runner does not listen.
func newBuildLog(stdout, stderr io.Writer) *buildLog {
	if os.Getenv("GITHUB_ACTIONS") != "true" {
		return nil
	}
	l := &buildLog{}
	l.out, l.err = &logStream{log: l, to: stdout, part: parted}, &logStream{log: l, to: stderr, part: parted}
	return l
}

// streams are where to print: a file is not read by the runner.
func (l *buildLog) streams(stdout, stderr io.Writer) (io.Writer, io.Writer) {
	if l == nil {
		return stdout, stderr
	}
	if f := asFile(stdout); f != nil {
		if st, err := f.Stat(); err == nil && st.Mode().IsRegular() {
			return stdout, l.err
		}
	}
	return l.out, l.err
}

// resume ends what is under way and lets the runner take commands again.
func (l *buildLog) resume() (err error) {
	if l == nil {
		return nil
	}
	for _, s := range []*logStream{l.out, l.err} {
		if rest := s.line; len(rest) > 0 {
			s.line = nil
			err = s.write(rest)
		}
	}
	if l.open != nil {
		_, wrong := io.WriteString(l.open.to, "::"+l.token+"::\n")
		if l.open = nil; err == nil {
			err = wrong
		}
	}
	return err
}

// Write prints whole lines, and keeps the rest until its line ends.
func (s *logStream) Write(p []byte) (int, error) {
	for rest := p; len(rest) > 0; {
		end := bytes.IndexAny(rest, "\r\n") // the runner's lines end at either
		if end < 0 {
			s.line = append(s.line, rest...)
			break
		}
		line := append(s.line, rest[:end+1]...)
		s.line, rest = nil, rest[end+1:]
		if err := s.write(line); err != nil {
			return 0, err
		}
	}
	return len(p), nil
}

func (s *logStream) write(line []byte) error {
	if !s.plain && s.log.open != s {
		if err := s.stop(); err != nil {
			return err
		}
	}
	_, err := s.to.Write(s.part(line))
	return err
}

// stop stops commands, here and nowhere else.
func (s *logStream) stop() error {
	if open := s.log.open; open != nil {
		s.log.open = nil
		if _, err := io.WriteString(open.to, "::"+s.log.token+"::\n"); err != nil {
			return err
		}
	}
	s.log.open, s.log.token = s, rand.Text()
	_, err := io.WriteString(s.to, "::stop-commands::"+s.log.token+"\n")
	return err
}

// parted is a line of which the runner takes no command: of "##[" it obeys what follows
// wherever it stands, of "::" only at the start, behind blanks.
func parted(line []byte) []byte {
	line = bytes.ReplaceAll(line, []byte("##["), []byte("## ["))
	blanks := len(line) - len(bytes.TrimLeftFunc(line, unicode.IsSpace))
	if bytes.HasPrefix(line[blanks:], []byte("::")) {
		line = append(append(bytes.Clone(line[:blanks]), ": "...), line[blanks+1:]...)
	}
	return line
}

// forPrograms makes w the place of a text that programs may read: only what means the same
// to them is changed in it.
func forPrograms(w io.Writer, format render.Format) io.Writer {
	s, ok := w.(*logStream)
	if !ok {
		return w
	}
	s.plain = true
	switch format {
	case render.JSON:
		s.part = func(line []byte) []byte { return bytes.ReplaceAll(line, []byte("##["), []byte(`##\u005b`)) }
	case render.JUnit:
		s.part = func(line []byte) []byte { return bytes.ReplaceAll(line, []byte("##["), []byte("##&#91;")) }
	case render.HTML: // no log is 700 KB of markup, and in scripts nothing is escaped so
		s.part = func(line []byte) []byte { return line }
	}
	return s
}

// forRunner is where commands to the runner are written.
func forRunner(w io.Writer) (io.Writer, error) {
	s, ok := w.(*logStream)
	if !ok {
		return w, nil
	}
	return s.to, s.log.resume()
}
