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

// Named is a set that is to be folded, and what it is called then.
type Named struct {
	Label string
	Set   *run.Set
}

// Anonymize replaces, in sets that are compared with each other, what names machines and
// places: hosts (one number for one host in all of the sets), the sets themselves, runs,
// directories and files, as fields and wherever messages name them. What was measured keeps
// its names: kernels, ranges, operators, functions, devices and ports. Equal sets give equal
// names, in whatever order their files were read.
func Anonymize(sets []Named) {
	hosts := hostNames(sets)
	for _, s := range sets {
		f := &folding{hosts: hosts, files: map[string]string{}, places: map[string]string{}}
		f.learn(s)
		f.fold(s)
	}
}

// hostNames numbers the hosts in order of set, run and rank.
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
			for _, h := range r.Clocks.Apart {
				add(h)
			}
		}
	}
	out := map[string]string{}
	for i, host := range all {
		out[host] = numbered("node", i, len(all))
	}
	return out
}

// numbered is the name of the i-th of n things, so that names sort as their numbers do.
func numbered(what string, i, n int) string {
	return fmt.Sprintf("%s-%0*d", what, len(fmt.Sprint(n)), i+1)
}

// folding is what the names of one set become.
type folding struct {
	hosts  map[string]string
	files  map[string]string // by their names in the set; those of places below hold base names too
	places map[string]string // directories, runs, the set, and base names of files
	spoken map[byte][]string // names that messages may hold, by first byte, the longest first
}

// aFile stands for one of several files of one base name where a message does not say which.
const aFile = "a file"

// learn names all that the set names.
func (f *folding) learn(s Named) {
	set := s.Set
	var dirs []string
	for _, file := range set.Files {
		for dir := path.Dir(file.Name); dir != "." && dir != "/"; dir = path.Dir(dir) {
			dirs = append(dirs, dir, path.Base(dir))
		}
	}
	dirs = append(dirs, set.Beside...)
	slices.Sort(dirs)
	dirs = slices.Compact(dirs)
	for i, dir := range dirs {
		f.places[dir] = numbered("directory", i, len(dirs))
	}
	for i, file := range set.Files {
		name := numbered("file", i, len(set.Files))
		f.files[file.Name] = name
		if base := path.Base(file.Name); f.files[base] == "" || f.files[base] == name {
			f.files[base] = name
		} else {
			f.files[base] = aFile
		}
	}
	f.places[set.Label] = s.Label
	for i := range set.Runs {
		name := numbered("run", i, len(set.Runs))
		f.places[set.Runs[i].Name] = name
		if base := path.Base(set.Runs[i].Name); base != set.Label {
			f.places[base] = name
		}
	}
	f.spoken = map[byte][]string{}
	for _, names := range []map[string]string{f.hosts, f.files, f.places} {
		for name := range names {
			if inProse(name) {
				f.spoken[name[0]] = append(f.spoken[name[0]], name)
			}
		}
	}
	for _, names := range f.spoken {
		slices.SortFunc(names, func(a, b string) int { return cmp.Or(cmp.Compare(len(b), len(a)), strings.Compare(a, b)) })
	}
}

// fold gives everything in the set its new name.
func (f *folding) fold(s Named) {
	set := s.Set
	for i := range set.Warnings {
		w := &set.Warnings[i]
		w.File, w.Text = f.file(w.File), f.text(w.Text)
	}
	for i := range set.Doubts {
		d := &set.Doubts[i]
		d.Text, d.Hint = f.text(d.Text), f.text(d.Hint)
	}
	for i := range set.Runs {
		f.run(&set.Runs[i])
	}
	for i := range set.Files {
		x := &set.Files[i]
		x.Err = f.text(strings.ReplaceAll(x.Err, path.Base(x.Name)+":", f.file(x.Name)+":"))
		x.Name = f.file(x.Name)
	}
	set.Label, set.Beside = s.Label, nil
	set.Warnings = sorted(set.Warnings)
}

func (f *folding) run(r *run.Run) {
	r.Name, r.Folded, r.Origin = f.places[r.Name], true, run.Origin{} // which names a repository, or a server
	for i := range r.Ranks {
		k := &r.Ranks[i]
		k.Host, k.RankFrom = f.hosts[k.Host], f.text(k.RankFrom)
		for j := range k.Files {
			k.Files[j] = f.file(k.Files[j])
		}
		for j := range k.Receipts {
			x := &k.Receipts[j]
			x.File, x.Hint = f.file(x.File), f.text(x.Hint)
		}
	}
	for i := range r.Clocks.Hosts {
		r.Clocks.Hosts[i].Host = f.hosts[r.Clocks.Hosts[i].Host]
	}
	for i := range r.Clocks.Apart {
		r.Clocks.Apart[i] = f.hosts[r.Clocks.Apart[i]]
	}
	r.Clocks.Unseparable = f.text(r.Clocks.Unseparable)
}

// file is the new name of a file, or of a directory that a warning is about.
func (f *folding) file(name string) string {
	switch {
	case name == "":
		return ""
	case f.files[name] != "":
		return f.files[name]
	case f.places[name] != "":
		return f.places[name]
	case f.files[path.Base(name)] != "":
		return f.files[path.Base(name)]
	}
	return aFile
}

// text is a message with the new names. A name counts where it stands alone, not within a
// longer word.
func (f *folding) text(s string) string {
	var b strings.Builder
	before := ' '
	for len(s) > 0 {
		if !wordy(before) {
			if name := f.leads(s); name != "" {
				b.WriteString(cmp.Or(f.hosts[name], f.places[name], f.files[name]))
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

// leads is the longest name that a text begins with; "" none.
func (f *folding) leads(s string) string {
	for _, name := range f.spoken[s[0]] {
		if rest, ok := strings.CutPrefix(s, name); ok {
			if r, _ := utf8.DecodeRuneInString(rest); rest == "" || !wordy(r) {
				return name
			}
		}
	}
	return ""
}

func wordy(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// inProse reports whether a name is looked for in messages: not a number, and not one of
// the words that messages are made of, which says nothing of anybody and whose replacement
// would change what they say.
func inProse(name string) bool {
	letters := strings.IndexFunc(name, func(r rune) bool { return !unicode.IsDigit(r) }) >= 0
	plain := strings.IndexFunc(name, func(r rune) bool { return !unicode.IsLetter(r) }) < 0
	switch {
	case !letters, len(name) < 2:
		return false
	case plain:
		return len(name) > 3 && !slices.Contains(prose, strings.ToLower(name))
	}
	return true
}

// prose are words of messages that people call directories and machines by.
var prose = strings.Fields(`after base baseline before batch candidate capture captures data default device
	directories directory eager export exports file files first from graph graphs gpus have host hosts input kernel
	kernels last left localhost main master memory name named names next node nodes number numbers only other output
	place process processes profile profiler profiles rank ranks record recorded repeats report reports runs same
	second sets side sides step steps table test that their them these they this time times trace traces train
	training were with without world`)
