package source

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"perfdiff/analyze/source/rocpd"
	"perfdiff/analyze/trace"
)

// ErrOther is ErrUnknown for a file that was recognised as something else, and ErrText for a text that may be a log.
var (
	ErrOther = fmt.Errorf("%w", ErrUnknown)
	ErrText  = fmt.Errorf("%w", ErrUnknown)
)

// Remedies for files that are no profiles.
const (
	giveProfiles = "give the profiles themselves: Nsight Systems exports (.sqlite), rocprofv3 databases (.db), XLA profiles (.xplane.pb) or PyTorch profiler traces (.json)"
	giveROCm     = "record with rocprofv3 or torch.profiler and give their .db or .json files"
	giveExport   = "export the report with: nsys export --type sqlite"
	unpackWith   = "unpack it first: "
)

// Remedies for texts that may be logs of step times.
const (
	giveColumn = "; if it holds step times, name the column: --step-column NAME:UNIT"
	giveLog    = "; what is read of logs: perfdiff help logs, and by name: --step-column NAME:UNIT"
)

// foreignKind is a kind of file that people give to perfdiff although it is no profile. It is recognised by the first
// bytes (inflated, if they are gzip) or else by the end of the name in lower case. Either may be missing.
type foreignKind struct {
	what, remedy string
	matches      func(head []byte) bool
	names        []string
}

// foreignDatabases are SQLite files of other profilers. They are refused before the reader of
// exports sees them.
var foreignDatabases = []foreignKind{
	{"an RPD trace", giveROCm, isRPD, []string{".rpd"}},
	{"a profile of nvprof", "record with nsys, and " + giveExport, databaseWith("StringTable", "CUPTI_ACTIVITY_KIND_"), []string{".nvvp", ".nvprof"}},
}

// foreignFiles are the kinds that are tried on a file of no known format. The more special
// kinds come first.
var foreignFiles = []foreignKind{
	{"a Git LFS pointer", "fetch the file that it stands for: git lfs pull", isPointer, nil},
	{"a table of an nsys recipe's output, which holds sums", giveProfiles, nil, []string{"rank_stats.parquet", "all_stats.parquet", ".nsys-analysis"}},
	{"one table of a Parquet export", "give the directory with all of its tables, from nsys export --type parquetdir", beginsWith("PAR1"), []string{".parquet"}},
	{"the output of nsys stats, which holds sums", giveExport + ", not with nsys stats", isStatsTable, nil},
	{"the output of Nsight Compute, which times kernels one by one", giveProfiles, isComputeTable, []string{".ncu-rep", ".ncu-bln", ".nsight-cuprof-report"}},
	{"an unfinished report", "finish it with: QdstrmImporter -i FILE, then " + giveExport, nil, []string{".qdstrm"}},
	{"an HDF5 file", giveExport + ", not --type hdf", beginsWith("\x89HDF\r\n\x1a\n"), []string{".h5", ".hdf5", ".hdf"}},
	{"an Arrow file", giveExport + ", not --type arrow", beginsWith("ARROW1", "\xff\xff\xff\xff"), []string{".arrow", ".arrows"}},
	{"a Python pickle, as memory snapshots of PyTorch are", giveProfiles, isPickle, []string{".pickle", ".pkl"}},
	{"a zip archive", unpackWith + "unzip FILE", beginsWith("PK\x03\x04"), []string{".zip"}},
	{"a tar archive", unpackWith + "tar xf FILE", func(head []byte) bool { return len(head) > 262 && string(head[257:262]) == "ustar" }, []string{".tar", ".tar.gz", ".tgz"}},
	{"compressed with zstd", unpackWith + "unzstd FILE", beginsWith("\x28\xb5\x2f\xfd"), []string{".zst"}},
	{"compressed with xz", unpackWith + "unxz FILE", beginsWith("\xfd7zXZ\x00"), []string{".xz"}},
	{"compressed with bzip2", unpackWith + "bunzip2 FILE", beginsWith("BZh"), []string{".bz2"}},
	{"compressed with lz4", unpackWith + "unlz4 FILE", beginsWith("\x04\x22\x4d\x18"), []string{".lz4"}},
	{"a report of perfdiff", "give the profiles that it was made from", isOwnReport, nil},
	{"a trace that perfdiff wrote of a few steps (--perfetto)", "give the profiles that it was made from", isOwnTrace, nil},
	{"a web page", "if it was downloaded, the server may have asked for a login; " + giveProfiles, isWebPage, []string{".html", ".htm"}},
	{"a Perfetto trace", giveProfiles, isPerfetto, []string{".pftrace", ".perfetto-trace", ".perfetto"}},
	{"an event log of Windows", giveProfiles, nil, []string{".etl"}},
}

