package kineto

import (
	"bytes"

	"perfdiff/analyze/trace"
)

// argumentPlan is the form of the arguments in events with one head, up to the last argument that is needed: the texts
// that are the same in all of them, and numbers in between. Arguments of that form are compared with the texts instead
// of being parsed.
type argumentPlan struct {
	texts                []string // in front of each number; the last number is the correlation
	device, stream       []byte
	seenArguments        uint16 // arguments that the texts hold
	tails                [2]argumentTail
	timesMade, tailsMade int // how often texts, and tails, were made
}

// argumentTail is the text after the last number up to the end of the arguments. It says how a kernel was launched.
type argumentTail struct {
	text  string
	shape trace.Shape
}

// Bounds of plans: for arguments that differ in each event no more plans are made.
const (
	maxPlanTries = 8
	maxTailTries = 64
	maxPlanTexts = 8
	maxTail      = 1 << 9
)

// followPlan reads arguments by the plan; b[i] is the first byte after the brace. number is the index after the last
// number, 0 if the arguments have another form. end is the index after the closing brace, if a tail fits too; else 0.
func (e *event) followPlan(b []byte, i int) (number, end int) {
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
	e.seenArguments |= p.seenArguments
	for k := range p.tails {
		t := &p.tails[k]
		if t.text != "" && len(b)-i > len(t.text) && string(b[i:i+len(t.text)]) == t.text {
			e.knownShape = &t.shape
			return i, i + len(t.text)
		}
	}
	return i, 0
}

// learnPlan makes a plan from arguments that were parsed, b[from:end]. number is the index after the last number if
// they fitted the plan so far; then only a tail is made.
func (e *event) learnPlan(b []byte, from, number, end int) {
	p := &e.head.args
	switch {
	case e.kind != kindCall && e.kind != kindKernel:
	case number == 0 && p.timesMade < maxPlanTries:
		p.timesMade++
		if e.kind == kindCall || !e.likelyComm() {
			p.learnFrom(b, from, e.plannedArguments())
		}
	case number > 0 && p.tailsMade < maxTailTries && end-number <= maxTail && !e.describesMessage() &&
		bytes.Equal(e.device, p.device) && bytes.Equal(e.stream, p.stream): // else they are there twice
		p.tails[p.tailsMade%len(p.tails)] = argumentTail{string(b[number:end]), e.shape()}
		p.tailsMade++
	}
}

// learnFrom makes the texts of the plan from the arguments at b[i]. wants are the arguments
// that they must hold.
func (p *argumentPlan) learnFrom(b []byte, i int, wants uint16) {
	var probe event
	var texts []string
	for from := i; len(texts) < maxPlanTexts; {
		if i = skipSpace(b, i); i == len(b) || b[i] == '}' {
			return
		}
		key, at, err := memberKey(b, i)
		if err != nil || bytes.IndexByte(key, '\\') >= 0 {
			return
		}
		v, end, str, err := scalarAt(b, at)
		if err != nil {
			return
		}
		matters := probe.setArgument(key, v, str)
		last := probe.seenArguments&seenCorrelation != 0
		if number := !str && allDigits(v); number && (last || !matters) {
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
	if probe.seenArguments != wants || probe.describesMessage() {
		return
	}
	p.texts, p.seenArguments = texts, probe.seenArguments
	p.device, p.stream = bytes.Clone(probe.device), bytes.Clone(probe.stream)
}

// describesMessage reports whether any argument describes the message of a collective.
func (x *eventArguments) describesMessage() bool {
	return x.bytes != nil || x.collective != nil || x.elementsIn != nil || x.elementsOut != nil || x.dtype != nil ||
		x.ranks != nil || x.group != nil || x.seq != nil || x.members != nil || x.purpose != nil || x.peer != nil
}

// plannedArguments returns the arguments that a plan must hold.
func (e *event) plannedArguments() uint16 {
	if e.kind == kindKernel {
		return seenDevice | seenStream | seenCorrelation
	}
	return seenCorrelation
}

func allDigits(v []byte) bool {
	for _, c := range v {
		if c-'0' > 9 {
			return false
		}
	}
	return len(v) > 0
}
