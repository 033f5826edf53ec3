package kernelname

import "slices"

// nesting follows the brackets of a C++ name. A bracket without its partner, as of an
// expression (a>b), is none.
type nesting struct {
	open   []byte // brackets that wait for their partner
	angles int    // "<" among them
}

// step takes in the next byte of the name.
func (n *nesting) step(c byte) {
	switch c {
	case '<', '(', '[', '{':
		n.open = append(n.open, c)
		if c == '<' {
			n.angles++
		}
	case '>':
		if k := len(n.open); k > 0 && n.open[k-1] == '<' {
			n.open = n.open[:k-1]
			n.angles--
		}
	case ')':
		n.close('(')
	case ']':
		n.close('[')
	case '}':
		n.close('{')
	}
}

// close goes back to before the partner of a closing bracket, if it has one. Angles that are open in between have no
// partner: other brackets do not overlap.
func (n *nesting) close(partner byte) {
	k := len(n.open)
	for k > 0 && n.open[k-1] == '<' {
		k--
	}
	n.angles -= len(n.open) - k
	if k > 0 && n.open[k-1] == partner {
		k--
	}
	n.open = n.open[:k]
}

// lastSpace returns where the last space of a name is that is outside of brackets and not after a comma; -1 without
// one.
func lastSpace(name []byte) int {
	at := -1
	var n nesting
	for i, c := range name {
		n.step(c)
		if c == ' ' && len(n.open) == 0 && i > 0 && name[i-1] != ',' {
			at = i
		}
	}
	return at
}

// integral are the types of the integers that template arguments are.
var integral = []string{"int", "unsigned int", "long", "unsigned long", "long long", "unsigned long long", "short", "unsigned short",
	"char", "signed char", "unsigned char", "bool", "size_t", "__int64", "unsigned __int64"}

func isIntegral(s string) bool { return slices.Contains(integral, s) }

func digit(c byte) bool        { return '0' <= c && c <= '9' }
func lower(c byte) bool        { return 'a' <= c && c <= 'z' }
func upper(c byte) bool        { return 'A' <= c && c <= 'Z' }
func alphanumeric(c byte) bool { return digit(c) || lower(c) || upper(c) || c >= 0x80 }