// foreignTexts are the kinds that are tried last: any text at all, of which some may be logs.
var foreignTexts = []foreignKind{
	{"a CSV table", giveProfiles + giveColumn, nil, []string{".csv", ".tsv"}},
	{"JSON lines", giveExport + ", not --type json or jsonlines" + giveColumn, isJSONLines, []string{".jsonl", ".jsonlines"}},
	{"JSON without trace events", "give a trace that torch.profiler exported: it has traceEvents", isJSON, nil},
	{"a text file", giveProfiles + giveLog, isText, nil},
}

// refuseUnknown returns the error for a file of no known format. It says what the file is, if that is recognised; of a
// text that was read as a log, what it lacks.
func refuseUnknown(name string, head []byte, packed trace.Packing, lacks string) error {
	known := append(slices.Clone(foreignDatabases), foreignFiles...)
	lower := strings.ToLower(name)
	byContent := func(o foreignKind) bool { return o.matches != nil && o.matches(head) }
	byName := func(o foreignKind) bool {
		return slices.ContainsFunc(o.names, func(end string) bool { return strings.HasSuffix(lower, end) })
	}
	if i := slices.IndexFunc(known, byContent); i >= 0 {
		return known[i].refusal(name, ErrOther)
	}
	if packed != trace.Unpacked && isDatabase(head) {
		return foreignKind{what: "a compressed SQLite export", remedy: unpackWith + packed.Unpack() + " FILE"}.refusal(name, ErrOther)
	}
	if i := slices.IndexFunc(known, byName); i >= 0 {
		return known[i].refusal(name, ErrOther)
	}
	if i := slices.IndexFunc(foreignTexts, func(o foreignKind) bool { return byName(o) || byContent(o) }); i >= 0 {
		o := foreignTexts[i]
		if lacks != "" && strings.Contains(o.remedy, "--step-column") {
			o.what += ", " + lacks
		}
		return o.refusal(name, ErrText)
	}
	return fmt.Errorf("%s: %w: of no known format (%s)", name, ErrUnknown, giveProfiles)
}

// refusal returns the error for a file of this kind. as is ErrOther or ErrText.
func (o foreignKind) refusal(name string, as error) error {
	return fmt.Errorf("%s: %w: %s (%s)", name, as, o.what, strings.ReplaceAll(o.remedy, "FILE", trace.ShellPath(name)))
}

// refuseForeign returns an error for a SQLite file that is no export (a database of another profiler, or a compressed
// one), for a trace that perfdiff wrote itself, which looks like one of the PyTorch profiler, and for what stands in
// for a file. nil: it may be read.
func refuseForeign(name string, head []byte, packed trace.Packing) error {
	foreign := func(o foreignKind) bool { return o.matches(head) }
	if isPointer(head) || isOwnTrace(head) || isDatabase(head) && (packed != trace.Unpacked || slices.ContainsFunc(foreignDatabases, foreign)) {
		return refuseUnknown(name, head, packed, "")
	}
	return nil
}

// refusePointer returns an error for a report of which Git LFS left a pointer.
func refusePointer(path string) error {
	info, err := os.Stat(path)
	if err != nil || info.Size() > 1024 { // which a pointer is shorter than (git-lfs, docs/spec.md)
		return nil
	}
	head, packed, err := readHead(path, info, new([headBytes]byte))
	if err == nil && isPointer(head) {
		return refuseUnknown(filepath.Base(path), head, packed, "")
	}
	return nil
}

// isPointer recognises what Git LFS leaves in the place of a file that was not fetched (git-lfs, docs/spec.md).
func isPointer(head []byte) bool {
	return bytes.HasPrefix(head, []byte("version https://git-lfs.github.com/spec/"))
}

func isDatabase(head []byte) bool { return bytes.HasPrefix(head, []byte("SQLite format 3\x00")) }

// databaseWith recognises a SQLite database by texts of its schema, which is on the first page.
func databaseWith(texts ...string) func([]byte) bool {
	return func(head []byte) bool {
		return isDatabase(head) && !slices.ContainsFunc(texts, func(s string) bool { return !bytes.Contains(head, []byte(s)) })
	}
}

// isRPD recognises a trace of rocmProfileData, whose tables begin with the same word as those
// of rocprofv3 and hold other columns.
func isRPD(head []byte) bool { return databaseWith("rocpd_")(head) && !rocpd.Sniff(head) }

