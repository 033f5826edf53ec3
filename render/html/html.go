// Package html writes a report as one page that opens offline: text and tables
// as HTML, which reads without script, and charts drawn by Apache ECharts from
// data in the page. Library and data are compressed, and the browser inflates
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

	"perfdiff/diff"
)

//go:embed page.css echarts.js.gz echarts.licence script template
var files embed.FS

// scripts are the parts of the page's own script, in order. They share one
// function scope, which the first script opens once the data are inflated.
var scripts = []string{"base", "address", "colour", "shape", "map", "chart", "first", "change", "rankmap", "utilization", "timeline", "path", "table", "kernels", "selection", "pointer", "page", "keys"}

// theme runs before the first paint, so that a stored choice does not flash.
const theme = `(function(){try{var t=localStorage.getItem('perfdiff-theme');if(t==='light'||t==='dark')document.documentElement.dataset.theme=t}catch(e){}})()`

// parsed are the templates.
var parsed = template.Must(template.ParseFS(files, "template/*.tmpl"))

// Write writes the page of r to w. The same report gives the same bytes; r is not changed.
// Names out of profiles are data in it, never markup. clean is applied to the data before it is
// compressed, because afterwards nobody can.
func Write(w io.Writer, r *diff.Report, clean func([]byte) []byte) error {
	p := pageOf(r)
	data, err := p.data.encode(clean)
	if err != nil {
		return err
	}
	lib, script := library(), pageScript()
	p.Style = template.CSS(embeddedFile("page.css"))
	// The template escapes none of these: they are the program's own, or base64.
	p.Theme, p.Script = template.JS(theme), template.JS(script)
	p.Licence, p.Library, p.Data = template.HTML(lib.licence), template.HTML(lib.packed), template.HTML(data)
	p.Policy = scriptPolicy(theme, lib.code, script)
	var out bytes.Buffer
	if err := parsed.ExecuteTemplate(&out, "page.tmpl", p); err != nil {
		return err
	}
	_, err = w.Write(out.Bytes())
	return err
}

// scriptPolicy is the content security policy of the page: it allows exactly these scripts and
// no request, so that a script that got in by mistake does not run.
func scriptPolicy(scripts ...string) string {
	p := "default-src 'none'; script-src"
	for _, s := range scripts {
		sum := sha256.Sum256([]byte(s))
		p += " 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	}
	return p + "; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
}

func pageScript() string {
	var b strings.Builder
	b.WriteString("(function () {\n'use strict';\n" + embeddedFile("script/load.js") + "function page(data, bytes) {\n")
	for _, name := range scripts {
		b.WriteString(embeddedFile("script/" + name + ".js"))
	}
	b.WriteString("}\n})();")
	return b.String()
}

// embeddedFile is the text of an embedded file, which cannot be missing from a built program.
func embeddedFile(name string) string {
	b, err := files.ReadFile(name)
	if err != nil {
		panic(err)
	}
	return strings.TrimSpace(string(b)) + "\n"
}
