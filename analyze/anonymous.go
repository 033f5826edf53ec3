package analyze

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"perfdiff/analyze/run"
)

// Named is a set to be made anonymous, and the label that it gets.
type Named struct {
	Label string
	Set   *run.Set
}

// Anonymize replaces the names of machines and places in sets that are compared with each other: hosts (one number for
// a host in all of the sets), the sets themselves, runs, directories and files. It replaces them in fields and inside
// of messages. The names of what was measured stay: kernels, ranges, operators, functions, devices and ports. Equal
// sets get equal names, in whatever order their files were read.
func Anonymize(sets []Named) {
	hosts := hostNames(sets)
	for _, s := range sets {
		f := &renaming{hosts: hosts, files: map[string]string{}, otherNames: map[string]string{}}
		f.collectNames(s)
		f.renameSet(s)
	}
}

// hostNames gives each host a name, numbered in order of set, run and rank.
func hostNames(sets []Named) map[string]string {
	var all []string
	seen := map[string]bool{"": true}
	add := func(host string) {
		if !seen[host] {
			seen[host] = true
			all = append(all, host)
		}
	}
	for _, s := range sets {
		for i := range s.Set.Runs {
			r := &s.Set.Runs[i]
			for j := range r.Ranks {
				add(r.Ranks[j].Host)
			}
			for _, h := range r.Clocks.Hosts {
				add(h.Host)
			}
			for _, h := range r.Clocks.NotAligned {
				add(h)
			}
		}
	}
	out := map[string]string{}
	for i, host := range all {
		out[host] = numberedName("node", i, len(all))
	}
	return out
}

// numberedName returns the name of the i-th of n things, with leading zeros so that names sort like
// their numbers.
func numberedName(what string, i, n int) string {
	return fmt.Sprintf("%s-%0*d", what, len(fmt.Sprint(n)), i+1)
}

// renaming is the new names for one set.
type renaming struct {
	hosts      map[string]string
	files      map[string]string // by their names in the set, and by base names
	otherNames map[string]string // of directories, runs, the set, and base names of files
	inMessages map[byte][]string // names to look for in messages, by first byte, the longest first
}

// aFile stands for one of several files with the same base name, if a message does not say
// which.
const aFile = "a file"

// collectNames finds a new name for every name in the set.
func (f *renaming) collectNames(s Named) {
	set := s.Set
	var dirs []string
	for _, file := range set.Files {
		for dir := path.Dir(file.Name); dir != "." && dir != "/"; dir = path.Dir(dir) {
			dirs = append(dirs, dir, path.Base(dir))
		}
	}
	dirs = append(dirs, set.OtherDirs...)
	slices.Sort(dirs)
	dirs = slices.Compact(dirs)
	for i, dir := range dirs {
		f.otherNames[dir] = numberedName("directory", i, len(dirs))
	}
	for i, file := range set.Files {
		name := numberedName("file", i, len(set.Files))
		f.files[file.Name] = name
		if base := path.Base(file.Name); f.files[base] == "" || f.files[base] == name {
			f.files[base] = name
		} else {
			f.files[base] = aFile
		}
	}
	f.otherNames[set.Label] = s.Label
	for i := range set.Runs {
		name := numberedName("run", i, len(set.Runs))
		f.otherNames[set.Runs[i].Name] = name
		if base := path.Base(set.Runs[i].Name); base != set.Label {
			f.otherNames[base] = name
		}
	}
	f.inMessages = map[byte][]string{}
	for _, names := range []map[string]string{f.hosts, f.files, f.otherNames} {
		for name := range names {
			if inProse(name) {
				f.inMessages[name[0]] = append(f.inMessages[name[0]], name)
			}
		}
	}
	for _, names := range f.inMessages {
		slices.SortFunc(names, func(a, b string) int { return cmp.Or(cmp.Compare(len(b), len(a)), strings.Compare(a, b)) })
	}
}

// renameSet gives everything in the set its new name.
func (f *renaming) renameSet(s Named) {
	set := s.Set
	for i := range set.Warnings {
		w := &set.Warnings[i]
		w.File, w.Text = f.newFileName(w.File), f.renameInText(w.Text)
	}
	for i := range set.Doubts {
		d := &set.Doubts[i]
		d.Text, d.Hint = f.renameInText(d.Text), f.renameInText(d.Hint)
	}
	for i := range set.Runs {
		f.renameRun(&set.Runs[i])
	}
	for i := range set.Files {
		x := &set.Files[i]
		x.Err = f.renameInText(strings.ReplaceAll(x.Err, path.Base(x.Name)+":", f.newFileName(x.Name)+":"))
		x.Name = f.newFileName(x.Name)
	}
	set.Label, set.OtherDirs = s.Label, nil
	set.Warnings = sortWarnings(set.Warnings)
}

