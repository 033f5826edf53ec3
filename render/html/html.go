// Package html writes a report as one page that opens offline: text and tables
// as HTML, which reads without script, and charts drawn by Apache ECharts from
// data in the page. Library, script and data are compressed, and the browser inflates
// them. It formats what the report holds and judges nothing.
package html

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"html/template"
	"io"
	"strings"
	"sync"

	"perfdiff/diff"
)

//go:embed page.css style echarts.js.gz echarts.sha256 echarts.licence script template
var files embed.FS

// scripts are the parts of the page's own script, in order. They share one
// function scope, which is entered once the data are inflated.
var scripts = []string{"base", "address", "selection", "colour", "shape", "map", "chart", "point", "hint", "first", "rankmap", "utilization", "timeline", "timeline_lanes", "timeline_draw", "timeline_move", "timeline_find", "timeline_kernel", "path", "icicle", "table", "kernels", "about", "card", "brush", "page", "keys"}

// styles are the parts of the page's style, in order: page.css, and the styles of single pieces of the page.
var styles = []string{"page.css", "style/about.css", "style/icicle.css", "style/first.css", "style/print.css", "style/card.css"}

// theme runs before the first paint, so that a stored choice does not flash.
const theme = `(function(){try{var t=localStorage.getItem('perfdiff-theme');if(t==='light'||t==='dark')document.documentElement.dataset.theme=t}catch(e){}})();
`

// themeAndHints is the script of pages whose pictures are all static.
func themeAndHints() string { return theme + embeddedFile("script/hint.js") }

// parsed are the templates, which are read for the first page: that took a fifth of the time in which
// the program starts.
var parsed = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("").Funcs(template.FuncMap{"codes": codes, "terms": termed}).ParseFS(files, "template/*.tmpl"))
})

// codes shows text between backquotes as code, which does not wrap within an option.
func codes(text string) template.HTML {
	var b strings.Builder
	for i, part := range strings.Split(text, "`") {
		part = template.HTMLEscapeString(part)
		if i%2 == 1 {
			part = "<code>" + part + "</code>"
		}
		b.WriteString(part)
	}
	return template.HTML(b.String())
}

// Write writes the page of r to w. The same report gives the same bytes; r is not changed. Names out of profiles are
// data in it, never markup. clean is applied to the data before it is compressed, because afterwards nobody can.
// kernels holds addresses of pages that say more about a kernel, by its name; nil: there are none.
func Write(w io.Writer, r *diff.Report, clean func([]byte) []byte, kernels map[string]string) error {
	p := pageOf(r, kernels)
	lib, own, first := library(), ownScript(), loader()
	p.pack(own, clean)
	defer p.packing.Wait()
	style := pageStyle()
	p.Style, p.PaperStyle = template.CSS(style), template.CSS(withoutScript(style))
	// The template escapes none of these: they are the program's own, or base64.
	p.Theme, p.Script = template.JS(theme), template.JS(first)
	p.Licence, p.Library = template.HTML(lib.licence), template.HTML(lib.packed)
	p.Policy = scriptPolicy(digest(theme), lib.digest, digest(own), digest(first))
	var out bytes.Buffer
	if err := parsed().ExecuteTemplate(&out, "page.tmpl", p); err != nil {
		return err
	}
	_, err := w.Write(out.Bytes())
	return err
}

// scriptPolicy returns the content security policy of the page: it allows exactly the scripts with
// these digests and no request, so that a script that got in by mistake does not run.
func scriptPolicy(digests ...scriptDigest) string {
	p := "default-src 'none'; script-src"
	for _, d := range digests {
		p += " 'sha256-" + string(d) + "'"
	}
	return p + "; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
}

// scriptDigest is the hash by which a content security policy knows a script: SHA-256 in base64.
type scriptDigest string

func digest(script string) scriptDigest {
	sum := sha256.Sum256([]byte(script))
	return scriptDigest(base64.StdEncoding.EncodeToString(sum[:]))
}

func pageStyle() string {
	var b strings.Builder
	for _, name := range styles {
		b.WriteString(embeddedFile(name))
	}
	return b.String()
}

// withoutScript returns the rules that the script switches on for paper, for a browser without script.
func withoutScript(style string) string {
	var out []string
	for line := range strings.Lines(style) {
		if strings.HasPrefix(line, ".printing ") {
			out = append(out, strings.ReplaceAll(line, ".printing ", ""))
		}
	}
	return strings.Join(out, "")
}

// ownScript returns the page's own script, without comments. It is a third of its size where it is compressed, and the
// loader runs it as it runs the library.
func ownScript() string {
	var b strings.Builder
	b.WriteString("window.perfdiffPage = function (data, bytes) {\n'use strict';\n")
	for _, name := range scripts {
		for line := range strings.Lines(embeddedFile("script/" + name + ".js")) {
			if !strings.HasPrefix(strings.TrimSpace(line), "//") {
				b.WriteString(line)
			}
		}
	}
	b.WriteString("};")
	return b.String()
}

// loader returns the script that inflates the others. Apart from the theme it is the only one that the page holds
// uncompressed.
func loader() string {
	return "(function () {\n'use strict';\n" + embeddedFile("script/load.js") + "})();"
}

// embeddedFile returns the text of an embedded file, which cannot be missing from a built program.
func embeddedFile(name string) string {
	b, err := files.ReadFile(name)
	if err != nil {
		panic(err)
	}
	return strings.TrimSpace(string(b)) + "\n"
}
