package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"perfdiff/analyze/synth"
	"perfdiff/cmd/perfdiff/policyfile"
	"perfdiff/golden"
)

// gateInputs is where inputs of a gate are made: each has a name, which outputs hold.
type gateInputs struct {
	*testing.T
	dir string
}

// jobSteps and jobRanks are what the jobs of the yard have, all but one.
const (
	jobSteps = 24
	jobRanks = 4
)

// job writes a small job of so many ranks twice, as NAME/baseline and NAME/candidate; more
// is what its story says beside its size.
func (y *gateInputs) job(name string, ranks int, more string) {
	y.Helper()
	text := fmt.Sprintf("about: %s\nranks: %d\nsteps: %d\nseed: 3\n", name, ranks, jobSteps)
	story, err := synth.Parse(name, []byte(text+more))
	if err == nil {
		_, err = story.Write(y.Context(), y.at(name), synth.Nsight)
	}
	if err != nil {
		y.Fatalf("%s: %v", name, err)
	}
}

func (y *gateInputs) at(name string) string { return filepath.Join(y.dir, filepath.FromSlash(name)) }

// copies a run set to each of names.
func (y *gateInputs) copies(from string, names ...string) {
	y.Helper()
	for _, name := range names {
		if err := os.CopyFS(y.at(name), os.DirFS(y.at(from))); err != nil {
			y.Fatal(err)
		}
	}
}

// edited copies a run set and edits each of its files.
func (y *gateInputs) edited(from, name string, edit func(*exported) error) {
	y.Helper()
	y.copies(from, name)
	for _, file := range namesIn(y.T, y.at(name)) {
		e, err := openExport(filepath.Join(y.at(name), file))
		if err == nil {
			err = edit(e)
		}
		if err == nil {
			err = e.close()
		}
		if err != nil {
			y.Fatalf("%s: %v", name, err)
		}
	}
}

// altered is edited by statements.
func (y *gateInputs) altered(from, name string, statements ...string) {
	y.Helper()
	y.edited(from, name, func(e *exported) error { return e.run(statements...) })
}

// cutAt leaves so many steps of each file.
func (y *gateInputs) cutAt(from, name string, steps int) {
	y.Helper()
	y.edited(from, name, func(e *exported) error { return e.cut(steps, jobSteps) })
}

// less is a run set without some ranks: their files are taken away, or, with bytes, cut.
func (y *gateInputs) less(from, name string, bytes int64, ranks ...int) {
	y.Helper()
	y.copies(from, name)
	for _, rank := range ranks {
		path := filepath.Join(y.at(name), fmt.Sprintf("report.%d.sqlite", rank))
		err := os.Remove(path)
		if bytes > 0 {
			var text []byte
			if text, err = os.ReadFile(filepath.Join(y.at(from), filepath.Base(path))); err == nil {
				err = os.WriteFile(path, text[:bytes], 0o644)
			}
		}
		if err != nil {
			y.Fatal(err)
		}
	}
}

// saved writes the summary of a run set.
func (y *gateInputs) saved(from, name string) {
	y.Helper()
	if err := os.MkdirAll(filepath.Dir(y.at(name)), 0o755); err != nil {
		y.Fatal(err)
	}
	mustRun(y.T, statusOK, "summarize", y.at(from), "-q", "-o", y.at(name))
}

// Steps that are not marked as the job does them.
const (
	stepsWhere  = "delete from NVTX_EVENTS where " + stepRange + " and cast(substr(text, 6) as int) "
	stepsRanges = `create temp table steps as select *, cast(substr(text, 6) as int) as n from NVTX_EVENTS where ` + stepRange
	insertStep  = "insert into NVTX_EVENTS (start, end, eventType, text, globalTid, domainId) select "
)

// profilerOff takes all that was recorded in every second step.
func profilerOff(e *exported) error {
	statements := []string{stepsRanges,
		"create temp table off as select start, (select min(start) from steps s where s.start > steps.start) as stop from steps where n % 2 = 1"}
	within := func(start string) string {
		return " where exists (select 1 from off where " + start + " >= off.start and (stop is null or " + start + " < stop))"
	}
	in := func(table string) string { return "delete from " + table + within(table+".start") }
	launched := "select correlationId from CUPTI_ACTIVITY_KIND_RUNTIME r" + within("r.start")
	for _, table := range []string{"CUPTI_ACTIVITY_KIND_KERNEL", "CUPTI_ACTIVITY_KIND_MEMCPY"} {
		statements = append(statements, "delete from "+table+" where correlationId in ("+launched+")")
	}
	return e.run(append(statements, in("CUPTI_ACTIVITY_KIND_RUNTIME"), in("NVTX_EVENTS"), in("OSRT_API"))...)
}

