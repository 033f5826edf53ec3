// Package verdict compares every metric of two sides that are lined up, learns from past runs
// what runs differ by, and says which changes are certain. Of is its entry point: it makes
// Judged of sides.Lined. Why something changed is no question here.
package verdict
