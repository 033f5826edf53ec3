package kineto

import "bytes"

// quickMember reads the member at b[i] and its comma if it is one that all events have, in the
// form in which profilers write it. That is half of all members of a trace. For any other it
// returns 0 and reads nothing.
func (e *event) quickMember(b []byte, i int) (end int) {
	if len(b)-i < 64 {
		return 0
	}
	to, at := (*[]byte)(nil), i+6
	switch string(b[i : i+6]) {
	case `"pid":`:
		to = &e.pid
	case `"tid":`:
		to = &e.tid
	case `"dur":`:
		to = &e.dur
	case `"ph": `:
		if string(b[i+6:i+10]) != `"X",` {
			return 0
		}
		e.ph = b[i+7 : i+8]
		return i + 10
	default:
		if string(b[i:i+5]) != `"ts":` {
			return 0
		}
		to, at = &e.ts, i+5
	}
	if b[at] == ' ' {
		at++
	}
	str := b[at] == '"'
	if str {
		at++
	}
	end = at
	for end < len(b) && (b[end]-'0' <= 9 || b[end] == '.') {
		end++
	}
	v := b[at:end]
	if str && end < len(b) && b[end] == '"' {
		end++
	} else if str {
		return 0
	}
	if len(v) == 0 || end == len(b) || b[end] != ',' {
		return 0
	}
	switch *to = v; to {
	case &e.ts:
		if e.hasStart = false; e.newHead {
			e.newHead = false
			e.heads.add(b, e)
		}
	case &e.dur:
		e.hasLength = false
	default:
		e.head = nil
	}
	return end + 1
}

// argsAt returns the index of the brace of the arguments, if they are the member at b[i] in the form
// in which profilers write them; else 0.
func argsAt(b []byte, i int) int {
	if len(b)-i < 16 || b[i+1] != 'a' || string(b[i:i+7]) != `"args":` {
		return 0
	}
	if i = skipBlank(b, i+7); b[i] == '{' {
		return i
	}
	return 0
}

// durationReach is how far after the name of a Python function its duration is looked for, in bytes.
const durationReach = 160

var (
	durationKey   = []byte(`"dur":`)
	shortDuration = []byte("0") // any duration that is too short to matter
)

// endOfShortDuration looks for a Python function's duration after its name, which ends at b[i]. If it is below
// longFunction it returns the index after it, else 0. Most functions are that short, and reading their other members
// would cost as much again.
func endOfShortDuration(b []byte, i int) (end int) {
	rest := b[i:min(len(b), i+durationReach)]
	at := bytes.IndexByte(rest, 'u') - 2 // which pid, tid and ts have not
	if at < 0 || !bytes.HasPrefix(rest[at:], durationKey) || bytes.IndexByte(rest[:at], '{') >= 0 || bytes.IndexByte(rest[:at], '}') >= 0 {
		return 0
	}
	at += len(durationKey)
	if at < len(rest) && rest[at] == ' ' {
		at++
	}
	from := at
	for at < len(rest) && rest[at]-'0' <= 9 {
		at++
	}
	if at == from || at-from > 2 { // three digits of microseconds are long
		return 0
	}
	if at < len(rest) && rest[at] == '.' {
		for at++; at < len(rest) && rest[at]-'0' <= 9; {
			at++
		}
	}
	if at < len(rest) && (rest[at] == ',' || rest[at] == '}') {
		return i + at
	}
	return 0
}

// memberKey reads the key at b[i] and returns where its value begins.
func memberKey(b []byte, i int) (key []byte, at int, err error) {
	if b[i] != '"' {
		return nil, 0, errSyntax
	}
	j := endQuote(b, i+1)
	if j < 0 {
		return nil, 0, errShort
	}
	key = b[i+1 : j]
	if i = skipSpace(b, j+1); i == len(b) {
		return nil, 0, errShort
	}
	if b[i] != ':' {
		return nil, 0, errSyntax
	}
	if i = skipSpace(b, i+1); i == len(b) {
		return nil, 0, errShort
	}
	return key, i, nil
}

// separator reads the comma after a member and returns the index after it, or the index of the brace at the object's
// end. A comma in front of the brace is accepted.
func separator(b []byte, i int) (int, error) {
	if i = skipSpace(b, i); i == len(b) {
		return 0, errShort
	}
	switch b[i] {
	case ',':
		return i + 1, nil
	case '}':
		return i, nil
	}
	return 0, errSyntax
}
