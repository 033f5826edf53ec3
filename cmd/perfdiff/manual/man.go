package manual

import (
	"fmt"
	"strings"
)

// Man is the man page, as man(7) reads it: the help of the program and of each command. version
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
		writeHelp(&b, c.Help)
	}
	return b.String()
}

// writeHelp writes a help text: a line that ends in a colon before an indented one is a heading,
// flags are items, other indented lines stand as they are.
func writeHelp(b *strings.Builder, help string) {
	lines := strings.Split(strings.TrimSpace(help), "\n")
	literal, inFlag := false, false
	end := func() {
		if literal {
			b.WriteString(".EE\n.RE\n")
		}
		literal, inFlag = false, false
	}
	for i, line := range lines {
		text := strings.TrimLeft(line, " ")
		indented := len(line)-len(text) > 0
		switch flag := flagLine.FindStringSubmatch(line); {
		case text == "":
			end()
			b.WriteString(".PP\n")
		case flag != nil:
			end()
			inFlag = true
			name, about := splitFlag(flag[1])
			fmt.Fprintf(b, ".TP\n.B %s\n", roff(name))
			if about != "" {
				b.WriteString(roff(about) + "\n")
			}
		case indented && !inFlag:
			if !literal {
				b.WriteString(".RS 4\n.EX\n")
				literal = true
			}
			b.WriteString(roff(line) + "\n")
		case !indented && strings.HasSuffix(text, ":") && i+1 < len(lines) && strings.HasPrefix(lines[i+1], " "):
			end()
			fmt.Fprintf(b, ".SS %s\n", roffQuoted(strings.TrimSuffix(text, ":")))
		default:
			if !indented {
				end()
			}
			b.WriteString(roff(text) + "\n")
		}
	}
	end()
}

// splitFlag cuts "--format NAME      format of ..." before its text. A line of flags alone has none.
func splitFlag(line string) (name, text string) {
	if i := strings.Index(line, "  "); i > 0 {
		return line[:i], strings.TrimSpace(line[i:])
	}
	return line, ""
}

// roff is a text in which nothing is a request or an escape.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text)
	if strings.HasPrefix(text, ".") || strings.HasPrefix(text, "'") {
		text = `\&` + text
	}
	return text
}

// roffQuoted is a text as one argument of a request.
func roffQuoted(text string) string { return `"` + strings.ReplaceAll(roff(text), `"`, `\(dq`) + `"` }
