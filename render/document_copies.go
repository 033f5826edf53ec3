package render

import "perfdiff/diff/cause"

// CopyChange is how either side copies in one direction.
type CopyChange struct {
	Direction string  `json:"direction"` // "h2d", "d2h"
	Baseline  CopyUse `json:"baseline"`
	Candidate CopyUse `json:"candidate"`
}

// CopyUse is how a side copies in one direction, a step; null: it is not known.
type CopyUse struct {
	Bytes    Number `json:"bytes"`
	Pageable Number `json:"pageable"` // share of them from, or to, pageable memory
	Time     Number `json:"time"`     // s, of the device's engine
	Rate     Number `json:"rate"`     // B/s
	Call     Number `json:"call"`     // s that calls which copy hold the host, in whatever direction
}

func copyChangeDocument(c *cause.CopyChange) CopyChange {
	return CopyChange{c.Direction, copyUseDocument(&c.Base), copyUseDocument(&c.Cand)}
}

func copyUseDocument(u *cause.CopyUse) CopyUse {
	return CopyUse{Number(u.Bytes), Number(u.Pageable), Number(u.Time), Number(u.Rate), Number(u.Call)}
}
