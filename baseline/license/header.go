package license

import (
	"bytes"
	"slices"
	"strings"
	"sync"

	"github.com/google/licensecheck"

	"github.com/git-provenance/git-provenance/baseline/license/internal/comment"
)

// headBytes is how many bytes of a file are searched. The longest header in common use (a whole BSD or MIT text with a
// list of authors) has about 2.5 KB. A first comment that is longer is read up to longestHead bytes.
const headBytes, longestHead = 4096, 16 << 10

var (
	tag     = []byte("SPDX-License-Identifier:")
	snippet = []byte("SPDX-SnippetBegin")

	byteOrderMark = []byte("\uFEFF") // before the first comment it is no code
)

// closers end a comment on the line of a tag; quotes end a tag within a string.
var closers = []string{"*/", "-->", "--%>", "%>", "#}", "*)", "-}", "]]", `"""`, "'''", `"`, "'", "`", "#", "*"}

// Stated is the licence stated in the head of a file.
type Stated struct {
	License string // SPDX expression; "" when the head states none
	Tag     bool   // stated by an SPDX-License-Identifier, not by a text, notice or sentence
	Line    int    // line where the statement begins
}

// Named returns the stated licence. It returns "" if there is none, only "like" another one, or in unknown words.
func (s Stated) Named() string {
	if hint(s.License) || s.License == ownTerms || s.License == foreignTerms || strings.HasPrefix(s.License, pointing) {
		return ""
	}
	return s.License
}

// Heads reads the heads of files, one after another. Most files of a tree begin with the same comment, so what a comment says is
// remembered for the next files. The zero value is ready. Safe for concurrent use.
type Heads struct {
	mu   sync.Mutex
	said map[string]blockSaid
}

// Read reads the licence that a file's head states. First come SPDX-License-Identifier tags, then licence texts,
// notices and links in comments, then names of licences in a comment. Tags of an SPDX snippet belong to the snippet,
// not to the file.
func (h *Heads) Read(src []byte) Stated {
	src = bytes.TrimPrefix(src, byteOrderMark)
	head := headOf(src)
	if e, at := tagged(head); e != "" {
		return Stated{e, true, lineAt(head, at)}
	}
	if e, at := annotated(head); e != "" {
		return Stated{e, false, lineAt(head, at)}
	}
	s := h.inComments(head)
	if s.License == "" || vague(s.License) && s.Named() == "" {
		if end := atEnd(src); end.License != "" {
			return end
		}
	}
	return s
}

// inComments reads the comments of a head: notices first, then names, then what only points to a licence.
func (h *Heads) inComments(head []byte) Stated {
	if !mentionsLicence(head) && !inPublicDomain(head) {
		return Stated{}
	}
	head = remarked(head)
	var whole, short, first, hints Stated
	code, end := false, 0
	comment.Runs(head, func(block []byte, start int) {
		code, end = code || hasCode(head[end:start]), start+len(block)
		if !mentionsLicence(block) && !inPublicDomain(block) {
			return
		}
		b := h.block(block)
		switch {
		case b.whole.License != "":
			if whole.License == "" {
				whole.Line = lineAt(head, start+b.whole.at)
			}
			whole.License = And(whole.License, b.whole.License)
		case short.License != "":
		case b.short.License != "":
			short = Stated{b.short.License, false, lineAt(head, start+b.short.at)}
			if !code && whole.License == "" && bytes.Contains(block, copyrighted) {
				first = short
			}
		case b.hint == unreadTerms && (code || hints.License != ""):
		case b.hint == unreadTerms:
			hints = Stated{foreignTerms, false, lineAt(head, start)}
		case b.hint != "" && hints.License == "":
			hints = Stated{b.hint, false, lineAt(head, start)}
		}
	})
	if whole.License != "" && first.License != "" {
		whole.License, whole.Line = beside(whole.License, first.License), first.Line
	}
	for _, s := range []Stated{whole, short} {
		if s.License != "" {
			return s
		}
	}
	return hints
}

// copyrighted is in a comment that says whose the file is.
var copyrighted = []byte("opyright")

// hasCode reports whether there is code between two comments: more than directives of a preprocessor and the mark of PHP.
func hasCode(between []byte) bool {
	for line := range bytes.Lines(between) {
		if line = bytes.TrimSpace(line); len(line) > 0 && !comment.IsDirective(line) && string(line) != phpMark {
			return true
		}
	}
	return false
}

