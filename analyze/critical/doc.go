// Package critical finds the critical path through a step of a rank: the one chain of work and
// waiting that the step's length is the sum of. What lies on it must be shortened to make the
// step shorter; what lies beside it need not be.
//
// The path is followed back from the end of the step. Each time the question is what the start of
// a piece of work waited for, which is the last of these to be there: the end of the work before
// it on its stream, the end of work on another stream that its stream was told to wait for, and
// the call that launched it. From a call the path goes back on the host, until a call that waited
// for the device, and from there to the work whose end let that call return. These are the rules
// of the critical path in Holistic Trace Analysis. What a collective waited for is another rank's
// work: that is left to the caller, who knows all ranks.
//
// No graph is built. Each piece of work has one reason for its start, so that all paths of a step
// are a tree, which is found in one walk forward over the work and one back.
package critical
