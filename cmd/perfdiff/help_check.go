package main

// checkHelp is the help of perfdiff check.
const checkHelp = `perfdiff check compares a run set with itself, with a copy in another order and
its steps with each other: none of these may show a change. Then it puts known
changes into the even steps, compares the odd ones with them, and prints which
would be caught with this data.

Usage:
  perfdiff check RUNSET [--inject SIZE]
  perfdiff check RUNSET --reader sqlite

Example:
  perfdiff check candidate/ --inject 5%

      --inject SIZE      size of the changes; repeatable (3% and 10%)
      --reader sqlite    reads the databases of RUNSET both ways, by perfdiff and by
                         SQLite, and only says whether every row is the same
      --gate LIST, --policy FILE, --history PATH
                         as for perfdiff BASELINE CANDIDATE
` + loadHelp + `
Exit status: 0 no change was found where there is none, 1 one was, or a row that the
readers do not agree on, 3 nothing could be judged.
`