// beside returns the licence of a file whose head has the text of one licence, whole, and names another one, named. The name of the
// same licence adds nothing, nor does the public domain. If named is a choice that includes whole, the choice is the licence.
func beside(whole, named string) string {
	terms, all := Terms(whole), Terms(named)
	known := func(t string) bool {
		return t == nameID("public domain") || slices.ContainsFunc(terms, func(w string) bool {
			return w == t || family(w) == family(t) || hint(t) && family(w) == "BSD"
		})
	}
	switch {
	case named == "":
		return whole
	case !slices.ContainsFunc(all, func(t string) bool { return !known(t) }):
		return whole
	case len(terms) == 1 && strings.Contains(named, " OR ") && slices.Contains(all, terms[0]):
		return named
	}
	return And(whole, named)
}

// blockSaid is what one comment states: by a text or notice, or else by a name or known wording, or else by a hint.
type blockSaid struct {
	whole, short struct {
		License string
		at      int
	}
	hint string
}

// maxBlocks bounds the comments that are remembered. A comment has at most longestHead bytes.
const maxBlocks = 512

// block reads a comment, unless it is remembered.
func (h *Heads) block(block []byte) blockSaid {
	h.mu.Lock()
	said, known := h.said[string(block)]
	h.mu.Unlock()
	if known {
		return said
	}
	exprs, found := notices(block)
	if rest := interrupted(block); rest != nil {
		more, at := notices(rest)
		for i, e := range more {
			if !slices.Contains(exprs, e) {
				exprs, found = append(exprs, e), append(found, at[i])
			}
		}
	}
	if said.whole.License = together(exprs, block); said.whole.License != "" {
		said.whole.at = found[0].Start
		said.whole.License = original(said.whole.License, block, found)
		if bytes.Contains(block, following) {
			said.whole.License, said.hint = modified(said.whole.License, plain(block))
		}
		if strings.Contains(said.whole.License, "GPL-") && certain(said.whole.License, plain(block)) == ownTerms {
			said.whole.License, said.hint = "", ownTerms
		}
	} else {
		text := plain(block)
		said.short.License, said.short.at = inWording(block, text)
		switch {
		case said.short.License == "":
			said.hint = vagueHead(text)
		case unlisted(said.short.License), certain(said.short.License, text) == ownTerms:
			said.short.License, said.hint = "", ownTerms
		}
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.said == nil || len(h.said) >= maxBlocks {
		h.said = make(map[string]blockSaid)
	}
	h.said[string(block)] = said
	return said
}

func lineAt(text []byte, at int) int { return 1 + bytes.Count(text[:at], []byte{'\n'}) }

// headOf returns the head of a file. The notices of a bundle's modules are not in it.
func headOf(src []byte) []byte {
	head := src[:min(len(src), headBytes)]
	if len(src) > headBytes {
		head = src[:firstComment(src[:min(len(src), longestHead)])]
	}
	head = head[:firstModule(head)]
	if i := bytes.Index(head, snippet); i >= 0 {
		head = head[:i]
	}
	return head
}

// firstComment returns where the comment ends that a long file begins with, headBytes at least.
func firstComment(head []byte) int {
	in, closer := false, ""
	for pos := 0; pos < len(head); {
		line, begun := bytes.TrimSpace(head[pos:pos+comment.LineLen(head[pos:])]), in
		in, closer = comment.Line(line, closer)
		switch {
		case in && (begun || pos < headBytes):
		case len(line) == 0 && pos < headBytes:
		case bytes.HasPrefix(line, shebang), string(line) == phpMark:
		default:
			return max(pos, headBytes)
		}
		pos += comment.LineLen(head[pos:])
	}
	return len(head)
}

// phpMark begins a file of PHP.
const phpMark = "<?php"

var shebang = []byte("#!")

// Wording returns the lines of a file's head that mention licences. It takes a hundredth of the time of Heads.Read. Files
// with the same wording have the same licence.
func Wording(src []byte) string {
	var b strings.Builder
	for line := range bytes.Lines(headOf(src)) {
		if mentionsLicence(line) {
			b.Write(bytes.TrimSpace(line))
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// tagged returns the conjunction of all valid tags in head, and the position of the first. It returns "" if there are
// none.
func tagged(all []byte) (expr string, at int) {
	var exprs []string
	head := all
	for {
		before, rest, ok := bytes.Cut(head, tag)
		if !ok {
			break
		}
		line, after, _ := bytes.Cut(rest, []byte("\n"))
		e := Expression(trimClosers(string(line)))
		if e != NoAssertion && !inCode(before) {
			if exprs == nil {
				at = len(all) - len(rest) - len(tag)
			}
			exprs = append(exprs, e)
		}
		head = after
	}
	if exprs == nil {
		return "", 0
	}
	return And(exprs...), at
}

// inCode reports whether the text before a tag, on the same line, opens a string after something else. Then a program
// writes or searches for tags, and this is not the file's own tag.
func inCode(before []byte) bool {
	line := bytes.TrimSpace(before[bytes.LastIndexByte(before, '\n')+1:])
	return bytes.IndexAny(line, "\"'`") > 0 && !bytes.HasPrefix(line, []byte(`"""`)) && !bytes.HasPrefix(line, []byte("'''"))
}

func trimClosers(s string) string {
	for {
		s = strings.TrimSpace(s)
		t := s
		for _, c := range closers {
			t = strings.TrimSuffix(t, c)
		}
		if t == s {
			return s
		}
		s = t
	}
}

// Heads that change the wording of a licence. Each has the words of following; changed matches the whole phrase; replaced is in the
// head of Pixar's licence.
var (
	following = []byte("ollowing modification")
	changed   = compiled(`(?i)\b(?:licen[sc]e|GPL)["')]* (?:applies )?with the following modifications?\b`)
	replaced  = "Section 6. Trademarks. is deleted and replaced with"
)

// modified returns the licence of a head that may change the wording of expr. With an unknown change the licence is unknown.
func modified(expr, text string) (license, hint string) {
	switch {
	case !changed().MatchString(text):
		return expr, ""
	case expr == "Apache-2.0" && strings.Contains(text, replaced):
		return "Pixar", ""
	}
	return "", ownTerms
}

// ofOthers are words of which a paragraph on the original code has one.
var ofOthers = [][]byte{copyrighted, []byte("riginal licen"), []byte("RIGINAL LICEN"), []byte("riginal Licen"), []byte("RSA Data Security")}

// notices returns the licences of the texts, notices and links in a comment, and where each stands.
func notices(block []byte) (exprs []string, found []licensecheck.Match) {
	for _, m := range scan(block, foundOrNoNotice(block)).Match {
		if id := idOf(block, m); id != "" {
			exprs, found = append(exprs, id), append(found, m)
		}
	}
	return exprs, found
}

// original adds the licence of the code that the file was made from, if a paragraph beside the file's own text or notice names it.
// Such a paragraph has its own copyright line, or says that its licence is the original one.
func original(whole string, block []byte, taken []licensecheck.Match) string {
	at := 0
	for _, m := range append(apartBy().FindAllIndex(block, -1), []int{len(block), len(block)}) {
		part, from := block[at:m[0]], at
		at = m[1]
		if len(part) > shortStatement || !hasAny(part, ofOthers) || !mentionsLicence(part) ||
			slices.ContainsFunc(taken, func(t licensecheck.Match) bool { return t.Start < m[0] && from < t.End && body(block, t) < m[0] }) {
			continue
		}
		switch e, _ := inWording(part, plain(part)); {
		case e == goBSDStyle:
			whole = beside(whole, "BSD-3-Clause")
		case e != ownTerms && e != foreignTerms && !unlisted(e):
			whole = beside(whole, e)
		}
	}
	return whole
}

// words are parts of words in comments about licences: "licence", "license", "copyright" and "redistribution" in all
// spellings, names of the GNU licences, and phrases of texts that have none of these words.
var words = [][]byte{[]byte("icen"), []byte("ICEN"), []byte("opyright"), []byte("OPYRIGHT"), []byte("edistribut"), []byte("EDISTRIBUTION"), []byte("ermission is granted"), []byte("GPL"), []byte("WITHOUT ANY WARRANTY"), []byte("opying and distribution")}

// mentionsLicence selects the texts that are worth scanning, which takes 15 ns a byte.
func mentionsLicence(b []byte) bool { return hasAny(b, words) }

// inPublicDomain reports whether a text mentions the public domain, in the usual spellings.
func inPublicDomain(b []byte) bool { return hasAny(b, domain) }

// domain lists the spellings of "public domain".
var domain = [][]byte{[]byte("ublic domain"), []byte("ublic-domain"), []byte("ublic Domain"), []byte("ublic-Domain"), []byte("UBLIC DOMAIN")}
