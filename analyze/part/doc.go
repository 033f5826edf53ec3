// Package part is the file in which one process leaves what it measured of its share of a run set,
// so that another can put the run set together: of each profile what assembling takes, as it is
// after measuring and before any rank met another.
//
// A part is
//
//	perfdiff part 3
//	the header, as one line of JSON
//	one record for what the listing holds beside profiles, and one for each profile
//	SHA-256 of all before
//
// A record is read without others: texts and columns of numbers, compressed with zstd. Every number comes
// back bit for bit.
//
// It holds no time, host or number of an attempt: a shard that is measured again, or by two
// processes at once, gives the same bytes. The header lists the records, so that what is missing or
// there twice is known before any is read, and they can be read in any order, one at a time.
package part
