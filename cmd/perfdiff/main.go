// Perfdiff compares two run sets of per-rank GPU profiles and says what
// changed, by how much, why, and how sure that is.
//
// Usage:
//
//	perfdiff [flags] BASELINE CANDIDATE...
//	perfdiff gate --store DIR CANDIDATE
//	perfdiff summarize RUNSET -o FILE
//	perfdiff noise RUNSETS...
//	perfdiff trend DIR
//	perfdiff report RUNSET
//	perfdiff check RUNSET
//	perfdiff steps RUNSET [RUNSET]
//	perfdiff pick RUNSET [RUNSET]
//	perfdiff ncu BASELINE CANDIDATE
//	perfdiff plan RUNSET -o FILE
//	perfdiff merge PARTS... -o FILE
//	perfdiff policy [--policy FILE]
//	perfdiff record [-- PROGRAM]
//	perfdiff demo DIR
//	perfdiff help metrics [NAME]
//	perfdiff help topics
//	perfdiff completion SHELL
//	perfdiff man
//
// BASELINE and CANDIDATE are run sets: a profile, a directory with one profile
// per rank (one run), or a directory of such directories: several runs, or the
// nodes of one, each run perhaps with a directory for each of its nodes.
// Directories that share ranks are repeats; those with other ranks of one job,
// captured at one time or in one communicator, are the nodes of one run. Where
// that cannot be told nothing is judged, and --runs says which. Saved summaries
// that are given together are read the same way.
// Profiles are Nsight Systems exports (SQLite, or a directory of Parquet files)
// or reports (.nsys-rep, which the nsys on PATH exports once into a cache),
// PyTorch profiler traces (JSON, plain or gzipped), rocprofv3 databases (rocpd,
// .db) and profiles of XLA's profiler, which JAX has (.xplane.pb, or the
// .trace.json.gz that is made of it); the two sides may differ in
// format, ranks and steps, and what both have is compared. Step times alone do,
// too: logs of trainers, CSV tables and JSON lines, each of which is a run. Of
// logs of NCCL Inspector and nccl-tests, which have no steps, calls are compared
// and nothing is judged; beside profiles no log counts.
//
// # Examples
//
// Make sample data, no GPU needed, and compare it:
//
//	perfdiff demo sample
//	perfdiff sample/baseline sample/candidate -o report.html
//
// Compare two directories; the summary goes to standard output, the report to
// a file:
//
//	perfdiff baseline/ candidate/ -o report.html
//
// Write several files from one reading, the format by extension:
//
//	perfdiff baseline/ candidate/ -o report.html -o report.json -o comment.md
//
// Compare several candidates with one baseline on one page, with the whole page of each
// beside it (several-1.html); their verdicts hold together, and the worst is the exit
// status:
//
//	perfdiff baseline/ candidate/ candidate-2/ -o several.html
//
// Print JSON or Markdown instead of the summary:
//
//	perfdiff baseline/ candidate/ -o - --format json
//
// Say what a step is, where profiles hold no step ranges:
//
//	perfdiff baseline/ candidate/ --step-range '^step (\d+)$'
//	perfdiff baseline/ candidate/ --step-kernel 'adam'
//
// List what may be named so, with the flag for each:
//
//	perfdiff steps baseline/ candidate/
//
// Say what a metric is, by which formula, and what a capture must record for it:
//
//	perfdiff help metrics exposed_comm_time
//
// Compare some ranks only, without the first five steps:
//
//	perfdiff baseline/ candidate/ --ranks 0-1,3 --skip-first 5
//
// Say where the names of files hold the rank, and what directories are:
//
//	perfdiff baseline/ candidate/ --rank-name '^report\.(?P<rank>\d+)\.'
//	perfdiff baseline/ candidate/ --runs as-nodes
//
// Compare the step times that a trainer logged in runs without a profiler, which are
// cheap and may be many; or let them say what runs of a profiled job differ by, and
// whether the change is there without the profiler:
//
//	perfdiff logs-base/ logs-cand/
//	perfdiff baseline/ candidate/ --baseline-logs logs-base/ --candidate-logs logs-cand/
//
// Gate a pull request: exit status 1 where it is surely slower, 4 where one or two
// runs a side look slower by 2 %, and three a side decide; past runs make both
// sharper:
//
//	perfdiff baseline/ candidate/ --history history/ --escalate --quiet
//
// Gate pull requests by the runs of main that a store keeps; perfdiff gate --help says
// more. On main, and on a pull request:
//
//	perfdiff gate --store perf baseline/ --save --first pass
//	perfdiff gate --store perf candidate/ --escalate
//
// # Flags
//
//	-o, --output FILE      write a report; repeatable; .html .json .md .txt, .xml for
//	                       JUnit, .svg for the first picture; - is standard output
//	    --write-up DIR     a before-and-after text with its figures and tables, for
//	                       a page or a paper: Markdown, SVG, LaTeX, CSV
//	    --csv DIR          tables of ranks, steps, collectives, kernels, gaps, findings
//	                       and more, with the units of their columns in schema.json
//	    --sqlite FILE      the same tables in one database, with the views worst_steps,
//	                       kernel_changes and late_ranks
//	    --perfetto FILE    the steps of the timeline, of both sides, as a trace for
//	                       ui.perfetto.dev; compressed where FILE ends in .gz
//	    --brief FILE       the answer in at most 8 KB of JSON, for scripts and language
//	                       models; - is standard output
//	    --format NAME      format of "-o -": text, markdown, json, html, junit or svg
//	    --title TEXT       what the reports are about, in a line
//	    --names A,B        what the reports call baseline and candidate, as in
//	                       buffered,O_DIRECT; with several candidates one for each
//	    --anonymize        numbers for the names of hosts, run sets, runs, directories
//	                       and files, in messages too (node-1, baseline, run-1,
//	                       file-1); not for kernels, ranges, operators, functions,
//	                       devices and ports, which are what was measured, not for
//	                       times of day, and not in errors that stop the program
//	    --step-range RE    ranges that are steps, by expression or name; a group, or a
//	                       number behind a word for step, is the step's number
//	                       (without it: the best marker that both sides have)
//	    --step-kernel RE   kernels with which a step begins, by expression or name
//	    --step-column COL  what holds the step times of a log, as NAME or NAME:UNIT (ns,
//	                       us, ms, s), where its name does not say so; repeatable;
//	                       timestamps: what lies between two lines
//	    --skip-first N     leave out the first N steps of each capture instead of
//	                       the one in which the profiler starts
//	    --ranks LIST       ranks to compare, as in 0-7,9
//	    --rank-name RE     where names of files hold the rank: a group called rank,
//	                       and one called node where ranks count anew on each
//	    --runs WHAT        what the directories of a run set are, where ranks, times
//	                       and communicators do not say: as-nodes, as-repeats
//	    --threshold SIZE   smallest change of step time that matters (2%)
//	    --policy FILE      what decides, as perfdiff policy prints it (perfdiff.yaml
//	                       of the working directory, if it is there); flags win
//	    --history PATH     a saved summary of a past run, or a directory of them;
//	                       repeatable; from 5 on the noise is learned from them,
//	                       and the newest on the level of the baseline count
//	                       as runs of it
//	    --baseline-logs PATH, --candidate-logs PATH
//	                       logs of runs without the profiler, which say what runs of
//	                       the job differ by, and whether the change is there, too
//	    --ncu BASE,CAND    what Nsight Compute printed of both sides (perfdiff ncu): a
//	                       page beside the report, linked from rows of kernels
//	    --gate LIST        metrics whose regression fails, at most 10 (step_time,
//	                       exposed_comm_time, input_wait_time, overlap, idle_time,
//	                       drift, tail, imbalance); fewer find smaller changes
//	    --alpha P          two-sided error of the interval, 0.001 to 0.2 (0.05)
//	    --jobs N           files read at once (number of CPUs)
//	    --max-memory SIZE  memory that may be taken, as in 8G or 50% (half of the
//	                       machine's memory); a file that needs more is left out,
//	                       and ranks that need more together are refused
//	    --cache DIR        where exports of .nsys-rep reports are kept, at most
//	                       20 GB (perfdiff/exports in the user's cache directory)
//	    --no-cache         export reports anew and keep nothing
//	    --timeout TIME     how long nsys may take to export one report (30m)
//	    --strict           a file that cannot be read is an error
//	    --fail-on LIST     what makes the exit status 1 beside regressed: slower-kernel,
//	                       inconclusive, missing-rank, missing-file, warning, or
//	                       findings of a kind, as in spike or straggler (an unknown
//	                       one: all that there are)
//	    --allow LIST       what may be missing and the gate pass all the same: ranks or
//	                       files beyond a quarter of a side (missing-rank,
//	                       missing-file), fewer than 10 steps (few-steps), step
//	                       numbers of both sides where step times change over a
//	                       run (no-common-steps), all gating metrics (no-metric)
//	    --force            judge also what is not comparable (another GPU model,
//	                       another number of ranks, other steps or ranks,
//	                       doubtful ranks), and say so
//	    --warn-only        exit 0 where it would be 1 or 4
//	    --escalate         exit 4 where one or two runs a side look slower by the
//	                       threshold: three runs a side decide
//	    --exit-zero        exit 0 whatever the verdict, also where nothing could be judged
//	                       (the one way past that); errors still exit 2
//	-q, --quiet            no summary and no progress; warnings and errors only
//	    --version          print version and exit
//	    --licenses         print the licences of what this program is made of
//	-h, --help             print help and exit
//
// # Exit status
//
//	0  nothing regressed
//	1  a gating metric regressed: the step time, or a part of it, see --gate
//	2  wrong usage, or input that cannot be read
//	3  nothing could be judged: no steps, too few steps, nothing in common, a step
//	   is not the same unit of work on both sides, both sides hold the same files
//	   or the same run, or it is not known what the runs are or which ranks the
//	   files are of; or nothing regressed in what is there, and too little is:
//	   see --allow
//	4  more runs are asked for (--escalate)
//
// Shards of a run set and their merge also exit with 65, where a profile is corrupt or
// parts do not belong together, and 75, where what could not be read may be read later;
// merge with 3 where parts are missing.
//
// An interrupt, a termination or the loss of the terminal exits with 130 and leaves no
// half-written file; outputs that are complete by then stay. A second one ends the
// program at once.
//
// # Verdicts
//
// Improved and regressed: the interval leaves out zero, and the estimate is at
// least the threshold. Intervals of gating metrics hold for all of them together.
// Of several candidates they hold for all of them, too.
// Unchanged: the 90 % interval lies inside ±3 %.
// Inconclusive: everything else; it does not mean that nothing changed. Runs
// are the unit of the test: one run a side can show large changes only.
//
// # Environment
//
// NO_COLOR turns colours off, as TERM=dumb does; they are used on terminals only.
// GITHUB_ACTIONS=true writes the verdict as annotations on standard output; what else is
// printed stands between stop-commands, so that no name in it is a command; what goes
// straight into a file is not changed (do not print such a file into a log). The
// Markdown is appended to the file that GITHUB_STEP_SUMMARY names. nsys is looked for
// on PATH, and its exports are kept below XDG_CACHE_HOME (~/.cache) unless --cache
// says otherwise. GOGC sets the collector, as in every Go program.
package main

import (
	"context"
	"os"
)

func main() {
	if os.Getenv("GOGC") == "" {
		paceGarbage()
	}
	keepWithin = collectWithin
	ctx, stop := interruptible(context.Background())
	status := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(status)
}
