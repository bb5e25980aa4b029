// Package verdict compares a target's statements on its sources with the origins of a finding. Its input is the statements of a
// file and of the notice files above it. Its output is attributions, the compatibility of licences, and a verdict.
//
//	statements.go  a text → its statements
//	notices.go     the notice files that apply to a path
//	elsewhere.go   heads and directories that say that a file is somebody else's
//	cites.go       sources that say that their code is from the target, or from a third place
//	quoted.go      allow marks, without those in strings and in examples of Markdown
//	verdict.go     Question.Answer: statements and origins → a verdict
package verdict

import (
	"context"
	"path"
	"slices"
	"strings"

	"github.com/git-provenance/git-provenance/baseline/license"
	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/scanner/attribution"
	"github.com/git-provenance/git-provenance/scanner/finding"
)

// maxAttributions is how many statements a finding lists.
const maxAttributions = 20

// The parts of the origin that a statement can name.
const (
	namesPackage = "package"
	namesLicense = "license"
	namesHolder  = "holder"
	namesOther   = "other"
	namesNothing = "nothing"
)

// Question is a finding that a target may have statements on.
type Question struct {
	Path               string // of the target's file
	From, To, Function int    // lines; Function is 0 if there is none
	Target             *Statements
	Sources            []Source        // best first, at least one
	Parts              map[string]bool // packages that have part of the region, by FullName
	Common             bool            // common code: the verdict does not depend on statements
}

// Answer holds the target's statements and the verdict that follows.
type Answer struct {
	Copied        bool            // a statement says that the code was copied from the package of a source
	CitesTarget   int             // line of the first source that says that the code is from the target's repository, or 0
	Third         *finding.Notice // statement of the first source that it has the code from a third place; not if Copied
	Attributions  []finding.Notice
	Compatibility *finding.Compatibility
	Verdict       finding.Verdict
}

// Answer compares the target's statements with the sources. known returns the packages of the baselines by FullName; it is called
// if a statement names a package.
func (q Question) Answer(ctx context.Context, target *Notices, known func() (map[string]bool, error)) (Answer, error) {
	c := claims{Question: q}
	for _, s := range attribution.Near(q.Target.statements, q.From, q.To, q.Function) {
		c.addStatement(s)
	}
	notices, err := target.above(ctx, q.Path)
	if err != nil {
		return Answer{}, err
	}
	for _, n := range notices {
		if n.Index != nil {
			c.addNoticeFile(n)
		}
	}
	c.addLicenceFile(notices)
	c.addPackage(notices)
	out := Answer{Copied: c.copied, CitesTarget: c.citesTarget(), Compatibility: c.compatibility(notices, q.Path), Attributions: c.notices(), Verdict: finding.CommonCode}
	if q.Common {
		return out, nil
	}
	third, ofThird := c.third()
	if ofThird && !c.copied {
		out.Third = &finding.Notice{Kind: string(third.Kind), Line: third.Line, Text: third.Text, Names: namesOther}
	}
	wrong, err := c.wrong(known)
	switch {
	case err != nil:
		return Answer{}, err
	case wrong:
		out.Verdict = finding.AttributionWrong
	case c.named:
		out.Verdict = finding.Attributed
	case c.other, c.kept, ofThird && c.namesThird(third), c.ofLibrary(notices), c.ofHolder(notices), c.ofOtherLicence(notices):
		out.Verdict = finding.AttributedElsewhere
	case stripped(q.Target, q.Sources[0]):
		out.Verdict = finding.LicenceStripped
	default:
		out.Verdict = finding.Undeclared
	}
	return out, nil
}

// compatibility compares the licence of the first origin with that of the target. It returns nil if one of them is not known. A
// head that was copied with the code is ignored.
func (c *claims) compatibility(ns []notice, file string) *finding.Compatibility {
	o, head := c.Sources[0], license.Stated{}
	if !c.Target.sameNotice(o.Statements) {
		head = c.Target.stated()
		if own, ok := c.holderTerms(head); ok {
			from := license.From{Kind: license.FromHeader, Path: file, Line: head.Line}
			return &finding.Compatibility{License: own, LicenseFrom: finding.EscapeFrom(from), Answer: license.Fits, Root: license.Fits, Rule: "the head of the file names the origin's holder and states these terms"}
		}
	}
	own, from := licenceOf(ns, file, head)
	answer, rule, ok := license.Compatible(o.License, own)
	if !ok {
		return nil
	}
	out := &finding.Compatibility{License: own, LicenseFrom: finding.EscapeFrom(from), Answer: answer, Rule: rule}
	if whole, at := licenceOf(ns, "*", license.Stated{}); at != from && at.AtRoot() {
		out.Root, _, _ = license.Compatible(o.License, whole)
	}
	return out
}