func beginsWith(with ...string) func([]byte) bool {
	return func(head []byte) bool {
		return slices.ContainsFunc(with, func(s string) bool { return bytes.HasPrefix(head, []byte(s)) })
	}
}

// isStatsTable recognises a table of nsys stats by the columns that all of its tables have, in
// CSV, JSON or as text with wrapped headings.
func isStatsTable(head []byte) bool {
	has := func(s string) bool { return bytes.Contains(head, []byte(s)) }
	return isUTF8(head) && ((has("Time (%)") || has("Time(%)")) && has("Total Time (") || has("Start (ns)") && has("Duration (ns)"))
}

func isComputeTable(head []byte) bool {
	return bytes.HasPrefix(head, []byte("==PROF==")) || bytes.Contains(head, []byte(`"ID","Process ID","Process Name"`))
}

// isPickle recognises Python's pickles of protocol 2 to 5.
func isPickle(head []byte) bool {
	return len(head) > 2 && head[0] == 0x80 && head[1] >= 2 && head[1] <= 5
}

func isOwnReport(head []byte) bool {
	return isWebPage(head) && bytes.Contains(head, []byte("perfdiff")) ||
		startsWith(head, "{") && bytes.Contains(head, []byte(`"schema_version"`)) && bytes.Contains(head, []byte(`"tool": "perfdiff`))
}

// isOwnTrace recognises what --perfetto writes by its first bytes.
func isOwnTrace(head []byte) bool {
	return startsWith(head, `{"displayTimeUnit": "ns", "otherData": {"written_by": "perfdiff`)
}

func isWebPage(head []byte) bool { return startsWith(head, "<!doctype html", "<html") }

// startsWith reports whether a text begins with one of the given ones, in any case and after
// white space.
func startsWith(head []byte, with ...string) bool {
	text := bytes.TrimLeft(bytes.TrimPrefix(head[:min(len(head), 4096)], []byte("\xef\xbb\xbf")), " \t\r\n")
	return slices.ContainsFunc(with, func(s string) bool {
		return len(text) >= len(s) && strings.EqualFold(string(text[:len(s)]), s)
	})
}

// isPerfetto recognises a Perfetto trace by its packets: field 1 of a protocol buffer,
// repeated, each with its length.
func isPerfetto(head []byte) bool {
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
	return packets > 1 && !isUTF8(head)
}

// isJSONLines recognises a text that begins with two objects on a line each.
func isJSONLines(head []byte) bool {
	first, rest, ok := bytes.Cut(head, []byte("\n"))
	first = bytes.TrimSpace(first)
	return ok && bytes.HasPrefix(first, []byte("{")) && bytes.HasSuffix(first, []byte("}")) && startsWith(rest, "{")
}

func isJSON(head []byte) bool {
	return startsWith(head, `{"`, "{ ", "{\n", "{\r", "{}", "[{", "[\n", "[ ", "[[", "[]") && isUTF8(head)
}

// mayBeText reports whether head is text that may be a log. Ranks that write into one file cut each other's characters
// in two.
func mayBeText(head []byte) bool {
	return bytes.IndexByte(head, 0) < 0 && !isWebPage(head) && !isStatsTable(head) && !isOwnReport(head)
}

func isText(head []byte) bool { return len(head) > 0 && isUTF8(head) }

// isUTF8 reports whether head is text that may be cut inside a character.
func isUTF8(head []byte) bool {
	for cut := 0; cut < utf8.UTFMax && cut < len(head); cut++ {
		if utf8.Valid(head[:len(head)-cut]) {
			return bytes.IndexFunc(head[:len(head)-cut], func(r rune) bool { return (r < ' ' || r == 0x7f) && !strings.ContainsRune("\t\n\f\r\x1b", r) }) < 0
		}
	}
	return false
}

// refuseChromeTrace returns an error for trace events that no PyTorch profiler wrote; nil if one may have written
// them.
func refuseChromeTrace(name string, traces []*trace.Trace) error {
	for _, t := range traces {
		if len(t.Device)+len(t.Ranges)+len(t.Ops)+len(t.API) > 0 || len(t.Facts) > 1 { // the profiler's name is always there
			return nil
		}
	}
	return foreignKind{what: "a Chrome trace of another program, without GPU work, ranges and marks of the PyTorch profiler", remedy: giveProfiles}.refusal(name, ErrOther)
}

// ErrUnknown is the cause of a refusal of a file of no known format.
var ErrUnknown = errors.New("not a profile that perfdiff reads")
