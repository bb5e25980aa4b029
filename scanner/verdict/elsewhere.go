package verdict

import (
	"slices"
	"strings"

	"github.com/git-provenance/git-provenance/baseline/license"
	"github.com/git-provenance/git-provenance/scanner/attribution"
	"github.com/git-provenance/git-provenance/scanner/vendored"
)

// Rules by which a file of the target counts as somebody else's although no sentence says so: by its head, or by its directory.
// They apply only if the files of all origins name no holder and no licence.

// ofLibrary reports whether the target has a library with its licence: the file begins with a name and a version, and its holder is named
// by a licence file in a folder above, but by no licence file above that one. The files of all origins name nobody, so they may be parts
// of the same library.
func (c *claims) ofLibrary(ns []notice) bool {
	heard := func(kind attribution.Kind, ok func(attribution.Statement) bool) bool {
		return slices.ContainsFunc(c.Target.statements, func(s attribution.Statement) bool { return s.Head && s.Kind == kind && ok(s) })
	}
	return c.originsNameNobody() &&
		heard(attribution.Title, attribution.Statement.Leads) &&
		heard(attribution.Copyright, func(s attribution.Statement) bool { return namedInFolderOnly(s, ns) })
}

// ofHolder reports whether a comment at the head of the file, or at the region, is a licence in full, whose holder no licence file of
// the target names: the code is somebody else's, and its notice is kept. The files of all origins name nobody, so they may have the
// code from this holder too.
func (c *claims) ofHolder(ns []notice) bool {
	return slices.ContainsFunc(c.Target.statements, func(s attribution.Statement) bool {
		return s.Kind == attribution.Copyright && (s.Head || s.Direct(c.From, c.To, c.Function)) && namedByNoLicence(s, ns) && c.Target.licenceComments()[s.From].keeps
	}) && c.originsNameNobody()
}

// ofOtherLicence reports whether the head of the file names a holder and a licence, no licence file of the target names this holder, and the
// topmost ones name another holder and other licences: the file is somebody else's, with its head. The files of all origins name
// nobody, so they may have the code from this holder too.
func (c *claims) ofOtherLicence(ns []notice) bool {
	if !slices.ContainsFunc(c.Target.statements, func(s attribution.Statement) bool {
		return s.Kind == attribution.Copyright && s.Head && namedByNoLicence(s, ns)
	}) || !c.originsNameNobody() {
		return false
	}
	top := topmost(ns)
	if !slices.ContainsFunc(top, func(n notice) bool { return n.Index.NamesHolder() }) {
		return false
	}
	own, _ := licenceOf(top, c.Path, license.Stated{})
	other := c.Target.HeadLicence()
	return other != "" && !sharesTerm(other, own)
}

// addPackage adds the licence of a package that the target keeps in a directory for code of others, such as third_party/lz4/LICENSE. The
// file is this package's, whatever other packages have it too. If an origin's file names its holder, that does not count: somebody may
// have put the code there without its head. Nor does it if a licence above names the same holder, as in a repository that keeps its own
// packages in deps.
func (c *claims) addPackage(ns []notice) {
	dir := vendored.KeptByHand(c.Path)
	if dir == "" || c.named || !c.originsNameNobody() {
		return
	}
	licences := licenceFiles(ns)
	i := slices.IndexFunc(licences, func(n notice) bool { return strings.HasPrefix(n.path, dir+"/") })
	if i < 0 || ofTarget(licences[i], dir, ns) {
		return
	}
	c.kept = true
	c.addLicence(licences[i], namesOther)
}

// originsNameNobody reports whether the files of all origins name nobody.
func (c *claims) originsNameNobody() bool {
	return !slices.ContainsFunc(c.Sources, func(o Source) bool { return !o.namesNobody() })
}

// namedByNoLicence reports whether licence files apply to the target's file, and none of them names the holder of a statement.
func namedByNoLicence(s attribution.Statement, ns []notice) bool {
	licences := licenceFiles(ns)
	return len(licences) > 0 && !slices.ContainsFunc(licences, func(n notice) bool { return n.holds(s) })
}

// namedInFolderOnly reports whether a licence file in a folder names the holder of a statement, and a licence file above it exists, but none that
// names this holder. A list at the root names the holders of libraries too, so it does not tell whose the target is.
func namedInFolderOnly(s attribution.Statement, ns []notice) bool {
	holds := func(n notice) bool { return n.holds(s) }
	ofAll := func(n notice) bool { return license.IsList(n.path) && license.Folder(n.path) == "." }
	licences := slices.DeleteFunc(licenceFiles(ns), func(n notice) bool { return ofAll(n) && holds(n) })
	i := slices.IndexFunc(licences, holds)
	if i < 0 {
		return false
	}
	above := slices.DeleteFunc(slices.Clone(licences), func(n notice) bool { return !n.isAbove(licences[i]) })
	return len(above) > 0 && !slices.ContainsFunc(above, holds)
}

// topmost returns the licence files above which there is no other.
func topmost(ns []notice) []notice {
	licences := licenceFiles(ns)
	return slices.DeleteFunc(slices.Clone(licences), func(n notice) bool {
		return slices.ContainsFunc(licences, func(m notice) bool { return m.isAbove(n) })
	})
}
