package bandwidth

import (
	"encoding/json"
	"strings"

	"perfdiff/analyze/trace"
)

// inspector reads the lines of NCCL Inspector. Later versions name the communicator once, in a line before its calls.
type inspector struct {
	header *inspectorHeader
}

// inspectorHeader is the communicator of a line.
type inspectorHeader struct {
	Rank  *int `json:"rank"`
	Ranks int  `json:"n_ranks"`
}

// inspectorLine is a line of the log. Times are microseconds, bandwidths GB/s.
type inspectorLine struct {
	Header   *inspectorHeader `json:"header"`
	Metadata struct {
		Host string `json:"hostname"`
	} `json:"metadata"`
	Perf *struct {
		Collective string   `json:"coll"`
		Bytes      *int64   `json:"coll_msg_size_bytes"`
		Time       *float64 `json:"coll_exec_time_us"`
		Algorithm  *float64 `json:"coll_algobw_gbs"`
		Bus        *float64 `json:"coll_busbw_gbs"`
	} `json:"coll_perf"`
}

func (x *inspector) line(text string, log *Log) {
	if strings.TrimSpace(text) == "" {
		return
	}
	var l inspectorLine
	if json.Unmarshal([]byte(text), &l) != nil {
		log.Unread++ // the last one of a job that was killed
		return
	}
	if l.Header != nil {
		x.header = l.Header
	}
	if log.Host == "" {
		log.Host = trace.Tidy(l.Metadata.Host)
	}
	p := l.Perf
	switch {
	case p == nil: // of a dump or of a point-to-point call
		return
	case x.header == nil || p.Bytes == nil || p.Time == nil || p.Bus == nil || p.Algorithm == nil,
		*p.Bytes < 0 || *p.Time < 0 || *p.Bus < 0 || *p.Algorithm < 0:
		log.Unread++
		return
	}
	c := Call{Bytes: *p.Bytes, Time: float64(*p.Time * 1e-6),
		Algorithm: float64(*p.Algorithm * 1e9), Bus: float64(*p.Bus * 1e9),
		Collective: collectiveOf(p.Collective), Ranks: max(0, x.header.Ranks), Rank: -1}
	if x.header.Rank != nil && *x.header.Rank >= 0 {
		c.Rank = *x.header.Rank
	}
	log.Calls = append(log.Calls, c)
}
