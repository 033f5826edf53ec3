package kernelname

import (
	"bytes"
	"regexp"
	"strings"
)

// anonymous is the one spelling of a namespace without a name.
const anonymous = "(anonymous namespace)"

// speller writes a demangled name in one spelling, whichever demangler wrote it: that
// of binutils (Kineto), of CUPTI and Nsight Systems, or of nvprof. It goes through the
// name once, since names are kilobytes long.
type speller struct {
	in    string
	at    int
	out   []byte
	opens []int // where open round brackets stand in out
}

// respell folds the spelling of a demangled name, and drops what is not part of the function: return type and
// parameters, its own and those of enclosing functions.
func respell(name string) string {
	s := speller{in: name, out: make([]byte, 0, len(name))}
	for s.at < len(s.in) {
		switch c := s.in[s.at]; {
		case c == ' ':
			s.space()
		case c == ',':
			s.emit(", ", 1)
			s.skipSpace()
		case c == '(':
			s.open()
		case c == ')':
			s.close()
		case strings.HasPrefix(s.in[s.at:], "<unnamed>"):
			s.emit(anonymous, len("<unnamed>"))
		case strings.HasPrefix(s.in[s.at:], "[lambda"):
			s.emit("{", 1)
		case wordByte(c):
			s.word()
		default:
			s.emit(s.in[s.at:s.at+1], 1)
		}
	}
	// What stands in front of the function is the type that it returns; that of a kernel
	// is void, or something that depends: "std::enable_if<…, void>::type".
	if i := lastSpace(s.out); i >= 0 && strings.ContainsAny(string(s.out[:i]), "<:") {
		return string(s.out[i+1:])
	}
	return string(s.out)
}

// emit writes text for the next n bytes.
func (s *speller) emit(text string, n int) {
	s.out = append(s.out, text...)
	s.at += n
}

func (s *speller) last() byte {
	if len(s.out) == 0 {
		return 0
	}
	return s.out[len(s.out)-1]
}

func (s *speller) skipSpace() {
	for s.at < len(s.in) && s.in[s.at] == ' ' {
		s.at++
	}
}

// space keeps one space between two words: "unsigned int", "f<int>::type g", "char* x".
func (s *speller) space() {
	s.skipSpace()
	if s.at < len(s.in) && (wordByte(s.in[s.at]) || strings.HasPrefix(s.in[s.at:], anonymous) || strings.HasPrefix(s.in[s.at:], "<unnamed>")) &&
		(wordByte(s.last()) || strings.IndexByte(">)]}*&", s.last()) >= 0) && s.last() != 0 {
		s.out = append(s.out, ' ')
	}
}

// open processes an opening round bracket: "(int)4" is 4, and lambdas are numbered as binutils does it.
func (s *speller) open() {
	rest := s.in[s.at:]
	if strings.HasPrefix(rest, anonymous) {
		s.emit(anonymous, len(anonymous))
		return
	}
	if n, ok := strings.CutPrefix(rest, "(instance "); ok {
		if i := digits(n); i > 0 && strings.HasPrefix(n[i:], ")]") {
			s.emit("#"+n[:i]+"}", len("(instance ")+i+2)
			return
		}
	}
	if strings.HasSuffix(string(s.tail(8)), "operator") && strings.HasPrefix(rest, "()") {
		s.emit("()", 2)
		return
	}
	if end := strings.IndexByte(rest[:min(len(rest), 24)], ')'); end > 0 && isIntegral(rest[1:end]) && s.value(rest[1:end], rest[end+1:], end+1) {
		return
	}
	s.opens = append(s.opens, len(s.out))
	s.emit("(", 1)
}

func (s *speller) tail(n int) []byte { return s.out[max(0, len(s.out)-n):] }

// value writes the integral number at the begin of text, if it stands before bytes further on; false otherwise.
func (s *speller) value(of, text string, before int) bool {
	sign := len(text) - len(strings.TrimPrefix(text, "-"))
	n := sign + digits(text[sign:])
	if n == sign || n < len(text) && wordByte(text[n]) || wordByte(s.last()) {
		return false
	}
	v := text[:n]
	if of == "bool" {
		v = map[string]string{"0": "false", "1": "true"}[v]
	}
	s.emit(v, before+n)
	return true
}

// close processes a closing round bracket. It and its partner enclose parameters if the name ends there or goes on
// with "::"; these are dropped.
func (s *speller) close() {
	if len(s.opens) == 0 {
		s.emit(")", 1)
		return
	}
	from := s.opens[len(s.opens)-1]
	s.opens = s.opens[:len(s.opens)-1]
	rest := strings.TrimLeft(s.in[s.at+1:], " ")
	for _, q := range []string{"const", "volatile", "&&", "&"} {
		rest = strings.TrimLeft(strings.TrimPrefix(rest, q), " ")
	}
	ofFunction := from > 0 && (wordByte(s.out[from-1]) || strings.IndexByte(">)]}", s.out[from-1]) >= 0)
	if !ofFunction || rest != "" && !strings.HasPrefix(rest, "::") || bytes.HasSuffix(s.out[:from], []byte("decltype")) {
		s.emit(")", 1)
		return
	}
	s.out = s.out[:from]
	s.at = len(s.in) - len(rest)
}

// libraryVersion are the namespaces in which CUB, Thrust and libcu++ hide their version
// and the architectures they were built for.
var libraryVersion = regexp.MustCompile(`^(?:(?:CUB|THRUST)_[0-9_]+_NS|_V_[0-9]+_SM_[0-9_]+|__[0-9]+)$`)

// word takes in a word or a number.
func (s *speller) word() {
	n := s.at
	for n < len(s.in) && wordByte(s.in[n]) {
		n++
	}
	w, rest := s.in[s.at:n], s.in[n:]
	after := strings.TrimLeft(rest, " ")
	switch {
	case wordByte(s.last()):
	case w == "const": // of "float const*", of "const float*" and of a method
		s.at = n
		if s.last() == ' ' && !strings.HasSuffix(string(s.tail(2)), ", ") {
			s.out = s.out[:len(s.out)-1]
		} else {
			s.skipSpace()
		}
		return
	case w == "void" && rest != after && after != "" && (wordByte(after[0]) || strings.HasPrefix(after, anonymous) || strings.HasPrefix(after, "<unnamed>")):
		s.at = len(s.in) - len(after) // a return type, also of an enclosing function
		return
	case strings.HasPrefix(rest, "::") && (strings.HasPrefix(w, "_GLOBAL__N_") || strings.HasPrefix(w, "_INTERNAL_") || w == "_NV_ANON_NAMESPACE"):
		s.emit(anonymous, len(w))
		return
	case strings.HasPrefix(rest, "::") && libraryVersion.MatchString(w):
		s.at = n + len("::")
		return
	case digit(w[0]):
		if number := strings.TrimRight(w, "uUlL"); digits(number) == len(number) {
			s.emit(number, len(w)) // 2ul
			return
		}
	case strings.HasPrefix(rest, "=") && isIntegral(w): // unsigned int=4
		whole := s.out
		for _, q := range []string{"long ", "long ", "unsigned "} {
			s.out = bytes.TrimSuffix(s.out, []byte(q))
		}
		if s.value(w, rest[1:], len(w)+1) {
			return
		}
		s.out = whole
	}
	s.emit(w, len(w))
}

// digits returns how many digits s begins with.
func digits(s string) int {
	n := 0
	for n < len(s) && digit(s[n]) {
		n++
	}
	return n
}

func wordByte(c byte) bool { return alphanumeric(c) || c == '_' || c == '$' }
