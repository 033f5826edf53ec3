package main

import (
	"maps"
	"slices"

	"perfdiff/analyze"
	measured "perfdiff/analyze/run"
	"perfdiff/cmd/perfdiff/recipe"
	"perfdiff/render"
	"perfdiff/testdata"
)

// flag is a flag of one command or of several. Its row in flagTable defines parsing, help, man page, completion and
// how a report says what was asked.
type flag struct {
	name  string // without dashes
	short string // one letter; "" none
	takes string // what help calls its value, as in FILE; "" it has none
	about string // what help says of it; line breaks in it do not count
	on    string // commands that have it; "" those of its group
	kind  kind
	value string // where it is not given; "" nothing, or 0
	is    trait
	words []string // the words it takes, for completion; nil: any
}

// kind is the kind of a flag's value.
type kind int

const (
	aText     kind = iota // of a flag without a value: yes or no
	aList                 // may be repeated
	aPlace                // one output, refused where it is repeated: the first would be forgotten
	aCount                // an integer
	aFraction             // a float
	aDuration             // as in 10m
)

// trait is what the checks of command lines need to know about a flag; several can be added.
type trait int

const (
	// filled: its value must not be empty. An empty one comes from a variable that was not set, and would
	// silently drop what the user wanted.
	filled    trait = 1 << iota
	ofVerdict       // about the verdict, as a policy file does
	isInput         // names a file or directory that is read; of its path reports say the last part only
	isOutput        // names a file that is written
	isFolder        // names a directory that is written into
	ofMerge         // about a whole run set, of which a shard sees a share
)

// flagGroup is a stretch of a help page.
type flagGroup struct {
	title string // "" none
	on    string // commands whose pages have it, by name
	// heard: what a report says depends on these flags, so that its command line names them. The same inputs
	// give the same bytes whatever the others are, which say how files are read or where outputs go.
	heard bool
	flags []flag
}

// compared is the name of the program's main command in this table.
const compared = "compare"

// Commands that share flags.
const (
	judging = compared + " gate"
	reading = judging + " summarize check steps pick report"
)

// flagTable lists all flags as help pages show them. If the program without a command has a flag too, a command's page
// shows only its name.
func flagTable() []flagGroup {
	return slices.Concat(flagsOfCommands(), flagsOfGate(), flagsOfComparison(), []flagGroup{
		{on: "summarize check steps pick report merge plan ncu", flags: []flag{
			{name: "quiet", short: "q", about: "no progress, warnings and errors only"},
		}},
		{on: compared + " gate summarize history report check steps pick ncu plan merge policy record demo completion man",
			flags: []flag{{name: "help", short: "h", about: "print help and exit"}}},
	})
}

