// Package saved is the file of a saved summary: a run set without its profiles, as bytes and
// back. It knows how a set is written and what a forged or damaged file may cost, and neither
// what its metrics mean nor where its files lie: those are matters of the metrics and of who
// loads. It touches no file.
package saved
