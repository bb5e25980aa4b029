package scanner

import (
	"bytes"
	"context"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/git-provenance/git-provenance/baseline/license"
	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/attribution"
)

// maxAttributions is how many statements a finding lists: who has read twenty
// knows what the target says.
const maxAttributions = 20

// What a statement names of the origin found.
const (
	namesPackage = "package"
	namesLicense = "license"
	namesHolder  = "holder"
	namesOther   = "other"
	namesNothing = "nothing"
)

// said is what a text says about where it comes from, read once.
type said struct {
	text       []byte
	statements []attribution.Statement
	head       []byte                // what stands before the code
	wording    func() string         // what its head says of licences
	stated     func() license.Stated // by its head; asked for seldom, as it takes the patterns of all licences
}

func read(text []byte, tokens []lang.Token, prose bool) *said {
	head := text
	if len(tokens) > 0 {
		head = text[:tokens[0].Start]
	}
	return &said{
		text: text, statements: attribution.Scan(text, prose), head: head,
		wording: sync.OnceValue(func() string { return license.Wording(text) }),
		stated:  sync.OnceValue(func() license.Stated { return license.Head(text) }),
	}
}

// says reads what a target says, at the first finding in it.
func (w *worker) says(st stream) *said {
	if w.target == nil || len(w.target.text) != len(st.text) || len(st.text) > 0 && &w.target.text[0] != &st.text[0] {
		w.target = read(st.text, st.tokens, st.language == lang.Words())
	}
	return w.target
}

// maxHeads is how many documents' statements a worker keeps: those of one
// package at a time are asked for again and again.
const maxHeads = 64

// head reads what a document says, the text of which is loaded.
func (w *worker) head(d *doc) *said {
	if h, ok := w.heads[d.key]; ok {
		return h
	}
	if len(w.heads) >= maxHeads || w.heads == nil {
		w.heads = make(map[docKey]*said)
	}
	h := read(d.text, d.tokens, false)
	w.heads[d.key] = h
	return h
}

// source is a place with what its file says of itself.
type source struct {
	attribution.Origin
	place
	*said
	weak bool // it was judged to be no origin
}

// maxSources is how many of a finding's places statements are held against; those
// of which the file is read as well are as many as are judged.
const maxSources = 32

// unread is what is said by a file that was not read.
var unread = &said{wording: func() string { return "" }, stated: func() license.Stated { return license.Stated{} }}

// licence returns what the head states, "" when it states none or no one by name.
func (s *said) licence() string { return s.stated().Named() }

// sameNotice tells whether two texts say the same of their licence.
func (s *said) sameNotice(o *said) bool {
	return len(s.head) > 0 && bytes.Equal(s.head, o.head) || s.wording() == o.wording()
}

// sources lists the places a statement may name: every package once.
func (w *worker) sources(o others) ([]source, error) {
	var out []source
	seen, read := make(map[string]bool), 0
	for _, p := range o.claimed() {
		name := purl.Name(p.PURL)
		if seen[name] || len(out) == maxSources {
			continue
		}
		seen[name] = true
		s := source{place: p.place, said: unread, Origin: attribution.Origin{Path: p.Path, Name: p.PURL}, weak: p.why == PartWeak}
		if u, err := purl.Parse(p.PURL); err == nil {
			s.Type, s.Name = u.Type, purl.FullName(u)
		}
		if read < judged {
			if _, err := w.s.fullText(p.doc); err != nil {
				return nil, err
			}
			s.said = w.head(p.doc)
			s.Holders = attribution.Holders(s.statements)
			read++
		}
		out = append(out, s)
	}
	return out, nil
}