// twoRanges puts two ranges, "step 2N" and "step 2N+1", in the place of "step N".
func twoRanges(e *exported) error {
	return e.run(stepsRanges, "delete from NVTX_EVENTS where "+stepRange,
		insertStep+"start, start + 600000, eventType, 'step ' || (2*n), globalTid, domainId from steps",
		insertStep+"start + 600001, end, eventType, 'step ' || (2*n+1), globalTid, domainId from steps")
}

// make writes all inputs.
func (y *gateInputs) make() {
	y.job("same", jobRanks, "")
	y.job("slow", jobRanks, "candidate:\n  clock: 0.83\n")
	y.job("large", 2*jobRanks, "")
	y.job("drift", jobRanks, "job:\n  input: {from: 1ms, to: 9ms}\ncandidate:\n  clock: 0.83\n")
	y.job("gpu", jobRanks, "candidate:\n  gpu: NVIDIA A100-SXM4-80GB\n")
	y.altered("gpu/candidate", "gpu-unknown", "drop table TARGET_INFO_GPU")
	y.job("unmarked", jobRanks, "job:\n  markers: false\n  noise: 0.1\n")

	y.altered("same/candidate", "renamed", "update NVTX_EVENTS set text = 'iteration ' || substr(text, 6) where "+stepRange)
	y.altered("slow/baseline", "bare", "delete from NVTX_EVENTS")
	y.altered("slow/candidate", "bare-slow", "delete from NVTX_EVENTS")
	y.altered("slow/candidate", "no-ranges", "delete from NVTX_EVENTS", "drop table CUPTI_ACTIVITY_KIND_RUNTIME")
	y.altered("slow/candidate", "other-kernels", "delete from NVTX_EVENTS", otherNames)
	y.altered("same/baseline", "even-base", stepsWhere+"% 2 = 1")
	y.altered("same/candidate", "even", stepsWhere+"% 2 = 1")
	y.altered("slow/baseline", "even-slow-base", stepsWhere+"% 2 = 1")
	y.altered("same/candidate", "even-only", "delete from NVTX_EVENTS where not "+stepRange, stepsWhere+"% 2 = 1")
	y.altered("slow/baseline", "even-only-base", "delete from NVTX_EVENTS where not "+stepRange, stepsWhere+"% 2 = 1")
	y.altered("same/candidate", "one-unmarked", stepsWhere+"= 13")
	y.altered("same/candidate", "five-unmarked", stepsWhere+"in (5, 9, 13, 17, 20)")
	y.altered("same/candidate", "most-unmarked", stepsWhere+"% 7 not in (0, 1, 3)", "delete from NVTX_EVENTS where not "+stepRange)
	y.altered("same/baseline", "even-only-same", "delete from NVTX_EVENTS where not "+stepRange, stepsWhere+"% 2 = 1")
	y.edited("same/baseline", "off-base", profilerOff)
	y.edited("same/candidate", "off", profilerOff)
	y.edited("slow/candidate", "off-slow", profilerOff)
	y.edited("same/candidate", "twice", twoRanges)
	y.edited("slow/candidate", "twice-slow", twoRanges)
	y.altered("same/candidate", "nested", stepsRanges, insertStep+"start + 1000, (start + end) / 2, eventType, 'step ' || (2*n), globalTid, domainId from steps",
		insertStep+"(start + end) / 2 + 1, end - 1000, eventType, 'step ' || (2*n+1), globalTid, domainId from steps")
	y.altered("slow/candidate", "other-numbers", "update NVTX_EVENTS set text = 'step ' || (cast(substr(text, 6) as int) + 1000) where "+stepRange)
	y.altered("drift/candidate", "drift-other-numbers", "update NVTX_EVENTS set text = 'step ' || (cast(substr(text, 6) as int) + 1000) where "+stepRange)
	y.cutAt("slow/candidate", "six-steps", 6)
	y.cutAt("same/candidate", "two-steps", 2)
	y.altered("slow/candidate", "no-correlation", "update CUPTI_ACTIVITY_KIND_KERNEL set correlationId = 0", "update CUPTI_ACTIVITY_KIND_RUNTIME set correlationId = 0")
	y.altered("slow/candidate", "no-length", "update CUPTI_ACTIVITY_KIND_KERNEL set end = start")
	y.ofSomeRanks()

	y.copies("same/baseline", "copy", "five/base/r1", "five/base/r2", "five/base/r3", "five/base/r4", "five/base/r5", "again/r2")
	y.job("little", jobRanks, "candidate:\n  forward: 7450us\n")
	y.copies("little/baseline", "copied/base/r1", "copied/base/r2", "copied/base/r3", "copied/base/r4", "copied/base/r5")
	y.copies("little/candidate", "copied/cand/r1", "copied/cand/r2", "copied/cand/r3", "copied/cand/r4", "copied/cand/r5")
	y.saved("little/baseline", "summaries/base/a.perfdiff")
	y.saved("little/baseline", "summaries/base/b.perfdiff")
	y.saved("little/candidate", "summaries/cand/a.perfdiff")
	y.saved("little/candidate", "summaries/cand/b.perfdiff")
	y.saved("same/baseline", "same.perfdiff")
	y.copies("slow/candidate", "mixed/r1")
	y.copies("slow/baseline", "mixed/r2")
	y.less("same/candidate", "stale", 0, 0)
	if err := os.Link(filepath.Join(y.at("same/baseline"), "report.0.sqlite"), filepath.Join(y.at("stale"), "report.0.sqlite")); err != nil {
		y.Fatal(err)
	}

	y.altered("same/baseline", "exported", "drop table OSRT_API") // exported again, without it
	y.saved("slow/baseline", "saved/base.perfdiff")
	y.saved("slow/candidate", "saved/cand.perfdiff")

	y.history()

	y.less("slow/candidate", "other-half-slow", 0, 0, 1)
	y.altered("slow/candidate", "no-kernels", "delete from CUPTI_ACTIVITY_KIND_KERNEL")
	y.altered("same/candidate", "no-kernels-same", "delete from CUPTI_ACTIVITY_KIND_KERNEL")
	y.altered("slow/baseline", "no-kernels-base", "delete from CUPTI_ACTIVITY_KIND_KERNEL")
	y.altered("slow/candidate", "no-kernel-table", "drop table CUPTI_ACTIVITY_KIND_KERNEL", "drop table CUPTI_ACTIVITY_KIND_MEMCPY")
	y.altered("same/candidate", "no-input", "drop table OSRT_API", "delete from NVTX_EVENTS where not "+stepRange)
	if err := os.MkdirAll(y.at("empty"), 0o755); err != nil {
		y.Fatal(err)
	}
	y.less("same/candidate", "one-rank-less", 0, 3)
	y.less("same/candidate", "half", 0, 2, 3)
	y.less("same/baseline", "half-base", 0, 2, 3)
	y.less("slow/candidate", "half-slow", 0, 2, 3)
	y.less("same/candidate", "cut", 9000, 1, 2, 3)
	y.less("same/baseline", "cut-base", 9000, 1, 2, 3)
	y.less("same/candidate", "all-cut", 9000, 0, 1, 2, 3)
	y.copies("same/candidate", "with-notes")
	for _, name := range []string{"config.json", "env.json", "metrics.json"} {
		writeFile(y.T, filepath.Join(y.at("with-notes"), name), `{"a": 1}`)
	}
	whole, err := os.ReadFile(y.at("same.perfdiff"))
	if err != nil {
		y.Fatal(err)
	}
	writeFile(y.T, y.at("broken.perfdiff"), string(whole[:len(whole)/2]))
	for name, text := range map[string]string{
		"unknown": "treshold: 2%\n", "twice": "alpha: 5%\nalpha: 1%\n", "second": "alpha: 5%\n---\nalpha: 1%\n",
		"expired": "waivers: [{metric: step_time, up_to: 40%, reason: upgrade, owner: me, expires: 2026-05-31}]\n",
		"waived":  "waivers: [{metric: step_time, up_to: 40%, reason: upgrade, owner: me, expires: 2026-12-31}]\n",
		"little":  "waivers: [{metric: step_time, up_to: 7%, reason: upgrade, owner: me, expires: 2026-12-31}]\n",
		"ends":    "waivers: [{metric: step_time, up_to: 40%, reason: upgrade, owner: me, expires: 2026-06-10}]\n",
		"endless": "waivers: [{metric: step_time, reason: upgrade, owner: me, expires: 2026-12-31}]\n",
		"renamed": "gating: [step_times]\n", "kernels": "ignore_kernels: ['.*']\n", "named": "gating: [step_time, io_read_throughput]\n",
		"adds": "fail_on: [missing-rank]\n", "allows": "allow: [missing-rank]\n", "no-allowance": "allow: [sun]\n",
	} {
		writeFile(y.T, y.at(name+".yaml"), text)
	}
}