// forgetThreadNames leaves threads their numbers alone: a thread is called as the program's file,
// if the program does not say otherwise.
func forgetThreadNames(excerpts []run.Excerpt) {
	for i := range excerpts {
		for k := range excerpts[i].Ranks {
			tracks := excerpts[i].Ranks[k].Tracks
			for j := range tracks {
				tracks[j].Name = ""
			}
		}
	}
}

func (f *renaming) renameRun(r *run.Run) {
	r.Name, r.Folded, r.Origin = f.otherNames[r.Name], true, run.Origin{} // which names a repository, or a server
	for i := range r.Ranks {
		k := &r.Ranks[i]
		k.Host, k.RankFrom = f.hosts[k.Host], f.renameInText(k.RankFrom)
		for j := range k.Files {
			k.Files[j] = f.newFileName(k.Files[j])
		}
		for j := range k.Receipts {
			x := &k.Receipts[j]
			x.File, x.Hint = f.newFileName(x.File), f.renameInText(x.Hint)
		}
	}
	forgetThreadNames(r.Excerpts)
	for i := range r.Clocks.Hosts {
		r.Clocks.Hosts[i].Host = f.hosts[r.Clocks.Hosts[i].Host]
	}
	for i := range r.Clocks.NotAligned {
		r.Clocks.NotAligned[i] = f.hosts[r.Clocks.NotAligned[i]]
	}
	r.Clocks.Inseparable = f.renameInText(r.Clocks.Inseparable)
}

// newFileName returns the new name of a file, or of a directory that a warning is about.
func (f *renaming) newFileName(name string) string {
	switch {
	case name == "":
		return ""
	case f.files[name] != "":
		return f.files[name]
	case f.otherNames[name] != "":
		return f.otherNames[name]
	case f.files[path.Base(name)] != "":
		return f.files[path.Base(name)]
	}
	return aFile
}

// renameInText returns a message with the new names. An old name counts only where it stands alone,
// not inside a longer word.
func (f *renaming) renameInText(s string) string {
	var b strings.Builder
	before := ' '
	for len(s) > 0 {
		if !isWordRune(before) {
			if name := f.longestNameAt(s); name != "" {
				b.WriteString(cmp.Or(f.hosts[name], f.otherNames[name], f.files[name]))
				before, _ = utf8.DecodeLastRuneInString(name)
				s = s[len(name):]
				continue
			}
		}
		r, n := utf8.DecodeRuneInString(s)
		b.WriteString(s[:n])
		before, s = r, s[n:]
	}
	return b.String()
}

// longestNameAt returns the longest known name that a text begins with; "" if none.
func (f *renaming) longestNameAt(s string) string {
	for _, name := range f.inMessages[s[0]] {
		if rest, ok := strings.CutPrefix(s, name); ok {
			if r, _ := utf8.DecodeRuneInString(rest); rest == "" || !isWordRune(r) {
				return name
			}
		}
	}
	return ""
}

func isWordRune(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// inProse reports whether a name is looked for in messages. Numbers are not, nor the words that messages are made of:
// such a name tells nothing about anybody, and replacing it would change what messages say.
func inProse(name string) bool {
	letters := strings.IndexFunc(name, func(r rune) bool { return !unicode.IsDigit(r) }) >= 0
	plain := strings.IndexFunc(name, func(r rune) bool { return !unicode.IsLetter(r) }) < 0
	switch {
	case !letters, len(name) < 2:
		return false
	case plain:
		return len(name) > 3 && !slices.Contains(messageWords, strings.ToLower(name))
	}
	return true
}

// messageWords are words of messages that people also use as names of directories and machines.
var messageWords = strings.Fields(`after base baseline before batch candidate capture captures data default device
	directories directory eager export exports file files first from graph graphs gpus have host hosts input kernel
	kernels last left localhost main master memory name named names next node nodes number numbers only other output
	place process processes profile profiler profiles rank ranks record recorded repeats report reports runs same
	second sets side sides step steps table test that their them these they this time times trace traces train
	training were with without world`)