// attribute tells what the target says of a finding and what that comes to.
func (w *worker) attribute(st stream, o others, f *Finding) error {
	sources, err := w.sources(o)
	if err != nil {
		return err
	}
	function := 0
	if f.Function != nil {
		function = f.Function.StartLine
	}
	target := w.says(st)
	claims := claims{from: f.StartLine, to: f.EndLine, function: function, sources: sources, target: target, parts: o.names()}
	for _, s := range attribution.Near(target.statements, f.StartLine, f.EndLine, function) {
		claims.hear(s)
	}
	notices, err := w.s.notices.above(context.Background(), st.path)
	if err != nil {
		return err
	}
	for _, n := range notices {
		if n.Index != nil {
			claims.look(n)
		}
	}
	f.Compatibility = claims.compatibility(notices, st.path)
	f.Attributions = claims.notices()
	if f.Verdict == CommonCode {
		return nil
	}
	wrong, err := w.wrong(&claims)
	if err != nil {
		return err
	}
	switch {
	case wrong:
		f.Verdict = AttributionWrong
	case claims.named:
		f.Verdict = Attributed
	case stripped(target, sources[0]):
		f.Verdict = LicenceStripped
	default:
		f.Verdict = Undeclared
	}
	return nil
}

// compatibility holds the licence of the first origin against that of the target,
// nil where one of them is not known. A head that came with the code says nothing
// of the target.
func (c *claims) compatibility(ns []notice, file string) *Compatibility {
	o, head := c.sources[0], license.Stated{}
	if !c.target.sameNotice(o.said) {
		head = c.target.stated()
	}
	own, from := licenceOf(ns, file, head)
	answer, rule, ok := license.Compatible(o.License, own)
	if !ok {
		return nil
	}
	return &Compatibility{License: own, LicenseFrom: EscapeFrom(from), Answer: answer, Rule: rule}
}

// claims is what is said of one region.
type claims struct {
	from, to, function int
	sources            []source
	target             *said
	list               []Notice
	named              bool            // the package or its holder is
	snippet            []string        // licences of the snippet around the region
	others             []string        // packages named as what this very region was copied from
	parts              map[string]bool // packages that have part of it, lower-cased and without type
}

// hear takes a statement near the region.
func (c *claims) hear(s attribution.Statement) {
	names := c.names(s)
	direct := s.Direct(c.from, c.to, c.function)
	switch {
	case names == namesPackage || names == namesHolder:
		c.named = true
	case s.Kind == attribution.Snippet && s.SPDX != "":
		c.snippet = append(c.snippet, licence(s.SPDX))
	case s.Kind == attribution.CopiedFrom && !s.Strong && !direct, names == namesNothing && !s.Strong:
		return // a link at the head of the file, a sentence that names nothing
	case names == namesOther && s.Source != "" && direct && s.Strong && !c.inherited(s):
		c.others = append(c.others, attribution.References(s.Source)...)
	}
	c.list = append(c.list, Notice{Kind: string(s.Kind), Line: s.Line, Text: s.Text, Names: names})
}

// names tells what of the origin a statement names.
func (c *claims) names(s attribution.Statement) string {
	switch {
	case !c.carried(s) && slices.ContainsFunc(c.sources, func(o source) bool { return s.Names(o.Origin) }):
		return namesPackage
	case s.Holder != "" && (c.owned(s) || c.inherited(s)):
		return namesHolder
	case s.SPDX != "" && c.licensed(licence(s.SPDX)):
		return namesLicense
	case s.SPDX != "" || s.Holder != "" || len(attribution.References(s.Source)) > 0:
		return namesOther
	}
	return namesNothing
}

// carried tells whether a link only came along with the code, as one to the
// description of a format does. It was not put there to say where that is from.
func (c *claims) carried(s attribution.Statement) bool {
	link := s.Kind == attribution.CopiedFrom && s.Source == s.Text
	return link && c.inherited(s)
}

func (c *claims) owned(s attribution.Statement) bool {
	return slices.ContainsFunc(c.sources, func(o source) bool { return s.Owns(o.Origin) })
}

// inherited tells whether the origin says the same: the statement came with the
// code.
func (c *claims) inherited(s attribution.Statement) bool {
	return slices.ContainsFunc(c.sources, func(o source) bool {
		return slices.ContainsFunc(o.statements, func(t attribution.Statement) bool { return t.Kind == s.Kind && t.Text == s.Text })
	})
}

// licensed tells whether an expression has a licence of the first origin.
func (c *claims) licensed(expr string) bool {
	have := license.Terms(c.sources[0].License)
	return slices.ContainsFunc(license.Terms(expr), func(t string) bool { return slices.Contains(have, t) })
}

