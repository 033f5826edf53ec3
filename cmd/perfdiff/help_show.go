package main

// showHelp is the help of perfdiff show.
const showHelp = `perfdiff show prints a table of a JSON report (-o report.json): metrics, findings,
ranks, steps, step_times, collectives, calls, kernels, summaries, gaps, gap_lengths.

Usage:
  perfdiff show REPORT.json [--table NAME] [--metric NAME]

Example:
  perfdiff show report.json
  perfdiff show report.json --metric step_time --table steps --format csv

Without flags it lists the tables and metrics of the report. The tables are those that
perfdiff BASELINE CANDIDATE --csv DIR writes. An empty cell, a dash or null was not
recorded.

      --table NAME       the table to print (metrics, where --metric is given)
      --metric NAME      of metrics and findings the rows of this metric, of steps its
                         columns
      --format NAME      text, csv or json
  -h, --help             print help and exit
`
