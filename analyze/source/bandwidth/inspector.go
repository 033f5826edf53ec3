package bandwidth

import (
	"encoding/json"
	"strings"
	"unicode"

	"perfdiff/analyze/kernelname"
)

// inspector reads the lines of NCCL Inspector. Later versions name the communicator once, in a line before its calls.
type inspector struct {
	header *inspectorHeader
}

// inspectorHeader is the communicator of a line.
type inspectorHeader struct {
	ID    string `json:"id"`
	Rank  *int   `json:"rank"`
	Ranks int    `json:"n_ranks"`
}

// inspectorLine is a line of the log. Times are microseconds, bandwidths GB/s.
type inspectorLine struct {
	Header   *inspectorHeader `json:"header"`
	Metadata struct {
		Host string `json:"hostname"`
	} `json:"metadata"`
	Perf *struct {
		Collective string   `json:"coll"`
		Seq        *int64   `json:"coll_sn"`
		Bytes      *int64   `json:"coll_msg_size_bytes"`
		Time       *float64 `json:"coll_exec_time_us"`
		Timer      string   `json:"coll_timing_source"`
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
		log.Host = oneLine(l.Metadata.Host)
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
		Ranks: max(0, x.header.Ranks), Rank: -1, Comm: x.header.ID, Seq: -1, Timer: p.Timer}
	if name := kernelname.CollectiveName(p.Collective); name != "Generic" {
		c.Collective = name
	}
	if x.header.Rank != nil && *x.header.Rank >= 0 {
		c.Rank = *x.header.Rank
	}
	if p.Seq != nil && *p.Seq >= 0 {
		c.Seq = *p.Seq
	}
	log.Calls = append(log.Calls, c)
}

// oneLine returns a name of at most 200 bytes, without control characters.
func oneLine(s string) string {
	s = strings.Map(func(c rune) rune {
		if unicode.IsControl(c) {
			return ' '
		}
		return c
	}, s)
	return strings.ToValidUTF8(s[:min(len(s), 200)], "")
}
