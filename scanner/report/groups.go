package report

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/finding"
)

// documents are the extensions of texts for people. Names without one, such as
// CONTRIBUTING, are documents too.
var documents = []string{"", ".md", ".markdown", ".mdx", ".rst", ".txt", ".adoc", ".asciidoc", ".org", ".tex", ".textile", ".pod", ".rdoc"}

// prose tells whether a region is no code: a document that was read as words, as
// code without a grammar is too.
func prose(f *finding.Finding) bool {
	return f.Language == lang.Words().Name && slices.Contains(documents, strings.ToLower(path.Ext(strings.TrimPrefix(path.Base(f.Path), "."))))
}

// grouped puts the regions that one file shares with one file of a package
// together, by lines, where the first of them stands. Prose follows code, and what
// asks for nothing follows what does.
func grouped(fs []*finding.Finding) [][]*finding.Finding {
	type key struct {
		path, pkg, file string
		prose, quiet    bool
	}
	at := make(map[key]int)
	var out [][]*finding.Finding
	for _, f := range fs {
		o := firstOrigin(f)
		k := key{f.Path, purl.Name(o.PURL), o.Path, prose(f), Quiet(f)}
		i, ok := at[k]
		if !ok {
			i = len(out)
			at[k] = i
			out = append(out, nil)
		}
		out[i] = append(out[i], f)
	}
	for _, g := range out {
		slices.SortStableFunc(g, func(a, b *finding.Finding) int { return a.StartLine - b.StartLine })
	}
	slices.SortStableFunc(out, func(a, b []*finding.Finding) int { return finding.CompareTrue(prose(b[0]), prose(a[0])) })
	slices.SortStableFunc(out, func(a, b []*finding.Finding) int { return finding.CompareTrue(Quiet(b[0]), Quiet(a[0])) })
	return out
}

// regionCount says how many regions there are, in how many files, shared with how
// many packages; "" where a count of findings says as much.
func regionCount(fs []*finding.Finding) string {
	files, packages := make(map[string]bool), make(map[string]bool)
	for _, f := range fs {
		files[f.Path], packages[purl.Name(firstOrigin(f).PURL)] = true, true
	}
	if len(fs) < 2 {
		return ""
	}
	return fmt.Sprintf("%s in %s %s %s", plural(len(fs), "region"), plural(len(files), "file"), relations(fs), plural(len(packages), "package"))
}

// relations is how several findings stand to their origins: as each of them does,
// or in the words that accuse nobody where they differ.
func relations(fs []*finding.Finding) string {
	words, _ := relation(fs[0])
	for _, f := range fs[1:] {
		if w, _ := relation(f); w != words {
			return "shared with"
		}
	}
	return words
}

// tokensOf adds up what the regions of a group share with the origin.
func tokensOf(g []*finding.Finding) int {
	n := 0
	for _, f := range g {
		n += f.Tokens
	}
	return n
}

// group heads the regions that one file shares with one origin file, if there are several.
func (t *text) group(g []*finding.Finding) {
	if len(g) < 2 {
		return
	}
	o := firstOrigin(g[0])
	fmt.Fprintf(t.w, "%s  %s %s %s %s, %s\n\n", t.paint(bold, Escape(g[0].Path)), plural(len(g), "region"), relations(g), Escape(o.PURL), Escape(o.Path), plural(tokensOf(g), "token"))
}

// mdGroup is the same as a heading.
func (m *markdown) mdGroup(g []*finding.Finding) string {
	o := firstOrigin(g[0])
	first, last := g[0], g[len(g)-1]
	return fmt.Sprintf("### %s, %s %s %s of %s (%s)\n\n", m.fileLink(first.Path, mdCode(first.Path), first.StartLine, last.EndLine), plural(len(g), "region"), relations(g),
		mdCode(o.Path), mdCode(o.PURL), mdText(licenceWords(o.License)))
}

// parts finds, for each finding of a group of several, its group.
func partsOf(groups [][]*finding.Finding) map[*finding.Finding][]*finding.Finding {
	out := make(map[*finding.Finding][]*finding.Finding)
	for _, g := range groups {
		for _, f := range g {
			if len(g) > 1 {
				out[f] = g
			}
		}
	}
	return out
}

// together says which other regions the file shares with the same file.
func together(f *finding.Finding, g []*finding.Finding) []value {
	if len(g) < 2 {
		return nil
	}
	v := value{say(fmt.Sprintf("one of %s of this file %s the same file, %s in all: ", plural(len(g), "region"), relations(g), plural(tokensOf(g), "token")))}
	for i, o := range g {
		if i == maxRanges {
			return []value{append(v, say(fmt.Sprintf(", %d more", len(g)-i)))}
		}
		if i > 0 {
			v = append(v, say(", "))
		}
		lines := say(dashed(o.StartLine, o.EndLine))
		if o == f {
			lines = strong(dashed(o.StartLine, o.EndLine))
		}
		v = append(v, lines)
	}
	return []value{v}
}
