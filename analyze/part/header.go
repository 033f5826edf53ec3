package part

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"perfdiff/analyze/shard"
)

const (
	magic   = "perfdiff part "
	version = "3"
	// largestHeader bounds the line of the header, in bytes: 100,000 files of 300 bytes.
	largestHeader = 32 << 20
)

// Header says what a part belongs to. All parts of a run set have the same, except for the last three fields.
type Header struct {
	Tool    string // what measured, with its version: others measure other things
	Options string `json:",omitempty"` // digest of what was asked of measuring
	Plan    string `json:",omitempty"` // ID of the plan; "" divided without one
	// Listing is the digest of the profiles that were divided; "" with a plan, which says them, and
	// where each machine took its own.
	Listing string `json:",omitempty"`
	Label   string // of the run set
	Total   int    `json:",omitempty"` // profiles in all shards; 0 with Local
	Shards  int    `json:",omitempty"` // 0 with Local
	Local   bool   `json:",omitempty"` // each machine took what it saw
	Shard   int
	Beside  int     // bytes of the record of what lies beside profiles
	Entries []Entry // in order of name
}

// Entry is one profile of a part.
type Entry struct {
	Name   string // relative to the run set
	Bytes  int64  // of the profile
	Digest string `json:",omitempty"` // of its content; "" it could not be read, or holds nothing
	Ranks  []int  `json:",omitempty"` // that it says it holds; -1 where it does not
	Err    bool   `json:",omitempty"` // it could not be read; its record says why
	Packed int    // bytes of its record
}

// Is reports whether a file that begins with head is a part, of any version.
func Is(head []byte) bool { return bytes.HasPrefix(head, []byte(magic)) }

// Same reports whether both are headers of parts of one run set, divided and measured alike.
func (h *Header) Same(o *Header) bool {
	return h.Tool == o.Tool && h.Options == o.Options && h.Plan == o.Plan && h.Listing == o.Listing &&
		(h.Label == o.Label || h.Local) && h.Total == o.Total && h.Shards == o.Shards && h.Local == o.Local
}

// Ext is the end of the names of parts.
const Ext = ".part"

// tempPrefix begins the names of parts that are being written, or were when their process ended.
const tempPrefix = ".tmp."

// Name returns the name of a part in its directory. If a machine took what it saw, the name holds a digest of the
// header, as nothing numbers machines.
func (h *Header) Name() string {
	if h.Local {
		return "shard-local-" + h.digest()[:16] + Ext
	}
	return NameOf(h.Shard, h.Shards)
}

// NameOf returns the name of the part of a shard, which counts from 0.
func NameOf(shard, shards int) string { return fmt.Sprintf("shard-%06d-of-%06d%s", shard, shards, Ext) }

// Title returns what messages call the shard: "shard 3 of 64".
func (h *Header) Title() string {
	if h.Local {
		return "a shard of one machine"
	}
	return fmt.Sprintf("shard %d of %d", h.Shard, h.Shards)
}

// digest returns a digest of the whole header.
func (h *Header) digest() string {
	sum := newSum()
	text, _ := json.Marshal(h) // numbers and texts always can
	sum.Write(text)
	return hex.EncodeToString(sum.Sum(nil))
}

// readHeader reads the first two lines of a part, and how long they are.
func readHeader(head []byte) (h Header, size int64, err error) {
	first, rest, ok := bytes.Cut(head, []byte("\n"))
	if !ok || !Is(head) {
		return h, 0, errors.New("is no part that perfdiff summarize --shard writes")
	}
	if v := strings.TrimPrefix(string(first), magic); v != version {
		return h, 0, fmt.Errorf("is a part of version %.20q, and this perfdiff reads version %s (summarize and merge with one perfdiff)", v, version)
	}
	line, _, ok := bytes.Cut(rest, []byte("\n"))
	if !ok {
		return h, 0, errors.New("its header has no end")
	}
	d := json.NewDecoder(bytes.NewReader(line))
	d.DisallowUnknownFields()
	if err := d.Decode(&h); err != nil {
		return h, 0, errors.New("its header is not what perfdiff writes")
	}
	return h, int64(len(first) + len(line) + 2), h.check()
}

// check returns the error of a header that no part has.
func (h *Header) check() error {
	bad := h.Local && (h.Shards != 0 || h.Shard != 0 || h.Plan != "") ||
		!h.Local && (h.Shards < 1 || h.Shards > shard.MaxCount || h.Shard < 0 || h.Shard >= h.Shards || h.Total < len(h.Entries)) || h.Beside < 0
	before := ""
	for i, e := range h.Entries {
		bad = bad || e.Name == "" || i > 0 && e.Name <= before || e.Bytes < 0 || e.Packed < 0
		before = e.Name
	}
	if bad {
		return errors.New("its header is not what perfdiff writes")
	}
	return nil
}
