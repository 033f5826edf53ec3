package verdict

import "strconv"

// Class is how a finding or a change is to be taken.
type Class uint8

// The classes.
const (
	ClassNone      Class = iota // no verdict, or one that says neither
	ClassBetter                 // it got better
	ClassWorse                  // it got worse
	ClassLook                   // worth a look: it is not known whether that is good or bad
	ClassRemains                // left over from before
	ClassStayed                 // no sign of a change, which is not sure
	ClassUnchanged              // surely as before
)

// classWords are the classes in words, as JSON and style sheets have them.
var classWords = [...]string{"", "better", "worse", "look", "remains", "stayed", "unchanged"}

// String returns the word of a class; "" for ClassNone.
func (c Class) String() string {
	if int(c) < len(classWords) {
		return classWords[c]
	}
	return "class " + strconv.Itoa(int(c)) // nobody makes such a one
}

// Judges reports whether a class says that something got better or worse.
func (c Class) Judges() bool { return c == ClassBetter || c == ClassWorse }

// Class says whether a change of this size, in any unit, is ClassBetter, ClassWorse, or ClassNone where the verdict is
// neither or missing. It is also ClassNone for a change that points the other way than the judged estimate, as a mean
// may: a verdict on one number says nothing about another.
func (c *Comparison) Class(change float64) Class {
	if c == nil || change*c.Estimate < 0 {
		return ClassNone
	}
	return c.Verdict.Class()
}

// Class returns what a verdict means by itself.
func (v Verdict) Class() Class {
	switch v {
	case Improved:
		return ClassBetter
	case Regressed:
		return ClassWorse
	}
	return ClassNone
}
