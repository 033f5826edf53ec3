package main

import (
	"bytes"
	"crypto/rand"
	"io"
	"os"
	"unicode"

	"perfdiff/render"
)

// buildLog is standard output and standard error on a runner of GitHub Actions. The runner obeys commands
// ("::error::…", "##[add-mask]…") wherever they are printed, and profiles hold whatever somebody called a kernel, a
// range or a file.
//
// Two things keep such names from being obeyed. First, everything is printed between a command that stops all others
// and a command, with a token that nobody can guess, that resumes them; only the verdict's annotations are outside.
// Second, no line holds anything that could be a command: the runner has one such state for both streams, and may read
// one stream later than the other.
type buildLog struct {
	out, err *logStream
	open     *logStream // stream on which commands are stopped now; nil: none
	token    string     // of the command that resumes commands
}

// logStream is one of the two streams.
type logStream struct {
	log           *buildLog
	to            io.Writer
	line          []byte              // start of a line that is not complete
	plain         bool                // a program may read it, so that no lines are added to the text
	breakCommands func([]byte) []byte // changes a line so that it holds no command
}

// newBuildLog returns nil if perfdiff does not run on such a runner.
func newBuildLog(stdout, stderr io.Writer) *buildLog {
	if os.Getenv("GITHUB_ACTIONS") != "true" {
		return nil
	}
	l := &buildLog{}
	l.out, l.err = &logStream{log: l, to: stdout, breakCommands: withoutCommands}, &logStream{log: l, to: stderr, breakCommands: withoutCommands}
	return l
}

// streams returns where to print. A stream that goes to a file is returned unchanged, since the runner does not read
// it.
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

// resume ends incomplete lines and lets the runner take commands again.
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
	_, err := s.to.Write(s.breakCommands(line))
	return err
}

// stop stops commands on this stream, after it resumed them on the other one.
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

// withoutCommands returns a line in which the runner finds no command. It obeys "##[" anywhere in a line, and "::"
// only at its start, after blanks.
func withoutCommands(line []byte) []byte {
	line = bytes.ReplaceAll(line, []byte("##["), []byte("## ["))
	blanks := len(line) - len(bytes.TrimLeftFunc(line, unicode.IsSpace))
	if bytes.HasPrefix(line[blanks:], []byte("::")) {
		line = append(append(bytes.Clone(line[:blanks]), ": "...), line[blanks+1:]...)
	}
	return line
}

// forPrograms returns where to print a text that programs may read: it is changed only in ways
// that mean the same to them.
func forPrograms(w io.Writer, format render.Format) io.Writer {
	s, ok := w.(*logStream)
	if !ok {
		return w
	}
	s.plain = true
	switch format {
	case render.JSON:
		s.breakCommands = func(line []byte) []byte { return bytes.ReplaceAll(line, []byte("##["), []byte(`##\u005b`)) }
	case render.JUnit:
		s.breakCommands = func(line []byte) []byte { return bytes.ReplaceAll(line, []byte("##["), []byte("##&#91;")) }
	case render.HTML: // no log is 700 KB of markup, and in scripts nothing is escaped so
		s.breakCommands = func(line []byte) []byte { return line }
	}
	return s
}

// forRunner returns where to print commands for the runner.
func forRunner(w io.Writer) (io.Writer, error) {
	s, ok := w.(*logStream)
	if !ok {
		return w, nil
	}
	return s.to, s.log.resume()
}
