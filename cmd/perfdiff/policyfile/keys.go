package policyfile

import measured "perfdiff/analyze/run"

// everything is all that a policy file may say.
var everything = shape{want: "keys and values, as in threshold: 2%", keys: map[string]*shape{
	"gating":                listOf("a list of metrics, as in [step_time, overlap]", word("a metric, as in step_time")),
	"without_step_time":     yesNo(),
	"threshold":             number("2% or 0.02", false),
	"equivalence":           number("3% or 0.03", false),
	"alpha":                 number("0.05", false),
	"noise_floor":           number("1.5% or 0.015", false),
	"noise_floor_few_steps": number("5% or 0.05", false),
	"noise_floor_host":      number("7% or 0.07", false),
	"metrics": {want: "metrics with their rules, as in {tail: {level: warn}}",
		keys:  map[string]*shape{measured.Tail: rules(number("2, events in 100 steps", true))},
		other: rules(number("2% or 0.02", false))},
	"steps": {want: "what a step is, as in {skip_first: 2}", keys: map[string]*shape{
		"range": word("a regular expression, as in '^step (\\d+)$'"), "kernel": word("a regular expression, as in adam"),
		"skip_first": whole("2"),
		"columns":    listOf("a list of columns of logs, as in ['step_ms:ms']", word("a column with its unit, as in step_ms:ms")),
	}},
	"ranks":           word("a list in quotes, as in \"0-7,9\""),
	"ignore_kernels":  listOf("a list of regular expressions, as in ['memset.*']", word("a regular expression")),
	"kernel_rule":     word("usual or strict"),
	"work":            word("per-step or per-byte"),
	"kernel_families": listOf("a list of families, as in [{family: attention, name: my_fmha}]", texts("a family with the names of its kernels, as in {family: attention, name: my_fmha}", "family", "name")),
	"communication":   listOf("a list of regular expressions, as in ['^ring::exchange']", word("a regular expression")),
	"require_equal":   listOf("a list of facts, as in [gpu, driver]", word("a fact, as in gpu")),
	"fail_on":         listOf("a list of outcomes, as in [regressed, missing-rank]", word("an outcome, as in regressed")),
	"gate_causes":     yesNo(),
	"allow":           listOf("a list of what may be missing, as in [few-steps]", word("what may be missing, as in few-steps")),
	"title":           word("text, as in 'Direct reads'"),
	"names":           listOf("a name for each run set, as in [buffered, O_DIRECT]", word("a name, as in buffered")),
	"waivers":         listOf("a list of waivers, as in [{metric: step_time, up_to: 7%, reason: upgrade, owner: me, expires: 2026-12-31}]", waivers()),
}}

// waivers are those of regressions.
func waivers() *shape {
	s := texts("a waiver, as in {metric: step_time, up_to: 7%, reason: upgrade, owner: me, expires: 2026-12-31}", "metric", "kind", "reason", "owner", "expires")
	s.keys["up_to"] = amount("7%, or events in 100 steps of the tail")
	return s
}

// rules are those of one metric.
func rules(threshold *shape) *shape {
	return &shape{want: "rules, as in {level: warn}", keys: map[string]*shape{"threshold": threshold, "level": word("fail or warn"), "better": word("lower or higher")}}
}

// texts is a mapping whose values are text.
func texts(want string, keys ...string) *shape {
	s := &shape{want: want, keys: map[string]*shape{}}
	for _, k := range keys {
		s.keys[k] = word("text")
	}
	return s
}