// flagsOfCommands lists what commands have that the comparison has not.
func flagsOfCommands() []flagGroup {
	return []flagGroup{
		{on: "summarize", flags: []flag{
			{name: "output", short: "o", takes: "FILE", kind: aPlace, is: isOutput, about: "the summary to write"},
			{name: "shard", takes: "WHICH",
				about: `which share: I/N is shard I of 0 to N-1; auto, as the launcher says; local, all that this
				machine sees`},
			{name: "plan", takes: "FILE", is: isInput,
				about: "what perfdiff plan wrote, which says which profiles each shard has"},
		}},
		{on: "merge", flags: []flag{
			{name: "output", short: "o", takes: "FILE", kind: aPlace, is: isOutput, about: "the summary to write"},
			{name: "allow-missing",
				about: "merge what is there; in every output, profiles without a part are files that could not be read"},
		}},
		{on: "plan", flags: []flag{
			{name: "shards", takes: "N", kind: aCount, about: "how many processes are to read"},
			{name: "output", short: "o", takes: "FILE", kind: aPlace, is: isOutput,
				about: "the plan to write, outside of RUNSET; - is standard output"},
		}},
		{on: "history", flags: []flag{
			{name: "metric", takes: "NAME", value: measured.StepTime,
				about: "the metric that is shown first (step_time); also drift, tail, imbalance"},
			{name: "output", short: "o", takes: "FILE", kind: aList, is: isOutput,
				about: `write a page (.html), text (.txt) or a static site with a page for each job (a directory, as in
				site/); repeatable`},
			{name: "json", takes: "FILE", kind: aPlace, is: isOutput, about: "all that is known, for programs; - is standard output"},
			{name: "csv", takes: "FILE", kind: aPlace, is: isOutput, about: "a row for each run and metric"},
			{name: "sqlite", takes: "FILE", kind: aPlace, is: isOutput, about: "tables in a database"},
			{name: "openmetrics", takes: "FILE", kind: aPlace, is: isOutput,
				about: "gauges in OpenMetrics' text format, with the time at which each run was saved"},
			{name: "fail-on", takes: "WHAT", is: filled, words: []string{"level"},
				about: "level: exit 1 if the newest change of level is for the worse and nobody accepted it"},
			{name: "anonymize",
				about: "numbers instead of names of jobs, runs and hosts; no branch, label, link, nor who decided"},
		}},
		{title: "history bisect", on: "history", flags: []flag{
			{name: "between", takes: "A..B", is: filled,
				about: `the last good run of main and the first that is not, by commit or name (around the newest
				open change)`},
			{name: "add", takes: "RUNSET", is: filled | isInput, about: "a run of --commit, which is kept in STORE/bisect"},
			{name: "commit", takes: "SHA", is: filled, about: "the commit of --add"},
			{name: "commits", takes: "FILE", is: filled | isInput,
				about: "the commits of A..B, a line each, the oldest first (git rev-list in the working directory)"},
		}},
		{on: "check", flags: []flag{
			{name: "inject", takes: "SIZE", kind: aList, about: "size of a change to put in; repeatable (3% and 10%)"},
			{name: "reader", takes: "NAME", is: filled, words: []string{"sqlite"},
				about: `sqlite: read the databases of RUNSET with perfdiff's reader and with SQLite, and say only
				whether every row is the same`},
		}},
		{on: "check steps", flags: []flag{
			{name: "output", short: "o", takes: "FILE", kind: aList, is: isOutput,
				about: `write the printed tables as JSON (.json) or Markdown (.md), or the last of them as .csv;
				repeatable`},
		}},
		{on: "report", flags: []flag{
			{name: "output", short: "o", takes: "FILE", kind: aList, is: isOutput,
				about: `write a page (.html), text (.txt), all values, also of each rank and step (.json), tables of
				what stands out, parts and metrics (.md), or the metrics alone (.csv); repeatable`},
		}},
		{on: "pick", flags: []flag{
			{name: "format", takes: "NAME", value: "text", words: []string{"json", "text"}, about: "text or json"},
		}},
		{on: "ncu", flags: []flag{
			{name: "output", short: "o", takes: "FILE", kind: aList, is: isOutput,
				about: ".html .json .md .txt; - is standard output, with --format"},
			{name: "format", takes: "NAME", words: []string{"text", "markdown", "json", "html"},
				about: "text, markdown, json or html"},
			{name: "threshold", takes: "PCT", is: filled | ofVerdict,
				about: "smallest change of a time that matters (2%)"},
			{name: "timeout", takes: "DURATION", kind: aDuration, about: "how long ncu may take to print one report (30m)"},
			{name: "warn-only", is: ofVerdict, about: "exit 0 instead of 1"},
		}},
		{on: "policy", flags: []flag{
			{name: "policy", takes: "FILE", is: filled | isInput,
				about: "the file to read (perfdiff.yaml, if it is there)"},
		}},
		{on: "summarize pick report merge ncu", flags: []flag{
			{name: "policy", takes: "FILE", is: filled | isInput,
				about: "says what steps, ranks, kernel families and the threshold are (perfdiff.yaml)"},
		}},
		{on: "record", flags: []flag{
			{name: "profiler", takes: "NAME", value: string(recipe.Default().Profiler), words: recipe.Profilers(),
				about: "nsys, or pytorch for the PyTorch profiler (nsys)"},
			{name: "launcher", takes: "NAME", value: recipe.Default().Launcher, words: recipe.Launchers(),
				about: "slurm, torchrun, openmpi, mpich, pbs (with PALS) or kubernetes (slurm)"},
			{name: "steps", takes: "A-B", value: "11-60",
				about: "the first and last step to record, counted from 0; those before warm up (11-60)"},
			{name: "ranks", takes: "LIST",
				about: "ranks to record, as in 0-7,9; the others run without the profiler (all)"},
			{name: "nodes", takes: "N", kind: aCount, value: "2", about: "nodes of the job (2)"},
			{name: "ranks-per-node", takes: "N", kind: aCount, value: "8", about: "ranks on each of them (8)"},
			{name: "only", takes: "PART", words: recipe.Kinds(),
				about: "only one part, to write into a file: code, profile or manifest"},
			{name: "list", about: "list profilers and launchers, and which of them were tried"},
		}},
		{on: "demo", flags: []flag{
			{name: "story", takes: "NAME", value: demoStory, words: testdata.Names(),
				about: "what the two runs do (o-direct)"},
			{name: "format", takes: "FORMAT", value: "nsight", words: slices.Sorted(maps.Keys(demoFormats)),
				about: `nsight for exports of Nsight Systems, pytorch for traces of the PyTorch profiler, or log for
				what a trainer logs of its steps (nsight)`},
			{name: "list", about: "print the stories, and what each is about"},
		}},
	}
}

