package kineto

import (
	"bytes"

	"perfdiff/analyze/trace"
)

// plan is how the arguments of a head's events go on, up to the last that matters: texts
// that are the same in all of them, and numbers between. Arguments that fit are compared
// and not read.
type plan struct {
	texts          []string // in front of each number; the last number is the correlation
	device, stream []byte
	seen           uint16 // what the texts say
	tails          [2]tail
	tries, tailed  int // how often plan and tails were made
}

// tail is what follows on the last number up to the end of the arguments, which says how a
// kernel was launched.
type tail struct {
	text  string
	shape trace.Shape
}

// Bounds of a plan. Arguments that differ from event to event are not tried for ever.
const (
	mostTries   = 8
	mostTails   = 64
	mostTexts   = 8
	longestTail = 1 << 9
)

// follow reads arguments by the plan; b[i] is the first byte behind the brace. It returns
// the index behind the last number and, where a tail fits, that behind the brace at the
// end; 0 where the arguments are others.
func (e *event) follow(b []byte, i int) (number, end int) {
	p := &e.head.args
	from := i
	for _, text := range p.texts {
		if len(b)-i < len(text)+64 || string(b[i:i+len(text)]) != text {
			return 0, 0
		}
		i += len(text)
		for from = i; i < len(b) && b[i]-'0' <= 9; i++ {
		}
		if i == from || i == len(b) || b[i] != ',' && b[i] > ' ' && b[i] != '}' {
			return 0, 0
		}
	}
	e.device, e.stream, e.correlation = p.device, p.stream, b[from:i]
	e.seen |= p.seen
	for k := range p.tails {
		t := &p.tails[k]
		if t.text != "" && len(b)-i > len(t.text) && string(b[i:i+len(t.text)]) == t.text {
			e.shaped = &t.shape
			return i, i + len(t.text)
		}
	}
	return i, 0
}

// learn makes the head's plan from arguments that were read, b[from:end]; number is the
// index behind the last number where there was a plan that they fitted so far.
func (e *event) learn(b []byte, from, number, end int) {
	p := &e.head.args
	switch {
	case e.kind != kindCall && e.kind != kindKernel:
	case number == 0 && p.tries < mostTries:
		p.tries++
		if e.kind == kindCall || !e.likelyComm() {
			p.make(b, from, e.planned())
		}
	case number > 0 && p.tailed < mostTails && end-number <= longestTail && !e.message() &&
		bytes.Equal(e.device, p.device) && bytes.Equal(e.stream, p.stream): // else they are there twice
		p.tails[p.tailed%len(p.tails)] = tail{string(b[number:end]), e.shape()}
		p.tailed++
	}
}

// make makes the plan from the arguments at b[i].
func (p *plan) make(b []byte, i int, wants uint16) {
	var probe event
	var texts []string
	for from := i; len(texts) < mostTexts; {
		if i = space(b, i); i == len(b) || b[i] == '}' {
			return
		}
		key, at, err := member(b, i)
		if err != nil || bytes.IndexByte(key, '\\') >= 0 {
			return
		}
		v, end, str, err := value(b, at)
		if err != nil {
			return
		}
		matters := probe.setArgument(string(key), v, str)
		last := probe.seen&seenCorrelation != 0
		if number := !str && digits(v); number && (last || !matters) {
			texts, from = append(texts, string(b[from:at])), end
		} else if last {
			return
		}
		if last {
			break
		}
		if i, err = separator(b, end); err != nil {
			return
		}
	}
	if probe.seen != wants || probe.message() {
		return
	}
	p.texts, p.seen = texts, probe.seen
	p.device, p.stream = bytes.Clone(probe.device), bytes.Clone(probe.stream)
}

// message reports whether arguments say something of a message.
func (x *launched) message() bool {
	return x.bytes != nil || x.collective != nil || x.in != nil || x.out != nil || x.dtype != nil ||
		x.ranks != nil || x.group != nil || x.seq != nil
}

// planned is what a plan has to say.
func (e *event) planned() uint16 {
	if e.kind == kindKernel {
		return seenDevice | seenStream | seenCorrelation
	}
	return seenCorrelation
}

func digits(v []byte) bool {
	for _, c := range v {
		if c-'0' > 9 {
			return false
		}
	}
	return len(v) > 0
}
