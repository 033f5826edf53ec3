package steplog

import (
	"math"
	"strconv"
	"strings"
	"unicode"
)

// said is a number that a line says of something.
type said struct {
	name    string
	value   float64 // commas between thousands
	local   float64 // as value, where a comma may be that of decimals; else NaN
	comma   bool    // the text has one
	digits  int     // behind the point, or the comma of local
	unit    float64 // ns, as the number is followed by; 0: nothing
	column  bool    // a column or member whose name says that it is the time of a step
	perStep bool    // the unit says that it is of a step, as in ms/it
	item    string  // of a rate: what is counted; "?": nothing says it; "": no rate
	count   int64   // the time is of so many steps, as in "10 steps in 1.2 s"; 0: nothing says it
}

var (
	numberText = expression(`[-+]?\d+(?:,\d+)*(?:\.\d+)?(?:[eE][-+]?\d+)?`)
	ofThousand = expression(`^\d{1,3}(?:,\d{3})+(?:\.\d+)?$`)
	ofDecimals = expression(`^\d+,\d+(?:[eE][-+]?\d+)?$`)
)

// numberOf reads a number as programs write it. ok is false for a list of them, and what is no number.
func numberOf(text string) (s said, ok bool) {
	s.local = math.NaN()
	_, fraction, _ := strings.Cut(text, ".")
	s.digits = digitsOf(fraction)
	if !strings.Contains(text, ",") {
		v, err := strconv.ParseFloat(text, 64)
		s.value = v
		return s, err == nil && !math.IsInf(v, 0) && !math.IsNaN(v)
	}
	s.comma, s.value = true, math.NaN()
	if ofDecimals.MatchString(text) {
		s.local, _ = strconv.ParseFloat(strings.Replace(text, ",", ".", 1), 64)
		_, fraction, _ = strings.Cut(text, ",")
		s.digits = digitsOf(fraction)
	}
	if ofThousand.MatchString(text) && text[0] != '0' {
		s.value, _ = strconv.ParseFloat(strings.ReplaceAll(text, ",", ""), 64)
	}
	return s, !math.IsNaN(s.value) || !math.IsNaN(s.local)
}

// digitsOf counts the digits that a text begins with.
func digitsOf(s string) int { return len(s) - len(strings.TrimLeft(s, "0123456789")) }

// Words that follow a number, whole. A number that goes on in any other letter is of another unit.
var (
	timeUnit = expression(`^["']?\s?(ns|us|µs|ms|s|nanosec(?:ond)?s?|microsec(?:ond)?s?|millisec(?:ond)?s?|msecs?|secs?|seconds?)` +
		`(\s?(?:/|per)\s?(?:it(?:er(?:ation)?)?|step|batch|update|ba))?(?:$|[^\pL\d_/%])`)
	rateUnit  = expression(`(?i)^\s?([a-z]*)\s?(?:/|per )\s?s(?:ec(?:ond)?)?(?:$|[^\pL\d_/%])`)
	otherUnit = expression(`^["']?([\pL%/_][\pL\d%/_]*)`)
	isName    = expression(`^ [\pL/_]+\s?(?:[:=]|\s[-+]?\d)`) // what follows a number names the next
	countOf   = expression(`(?i)(?:^|\s)(?:steps|iter(?:ation)?s|batches)(?: in| took)?$`)
)

// mostNumbers bounds how many numbers of a line are looked at, and longestName what is kept of a name, in bytes.
// Chosen, not measured.
const (
	mostNumbers = 64
	longestName = 48
)

// numbersIn returns the numbers in a line, each with the name before it and the unit behind it.
func numbersIn(s string) (out []said) {
	end, before := 0, int64(-1) // where the last number ended, and what it was if it was whole
	for _, at := range numberText.regexp().FindAllStringIndex(s, mostNumbers) {
		text, rest := s[at[0]:at[1]], s[at[1]:]
		if at[0] > 0 && isWordByte(s[at[0]-1]) || at[0] < end {
			continue
		}
		n, ok := numberOf(text)
		n.name = nameBefore(s[end:at[0]])
		if n.name == "" && len(out) > 0 && strings.ContainsAny(s[end:at[0]], "([") {
			n.name = out[len(out)-1].name + " ()"
		}
		end = at[1]
		used, whole := n.follow(rest)
		ok, end = ok && whole, end+used
		if countOf.MatchString(n.name) && before > 0 {
			n.count, n.name = before, "time of "+strconv.FormatInt(before, 10)+" steps"
		}
		before = wholeNumber(text)
		if ok && (n.name != "" || n.unit > 0) {
			out = append(out, n)
		}
	}
	return out
}

// follow takes the unit in the text behind a number, and returns how long it is. ok is false for one of something else.
func (n *said) follow(rest string) (used int, ok bool) {
	if n.name != "" && strings.HasPrefix(rest, " ") && isName.MatchString(rest) {
		return 0, true
	}
	if m := timeUnit.FindStringSubmatch(rest); m != nil {
		if n.unit, n.perStep = unitCalled(m[1]), m[2] != ""; n.perStep && n.name == "" {
			n.name = m[1] + m[2]
		}
		return strings.Index(rest, m[1]) + len(m[1]) + len(m[2]), true
	}
	if m := rateUnit.FindStringSubmatch(rest); m != nil {
		n.item = itemOf(m[1])
		unit := strings.TrimRight(m[0], " \t,;|)]")
		n.name = strings.TrimSpace(n.name + unit)
		return len(unit), n.item != ""
	}
	if m := otherUnit.FindStringSubmatch(rest); m != nil {
		return len(m[0]), false
	}
	return 0, true
}

func isWordByte(b byte) bool {
	return b == '_' || b == '.' || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= 0x80
}

var endsOfNames = expression(`(?:[,;|>\t]|\s-|\s\s|[\])"'](?:\s|,|$)|^[\])}"'])\s*`)

// nameBefore returns the name in the text between two numbers.
func nameBefore(s string) string {
	s = strings.TrimRight(s, " \t:=\"'|>-")
	if i := endsOfNames.regexp().FindAllStringIndex(s, -1); i != nil {
		if last := i[len(i)-1]; last[1] < len(s) {
			s = s[last[1]:]
		} else if len(i) > 1 && last[0] > 0 && (s[last[0]] == ')' || s[last[0]] == ']') { // as in step_time (ms)
			s = s[i[len(i)-2][1]:]
		}
	}
	s = strings.TrimLeftFunc(s, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) })
	return s[max(0, len(s)-longestName):]
}
