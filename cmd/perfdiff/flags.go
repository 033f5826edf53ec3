package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"perfdiff/analyze"
	"perfdiff/render"
)

// Causes for which parse stops: the user wants a text, not a comparison.
var (
	errHelp     = errors.New("help")
	errVersion  = errors.New("version")
	errLicenses = errors.New("licenses")
)

// parse reads the command line and checks all of it before any file is read.
func parse(args []string) (*command, error) {
	c := newCommand()
	f := newFlags()
	check := comparisonFlags(f, c)
	version := f.Bool("version", false, "")
	licenses := f.Bool("licenses", false, "")
	help := f.BoolP("help", "h", false, "")
	f.StringArrayVar(&c.history, "history", nil, "")
	f.StringVar(&c.logs[0], "baseline-logs", "", "")
	f.StringVar(&c.logs[1], "candidate-logs", "", "")
	f.StringVar(&c.kernelFiles, "ncu", "", "")
	if err := f.Parse(args); err != nil {
		return nil, err
	}
	switch {
	case *help:
		return nil, errHelp
	case *version:
		return nil, errVersion
	case *licenses:
		return nil, errLicenses
	case f.NArg() < 2:
		return nil, fmt.Errorf("expected BASELINE and CANDIDATE, got %s", countText(f.NArg(), "argument"))
	}
	c.base, c.cand, c.more = f.Arg(0), f.Arg(1), f.Args()[2:]
	if err := check(); err != nil {
		return c, err
	}
	return c, errors.Join(c.CheckNames(f.NArg()), c.checkSeveral(f.Args()), c.checkKernelFiles(), checkOutputs(f, f.Args(), nil))
}

// comparisonFlags defines the flags of commands that compare: how run sets are read, what
// decides, and what is written. check is called once the flags are parsed.
func comparisonFlags(f *pflag.FlagSet, c *command) (check func() error) {
	load := loadFlags(f, c)
	var (
		outputs   = f.StringArrayP("output", "o", nil, "")
		format    = f.String("format", "", "")
		threshold = f.String("threshold", "", "")
		alpha     = f.Float64("alpha", c.Policy.Alpha, "")
		gate      = f.String("gate", "", "")
		policy    = f.String("policy", "", "")
		failOn    = f.String("fail-on", "", "")
		allow     = f.String("allow", "", "")
		title     = f.String("title", "", "")
		names     = f.String("names", "", "")
	)
	onceFlag(f, &c.writeUpDir, "write-up", "")
	c.data.dataFlags(f)
	f.BoolVar(&c.Policy.Force, "force", false, "")
	f.BoolVar(&c.exitZero, "exit-zero", false, "")
	f.BoolVar(&c.Policy.WarnOnly, "warn-only", false, "")
	f.BoolVar(&c.Policy.Escalate, "escalate", false, "")
	return func() error {
		if err := checkEmpty(f); err != nil {
			return err
		}
		if err := c.Read(*policy); err != nil {
			return err
		}
		if f.Changed("alpha") {
			c.Policy.Alpha = *alpha
			if err := c.Check(); err != nil {
				return fmt.Errorf("--alpha: %w", err)
			}
		}
		err := errors.Join(
			flagError("--fail-on "+*failOn, c.TakeFailOn(*failOn)),
			flagError("--allow "+*allow, c.TakeAllow(*allow)),
			load(),
			parseThreshold(c, *threshold),
			parseGate(c, *gate),
			parseOutputs(c, *outputs, *format),
			checkDirectory("--write-up", c.writeUpDir),
			c.checkData(),
			flagError("--title", c.TakeTitle(*title)),
			c.parseNames(*names),
		)
		c.asked = askedFlags(f)
		c.notePolicySource(f)
		return err
	}
}

// dataFlags defines the flags of what is written for other programs.
func (d *dataOut) dataFlags(f *pflag.FlagSet) {
	onceFlag(f, &d.csv, "csv", "")
	onceFlag(f, &d.sqlite, "sqlite", "")
	goneFlag(f, "parquet", "is gone: --csv DIR or --sqlite FILE writes the same tables, and pandas and DuckDB read both")
	onceFlag(f, &d.perfetto, "perfetto", "")
	onceFlag(f, &d.brief, "brief", "")
}

// goneFlag defines a flag that earlier versions had, which answers with what does the same. It stays for
// one release.
func goneFlag(f *pflag.FlagSet, name, answer string) {
	f.Var(goneValue(answer), name, "")
	f.MarkHidden(name)
}

// goneValue is the answer of a flag that is gone.
type goneValue string

func (v goneValue) String() string   { return "" }
func (v goneValue) Type() string     { return "string" }
func (v goneValue) Set(string) error { return errors.New(string(v)) }

func newFlags() *pflag.FlagSet {
	f := pflag.NewFlagSet("perfdiff", pflag.ContinueOnError)
	f.SetOutput(io.Discard) // what pflag would print by itself
	return f
}

// loadFlags defines the flags of how run sets are read. check is called once they are parsed.
func loadFlags(f *pflag.FlagSet, c *command) (check func() error) {
	var (
		stepRange  = f.String("step-range", "", "")
		stepKernel = f.String("step-kernel", "", "")
		skipFirst  = f.Int("skip-first", -1, "")
		ranks      = f.String("ranks", "", "")
		maxMemory  = f.String("max-memory", "", "")
		runs       = f.String("runs", "", "")
		rankName   = f.String("rank-name", "", "")
	)
	columns := f.StringArray("step-column", nil, "")
	f.IntVar(&c.Load.Jobs, "jobs", 0, "")
	f.BoolVar(&c.Load.Strict, "strict", false, "")
	f.StringVar(&c.Load.Reports.Cache, "cache", "", "")
	f.BoolVar(&c.Load.Reports.NoCache, "no-cache", false, "")
	f.DurationVar(&c.Load.Reports.Timeout, "timeout", 0, "")
	f.BoolVarP(&c.quiet, "quiet", "q", false, "")
	f.BoolVar(&c.anonymize, "anonymize", false, "")
	return func() error {
		if err := checkEmpty(f); err != nil {
			return err
		}
		switch {
		case *skipFirst < -1, f.Changed("skip-first") && *skipFirst < 0:
			return fmt.Errorf("--skip-first %d: must be 0 or more", *skipFirst)
		case c.Load.Jobs < 0:
			return fmt.Errorf("--jobs %d: must be 0 or more", c.Load.Jobs)
		case c.Load.Reports.NoCache && f.Changed("cache"):
			return errors.New("--cache and --no-cache exclude each other")
		case c.Load.Reports.Timeout < 0, f.Changed("timeout") && c.Load.Reports.Timeout == 0:
			return fmt.Errorf("--timeout %v: must be more than 0, as in 10m", c.Load.Reports.Timeout)
		}
		if f.Changed("skip-first") {
			c.Load.Step.SkipFirst = *skipFirst
		}
		err := parseMemory(c, *maxMemory)
		c.Load.Summaries = c.Load.SummaryRoom()
		return errors.Join(
			err,
			c.stepMarker(*stepRange, *stepKernel),
			flagError("--step-column", c.TakeStepColumns(*columns)),
			flagError("--ranks "+*ranks, c.TakeRanks(*ranks)),
			parseRuns(c, *runs),
			parseRankName(c, *rankName),
		)
	}
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
