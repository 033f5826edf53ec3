package main

// reportHelp is the help of perfdiff report.
const reportHelp = `perfdiff report shows what one run set looks like, compared with nothing: its steps,
where their time goes, ranks, collectives, gaps, reads, kernels, the critical path.

Usage:
  perfdiff report RUNSET [-o FILE]

Examples:
  perfdiff report baseline/ -o page.html
  perfdiff report baseline/ -o page.html -o values.json

Nothing is judged: what stands out is said with its share of the step. What takes less
than the threshold (2 %) is not. Exit status 3 where no steps were found.

  -o, --output FILE      write a page (.html), text (.txt) or JSON (.json), which has
                         all values, those of each rank and step too; repeatable
      --policy FILE      for steps, ranks, kernel families and the threshold
                         (perfdiff.yaml)
` + loadHelp
