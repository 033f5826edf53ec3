package render

import (
	"regexp"
	"strings"
	"testing"
)

func TestEscape(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"step 12 of 19: 5 %", "step 12 of 19: 5 %"},
		{"a|b *c* _d_ `e` [f](g) ~h~ \\", "a\\|b \\*c\\* \\_d\\_ \\`e\\` \\[f\\](g) \\~h\\~ \\\\"},
		{"<b>&amp;", "&lt;b&gt;&amp;amp;"},
		{"@team a@b.c", "@<!-- -->team a@<!-- -->b.c"},
		{"#12 # 12 gh-7", "#<!-- -->12 # 12 gh-<!-- -->7"},
		{"https://e.org www.e.org", "https:<!-- -->//e.org www<!-- -->.e.org"},
		{"$_0", "<span>$</span>\\_0"},
	} {
		if got := escapeMarkdown(c.in); got != c.want {
			t.Errorf("escape(%q): got %q, want %q", c.in, got, c.want)
		}
	}
}

func TestCode(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"a_b", "`a_b`"}, {"a`b", "`` a`b ``"}, {"``", "``` `` ```"}, {"a|b", "`a\\|b`"}, {"", ""}, {"  ", ""},
	} {
		if got := codeSpan(c.in); got != c.want {
			t.Errorf("code(%q): got %q, want %q", c.in, got, c.want)
		}
	}
}

var tags = regexp.MustCompile(`</?[a-z!][^>]*>`)

// withoutCode is a line without its code spans, as CommonMark finds them: a
// run of backticks that is not escaped, up to the next run of that length.
func withoutCode(s string) string {
	runs := regexp.MustCompile("`+")
	var out strings.Builder
	for s != "" {
		switch {
		case s[0] == '\\' && len(s) > 1:
			out.WriteByte(s[0])
			out.WriteByte(s[1])
			s = s[2:]
			continue
		case s[0] != '`':
			out.WriteByte(s[0])
			s = s[1:]
			continue
		}
		fence := runs.FindString(s)
		s = s[len(fence):]
		for _, at := range runs.FindAllStringIndex(s, -1) {
			if at[1]-at[0] == len(fence) {
				s = s[at[1]:]
				break
			}
		}
	}
	return out.String()
}

// TestMarkdownTags: no tag is in a comment but those that are written here,
// and each that is opened is closed, even where the end is cut.
func TestMarkdownTags(t *testing.T) {
	reports := verdicts()
	reports["hostile"], reports["long"] = hostile(), long()
	for name, r := range reports {
		got := write(t, r, Markdown, Options{})
		open := map[string]int{}
		for line := range strings.Lines(got) {
			for _, tag := range tags.FindAllString(withoutCode(line), -1) {
				switch tag {
				case "<details>", "<summary>", "<sub>", "<span>":
					open[strings.Trim(tag, "<>")]++
				case "</details>", "</summary>", "</sub>", "</span>":
					open[strings.Trim(tag, "</>")]--
				case "<!-- -->":
				default:
					t.Errorf("%s: tag %q in line %q", name, tag, line)
				}
			}
		}
		for tag, n := range open {
			if n != 0 {
				t.Errorf("%s: %d %s more opened than closed", name, n, tag)
			}
		}
	}
}

// TestMarkdownTables: every row of a table has the cells of its head.
func TestMarkdownTables(t *testing.T) {
	bar := regexp.MustCompile(`(^|[^\\])\|`)
	for name, r := range verdicts() {
		checkTables(t, name, write(t, r, Markdown, Options{}), bar)
	}
	checkTables(t, "hostile", write(t, hostile(), Markdown, Options{}), bar)
}

func checkTables(t *testing.T, name, text string, bar *regexp.Regexp) {
	t.Helper()
	want := 0
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "|") {
			want = 0
			continue
		}
		// `\\` is a backslash, so that a bar behind it is not escaped by it.
		got := len(bar.FindAllString(strings.ReplaceAll(line, `\\`, ""), -1))
		if strings.HasPrefix(line, "|:") { // its bars are next to each other's dashes
			got = strings.Count(line, "|")
		}
		if want == 0 {
			want = got
		}
		if got != want {
			t.Errorf("%s: %d bars, want %d: %s", name, got, want, line)
		}
	}
}

func TestMarkdownFits(t *testing.T) {
	r := long()
	got := write(t, r, Markdown, Options{})
	if len(got) >= 65536 {
		t.Errorf("got %d bytes", len(got))
	}
	if !strings.Contains(got, "The rest is cut") {
		t.Error("does not say that it was cut")
	}
	r.Warnings, r.Differences, r.Metrics = nil, nil, r.Metrics[:12]
	if got := write(t, r, Markdown, Options{}); strings.Contains(got, "The rest is cut") {
		t.Errorf("says that it was cut at %d bytes", len(got))
	}
}

func TestMarkdownMentionsNobody(t *testing.T) {
	outside := withoutCode(write(t, hostile(), Markdown, Options{}))
	for _, link := range []string{"@everyone", "#123", "GH-7", "http://", "www.e", "![x](", "*b*", "_c_", "<script"} {
		if i := strings.Index(outside, link); i >= 0 {
			t.Errorf("%q in %q", link, outside[max(0, i-60):i+20])
		}
	}
}
