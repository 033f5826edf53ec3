// Package policy is what a project asks of a comparison: which metrics gate and from which
// size on, what fails beside a regression, what may be missing, what is let through for a
// while, and what a difference in a fact means. It knows the names that a policy can name,
// metrics of how runs go on and kinds of findings among them, and no measured set. Of analyze/metric it takes
// the descriptions of metrics alone, for the names that gate by default (gating.go).
package policy