// history writes runs of a job, of which the candidate's take 5 % more time: past holds
// seven of the baseline, bad the same and one that takes half as much again, mixed the same
// and two of the candidate.
func (y *gateInputs) history() {
	y.job("many", jobRanks, "runs: 8\njob: {run_noise: 0.004}\ncandidate:\n  clock: 0.95\n")
	y.job("worse", jobRanks, "candidate:\n  clock: 0.6\n")
	for i := range 7 {
		for _, dir := range []string{"past", "bad", "mixed"} {
			y.saved(fmt.Sprintf("many/baseline/run%d", i+1), fmt.Sprintf("%s/main-%d.perfdiff", dir, i+1))
		}
	}
	y.saved("worse/candidate", "bad/main-0.perfdiff")
	y.saved("many/candidate/run1", "mixed/next-1.perfdiff")
	y.saved("many/candidate/run2", "mixed/next-2.perfdiff")
	y.saved("many/candidate/run1", "only/next.perfdiff")
	y.saved("large/baseline", "large-past/main.perfdiff")
}

// gateTable is every input that must not pass by mistake, and those beside it that must
// pass: a heading, or what it is, the two sides, and flags.
var gateTable = [][4]string{
	{"What a step is"},
	{"unchanged", "same/baseline", "same/candidate"},
	{"20 % slower", "slow/baseline", "slow/candidate"},
	{"no markers in the candidate, slower", "slow/baseline", "bare-slow"},
	{"no markers in the baseline, slower", "bare", "slow/candidate"},
	{"no markers and other kernels, slower", "slow/baseline", "other-kernels"},
	{"likewise, the other way round", "other-kernels", "slow/baseline"},
	{"no markers and no launches, slower", "slow/baseline", "no-ranges"},
	{"no steps on either side", "unmarked/baseline", "unmarked/candidate"},
	{"markers called otherwise", "same/baseline", "renamed"},
	{"every second step marked, unchanged", "same/baseline", "even"},
	{"every second step of the baseline marked, slower", "even-slow-base", "slow/candidate"},
	{"every second step marked, and no other ranges", "same/baseline", "even-only"},
	{"likewise in the baseline, slower", "even-only-base", "slow/candidate"},
	{"every second step marked on both sides", "even-base", "even"},
	{"likewise, and no other ranges", "even-only-same", "even-only"},
	{"one step of 24 not marked", "same/baseline", "one-unmarked"},
	{"five steps of 24 not marked", "same/baseline", "five-unmarked"},
	{"five steps of the baseline not marked", "five-unmarked", "same/baseline"},
	{"four of seven steps not marked", "same/baseline", "most-unmarked"},
	{"profiler off in every second step of both sides", "off-base", "off"},
	{"profiler off in every second step of one side", "same/baseline", "off"},
	{"likewise, slower", "slow/baseline", "off-slow"},
	{"two ranges a step, unchanged", "same/baseline", "twice"},
	{"two ranges a step, slower", "slow/baseline", "twice-slow"},
	{"two ranges a step in the baseline, slower", "twice", "slow/candidate"},
	{"two ranges nested in each step", "same/baseline", "nested"},
	{"other step numbers, slower", "slow/baseline", "other-numbers"},
	{"other step numbers and drift, slower", "drift/baseline", "drift-other-numbers"},
	{"likewise, allowed", "drift/baseline", "drift-other-numbers", "--allow no-common-steps"},
	{"ends after 6 steps, slower", "slow/baseline", "six-steps"},
	{"likewise, allowed", "slow/baseline", "six-steps", "--allow few-steps"},
	{"ends after 2 steps", "same/baseline", "two-steps"},
	{"ends after 2 steps, allowed", "same/baseline", "two-steps", "--allow few-steps"},
	{"all launches have one correlation id, slower", "slow/baseline", "no-correlation"},
	{"all kernels without length, slower", "slow/baseline", "no-length"},
	{"times in microseconds", "same/baseline", "micro"},
	{"times of the baseline in microseconds, slower", "micro-base", "slow/candidate"},
	{"times in picoseconds", "same/baseline", "pico"},
	{"times of 1 of 4 ranks in microseconds", "same/baseline", "micro-one"},
	{"likewise, slower", "slow/baseline", "micro-one-slow"},
	{"times of 3 of 4 ranks in microseconds", "same/baseline", "micro-three"},
	{"times of the devices too short by a fifth", "same/baseline", "fast-clock"},
	{"1 of 4 ranks is of a slower job", "same/baseline", "foreign-rank"},
	{"a kernel in each rank that ends an hour late", "same/baseline", "late-end"},

	{"What is a run"},
	{"a set against itself", "same/baseline", "same/baseline"},
	{"a set against its copy", "same/baseline", "copy"},
	{"a set against its summary", "same/baseline", "same.perfdiff"},
	{"a set against five copies of it", "same/baseline", "five/base"},
	{"one run per side, little slower", "little/baseline", "little/candidate"},
	{"the same run five times a side", "copied/base", "copied/cand"},
	{"the same summary twice a side", "summaries/base", "summaries/cand"},
	{"the baseline as the candidate's second run", "slow/baseline", "mixed"},
	{"one rank file is the baseline's", "same/baseline", "stale"},
	{"the directory above both as the baseline, slower", "slow", "slow/candidate"},
	{"the directory above both as the candidate, slower", "slow/baseline", "slow"},
	{"the directory above the candidate's summary, slower", "saved", "saved/cand.perfdiff"},
	{"a file of the candidate, slower", "slow/candidate/report.0.sqlite", "slow/candidate"},
	{"a set against itself, by another path", "same/baseline", "same/../same/baseline"},
	{"a set against itself, exported again", "same/baseline", "exported"},

	{"What was lost"},
	{"1 of 4 ranks lost", "same/baseline", "one-rank-less"},
	{"2 of 4 ranks lost", "same/baseline", "half"},
	{"2 of 4 ranks of the baseline lost", "half", "same/baseline"},
	{"2 of 4 ranks lost, allowed", "same/baseline", "half", "--allow missing-rank"},
	{"2 of 4 ranks lost, allowed by the policy", "same/baseline", "half", "--policy allows.yaml"},
	{"2 of 4 ranks captured on both sides", "half-base", "half"},
	{"2 of 4 ranks not asked for", "same/baseline", "half", "--ranks 0-1"},
	{"2 of 4 ranks lost, slower", "slow/baseline", "half-slow"},
	{"2 of 4 ranks lost, slower, only warned of", "slow/baseline", "half-slow", "--warn-only"},
	{"no markers on 1 of 4 ranks", "same/baseline", "bare-one"},
	{"no markers on 2 of 4 ranks", "same/baseline", "bare-two"},
	{"no markers on 3 of 4 ranks of the baseline", "bare-three-base", "same/candidate"},
	{"likewise, allowed", "bare-three-base", "same/candidate", "--allow missing-rank"},
	{"3 of 4 files cut", "same/baseline", "cut"},
	{"3 of 4 files cut, half allowed", "same/baseline", "cut", "--allow missing-rank"},
	{"3 of 4 files cut, allowed", "same/baseline", "cut", "--allow missing-rank,missing-file"},
	{"3 of 4 files cut, strict", "same/baseline", "cut", "--strict"},
	{"3 of 4 files cut on both sides", "cut-base", "cut"},
	{"all files cut", "same/baseline", "all-cut"},
	{"three settings files beside 4 ranks", "same/baseline", "with-notes"},
	{"no rank in common, slower", "half-slow", "other-half-slow"},
	{"no rank in common, forced, unchanged", "half", "half-base", "--ranks 0-1 --force"},
	{"one rank against another, slower", "slow/baseline/report.0.sqlite", "slow/candidate/report.3.sqlite"},
	{"likewise, forced, slower", "slow/baseline/report.0.sqlite", "slow/candidate/report.3.sqlite", "--force"},
	{"ranks that neither side has, slower", "slow/baseline", "slow/candidate", "--ranks 7-9"},
	{"ranks that the candidate does not have, slower", "slow/baseline", "half-slow", "--ranks 2-3"},
	{"no kernels in the candidate, slower", "slow/baseline", "no-kernels"},
	{"no kernels in the candidate, unchanged", "same/baseline", "no-kernels-same"},
	{"no kernels on either side, slower", "no-kernels-base", "no-kernels"},
	{"no work of the GPU in the candidate, slower", "slow/baseline", "no-kernel-table"},
	{"all steps skipped, slower", "slow/baseline", "slow/candidate", "--skip-first 24"},
	{"an empty directory", "slow/baseline", "empty"},
	{"another GPU", "gpu/baseline", "gpu/candidate"},
	{"another GPU, and none is recorded", "gpu/baseline", "gpu-unknown"},
	{"another number of ranks", "same/baseline", "large/candidate"},

	{"What came before"},
	{"none, little slower", "many/baseline/run8", "many/candidate/run1"},
	{"seven past runs, slower", "many/baseline/run8", "many/candidate/run1", "--history past"},
	{"seven past runs, unchanged", "many/baseline/run8", "many/baseline/run7", "--history past"},
	{"likewise, and one bad run, slower", "many/baseline/run8", "many/candidate/run1", "--history bad"},
	{"likewise, and one bad run, unchanged", "many/baseline/run8", "many/baseline/run7", "--history bad"},
	{"likewise, and the candidate, slower", "many/baseline/run8", "many/candidate/run1", "--history mixed"},
	{"only the candidate, little slower", "many/baseline/run8", "many/candidate/run1", "--history only"},
	{"runs of a job of another size, little slower", "many/baseline/run8", "many/candidate/run1", "--history large-past"},
	{"the past runs as the baseline, slower", "past", "many/candidate/run1"},
	{"the past runs as the baseline and as the history, slower", "past", "many/candidate/run1", "--history past"},

	{"What is asked"},
	{"a metric that is not recorded", "same/baseline", "same/candidate", "--gate io_read_throughput"},
	{"likewise, allowed", "same/baseline", "same/candidate", "--gate io_read_throughput --allow no-metric"},
	{"a metric that only one side holds", "same/baseline", "no-input"},
	{"likewise, fail on warnings", "same/baseline", "no-input", "--fail-on warning"},
	{"a metric of the policy that neither side holds, fail on warnings", "same/baseline", "same/candidate", "--policy named.yaml --fail-on warning"},
	{"a metric that is called otherwise", "slow/baseline", "slow/candidate", "--policy renamed.yaml"},
	{"likewise, by a flag", "slow/baseline", "slow/candidate", "--gate step_times"},
	{"all kernels ignored, slower", "slow/baseline", "slow/candidate", "--policy kernels.yaml"},
	{"a metric that needs a history", "same/baseline", "same/candidate", "--gate drift"},
	{"fail on something else too, slower", "slow/baseline", "slow/candidate", "--fail-on missing-rank"},
	{"likewise by the policy, slower", "slow/baseline", "slow/candidate", "--policy adds.yaml"},
	{"fail on a rank that is missing", "same/baseline", "one-rank-less", "--fail-on missing-rank"},
	{"an empty list of ranks", "slow/baseline", "slow/candidate", "--ranks ''"},
	{"an empty list of metrics", "slow/baseline", "slow/candidate", "--gate ''"},
	{"fail on findings of a kind, slower", "slow/baseline", "slow/candidate", "--fail-on compute"},
	{"fail on findings of another kind", "same/baseline", "same/candidate", "--fail-on spike,straggler"},
	{"fail on findings of what one side did not record", "same/baseline", "no-kernels-same", "--fail-on communication"},
	{"likewise, allowed", "same/baseline", "no-kernels-same", "--fail-on communication --allow no-metric"},
	{"fail on findings of what neither side recorded", "same/baseline", "same/candidate", "--fail-on memory-peak"},
	{"fail on findings of no kind", "same/baseline", "same/candidate", "--fail-on rain"},
	{"an empty list of outcomes", "slow/baseline", "slow/candidate", "--fail-on ''"},
	{"an empty list of allowances", "slow/baseline", "slow/candidate", "--allow ''"},
	{"an empty policy", "slow/baseline", "slow/candidate", "--policy ''"},
	{"an empty history", "slow/baseline", "slow/candidate", "--history ''"},
	{"an unknown allowance", "slow/baseline", "slow/candidate", "--allow sun"},
	{"an unknown allowance in the policy", "slow/baseline", "slow/candidate", "--policy no-allowance.yaml"},
	{"an unknown key", "slow/baseline", "slow/candidate", "--policy unknown.yaml"},
	{"a key twice", "slow/baseline", "slow/candidate", "--policy twice.yaml"},
	{"a second document", "slow/baseline", "slow/candidate", "--policy second.yaml"},
	{"a waiver, slower by less", "slow/baseline", "slow/candidate", "--policy waived.yaml"},
	{"a waiver, slower by more", "slow/baseline", "slow/candidate", "--policy little.yaml"},
	{"a waiver that ends soon, slower", "slow/baseline", "slow/candidate", "--policy ends.yaml"},
	{"likewise, fail on warnings, slower", "slow/baseline", "slow/candidate", "--policy ends.yaml --fail-on warning"},
	{"a waiver without a size, slower", "slow/baseline", "slow/candidate", "--policy endless.yaml"},
	{"a waiver that has expired, slower", "slow/baseline", "slow/candidate", "--policy expired.yaml"},
	{"a waiver that has expired, unchanged", "same/baseline", "same/candidate", "--policy expired.yaml"},
	{"a waiver that has expired, strict", "same/baseline", "same/candidate", "--policy expired.yaml --strict"},
	{"a broken summary", "broken.perfdiff", "slow/candidate"},
	{"no history", "slow/baseline", "slow/candidate", "--history nowhere"},
	{"no baseline", "nowhere", "slow/candidate"},
}

