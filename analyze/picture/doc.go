// Package picture is what a page will draw of single spans, taken while a capture is in
// memory: the strips of a few steps of each rank, of which one typical and one worst step are
// chosen once all ranks are there, and how much of each stretch of time the device's work
// covers. It measures nothing that is judged; what it makes is for eyes.
//
// What comes out is in the terms of package run, which keeps it.
package picture