// holderTerms returns the licence that the head of the target's file states, if it names the holder of an origin's file and nobody else, and binds
// no whole work. The first origin's file states no terms, so its licence is that of a package, which may be somebody else's. The licence is
// NoAssertion if the terms are no known licence.
func (c *claims) holderTerms(head license.Stated) (string, bool) {
	if !c.holders || c.Sources[0].statesTerms() || c.namesOthers() {
		return "", false
	}
	expr := head.Named()
	switch license.ClassOf(expr) {
	case license.PublicDomain, license.Permissive, license.WeakCopyleft:
		return expr, true
	}
	inFull := slices.ContainsFunc(c.Target.statements, func(s attribution.Statement) bool {
		comment := c.Target.licenceComments()[s.From]
		return s.Head && s.Kind == attribution.Copyright && comment.keeps && !comment.binds && c.names(s) == namesHolder
	})
	return license.NoAssertion, inFull && expr == ""
}

// namesOthers reports whether the head of the target's file names somebody whom no origin names, or the owner of the first origin's package: the
// terms may be theirs, or the licence of the package is the holder's.
func (c *claims) namesOthers() bool {
	return slices.ContainsFunc(c.Target.statements, func(s attribution.Statement) bool {
		return s.Head && s.Kind == attribution.Copyright && s.Holder != "" && (s.HeldByOwner(c.Sources[0].Origin) || c.names(s) == namesOther)
	})
}

// claims collects the statements on one region.
type claims struct {
	Question
	list    []finding.Notice
	named   bool     // the package or its holder is named
	copied  bool     // and a statement says that the code was copied from this package
	holders bool     // the head of the target's file names the same holder as the origin
	snippet []string // licences of the snippet that contains the region
	others  []string // packages named as the source of this region
	other   bool     // a statement says that the region or the file was copied from such a package
	kept    bool     // the file is of a package that the target keeps with its licence
}

// addStatement adds a statement near the region.
func (c *claims) addStatement(s attribution.Statement) {
	names := c.names(s)
	direct := s.Direct(c.From, c.To, c.Function)
	switch {
	case names == namesPackage || names == namesHolder:
		c.named = true
		c.copied = c.copied || names == namesPackage && s.Kind == attribution.CopiedFrom && s.Strong
		c.holders = c.holders || names == namesHolder && s.Head
	case s.Kind == attribution.Snippet && s.SPDX != "":
		c.snippet = append(c.snippet, licence(s.SPDX))
	case s.Kind == attribution.CopiedFrom && !s.Strong && !direct, names == namesNothing && !s.Strong:
		return // a link at the head of the file, or a sentence that names nothing
	case names == namesOther && s.Source != "" && (direct || s.Head) && s.Strong && !c.isInOrigin(s) && !c.linksToTarget(s) && !c.ownModule(s):
		c.other = true
		if direct {
			c.others = append(c.others, attribution.References(s.Source)...)
		}
	}
	c.list = append(c.list, finding.Notice{Kind: string(s.Kind), Line: s.Line, Text: s.Text, Names: names})
}

// names returns the part of the origin that a statement names.
func (c *claims) names(s attribution.Statement) string {
	switch {
	case !c.isCopiedLink(s) && slices.ContainsFunc(c.Sources, func(o Source) bool { return s.Names(o.Origin) || o.hasIdentifier(s) }):
		return namesPackage
	case s.Kind == attribution.Title && c.hasTitleOfOrigin(s):
		return namesPackage
	case s.Holder != "" && (c.owned(s) || c.isInOrigin(s) || c.nearOrigin(s)):
		return namesHolder
	case s.SPDX != "" && c.licensed(licence(s.SPDX)):
		return namesLicense
	case s.SPDX != "" || s.Holder != "" || namesPlace(s):
		return namesOther
	}
	return namesNothing
}

// isCopiedLink reports whether a link was copied with the code, such as a link to the description of a format. Such a link does not
// say where the code is from.
func (c *claims) isCopiedLink(s attribution.Statement) bool {
	link := s.Kind == attribution.CopiedFrom && s.Source == s.Text
	return link && c.isInOrigin(s)
}

