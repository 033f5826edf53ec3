package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"
)

// otherSense are the places in which a word of the last column means something else, by word:
// a name, or what stands around it in a sentence, and what it is there.
var otherSense = map[string]map[string]string{
	"op":        {"Op": "what is done to a file", "OpOther": "likewise", "OpRead": "likewise", "OpWrite": "likewise", "Ops": "how calls are recorded"},
	"epoch":     {"Epoch": "of a clock"},
	"lag":       {"Lag1": "of a series behind itself"},
	"queue":     {"longer queue": "of a loader", "a queue while": "likewise"},
	"notice":    {"notice in the source": "of a licence"},
	"iteration": {"One iteration": "the glossary's, which says what a step is"},
	"old":       {"old run": "one that a store has kept for long"},
	"worker":    {", worker_name=": "an argument of PyTorch"},
}

// TestVocabulary holds names, keys of JSON and sentences to the table of words in the
// comment of package analyze: each of its words is in use, and none of those that it
// rejects, in any other sense than those above.
func TestVocabulary(t *testing.T) {
	used, rejected := vocabulary(t)
	if len(used) < 35 || len(rejected) < 25 {
		t.Fatalf("the table has %d words and rejects %d", len(used), len(rejected))
	}
	names, sentences := namesAndSentences(t)
	have, excused := map[string]bool{}, map[string]bool{}
	for name, place := range names {
		for _, w := range wordsOf(name) {
			have[w] = true
			if slices.Contains(rejected, w) && !excuse(w, name, excused) {
				t.Errorf("%s: %s: the table of words in analyze/doc.go rejects %q", place, name, w)
			}
		}
	}
	for _, w := range used {
		if !have[w] {
			t.Errorf("no name and no key has the word %q of the table in analyze/doc.go", w)
		}
	}
	for text, place := range sentences {
		for _, at := range word.FindAllStringIndex(text, -1) {
			w := strings.ToLower(text[at[0]:at[1]])
			if _, known := slices.BinarySearch(rejected, w); !known {
				w = strings.TrimSuffix(w, "s")
			}
			if slices.Contains(rejected, w) && !excuse(w, text[max(0, at[0]-20):min(len(text), at[1]+20)], excused) {
				t.Errorf("%s: %q: the table of words in analyze/doc.go rejects %q", place, text, w)
			}
		}
	}
	for w, senses := range otherSense {
		for sense := range senses {
			if !excused[w+sense] {
				t.Errorf("%q is nowhere used as %q any more: take it out of otherSense", w, sense)
			}
		}
	}
}

var word = regexp.MustCompile(`[A-Za-z]+`)

// excuse reports whether a word is used in another sense there, and notes in which.
func excuse(w, in string, noted map[string]bool) bool {
	for sense := range otherSense[w] {
		if in == sense || strings.Contains(sense, " ") && strings.Contains(in, sense) {
			noted[w+sense] = true
			return true
		}
	}
	return false
}

// vocabulary is the table of words: those that are used, and those that are not, in order.
func vocabulary(t *testing.T) (used, rejected []string) {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, "analyze/doc.go"), nil, parser.ParseComments|parser.PackageClauseOnly)
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(f.Doc.Text(), "# Words\n")
	table, _, _ = strings.Cut(table, "\n# ")
	head := ""
	for line := range strings.Lines(table) {
		line, in := strings.CutPrefix(strings.TrimRight(line, "\n"), "\t")
		switch {
		case !in:
		case head == "":
			head = line
		default:
			line += strings.Repeat(" ", len(head))
			used = append(used, word.FindAllString(line[:strings.Index(head, "for")], -1)...)
			rejected = append(rejected, word.FindAllString(line[strings.Index(head, "not"):], -1)...)
		}
	}
	slices.Sort(rejected)
	return used, rejected
}

// namesAndSentences are the exported names and keys of JSON, and the sentences, each with a place where
// it stands. What reads or writes the files of others speaks their words, and so do expressions.
func namesAndSentences(t *testing.T) (names, sentences map[string]string) {
	t.Helper()
	names, sentences = map[string]string{}, map[string]string{}
	foreign := []string{"analyze/source/", "analyze/kernelname/", "analyze/synth/"}
	eachFile(t, func(_, file string, _ []string) {
		if strings.HasSuffix(file, "_test.go") || slices.ContainsFunc(foreign, func(dir string) bool { return strings.HasPrefix(file, dir) }) {
			return
		}
		set := token.NewFileSet()
		parsed, err := parser.ParseFile(set, filepath.Join(root, file), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		place := func(n ast.Node) string { return file + ":" + strconv.Itoa(set.Position(n.Pos()).Line) }
		declared := func(ids ...*ast.Ident) {
			for _, id := range ids {
				if id.IsExported() {
					names[id.Name] = place(id)
				}
			}
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				declared(n.Name)
			case *ast.TypeSpec:
				declared(n.Name)
			case *ast.ValueSpec:
				declared(n.Names...)
			case *ast.Field:
				declared(n.Names...)
				if n.Tag != nil {
					tag, _ := strconv.Unquote(n.Tag.Value)
					key, _, _ := strings.Cut(reflect.StructTag(tag).Get("json"), ",")
					names[key], n.Tag = place(n), nil
				}
			case *ast.BasicLit:
				if text, err := strconv.Unquote(n.Value); err == nil && len(strings.Fields(text)) > 2 && !strings.Contains(text, "(?") {
					sentences[text] = place(n)
				}
			}
			return true
		})
	})
	pages, err := filepath.Glob(filepath.Join(root, "render/html/template/*.tmpl"))
	if err != nil || len(pages) == 0 {
		t.Fatalf("no templates: %v", err)
	}
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range markup.Split(string(text), -1) {
			sentences[strings.Join(strings.Fields(s), " ")] = filepath.Base(page)
		}
	}
	return names, sentences
}

// markup is what a template holds beside what is read.
var markup = regexp.MustCompile(`\{\{[^}]*\}\}|<[^>]*>`)

// wordsOf are the words of a name, in small letters and without the s of several:
// "ExposedCommTimes" has exposed, comm and time, "step_time" step and time.
func wordsOf(name string) (out []string) {
	letters, from := []rune(name+" "), 0
	for i := 1; i < len(letters); i++ {
		upper := unicode.IsUpper(letters[i])
		begins := upper && (!unicode.IsUpper(letters[i-1]) || i+1 < len(letters) && unicode.IsLower(letters[i+1]))
		if !begins && unicode.IsLetter(letters[i]) {
			continue
		}
		if w := strings.ToLower(strings.Trim(string(letters[from:i]), "_ ")); w != "" {
			out = append(out, w)
			if short, several := strings.CutSuffix(w, "s"); several {
				out = append(out, short)
			}
		}
		from = i
	}
	return out
}