// flagsOfGate lists what gate has that the comparison has not.
func flagsOfGate() []flagGroup {
	return []flagGroup{
		{title: "Candidate", on: "gate", flags: []flag{
			{name: "record", takes: "COMMAND", is: filled,
				about: `records the candidate: COMMAND CANDIDATE/run1, run without a shell, must write one profile per rank
				into that directory. CANDIDATE must not be there yet. With --escalate, two more runs are recorded
				if one looks slower, and three decide`},
			{name: "first", takes: "pass|fail", value: "fail", is: filled, words: []string{"pass", "fail"},
				about: `what happens while the store holds no run: exit 0, or 3 (fail). A store whose runs cannot be
				used never passes, nor does one that holds only the candidate`},
			{name: "save",
				about: `keep the candidate in the store, whatever was found: for main. Several jobs may save at once,
				since files appear whole and have names of their own`},
			{name: "keep", takes: "TIME", value: "120d", is: filled,
				about: `how long all runs of this job stay in the store (120d). Of older ones one a day stays for a
				year, then one a week; those of commits that somebody decided about stay. 0 keeps all`},
		}},
		{title: "Decisions about main, and what the gate finds (no CANDIDATE)", on: "gate", flags: []flag{
			{name: "accept", takes: "COMMIT", is: filled,
				about: `let a change of main stay that came with this commit: main passes with it`},
			{name: "exclude", takes: "COMMIT", is: filled, about: "do not count the runs of this commit"},
			{name: "note", takes: "COMMIT", is: filled, about: "show a text (--reason) at this commit in the history"},
			{name: "metric", takes: "NAME", is: filled, about: "of --accept: the metric that changed (step_time)"},
			{name: "up-to", takes: "SIZE", is: filled, about: "of --accept: no larger change passes, as in 7% (any size)"},
			{name: "reason", takes: "TEXT", is: filled, about: "why, in a line"},
			{name: "by", takes: "NAME", is: filled, about: "who decides"},
			{name: "until", takes: "DAY", is: filled, about: "the last day on which it counts, as in 2027-01-31 (for good)"},
			{name: "plan",
				about: `print what this gate finds with this store, how often it fails for nothing, and what lets a
				slower step through`},
		}},
		{title: "Where the run comes from", on: "gate summarize merge", flags: []flag{
			{name: "label", takes: "TEXT", is: filled | ofMerge,
				about: "what reports call the run"},
			{name: "commit", takes: "SHA", is: filled | ofMerge,
				about: "commit of the code that ran, in hexadecimal"},
			{name: "link", takes: "URL", is: filled | ofMerge, about: "page of the build or the change"},
		}},
		{title: "Store", on: "gate", heard: true, flags: []flag{
			{name: "store", takes: "DIR", is: filled | isInput, on: "gate check",
				about: "the runs of main, saved by --save; summaries that perfdiff summarize made may lie there too"},
			{name: "branch", takes: "NAME", is: filled, on: "gate history",
				about: `main's name, if the store holds runs of several branches: those of others do not count, and
				those of commits that are no longer on it are marked`},
		}},
	}
}