func (c *claims) owned(s attribution.Statement) bool {
	return slices.ContainsFunc(c.Sources, func(o Source) bool { return s.Owns(o.Origin) })
}

// hasTitleOfOrigin reports whether the region has the title of the same library on both sides: both are versions of it.
func (c *claims) hasTitleOfOrigin(s attribution.Statement) bool {
	return s.IsTitleOf(c.From, c.To, c.Function) && slices.ContainsFunc(c.Sources, func(o Source) bool {
		return slices.ContainsFunc(o.statements, func(t attribution.Statement) bool {
			return t.IsTitleOf(o.From, o.To, 0) && attribution.SameTitle(t.Source, s.Source)
		})
	})
}

// nearOrigin reports whether a statement near the region in an origin's file names the same holder: the origin too has the code from this
// holder.
func (c *claims) nearOrigin(s attribution.Statement) bool {
	return slices.ContainsFunc(c.Sources, func(o Source) bool {
		return slices.ContainsFunc(attribution.Near(o.statements, o.From, o.To, 0), func(t attribution.Statement) bool { return attribution.SameHolder(t.Holder, s.Holder) })
	})
}

// isInOrigin reports whether an origin has the same statement, so that it was copied with the code.
func (c *claims) isInOrigin(s attribution.Statement) bool {
	return slices.ContainsFunc(c.Sources, func(o Source) bool { return o.Says(s) })
}

// linksToTarget reports whether a statement links to the target's own repository: on any host, since repositories are mirrored, and files have
// addresses on hosts of their own.
func (c *claims) linksToTarget(s attribution.Statement) bool {
	return slices.ContainsFunc(attribution.References(s.Source), func(ref string) bool {
		_, name, _ := strings.Cut(ref, "/")
		return slices.ContainsFunc(c.Sources[0].Target, func(repo string) bool {
			_, own, _ := strings.Cut(repo, "/")
			return name == own || strings.HasPrefix(name, own+"/")
		})
	})
}

// ownModule reports whether a statement names a module of the target itself.
func (c *claims) ownModule(s attribution.Statement) bool {
	return inModule(s.Module(), c.Path) || slices.ContainsFunc(c.Sources[0].Target, func(repo string) bool { return isTop(s.Module(), path.Base(repo)) })
}

// licensed reports whether an expression contains a licence of the first origin.
func (c *claims) licensed(expr string) bool {
	return sharesTerm(expr, c.Sources[0].License)
}

// addNoticeFile adds what a notice file says of an origin.
func (c *claims) addNoticeFile(n notice) {
	for _, o := range c.Sources {
		s, ok := n.Names(o.Origin)
		names := namesPackage
		if !ok {
			s, ok = n.Owner(o.Origin)
			names = namesHolder
		}
		if ok {
			c.named = true
			c.list = append(c.list, finding.Notice{Kind: string(s.Kind), Path: finding.EscapeName(n.path), Line: s.Line, Text: s.Text, Names: names})
			return
		}
	}
}

// addLicenceFile adds a licence file as a notice if it came with an origin's package: patched/pip/LICENSE names the owner of the
// files in patched/pip. The file must contain one of the package's licences. Its directory must have the layout of the package; or
// it has the name of the package, and the licence files above it name another holder. If the layout agrees, the licence of the
// origin's file may be unknown, and a README that states one licence counts too.
func (c *claims) addLicenceFile(ns []notice) {
	if c.named {
		return
	}
	for _, n := range ns {
		dir, name := path.Split(n.path)
		dir = strings.TrimSuffix(dir, "/")
		rest, below := strings.CutPrefix(c.Path, dir+"/")
		if dir == "" || !below || n.licence == nil || !n.readme && !license.IsFile(name) {
			continue
		}
		expr := n.expression(c.Path)
		for _, o := range c.Sources {
			whole, laidOut := compareNames(path.Base(dir), rest, o.Origin)
			fits := sharesTerm(expr, o.License) || laidOut && !n.readme && o.License == license.NoAssertion
			if (laidOut || whole && !n.readme && !ofTarget(n, dir, ns)) && fits {
				c.named = true
				c.addLicence(n, namesPackage)
				return
			}
		}
	}
}