// mayPass reports whether a row asks for what would otherwise not pass, or is of a change
// that one run per side does not show.
func mayPass(row [4]string) bool {
	asked := slices.ContainsFunc([]string{"--allow", "waived.yaml", "ends.yaml"}, func(s string) bool { return strings.Contains(row[3], s) })
	return asked || strings.Contains(row[0], "little slower")
}

// TestGoldenGate holds the exit status and the first line of every input that a gate must
// not pass by mistake.
func TestGoldenGate(t *testing.T) {
	dir, err := filepath.Abs(goldenDir)
	if err != nil {
		t.Fatal(err)
	}
	y := &gateInputs{t, t.TempDir()}
	y.make()
	t.Chdir(y.dir)
	policyfile.Now = func() time.Time { return time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC) }
	defer func() { policyfile.Now = time.Now }()
	var b bytes.Buffer
	b.WriteString("Inputs that a gate must not pass by mistake, and what perfdiff says of each: exit status and first line.\n" +
		"Jobs of 4 ranks and 24 steps; \"slower\" ones take 20 % more time, the others are unchanged but for noise.\n")
	for _, row := range gateTable {
		if row[1] == "" {
			fmt.Fprintf(&b, "\n%s\n", row[0])
			continue
		}
		args := append(split(row[3]), row[1], row[2], "-o", "-", "--format", "markdown")
		if strings.Contains(row[3], "''") { // which a shell passes on
			args = append([]string{strings.TrimSuffix(row[3], " ''"), ""}, args[len(args)-6:]...)
		}
		var stdout, stderr bytes.Buffer
		status := run(context.Background(), args, &stdout, &stderr)
		first, _, _ := strings.Cut(strings.TrimPrefix(stdout.String(), "### "), "\n")
		if status == statusError {
			first, _, _ = strings.Cut(stderr.String(), "\n")
		}
		slower := strings.Contains(row[0], "slower")
		if passes := status == statusOK && (slower && !mayPass(row) || strings.HasPrefix(first, "NOT") && !mayPass(row)); passes {
			t.Errorf("%s: passes, and nothing was compared, or it is slower: %s", row[0], first)
		}
		if strings.HasPrefix(first, "IMPROVED") || strings.HasPrefix(first, "REGRESSED") && !slower {
			t.Errorf("%s: a false verdict: %s", row[0], first)
		}
		fmt.Fprintf(&b, "  %-50s exit %d  %s\n", row[0], status, strings.ReplaceAll(first, "\u00a0", " "))
	}
	golden.Compare(t, dir, "gate.txt", b.Bytes())
}
