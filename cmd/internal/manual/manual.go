// Package manual writes the help of commands as manual pages.
package manual

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/git-provenance/git-provenance/cmd/internal/console"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Write writes the page of a command and those of its subcommands into a directory.
func Write(dir string, c *cobra.Command) error {
	err := console.WriteFile(filepath.Join(dir, name(c)+".1"), func(w io.Writer) error {
		_, err := io.WriteString(w, page(c))
		return err
	})
	if err != nil {
		return err
	}
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() && sub.Name() != "completion" {
			if err := Write(dir, sub); err != nil {
				return err
			}
		}
	}
	return nil
}

func name(c *cobra.Command) string { return strings.ReplaceAll(c.CommandPath(), " ", "-") }

// page renders a command's help in man(7). It has no date, so that the same release makes the same pages.
func page(c *cobra.Command) string {
	var b strings.Builder
	fmt.Fprintf(&b, ".TH %q 1 \"\" %q\n", strings.ToUpper(name(c)), "git-provenance "+c.Root().Version)
	fmt.Fprintf(&b, ".SH NAME\n%s \\- %s\n", roff(name(c)), roff(c.Short))
	fmt.Fprintf(&b, ".SH SYNOPSIS\n%s\n", roff(c.UseLine()))
	block(&b, "DESCRIPTION", c.Long)
	options(&b, c)
	block(&b, "EXAMPLES", c.Example)
	related(&b, c)
	return b.String()
}

// block writes a section whose lines stay as they are.
func block(b *strings.Builder, title, text string) {
	if text != "" {
		fmt.Fprintf(b, ".SH %s\n.nf\n%s\n.fi\n", title, roff(text))
	}
}

func options(b *strings.Builder, c *cobra.Command) {
	if !c.HasAvailableLocalFlags() {
		return
	}
	b.WriteString(".SH OPTIONS\n")
	c.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		_, text := pflag.UnquoteUsage(f)
		if d := f.DefValue; d != "" && d != "[]" && d != "false" {
			text += " (default " + d + ")"
		}
		fmt.Fprintf(b, ".TP\n%s\n%s\n", synopsis(f), roff(text))
	})
}

// synopsis returns a flag and its value as they are typed.
func synopsis(f *pflag.Flag) string {
	names := "--" + f.Name
	if f.Shorthand != "" {
		names = "-" + f.Shorthand + ", " + names
	}
	value, _ := pflag.UnquoteUsage(f)
	out := `\fB` + roff(names) + `\fR`
	switch {
	case value == "": // a switch
	case f.NoOptDefVal != "":
		out += `[=\fI` + roff(value) + `\fR]`
	default:
		out += ` \fI` + roff(value) + `\fR`
	}
	return out
}

func related(b *strings.Builder, c *cobra.Command) {
	var names []string
	if c.HasParent() {
		names = append(names, name(c.Parent()))
	}
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() && sub.Name() != "completion" {
			names = append(names, name(sub))
		}
	}
	if len(names) == 0 {
		return
	}
	for i, n := range names {
		names[i] = `\fB` + roff(n) + `\fR(1)`
	}
	fmt.Fprintf(b, ".SH SEE ALSO\n%s\n", strings.Join(names, ", "))
}

// roff escapes the syntax of roff.
func roff(s string) string {
	s = strings.NewReplacer(`\`, `\e`, "-", `\-`, "…", "...").Replace(s)
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		if strings.HasPrefix(l, ".") || strings.HasPrefix(l, "'") {
			lines[i] = `\&` + l
		}
	}
	return strings.Join(lines, "\n")
}
