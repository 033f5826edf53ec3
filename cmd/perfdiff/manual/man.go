package manual

import (
	"fmt"
	"strings"
)

// Man returns the man page, as man(7) reads it: the help of the program and of each command. version
// stands at the foot.
func Man(version string, all []Command) string {
	var b strings.Builder
	fmt.Fprintf(&b, ".TH PERFDIFF 1 \"\" %s \"User Commands\"\n.SH NAME\nperfdiff \\- %s\n", roffQuoted("perfdiff "+version), roff(all[0].About))
	for _, c := range all {
		title := "DESCRIPTION"
		if c.Name != "" {
			title = strings.ToUpper("perfdiff " + c.Name)
		}
		fmt.Fprintf(&b, ".SH %s\n", roffQuoted(title))
		before, after, _ := strings.Cut(c.Text, flagsHere)
		writeText(&b, before)
		for _, g := range c.Groups {
			writeGroup(&b, g)
		}
		writeText(&b, after)
	}
	return b.String()
}

// writeGroup writes flags as items.
func writeGroup(b *strings.Builder, g Group) {
	if g.Title != "" {
		fmt.Fprintf(b, ".SS %s\n", roffQuoted(g.Title))
	}
	if g.NamesOnly {
		b.WriteString(roff(strings.Join(g.names(), " ")) + "\n")
		return
	}
	for _, f := range g.Flags {
		fmt.Fprintf(b, ".TP\n.B %s\n%s\n", roff(strings.TrimSpace(f.spelled())), roff(f.Text))
	}
}

// writeText writes the prose of a help page: a line that ends in a colon before an indented one is a heading, indented
// lines stand as they are.
func writeText(b *strings.Builder, text string) {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	literal := false
	end := func() {
		if literal {
			b.WriteString(".EE\n.RE\n")
		}
		literal = false
	}
	for i, line := range lines {
		text := strings.TrimLeft(line, " ")
		indented := len(line)-len(text) > 0
		switch {
		case text == "":
			end()
			b.WriteString(".PP\n")
		case indented:
			if !literal {
				b.WriteString(".RS 4\n.EX\n")
				literal = true
			}
			b.WriteString(roff(line) + "\n")
		case strings.HasSuffix(text, ":") && i+1 < len(lines) && strings.HasPrefix(lines[i+1], " "):
			end()
			fmt.Fprintf(b, ".SS %s\n", roffQuoted(strings.TrimSuffix(text, ":")))
		default:
			end()
			b.WriteString(roff(text) + "\n")
		}
	}
	end()
}

// roff returns a text in which nothing is a request or an escape.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text)
	if strings.HasPrefix(text, ".") || strings.HasPrefix(text, "'") {
		text = `\&` + text
	}
	return text
}

// roffQuoted returns a text as one argument of a request.
func roffQuoted(text string) string { return `"` + strings.ReplaceAll(roff(text), `"`, `\(dq`) + `"` }
