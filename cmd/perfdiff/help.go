package main

// help is what --help prints. The manual is the package comment; a test holds
// the two together.
const help = `perfdiff compares two run sets of per-rank GPU profiles: what changed, by how
much, why, and how sure that is.

Usage:
  perfdiff [flags] BASELINE CANDIDATE...
  perfdiff gate --store DIR CANDIDATE   gate a change by the runs of main
  perfdiff summarize RUNSET -o FILE     save a run set without its profiles
  perfdiff noise RUNSETS...             what repeats of one job differ by
  perfdiff trend DIR                    a metric over past runs
  perfdiff report RUNSET                what one run set looks like, not compared
  perfdiff check RUNSET                 self-check: what would be caught
  perfdiff steps RUNSET [RUNSET]        what may mark steps, with the flag for each
  perfdiff pick RUNSET [RUNSET]         the few steps worth opening, out of many
  perfdiff ncu BASELINE CANDIDATE       kernels replayed by Nsight Compute
  perfdiff plan RUNSET -o FILE          divide a run set among many processes
  perfdiff merge PARTS... -o FILE       put together what they left
  perfdiff policy [--policy FILE]       print what decides
  perfdiff record                       how to record: code, script, command
  perfdiff demo DIR                     write a sample pair of run sets
  perfdiff help metrics [NAME]          what is measured, by which formulas
  perfdiff help topics                  the reference: which topics it has
  perfdiff completion SHELL             what bash, zsh and fish complete
  perfdiff man                          the man page

BASELINE and CANDIDATE: a profile, a directory with one profile per rank, or a
directory of such directories (several runs, or the nodes of one). Profiles are
Nsight Systems exports (.sqlite, _pqtdir) or reports (.nsys-rep, where nsys is
installed), PyTorch profiler traces (.json, .json.gz), rocprofv3 databases (.db)
and XLA profiles of JAX (.xplane.pb, .trace.json.gz). Step times alone do, too:
logs of trainers (.log), CSV (.csv), JSON lines; each log is a run. Of logs of
NCCL Inspector and nccl-tests, which have no steps, calls are compared and
nothing is judged.

Examples:
  # Sample data, no GPU needed
  perfdiff demo sample
  perfdiff sample/baseline sample/candidate -o report.html

  # Report for people, JSON for programs, Markdown for a pull request
  perfdiff baseline/ candidate/ -o report.html -o report.json -o comment.md

  # Several candidates on one page, whose verdicts hold together: the worst is the
  # exit status, and the whole page of each stands beside it (several-1.html)
  perfdiff baseline/ candidate/ candidate-2/ -o several.html

  # Profiles without step ranges: say what a step is
  perfdiff baseline/ candidate/ --step-range '^step (\d+)$'
  perfdiff baseline/ candidate/ --step-kernel 'adam'

  # Step times that trainers logged, without a profiler: of many cheap runs
  perfdiff logs-base/ logs-cand/
  perfdiff baseline/ candidate/ --baseline-logs logs-base/ --candidate-logs logs-cand/

  # Gate a pull request: exit status 1 where it is surely slower, 4 where one or
  # two runs per side look slower by 2 %: three per side decide
  perfdiff baseline/ candidate/ --history history/ --escalate --quiet

Output:
  -o, --output FILE      write a report; repeatable; .html .json .md .txt, .xml for
                         JUnit, .svg for the first picture; - is standard output
      --write-up DIR     a before-and-after text with its figures and tables, for
                         a page or a paper: Markdown, SVG, LaTeX, CSV
      --csv DIR          tables of ranks, steps, collectives, kernels, gaps, findings
                         and more, with the units of their columns in schema.json
      --sqlite FILE      the same tables in one database, with the views worst_steps,
                         kernel_changes and late_ranks
      --perfetto FILE    the steps of the timeline, of both sides, as a trace for
                         ui.perfetto.dev; compressed where FILE ends in .gz
      --brief FILE       the answer in at most 8 KB of JSON, for scripts and language
                         models; - is standard output
      --format NAME      format of "-o -": text, markdown, json, html, junit or svg
      --title TEXT       what the reports are about, in a line
      --names A,B        what the reports call baseline and candidate, as in
                         buffered,O_DIRECT; of several candidates a name each
      --anonymize        numbers for the names of hosts, run sets, runs, directories
                         and files, in messages too (node-1, baseline, run-1,
                         file-1); not for kernels, ranges, operators, functions,
                         devices and ports, which are what was measured, not for
                         times of day, titles and names that you give, and not in errors that stop the program
  -q, --quiet            no summary and no progress; warnings and errors only

Steps and ranks:
      --step-range RE    ranges that are steps, by expression or name; a group, or a
                         number behind a word for step, is the step's number
                         (without it: the best marker that both sides have)
      --step-kernel RE   kernels with which a step begins, by expression or name
      --step-column COL  what holds the step times of a log, as NAME or NAME:UNIT (ns,
                         us, ms, s), where its name does not say so; repeatable;
                         timestamps: what lies between two lines
      --skip-first N     leave out the first N steps of each capture instead of
                         the one in which the profiler starts
      --ranks LIST       ranks to compare, as in 0-7,9
      --rank-name RE     where names of files hold the rank: a group called rank,
                         and one called node where ranks count anew on each
      --runs WHAT        what the directories of a run set are, where ranks, times
                         and communicators do not say: as-nodes, as-repeats

Verdict:
      --threshold SIZE   smallest change of step time that matters (2%)
      --policy FILE      what decides, as perfdiff policy prints it (perfdiff.yaml
                         of the working directory, if it is there); flags win
      --history PATH     a saved summary of a past run, or a directory of them;
                         repeatable; from 5 on the noise is learned from them,
                         and the newest on the level of the baseline count
                         as runs of it
      --baseline-logs PATH, --candidate-logs PATH
                         logs of runs without the profiler, which say what runs of
                         the job differ by, and whether the change is there, too
      --ncu BASE,CAND    what Nsight Compute printed of both sides (perfdiff ncu): a
                         page beside the report, linked from rows of kernels
      --gate LIST        metrics whose regression fails, at most 10 (step_time,
                         exposed_comm_time, input_wait_time, overlap, idle_time,
                         drift, tail, imbalance); fewer find smaller changes
      --alpha P          two-sided error of the interval, 0.001 to 0.2 (0.05)
      --fail-on LIST     what makes the exit status 1 beside regressed: slower-kernel,
                         inconclusive, missing-rank, missing-file, warning, or
                         findings of a kind, as in spike or straggler (an unknown
                         one: all that there are)
      --allow LIST       what may be missing and the gate pass all the same: ranks or
                         files beyond a quarter of one side (missing-rank,
                         missing-file), fewer than 10 steps (few-steps), step
                         numbers of both sides where step times change over a
                         run (no-common-steps), all gating metrics (no-metric)
      --force            judge also what is not comparable (another GPU model,
                         another number of ranks, other steps or ranks,
                         doubtful ranks), and say so
      --warn-only        exit 0 where it would be 1 or 4
      --escalate         exit 4 where one or two runs per side look slower by the
                         threshold: three runs per side decide
      --exit-zero        exit 0 whatever the verdict, also where nothing could be judged
                         (the one way past that); errors still exit 2

Other:
      --jobs N           files read at once (number of CPUs)
      --max-memory SIZE  memory that may be taken, as in 8G or 50% (half of the
                         machine's memory); a file that needs more is left out,
                         and ranks that need more together are refused
      --cache DIR        where exports of .nsys-rep reports are kept, at most
                         20 GB (perfdiff/exports in the user's cache directory)
      --no-cache         export reports anew and keep nothing
      --timeout TIME     how long nsys may take to export one report (30m)
      --strict           a file that cannot be read is an error
      --version          print version and exit
      --licenses         print the licences of what this program is made of
  -h, --help             print help and exit

Verdicts: improved and regressed: the interval leaves out zero and the estimate
is at least the threshold, which does not mean that the change under test is the
cause. Unchanged: the 90 % interval lies inside ±3 %, which does not mean that
nothing moved at all. Inconclusive: everything else; it does not mean that
nothing changed, and the row says why. Of these the first line says "slower" (or
"faster"), "not yet beyond chance", where the estimate is at least the threshold
and a change by the threshold the other way is excluded; and "passed" where the
gate passes and the estimate is below the threshold, with the size of the change
that this set-up finds in four of five cases. Gating metrics share one error
rate, and their intervals hold for all of them together.

Exit status: 0 nothing regressed, 1 a gating metric regressed, 2 wrong usage or
unreadable input, 3 nothing could be judged, or too little was measured to pass
(--allow), 4 more runs are asked for.
`
