package main

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"perfdiff/analyze"
	"perfdiff/render"
)

// takeComparison takes the flags about what is compared, and those of all commands that judge.
func (c *command) takeComparison() error {
	l := c.line
	c.base, c.cand, c.more = l.Arg(0), l.Arg(1), l.Args()[2:]
	c.kernelFiles = l.text("ncu")
	if err := c.takeVerdict(); err != nil {
		return err
	}
	return errors.Join(c.CheckNames(l.NArg()), c.checkSeveral(l.Args()), c.checkKernelFiles(), l.checkOutputs(l.Args(), nil))
}

// takeVerdict takes the flags of commands that compare: how run sets are read, what decides, and what is written.
func (c *command) takeVerdict() error {
	l := c.line
	if err := c.takeRules(); err != nil {
		return err
	}
	if l.given("alpha") {
		c.Policy.Alpha, _ = l.GetFloat64("alpha")
		if err := c.Check(); err != nil {
			return fmt.Errorf("--alpha: %w", err)
		}
	}
	c.history, c.logs = l.list("history"), [2]string{l.text("baseline-logs"), l.text("candidate-logs")}
	c.writeUpDir = l.text("write-up")
	c.data = dataOut{csv: l.text("csv"), sqlite: l.text("sqlite"), perfetto: l.text("perfetto"), brief: l.text("brief")}
	c.asked = l.asked()
	return errors.Join(
		flagError("--fail-on "+l.text("fail-on"), c.TakeFailOn(l.text("fail-on"))),
		flagError("--allow "+l.text("allow"), c.TakeAllow(l.text("allow"))),
		c.takeReading(),
		parseThreshold(c, l.text("threshold")),
		parseGate(c, l.text("gate")),
		parseOutputs(c, l.list("output"), l.text("format")),
		checkDirectory("--write-up", c.writeUpDir),
		c.checkData(),
		flagError("--title", c.TakeTitle(l.text("title"))),
		c.parseNames(l.text("names")),
	)
}

// takeSwitches takes the flags without a value, before the policy file is read, which heeds them.
func (c *command) takeSwitches() {
	l := c.line
	c.quiet, c.tables, c.anonymize, c.Load.Strict = l.yes("quiet"), l.yes("table"), l.yes("anonymize"), l.yes("strict")
	c.Policy.Force, c.Policy.WarnOnly, c.Policy.Escalate = l.yes("force"), l.yes("warn-only"), l.yes("escalate")
}

// takeReading takes the flags of how run sets are read.
func (c *command) takeReading() error {
	l := c.line
	c.Load.Jobs = l.count("jobs")
	c.Load.Reports.Cache, c.Load.Reports.NoCache = l.text("cache"), l.yes("no-cache")
	switch skip := l.count("skip-first"); {
	case l.given("skip-first") && skip < 0:
		return fmt.Errorf("--skip-first %d: must be 0 or more", skip)
	case c.Load.Jobs < 0:
		return fmt.Errorf("--jobs %d: must be 0 or more", c.Load.Jobs)
	case c.Load.Reports.NoCache && l.given("cache"):
		return errors.New("--cache and --no-cache exclude each other")
	case l.given("skip-first"):
		c.Load.Step.SkipFirst = skip
	}
	var err error
	if c.Load.Reports.Timeout, err = l.timeout(); err != nil {
		return err
	}
	err = parseMemory(c, l.text("max-memory"))
	c.Load.Summaries = c.Load.SummaryRoom()
	return errors.Join(
		err,
		c.stepMarker(l.text("step-range"), l.text("step-kernel")),
		flagError("--step-column", c.TakeStepColumns(l.list("step-column"))),
		flagError("--ranks "+l.text("ranks"), c.TakeRanks(l.text("ranks"))),
		parseWindow(c, l.text("window")),
		parseRuns(c, l.text("runs")),
		parseRankName(c, l.text("rank-name")),
	)
}

// timeout returns how long another program may take; 0 where it is not given.
func (l *line) timeout() (d time.Duration, err error) {
	if l.given("timeout") {
		if d, err = l.GetDuration("timeout"); err == nil && d <= 0 {
			err = fmt.Errorf("--timeout %v: must be more than 0, as in 10m", d)
		}
	}
	return d, err
}

