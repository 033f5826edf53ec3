package source

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"perfdiff/analyze/trace"
)

// ErrOther is ErrUnknown for a file that is known to be something else.
var ErrOther = fmt.Errorf("%w", ErrUnknown)

// What to give instead of files of several kinds.
const (
	giveProfiles = "give the profiles themselves: .sqlite exports of Nsight Systems or .json traces of the PyTorch profiler"
	giveROCm     = "record with torch.profiler and give its .json traces"
	giveExport   = "export the report with: nsys export --type sqlite"
	unpack       = "unpack it first and give what is in it"
)

// other is a kind of file that people point perfdiff at. It is told by the
// first bytes, inflated if they are gzip, or else by the end of the name in
// lower case; either may be missing.
type other struct {
	what, instead string
	is            func(head []byte) bool
	names         []string
}

// databases are the kinds of SQLite files that no reader of exports should
// see.
var databases = []other{
	{"a rocpd database of rocprofv3 or an RPD trace, which record AMD GPUs", giveROCm, all("rocpd_"), []string{".rpd"}},
	{"a profile of nvprof", "record with nsys, and " + giveExport, all("StringTable", "CUPTI_ACTIVITY_KIND_"), []string{".nvvp", ".nvprof"}},
}

// others are the kinds that are tried on what no format knows, the more
// special first.
var others = []other{
	{"a table of an nsys recipe's output, which holds sums", giveProfiles, nil, []string{"rank_stats.parquet", "all_stats.parquet", ".nsys-analysis"}},
	{"one table of a Parquet export", "give the directory with all of its tables, from nsys export --type parquetdir", begins("PAR1"), []string{".parquet"}},
	{"the output of nsys stats, which holds sums", giveExport + ", not with nsys stats", statsTable, nil},
	{"the output of Nsight Compute, which times kernels one by one", giveProfiles, computeTable, []string{".ncu-rep", ".ncu-bln", ".nsight-cuprof-report"}},
	{"an unfinished report", "finish it with: QdstrmImporter -i FILE, then " + giveExport, nil, []string{".qdstrm"}},
	{"an HDF5 file", giveExport + ", not --type hdf", begins("\x89HDF\r\n\x1a\n"), []string{".h5", ".hdf5", ".hdf"}},
	{"an Arrow file", giveExport + ", not --type arrow", begins("ARROW1", "\xff\xff\xff\xff"), []string{".arrow", ".arrows"}},
	{"a Python pickle, as memory snapshots of PyTorch are", giveProfiles, pickle, []string{".pickle", ".pkl"}},
	{"a zip archive", unpack, begins("PK\x03\x04"), []string{".zip"}},
	{"a tar archive", unpack, func(head []byte) bool { return len(head) > 262 && string(head[257:262]) == "ustar" }, []string{".tar", ".tar.gz", ".tgz"}},
	{"compressed with zstd", unpack, begins("\x28\xb5\x2f\xfd"), []string{".zst"}},
	{"compressed with xz", unpack, begins("\xfd7zXZ\x00"), []string{".xz"}},
	{"compressed with bzip2", unpack, begins("BZh"), []string{".bz2"}},
	{"compressed with lz4", unpack, begins("\x04\x22\x4d\x18"), []string{".lz4"}},
	{"a report of perfdiff", "give the profiles that it was made from", ownReport, nil},
	{"a web page", "if it was downloaded, the server may have asked for a login; " + giveProfiles, webPage, []string{".html", ".htm"}},
	{"a Perfetto trace", giveProfiles, perfetto, []string{".pftrace", ".perfetto-trace", ".perfetto"}},
	{"an event log of Windows", giveProfiles, nil, []string{".etl"}},
	{"a CSV table", giveProfiles, nil, []string{".csv", ".tsv"}},
	{"JSON lines", giveExport + ", not --type json or jsonlines", jsonLines, []string{".jsonl", ".jsonlines"}},
}

// texts are kinds that hold what names and others leave. They can be anything.
var texts = []other{
	{"JSON without trace events", "give a trace that torch.profiler exported: it has traceEvents", jsonText, nil},
	{"a text file", giveProfiles, plainText, nil},
}

// refusal is the error for a file that no format reads, by what it is.
func refusal(name string, head []byte, zipped bool) error {
	known := append(slices.Clone(databases), others...)
	lower := strings.ToLower(name)
	byContent := func(o other) bool { return o.is != nil && o.is(head) }
	byName := func(o other) bool {
		return slices.ContainsFunc(o.names, func(end string) bool { return strings.HasSuffix(lower, end) })
	}
	if i := slices.IndexFunc(known, byContent); i >= 0 {
		return known[i].refuse(name, ErrOther)
	}
	if zipped && isDatabase(head) {
		return other{what: "a compressed SQLite export", instead: "unpack it first: gunzip " + name}.refuse(name, ErrOther)
	}
	if i := slices.IndexFunc(known, byName); i >= 0 {
		return known[i].refuse(name, ErrOther)
	}
	if i := slices.IndexFunc(texts, byContent); i >= 0 {
		return texts[i].refuse(name, ErrUnknown)
	}
	return fmt.Errorf("%s: %w: neither a Nsight Systems SQLite export nor a PyTorch profiler trace (%s)", name, ErrUnknown, giveProfiles)
}