// flagsOfComparison lists what the program without a command has.
func flagsOfComparison() []flagGroup {
	return []flagGroup{
		{title: "Output", on: judging, flags: []flag{
			{name: "output", short: "o", takes: "FILE", kind: aList, is: isOutput,
				about: `write a report; repeatable; .html .json .md .txt, .xml for JUnit, .svg for the first picture; -
				is standard output`},
			{name: "write-up", takes: "DIR", kind: aPlace, is: isFolder,
				about: `a before-and-after text with figures and tables, for a page or a paper: Markdown, SVG, LaTeX,
				CSV`},
			{name: "csv", takes: "DIR", kind: aPlace, is: isFolder,
				about: `tables of ranks, steps, collectives, kernels, gaps, findings and more; schema.json has the
				units of their columns`},
			{name: "sqlite", takes: "FILE", kind: aPlace, is: isOutput,
				about: "the same tables in one database, with the views worst_steps, kernel_changes and late_ranks"},
			{name: "perfetto", takes: "FILE", kind: aPlace, is: isOutput,
				about: `the steps of the timeline, of both sides, as a trace for ui.perfetto.dev; compressed if FILE
				ends in .gz`},
			{name: "brief", takes: "FILE", kind: aPlace, is: isOutput,
				about: "the answer in at most 8 KB of JSON, for scripts and language models; - is standard output"},
			{name: "format", takes: "NAME", words: render.Names(),
				about: `format of "-o -": text, markdown, json, html, junit or svg`},
			{name: "title", takes: "TEXT", is: filled, about: "what the reports are about, in a line"},
			{name: "names", takes: "A,B", on: judging + " ncu", is: filled,
				about: `what the reports call baseline and candidate, as in buffered,O_DIRECT; with several
				candidates one name for each`},
			{name: "anonymize", on: reading + " merge", is: ofMerge,
				about: `numbers instead of names of hosts, run sets, runs, directories and files, in messages too
				(node-1, baseline, run-1, file-1). Names of kernels, ranges, operators, functions, devices and ports
				stay, as they are what was measured; so do times of day, titles and names that you give, and names in
				errors that stop the program`},
			{name: "table", on: judging + " report", about: "print every table behind the answer too: metrics, the critical path, what was compared"},
			{name: "quiet", short: "q", about: "no summary and no progress; warnings and errors only"},
		}},
		{title: "Steps and ranks", on: reading, heard: true, flags: []flag{
			{name: "step-range", takes: "RE", is: filled,
				about: `ranges that are steps, by regular expression or name; a group, or a number after a word for
				step, is the step's number (the best marker that both sides have)`},
			{name: "step-kernel", takes: "RE", is: filled,
				about: "kernels with which a step begins, by regular expression or name"},
			{name: "step-column", takes: "COL", kind: aList, is: filled,
				about: `the number in a log that is the step time, as NAME or NAME:UNIT (ns, us, ms, s), if its name
				does not say so; timestamps: the time between two lines; repeatable`},
			{name: "skip-first", takes: "N", kind: aCount, value: "-1",
				about: "leave out the first N steps of each capture instead of the one in which the profiler starts"},
			{name: "window", takes: "A-B", is: filled,
				about: "seconds of each capture, since it began, whose whole steps count, as in 2.5-10 (all of it)"},
			{name: "ranks", takes: "LIST", on: reading + " merge", is: filled | ofMerge,
				about: "ranks to compare, as in 0-7,9"},
			{name: "rank-name", takes: "RE", on: reading + " merge", is: filled | ofMerge,
				about: `where file names hold the rank: a group called rank, and one called node if ranks count anew
				on each node`},
			{name: "runs", takes: "WHAT", on: reading + " merge", is: filled | ofMerge,
				words: []string{string(analyze.RunsAsNodes), string(analyze.RunsAsRepeats)},
				about: `what the directories of a run set are, if ranks, times and communicators do not say:
				as-nodes, as-repeats`},
		}},
		{title: "Verdict", on: judging, heard: true, flags: []flag{
			{name: "threshold", takes: "SIZE", is: filled | ofVerdict,
				about: "smallest change of step time that matters (2%)"},
			{name: "policy", takes: "FILE", on: judging + " check", is: filled | isInput,
				about: `the file that decides, as perfdiff policy prints it (perfdiff.yaml of the working directory,
				if there is one); flags win`},
			{name: "policy-ref", takes: "REF", on: "gate", is: filled,
				about: `commit or branch to read the policy from, as in origin/main: a gate takes none from the
				working directory, which a pull request may have changed`},
			{name: "history", takes: "PATH", on: compared + " check", kind: aList, is: filled | isInput,
				about: `a saved summary of a past run, or a directory of them; repeatable. From 5 on they tell what
				runs differ by, and the newest on the baseline's level count as its runs`},
			{name: "baseline-logs", takes: "PATH", is: filled | isInput,
				about: `logs of baseline runs without the profiler: they tell what runs differ by, and whether the
				change is there without the profiler, too`},
			{name: "candidate-logs", takes: "PATH", is: filled | isInput, about: "the same for the candidate"},
			{name: "ncu", takes: "BASE,CAND", on: compared, is: isInput,
				about: `what Nsight Compute printed of both sides (perfdiff ncu), for a page beside the report,
				linked from kernels`},
			{name: "gate", takes: "LIST", on: judging + " check", is: filled | ofVerdict,
				about: `metrics whose regression fails, at most 10 (step_time, exposed_comm_time, input_wait_time,
				overlap, idle_time, drift, tail, imbalance); fewer find smaller changes`},
			{name: "alpha", takes: "P", kind: aFraction, value: "0.05", is: ofVerdict,
				about: "two-sided error of the interval, 0.001 to 0.2 (0.05)"},
			{name: "fail-on", takes: "LIST", is: filled | ofVerdict,
				about: `what else makes the exit status 1: slower-kernel, inconclusive, missing-rank, missing-file,
				warning, or findings of a kind, such as spike or straggler (an unknown one lists all)`},
			{name: "allow", takes: "LIST", is: filled | ofVerdict,
				about: `pass although more than a quarter of one side's ranks or files is missing (missing-rank,
				missing-file), with fewer than 10 steps (few-steps), without common step numbers if step times
				change over a run (no-common-steps), without metrics of the gate that only the candidate lacks, or
				without any (no-metric)`},
			{name: "force", is: ofVerdict,
				about: `judge also what is not comparable (another GPU model, number of ranks, other steps or ranks,
				doubtful ranks), and say so`},
			{name: "warn-only", is: ofVerdict, about: "exit 0 instead of 1 or 4"},
			{name: "escalate", is: ofVerdict,
				about: "exit 4 if one or two runs per side look slower by the threshold: three runs per side decide"},
		}},
		{title: "Other", on: reading, flags: []flag{
			{name: "jobs", takes: "N", kind: aCount, about: "files read at once (number of CPUs)"},
			{name: "max-memory", takes: "SIZE", on: reading + " merge",
				about: `memory to use at most, as in 8G or 50% (half of the machine's memory). A file that needs more
				is left out, and ranks that need more together are refused`},
			{name: "cache", takes: "DIR",
				about: `where exports of .nsys-rep reports are kept, at most 20 GB (perfdiff/exports in the user's cache
				directory)`},
			{name: "no-cache", about: "export reports anew, and keep nothing"},
			{name: "timeout", takes: "TIME", kind: aDuration,
				about: "how long nsys may take to export one report (30m)"},
			{name: "verbose", on: reading + " merge",
				about: `say on standard error what was read and decided, for reports of mistakes in perfdiff: of each
				file its format, ranks and warnings, of each rank where its number comes from, how its steps were
				found and which metrics it lost`},
			{name: "strict", on: reading + " merge", about: "a file that cannot be read is an error"},
			{name: "version", on: compared, about: "print version and exit"},
			{name: "licenses", on: compared, about: "print the licences of what this program is made of"},
		}},
	}
}