// addLicence adds a file that states the licence of the target's file.
func (c *claims) addLicence(n notice, names string) {
	c.list = append(c.list, finding.Notice{Kind: string(attribution.NoticeFile), Path: finding.EscapeName(n.path), Line: 1, Text: n.expression(c.Path), Names: names})
}

// compareNames compares the directory dir, which has a file at the path rest, with a package. whole says that dir has the package's
// name. laidOut says that the origin's file is at the same path: at rest below a directory of dir's name, or at rest itself, and
// dir's name contains the package's name, as fork-sax does.
func compareNames(dir, rest string, o attribution.Origin) (whole, laidOut bool) {
	whole, part := o.Folder(dir)
	return whole, o.Path == rest && (whole || part || path.Base(o.Name) == dir) || strings.HasSuffix("/"+o.Path, "/"+dir+"/"+rest)
}

// ofTarget reports whether a licence file in dir names the same holder as a licence file above dir. Then it is the target's own: a
// repository that publishes several packages has one in each.
func ofTarget(n notice, dir string, ns []notice) bool {
	return slices.ContainsFunc(licenceFiles(ns), func(m notice) bool {
		return !strings.HasPrefix(m.path, dir+"/") && n.SharesHolder(m.Index)
	})
}

func sharesTerm(a, b string) bool {
	have := license.Terms(b)
	return slices.ContainsFunc(license.Terms(a), func(t string) bool { return slices.Contains(have, t) })
}

func (c *claims) notices() []finding.Notice {
	if len(c.list) == 0 {
		return []finding.Notice{}
	}
	return c.list[:min(len(c.list), maxAttributions)]
}

// wrong reports whether a statement on the region cannot be true. It names a licence under which no origin may be passed on, or a
// package in the baseline that does not have this code.
func (c *claims) wrong(known func() (map[string]bool, error)) (bool, error) {
	claim, exact := "", false
	switch {
	case len(c.snippet) > 0:
		claim, exact = license.And(c.snippet...), true
	case len(c.others) > 0: // the licence of the file is not that of a region from elsewhere
	case c.holders: // a holder passes on the same code under several licences
	case c.Target.headNamesHolder() && c.Sources[0].namesNobody(): // which of the two has the code from elsewhere is not known
	case !c.Target.sameNotice(c.Sources[0].Statements): // a copied notice contradicts nothing
		claim = c.Target.HeadLicence()
	}
	if c.denied(claim, exact) {
		return true, nil
	}
	if c.named || len(c.others) == 0 {
		return false, nil
	}
	names, err := known()
	if err != nil {
		return false, err
	}
	for _, ref := range c.others {
		for _, name := range attribution.Packages(ref) {
			if names[name] && !c.Parts[name] && !c.through(name) {
				return true, nil
			}
		}
	}
	return false, nil
}

func (c *claims) denied(claim string, exact bool) bool {
	return claim != "" && !slices.ContainsFunc(c.Sources, func(o Source) bool { return !o.Weak && !license.Denies(claim, o.License, exact) })
}

// through reports whether an origin may have the code from the given package itself, according to the path of its file.
func (c *claims) through(name string) bool {
	last := name[strings.LastIndexByte(name, '/')+1:]
	return slices.ContainsFunc(c.Sources, func(o Source) bool {
		return slices.Contains(strings.Split(strings.ToLower(o.Path), "/"), last)
	})
}

// mostOfFile is the share of the origin's file from which its head should have been copied too. Half of that is enough if the
// match includes the beginning of the file.
const mostOfFile = 0.5

// stripped reports whether most of a file was copied without the holder and licence that its head states.
func stripped(target *Statements, o Source) bool {
	if path.Ext(o.Path) != "" && finding.Document(o.Path) {
		return false // a heading in a README is not the head of a file
	}
	if o.FileShare < mostOfFile && !(o.Begins && o.FileShare >= mostOfFile/2) {
		return false
	}
	if len(o.Holders) > 0 {
		return true // otherwise the finding would be attributed
	}
	if target.sameNotice(o.Statements) || o.HeadLicence() == "" {
		return false
	}
	have := license.Terms(o.HeadLicence())
	return !slices.ContainsFunc(license.Terms(target.HeadLicence()), func(t string) bool { return slices.Contains(have, t) })
}

// FullName returns the name of a package in lower case and without type; "" if the package URL is not valid.
func FullName(p string) string {
	u, err := purl.Parse(p)
	if err != nil {
		return ""
	}
	return strings.ToLower(purl.FullName(u))
}
