package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"perfdiff/analyze"
	"perfdiff/diff"
	"perfdiff/render/words"
)

// run returns the whole program.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	log := newBuildLog(stdout, stderr)
	stdout, stderr = log.streams(stdout, stderr)
	status := perform(ctx, args, stdout, stderr)
	if err := log.resume(); err != nil && status == statusOK {
		return statusError // the last lines could not be printed, and nowhere can that be said
	}
	return status
}

// perform does what the arguments say.
func perform(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	if len(args) > 0 {
		if args[0] == "help" { // perfdiff help check is perfdiff check --help
			switch args = args[1:]; {
			case len(args) > 0 && args[0] == metricsTopic:
				return explainMetrics(args[1:], stdout, stderr)
			case len(args) == 1 && topicText(args[0]) != "":
				return explainTopic(args[0], stdout, stderr)
			case len(args) == 1 && args[0] == "schema":
				return printSchema(stdout, stderr)
			case len(args) == 1 && args[0] == "topics":
				return listTopics(stdout, stderr)
			case len(args) > 0 && args[0] != "all" && !isVerb(args[0]) && !strings.HasPrefix(args[0], "-"):
				return printError(stderr, fmt.Errorf("help: there is no topic and no command %q", args[0]), "perfdiff help topics lists what there is")
			}
			args = append(args, "--help")
		}
		if v, ok := verbNamed(args[0]); ok && args[0] != "" {
			return v.run(ctx, args[1:], stdout, stderr)
		}
		if err := goneCommand(args[0]); err != nil && !isThere(args[0]) {
			return printError(stderr, err, "perfdiff --help lists the commands")
		}
	}
	return compareSets(ctx, args, stdout, stderr)
}

// isVerb reports whether a word is a command.
func isVerb(word string) bool {
	_, ok := verbNamed(word)
	return ok && word != ""
}

// compareSets compares a baseline with one candidate or several.
func compareSets(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	c, status := begin("", args, stdout, stderr, (*command).takeComparison)
	if c == nil {
		return status
	}
	if len(c.more) > 0 {
		several, err := compareSeveral(ctx, c, stderr)
		if err == nil && ctx.Err() == nil {
			return c.finishSeveral(ctx, several, stdout, stderr)
		}
		return failed(ctx, err, "", stderr)
	}
	report, err := compare(ctx, c, stderr)
	if err != nil || ctx.Err() != nil {
		return failed(ctx, err, commandHint(args[0]), stderr)
	}
	return c.finish(ctx, report, stdout, stderr)
}

// isThere reports whether something has a name, as a run set called like a command does.
func isThere(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// failed says that nothing was compared, and returns the exit status.
func failed(ctx context.Context, err error, hint string, stderr io.Writer) int {
	if ctx.Err() != nil {
		printMessage(stderr, "error", "interrupted; nothing was written")
		return statusInterrupted
	}
	return printError(stderr, err, hint)
}

// finish writes the outputs of a report and returns the exit status.
func (c *command) finish(ctx context.Context, report *diff.Report, stdout, stderr io.Writer) int {
	if err := c.write(ctx, report, stdout, stderr); err != nil {
		return unwritten(err, stderr)
	}
	if c.quiet { // the summary would have shown them
		c.printPolicyLine(stderr)
		printWarnings(stderr, report.Warnings)
		if status := c.exitStatus(report); status != statusOK {
			printMessage(stderr, string(report.Gate.State), strings.TrimSpace(words.Headline(&report.Headline)+" "+words.GateLine(report)))
		}
	}
	return c.exitStatus(report)
}

// unwritten says that an output was not written, and returns the exit status.
func unwritten(err error, stderr io.Writer) int {
	if errors.Is(err, context.Canceled) {
		printMessage(stderr, "error", "interrupted; outputs that were not complete were not written")
		return statusInterrupted
	}
	return printError(stderr, err, "")
}

// commandHint returns a hint if the first argument is no file and resembles a command.
func commandHint(first string) string {
	if _, err := os.Stat(first); err == nil || len(first) < 3 {
		return ""
	}
	for _, name := range namesOfVerbs() {
		if strings.HasPrefix(name, first[:3]) || strings.HasSuffix(name, first[1:]) {
			return "perfdiff " + name + " is a command"
		}
	}
	return ""
}

// compare loads both sides and past runs, and compares them. Past runs are loaded first: they
// are small, and a mistake in them should not cost reading the profiles.
func compare(ctx context.Context, c *command, stderr io.Writer) (*diff.Report, error) {
	history, err := analyze.LoadHistory(c.history, c.Load)
	if err != nil {
		return nil, err
	}
	c.Load.Past = analyze.MarkersOf(history)
	if err := c.loadKernelFiles(ctx); err != nil {
		return nil, err
	}
	logs, err := c.loadLogs(ctx)
	if err != nil {
		return nil, err
	}
	base, cand, err := c.loadPair(ctx, c.base, c.cand, stderr)
	if err != nil {
		return nil, err
	}
	c.takeSets(stderr, history, append(namedSides(base, cand), namedLogs(logs)...)...)
	opt := diff.Options{Tool: version(), About: c.about(1, "perfdiff", base.Label, cand.Label), History: history, Unprofiled: logs, Warnings: append(c.emptyHistoryWarning(history), c.waiverWarnings()...)}
	base, opt = diff.Beside(base, cand, c.Policy, opt)
	return diff.Compare(base, cand, c.Policy, opt), nil
}

// loadPair loads the two sides with a progress bar for each.
func (c *command) loadPair(ctx context.Context, base, cand string, stderr io.Writer) (b, d *analyze.Set, err error) {
	bars := newProgress(stderr, c.quiet)
	defer bars.stop()
	return analyze.LoadPair(ctx,
		analyze.Side{Name: "baseline", Path: base, Progress: bars.side("baseline")},
		analyze.Side{Name: "candidate", Path: cand, Progress: bars.side("candidate")}, c.Load)
}
