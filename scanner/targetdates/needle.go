package targetdates

import (
	"cmp"
	"path"
	"slices"
	"time"

	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/algorithms/match"
	"github.com/git-provenance/git-provenance/scanner/syntax/trace"
)

// Needle is a region to be searched for in a history: its short runs of tokens, with their names and with the names that a copy
// uses instead.
type Needle struct {
	sig    trace.Signature
	family string
	ext    string // of the file that the region is from
	lang   *lang.Language
	until  *time.Time // only commits made by then count; nil: all do
	base   string     // only files of this name count; "": all do
}

// NewNeedle returns the needle of the wanted tokens of a file in language l, or of the wanted words of its comments: prose in a file
// of code.
func NewNeedle(name string, l *lang.Language, side match.Side, wanted []bool, renamed map[string]string) *Needle {
	n := &Needle{family: l.Family, ext: path.Ext(name), lang: l, sig: trace.Signature{Comments: side.Prose && l != lang.Words()}}
	for at := 0; at < len(wanted); {
		if !wanted[at] {
			at++
			continue
		}
		end := at
		for end < len(wanted) && wanted[end] {
			end++
		}
		n.add(side.Text, side.Tokens[at:end], renamed)
		at = end
	}
	return n
}

// add adds a run of tokens. Runs shorter than trace.GramLength are ignored.
func (n *Needle) add(text []byte, toks []lang.Token, renamed map[string]string) {
	if len(toks) < trace.GramLength {
		return
	}
	here := n.sig.Side(text, toks)
	there, changed := trace.Side{Contents: slices.Clone(here.Contents), Names: slices.Clone(here.Names)}, false
	for i, t := range toks {
		if to, ok := renamed[string(text[t.Start:t.End])]; ok && t.Class == lang.Identifier {
			there.Contents[i], there.Names[i] = trace.Content(t, []byte(to)), trace.Name([]byte(to))
			changed = true
		}
	}
	sides := []trace.Side{here, there}
	if !changed {
		sides = sides[:1]
	}
	n.sig.Add(sides...)
}

// fileFilter decides by file names which files can have a needle.
type fileFilter struct {
	families map[string]bool
	exts     map[string]bool
	known    map[string]bool // by extension, or by name if there is none
	bases    map[string]bool // names of files, if no others count; nil: all do
}

// Named limits the search for a needle to files of a name, in any directory.
func (n *Needle) Named(base string) *Needle {
	n.base = base
	return n
}

// filterOf returns a filter for the files that can have one of some needles.
func filterOf(needles []*Needle) *fileFilter {
	f := &fileFilter{families: map[string]bool{}, exts: map[string]bool{}, known: map[string]bool{}, bases: map[string]bool{}}
	for _, n := range needles {
		f.families[n.family] = true
		f.exts[n.ext] = true
		if n.base == "" {
			f.bases = nil
		} else if f.bases != nil {
			f.bases[n.base] = true
		}
	}
	return f
}

// anyText stands for a content if only the name counts.
var anyText = []byte("text\n")

func (f *fileFilter) wants(name string) bool {
	if f.bases != nil && !f.bases[path.Base(name)] {
		return false
	}
	ext := path.Ext(name)
	if f.exts[ext] { // names without an extension say nothing: a first line such as #!/bin/sh does
		return true
	}
	key := cmp.Or(ext, path.Base(name))
	wants, ok := f.known[key]
	if !ok {
		wants = f.families[lang.Detect(name, anyText).Language.Family] || lang.IsNotebook(name)
		f.known[key] = wants
	}
	return wants
}