// licence reads the expression of a tag, behind which a comment may be closed.
func licence(s string) string {
	for _, c := range []string{"*/", "-->", "#}", "*)"} {
		s, _, _ = strings.Cut(s, c)
	}
	return license.Expression(s)
}

// look asks a notice file about the origins.
func (c *claims) look(n notice) {
	for _, o := range c.sources {
		s, ok := n.Names(o.Origin)
		names := namesPackage
		if !ok {
			s, ok = n.Owner(o.Origin)
			names = namesHolder
		}
		if ok {
			c.named = true
			c.list = append(c.list, Notice{Kind: string(s.Kind), Path: EscapeName(n.path), Line: s.Line, Text: s.Text, Names: names})
			return
		}
	}
}

func (c *claims) notices() []Notice {
	if len(c.list) == 0 {
		return []Notice{}
	}
	return c.list[:min(len(c.list), maxAttributions)]
}

// wrong tells whether what is said of the region cannot be true: it claims a
// licence that none of the origins lets the code be passed on under, or a package
// that the baseline has, and has without this code.
func (w *worker) wrong(c *claims) (bool, error) {
	claim, exact := "", false
	switch {
	case len(c.snippet) > 0:
		claim, exact = license.And(c.snippet...), true
	case !c.target.sameNotice(c.sources[0].said): // what came along denies nothing
		claim = c.target.licence()
	}
	if c.denied(claim, exact) {
		return true, nil
	}
	if c.named || len(c.others) == 0 {
		return false, nil
	}
	known, err := w.s.names()
	if err != nil {
		return false, err
	}
	for _, ref := range c.others {
		for _, name := range attribution.Packages(ref) {
			if known[name] && !c.parts[name] && !c.through(name) {
				return true, nil
			}
		}
	}
	return false, nil
}

func (c *claims) denied(claim string, exact bool) bool {
	return claim != "" && !slices.ContainsFunc(c.sources, func(o source) bool { return !o.weak && !license.Denies(claim, o.License, exact) })
}

// through tells whether an origin may itself have the code from a package, as
// the path of its file says.
func (c *claims) through(name string) bool {
	last := name[strings.LastIndexByte(name, '/')+1:]
	return slices.ContainsFunc(c.sources, func(o source) bool {
		return slices.Contains(strings.Split(strings.ToLower(o.Path), "/"), last)
	})
}

// From so much of the origin's file on, or half of that if its beginning is
// among it, the head of the file should have come along.
const mostOfFile = 0.5

// stripped tells whether most of a file was taken and what its head says of
// holder and licence was not.
func stripped(target *said, o source) bool {
	from, _ := o.Match.Origin()
	share := float64(o.Tokens()) / math.Max(float64(len(o.doc.tokens)), 1)
	if share < mostOfFile && !(from <= edge && share >= mostOfFile/2) {
		return false
	}
	if len(o.Holders) > 0 {
		return true // or it would be attributed
	}
	if target.sameNotice(o.said) || o.licence() == "" {
		return false
	}
	have := license.Terms(o.licence())
	return !slices.ContainsFunc(license.Terms(target.licence()), func(t string) bool { return slices.Contains(have, t) })
}

// listNames returns the names of all packages of the baselines, lower-cased and
// without type.
func (s *Scanner) listNames() (map[string]bool, error) {
	known, err := s.packages()
	if err != nil {
		return nil, err
	}
	names := make(map[string]bool)
	for _, p := range known {
		if name := fullName(p); name != "" {
			names[name] = true
		}
	}
	return names, nil
}

// packages lists the package URLs of the baselines.
func (s *Scanner) packages() ([]string, error) {
	var out []string
	for _, b := range s.bases {
		ps, err := b.Packages()
		if err != nil {
			return nil, err
		}
		for _, p := range ps {
			out = append(out, p.PURL)
		}
	}
	return out, nil
}

// fullName is the name of a package, lower-cased and without type; "" if the
// package URL is none.
func fullName(p string) string {
	u, err := purl.Parse(p)
	if err != nil {
		return ""
	}
	return strings.ToLower(purl.FullName(u))
}
