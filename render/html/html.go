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
var scripts = []string{"base", "colour", "shape", "map", "chart", "first", "change", "rankmap", "utilization", "timeline", "table", "page"}

// theme runs before the first paint, so that a stored choice does not flash.
const theme = `(function(){try{var t=localStorage.getItem('perfdiff-theme');if(t==='light'||t==='dark')document.documentElement.dataset.theme=t}catch(e){}})()`

var parsed = template.Must(template.ParseFS(files, "template/*.tmpl"))

// Write writes the page of r to w. The same report gives the same bytes; r is
// not changed. Names out of profiles are data in it, never markup. What clean
// does to text is done to the data, which nobody can do to what is compressed.
func Write(w io.Writer, r *diff.Report, clean func([]byte) []byte) error {
	p := pageOf(r)
	data, err := p.data.packed(clean)
	if err != nil {
		return err
	}
	lib, script := library(), script()
	p.Style = template.CSS(read("page.css"))
	// The template escapes none of these: they are the program's own, or base64.
	p.Theme, p.Script = template.JS(theme), template.JS(script)
	p.Licence, p.Library, p.Data = template.HTML(lib.licence), template.HTML(lib.packed), template.HTML(data)
	p.Policy = policy(theme, lib.code, script)
	var out bytes.Buffer
	if err := parsed.ExecuteTemplate(&out, "page.tmpl", p); err != nil {
		return err
	}
	_, err = w.Write(out.Bytes())
	return err
}

// policy allows exactly these scripts and no request: one that gets in by a
// mistake of ours does not run.
func policy(scripts ...string) string {
	p := "default-src 'none'; script-src"
	for _, s := range scripts {
		sum := sha256.Sum256([]byte(s))
		p += " 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	}
	return p + "; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
}

func script() string {
	var b strings.Builder
	b.WriteString("(function () {\n'use strict';\n" + read("script/load.js") + "function page(data, bytes) {\n")
	for _, name := range scripts {
		b.WriteString(read("script/" + name + ".js"))
	}
	b.WriteString("}\n})();")
	return b.String()
}

// read is an embedded file; it cannot be missing from a built program.
func read(name string) string {
	b, err := files.ReadFile(name)
	if err != nil {
		panic(err)
	}
	return strings.TrimSpace(string(b)) + "\n"
}