// parseWindow sets which seconds of a capture count.
func parseWindow(c *command, text string) error {
	if text == "" {
		return nil
	}
	var a, b float64
	if _, err := fmt.Sscanf(text+"\n", "%g-%g\n", &a, &b); err != nil || !(a >= 0 && b > a && b <= 1e9) {
		return fmt.Errorf("--window %s: must be two times in seconds since a capture began, as in 2.5-10", text)
	}
	c.Load.Step.Window = [2]time.Duration{time.Duration(math.Round(a * 1e9)), time.Duration(math.Round(b * 1e9))}
	return nil
}

// parseRuns sets what the directories of a run set are.
func parseRuns(c *command, text string) error {
	switch as := analyze.Runs(text); as {
	case analyze.RunsByEvidence, analyze.RunsAsNodes, analyze.RunsAsRepeats:
		c.Load.Runs = as
		return nil
	}
	return fmt.Errorf("--runs %s: must be %s (directories are the nodes of one run) or %s (each is a run)", text, analyze.RunsAsNodes, analyze.RunsAsRepeats)
}

// parseRankName sets where names of files hold the rank.
func parseRankName(c *command, expr string) error {
	if expr == "" {
		return nil
	}
	re, err := regexp.Compile(expr)
	if err != nil {
		return fmt.Errorf("--rank-name: %w", err)
	}
	if re.SubexpIndex("rank") < 0 {
		return fmt.Errorf(`--rank-name %s: has no group called rank, as in '_(?P<rank>\d+)\.json', and node where ranks count anew on each`, expr)
	}
	c.Load.RankName = re
	return nil
}

// stepMarker sets the marker of steps. Only one of its flags may be given.
func (c *command) stepMarker(stepRange, stepKernel string) error {
	if stepRange != "" && stepKernel != "" {
		return errors.New("--step-range and --step-kernel exclude each other: name one marker")
	}
	return cmp.Or(flagError("--step-range", c.TakeStepRange(stepRange)), flagError("--step-kernel", c.TakeStepKernel(stepKernel)))
}

// flagError puts the flag in front of an error about its value.
func flagError(flag string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", flag, err)
}

// parseThreshold reads 5%, 5 % or 0.05.
func parseThreshold(c *command, text string) error {
	if text == "" {
		return nil
	}
	v, err := parseFraction(text)
	if err != nil {
		return fmt.Errorf("--threshold %s: %w", text, err)
	}
	c.Policy.Threshold = v
	return nil
}

func parseFraction(text string) (float64, error) {
	number, percent := strings.CutSuffix(strings.TrimSpace(text), "%")
	v, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if percent {
		v /= 100
	}
	switch {
	case err != nil:
		return 0, errors.New("is no number: it must be from 0 to under 100%, as in 2% or 0.02")
	case !percent && v >= 1 && v < 100:
		return 0, fmt.Errorf("must be from 0 to under 100%%, as in 2%% or 0.02: write %s%% for percent", strings.TrimSpace(number))
	case !(v >= 0 && v < 1):
		return 0, errors.New("must be from 0 to under 100%, as in 2% or 0.02")
	}
	return v, nil
}

// parseGate reads a list of metrics.
func parseGate(c *command, list string) error {
	if list == "" {
		return nil
	}
	c.Policy.Gating = strings.Split(list, ",")
	for i, name := range c.Policy.Gating {
		c.Policy.Gating[i] = strings.TrimSpace(name)
	}
	if err := c.Check(); err != nil {
		return fmt.Errorf("--gate %s: %w", list, err)
	}
	return nil
}

// parseOutputs checks that each output has a known format and a directory that
// can be written, so that nothing fails after the long work.
func parseOutputs(c *command, paths []string, format string) error {
	if format != "" && !slices.Contains(paths, "-") {
		return errors.New("--format is for standard output: add -o -, or give -o a file whose extension names the format")
	}
	for _, path := range paths {
		o := output{path: path}
		var err error
		switch {
		case path == "-" && format == "":
			return errors.New("-o - needs --format: " + strings.Join(render.Names(), ", "))
		case path == "-":
			o.format, err = render.ParseFormat(format)
		default:
			if o.format, err = render.FormatOf(path); err == nil {
				err = checkWritable(path)
			}
		}
		if err != nil {
			return err
		}
		c.outputs = append(c.outputs, o)
	}
	return nil
}