func (o other) refuse(name string, as error) error {
	return fmt.Errorf("%s: %w: %s (%s)", name, as, o.what, o.instead)
}

// foreign is the refusal of a file that looks like a format and is none: a
// database of another profiler, or a compressed one. nil: it may be read.
func foreign(name string, head []byte, zipped bool) error {
	if isDatabase(head) && (zipped || slices.ContainsFunc(databases, func(o other) bool { return o.is(head) })) {
		return refusal(name, head, zipped)
	}
	return nil
}

func isDatabase(head []byte) bool { return bytes.HasPrefix(head, []byte("SQLite format 3\x00")) }

// all tells SQLite databases by texts of their schema, which begins on the
// first page.
func all(texts ...string) func([]byte) bool {
	return func(head []byte) bool {
		return isDatabase(head) && !slices.ContainsFunc(texts, func(s string) bool { return !bytes.Contains(head, []byte(s)) })
	}
}

func begins(with ...string) func([]byte) bool {
	return func(head []byte) bool {
		return slices.ContainsFunc(with, func(s string) bool { return bytes.HasPrefix(head, []byte(s)) })
	}
}

// statsTable tells tables of nsys stats by the columns that all of them have,
// in CSV, JSON or as text, which wraps headings.
func statsTable(head []byte) bool {
	has := func(s string) bool { return bytes.Contains(head, []byte(s)) }
	return utf8Text(head) && (has("Time (%)") && has("Total Time (ns)") || has("Start (ns)") && has("Duration (ns)"))
}

func computeTable(head []byte) bool {
	return bytes.HasPrefix(head, []byte("==PROF==")) || bytes.Contains(head, []byte(`"ID","Process ID","Process Name"`))
}

// pickle tells Python's pickles of protocol 2 to 5.
func pickle(head []byte) bool {
	return len(head) > 2 && head[0] == 0x80 && head[1] >= 2 && head[1] <= 5
}

func ownReport(head []byte) bool {
	return webPage(head) && bytes.Contains(head, []byte("perfdiff")) ||
		startsWith(head, "{") && bytes.Contains(head, []byte(`"schema_version"`)) && bytes.Contains(head, []byte(`"tool": "perfdiff`))
}

func webPage(head []byte) bool { return startsWith(head, "<!doctype html", "<html") }

// startsWith reports whether a text begins with one of these in any case,
// white space aside.
func startsWith(head []byte, with ...string) bool {
	text := bytes.TrimLeft(bytes.TrimPrefix(head[:min(len(head), 4096)], []byte("\xef\xbb\xbf")), " \t\r\n")
	return slices.ContainsFunc(with, func(s string) bool {
		return len(text) >= len(s) && strings.EqualFold(string(text[:len(s)]), s)
	})
}

// perfetto tells traces by their packets: field 1 of a protocol buffer, again
// and again, each with its length.
func perfetto(head []byte) bool {
	packets := 0
	for rest := head; len(rest) > 0; packets++ {
		if rest[0] != 0x0a {
			return false
		}
		length, n := binary.Uvarint(rest[1:])
		if n <= 0 {
			break
		}
		if length > uint64(len(rest)-1-n) {
			packets++
			break
		}
		rest = rest[1+n+int(length):]
	}
	return packets > 1 && !utf8Text(head)
}

// jsonLines tells texts that begin with two objects of a line each.
func jsonLines(head []byte) bool {
	first, rest, ok := bytes.Cut(head, []byte("\n"))
	first = bytes.TrimSpace(first)
	return ok && bytes.HasPrefix(first, []byte("{")) && bytes.HasSuffix(first, []byte("}")) && startsWith(rest, "{")
}

func jsonText(head []byte) bool {
	return startsWith(head, `{"`, "{ ", "{\n", "{\r", "{}", "[{", "[\n", "[ ", "[[", "[]") && utf8Text(head)
}

func plainText(head []byte) bool { return len(head) > 0 && utf8Text(head) }

// utf8Text reports whether head is text, cut anywhere.
func utf8Text(head []byte) bool {
	for cut := 0; cut < utf8.UTFMax && cut < len(head); cut++ {
		if utf8.Valid(head[:len(head)-cut]) {
			return bytes.IndexFunc(head[:len(head)-cut], func(r rune) bool { return (r < ' ' || r == 0x7f) && !strings.ContainsRune("\t\n\f\r\x1b", r) }) < 0
		}
	}
	return false
}

// chromeTrace is the refusal of trace events that no PyTorch profiler wrote;
// nil: one can have.
func chromeTrace(name string, traces []*trace.Trace) error {
	for _, t := range traces {
		if len(t.Device)+len(t.Ranges)+len(t.Ops)+len(t.API) > 0 || len(t.Facts) > 1 { // the profiler's name is always there
			return nil
		}
	}
	return other{what: "a Chrome trace of another program, without GPU work, ranges and marks of the PyTorch profiler", instead: giveProfiles}.refuse(name, ErrOther)
}
