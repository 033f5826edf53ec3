// Package series follows one number over the runs of main: its levels, the changes between them, what runs differ by,
// and where main may stand now; and it holds the runs of a pull request to that. It knows numbers and names of hosts
// and commits, neither metrics nor files.
//
// Values are on the scale of the test: logs, so that 0.03 is 3 %, or shares as they are. More is worse; callers turn
// the sign of a number of which less is. Runs are indices of the points in the order in which they were pushed.
//
// Nothing is random and nothing is revised: a Series is a function of its points in their order, so that it can be
// built anew from them at any time, and a change that was told never moves or vanishes when later runs come.
//
// The rules and their constants were chosen by simulation, of a year of 1,250 merges with a pull request each, where
// runs of one level differ by a standard deviation (sd) of 0.5 to 4 %. TestYear holds what they give. "Simulated" in
// comments is that, if it says nothing else. Every noise there is assumed, none was recorded.
//
// # What was rejected
//
// Levels of two runs (8 false changes a year where one run in 20 is odd), the newest run alone as a level (a fast one
// fails 70 % of the unchanged), E-divisive as in Otava (5.6 false changes a year), twelve runs of a new level before
// anything is said (Perfherder), PELT and CUSUM without held runs and without correlation (50 a year at AR .9), the
// lowest level of a year as anchor (15 to 79), an anchor 20 runs back (never fires), and e-processes for reruns (a
// third of the power).
package series
