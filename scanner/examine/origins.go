package examine

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"time"

	"golang.org/x/mod/semver"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/baseline/license"
	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/library"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/lookup"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/match"
	"github.com/git-provenance/git-provenance/scanner/score"
	"github.com/git-provenance/git-provenance/scanner/trace"
	"github.com/git-provenance/git-provenance/scanner/versions"
)

// occurrence is one origin candidate: a proof at one occurrence of its document.
type occurrence struct {
	proof
	baseline.Occurrence
	share float64 // of the region's matched tokens
	bits  float64 // that the match was found to carry; 0 where it was not judged
	guest bool    // its package keeps it, and others made it
}

// leadingJudged is how many of the leading occurrences are judged on names and literals
// before the best is named: copies of one original differ there first.
const leadingJudged = 8

// occurrences lists where a region is known from, best first: by share, then home,
// then age, then name.
func (r region) occurrences(known map[lookup.Key][]baseline.Occurrence) []occurrence {
	var out []occurrence
	seen := make(map[lookup.Key]bool)
	whole := float64(r.proofs[0].Tokens())
	for _, p := range r.proofs {
		if seen[p.doc.Key] {
			continue
		}
		seen[p.doc.Key] = true
		share := round(min(1, float64(p.Tokens())/whole))
		for _, o := range known[p.doc.Key] {
			out = append(out, occurrence{proof: p, Occurrence: o, share: share, guest: guest(o.Path)})
		}
	}
	slices.SortFunc(out, compareOccurrences)
	return out
}

func compareOccurrences(a, b occurrence) int {
	if c := cmp.Or(cmp.Compare(b.share, a.share), compareHome(a, b)); c != 0 { // cmp.Or would take versions apart for nothing
		return c
	}
	if c := versions.CompareAge(a.Released, b.Released); c != 0 {
		return c
	}
	return cmp.Or(compareVersion(a.PURL, b.PURL), cmp.Compare(a.Path, b.Path))
}

// vendorDirs are the names of directories in which people keep code of others, beside
// those of package managers.
var vendorDirs = []string{"third_party", "third-party", "thirdparty", "3rdparty", "external", "extern", "forked", "contrib", "_vendor", "vendored"}

// guest tells whether the name of a directory says that the code is of others.
func guest(path string) bool {
	if lang.Vendored(path) {
		return true
	}
	for dir := range strings.SplitSeq(path, "/") {
		if slices.Contains(vendorDirs, dir) {
			return true
		}
	}
	return false
}

// compareHome puts a package's own code before what it keeps of others: who
// vendors a library is not where it comes from.
func compareHome(a, b occurrence) int {
	switch {
	case a.guest == b.guest:
		return 0
	case a.guest:
		return 1
	}
	return -1
}

// preferNamed names first whom a guest's path names: pip keeps requests in _vendor/requests, and may have a version that agrees
// better than those of requests that are known. The package itself needs enough evidence of its own, and half of the region.
// As the guest's path leads to it, it need not be looked for among all that is known.
func (q *query) preferNamed(cs []candidate) error {
	for i := range cs {
		c := &cs[i]
		if !c.best.guest || c.joined {
			continue
		}
		at := -1
		for n, o := range c.occurrences {
			if o.guest || o.Tokens() < q.e.o.MinTokens || !namesPackage(c.best.Path, o.PURL) || 2*match.Shared(o.Runs, c.best.Runs) < c.best.Tokens() {
				continue
			}
			if _, ok := c.judged[o.doc.Key]; !ok {
				ev, err := q.judge(o.proof)
				if err != nil {
					return err
				}
				c.judged[o.doc.Key] = q.rarer(ev, o.Match, 0)
			}
			if bits := c.judged[o.doc.Key].Bits; bits >= q.bitsFor(DefaultMinScore, o.doc.Len()) && (at < 0 || bits > c.judged[c.occurrences[at].doc.Key].Bits) {
				at = n
			}
		}
		if at >= 0 {
			q.putFirst(c, at)
		}
	}
	return nil
}

// putFirst puts an occurrence of a candidate first, and weighs the candidate by it.
func (q *query) putFirst(c *candidate, at int) {
	o := c.occurrences[at]
	copy(c.occurrences[1:at+1], c.occurrences[:at])
	c.occurrences[0], c.best, c.ev, c.within, c.heaviest = o, o, c.judged[o.doc.Key], nil, nil
	if c.ev.Bits < q.needs(c.ev, q.neededByDefault()) {
		c.within = o.doc
	}
}

// namesPackage tells whether a directory of a guest's path has the name of a package.
func namesPackage(path, pkg string) bool {
	name := purl.Key(pkg)
	name = plain(name[strings.LastIndexByte(name, '/')+1:])
	for dir := range strings.SplitSeq(path, "/") {
		if plain(dir) == name {
			return true
		}
	}
	return false
}

// plain is a name as all registries spell it alike.
func plain(name string) string { return strings.ReplaceAll(strings.ToLower(name), "_", "-") }

// compareVersion orders by package, then version.
func compareVersion(a, b string) int {
	if a == b { // most
		return 0
	}
	if c := cmp.Compare(purl.Name(a), purl.Name(b)); c != 0 {
		return c
	}
	return cmp.Or(semver.Compare(dotted(a), dotted(b)), cmp.Compare(a, b))
}

// dotted is the version of a package URL as semver takes it.
func dotted(p string) string { return "v" + strings.TrimPrefix(purl.Version(p), "v") }

// best judges the leading documents and moves the occurrence whose evidence carries
// most to the front. One that spans less of the region would leave the rest of
// it unnamed. It returns what the documents were found to be worth.
func (q *query) best(r region, occurrences []occurrence) (occurrence, map[lookup.Key]score.Evidence, error) {
	at, seen := -1, make(map[lookup.Key]score.Evidence)
	for i, p := range occurrences {
		if _, ok := seen[p.doc.Key]; ok || len(seen) == leadingJudged || !r.spannedBy(p.proof) {
			continue
		}
		e, err := q.judge(p.proof)
		if err != nil {
			return occurrence{}, nil, err
		}
		if at < 0 || e.Bits > seen[occurrences[at].doc.Key].Bits {
			at = i
		}
		seen[p.doc.Key] = e
	}
	at, err := q.agreesMore(occurrences, at, seen)
	if err != nil {
		return occurrence{}, nil, err
	}
	p := occurrences[at]
	seen[p.doc.Key] = q.rarer(seen[p.doc.Key], p.Match, q.e.needed(len(q.Tokens)))
	copy(occurrences[1:at+1], occurrences[:at])
	occurrences[0] = p
	return p, seen, nil
}

// agreesMore returns the occurrence to name instead of one, which may be that one: another of its package that agrees wherever
// it does and in more, if that is a finding by itself. Bits alone prefer a file with other names where those of the target are
// a platform's: these tell little, and names that are mapped one to one tell more.
func (q *query) agreesMore(occurrences []occurrence, at int, judged map[lookup.Key]score.Evidence) (int, error) {
	pkg, needed := purl.Key(occurrences[at].PURL), q.neededByDefault()
	refused := make(map[lookup.Key]bool) // documents, which can have many versions
	for i, o := range occurrences {
		if refused[o.doc.Key] {
			continue
		}
		a, b := judged[occurrences[at].doc.Key], judged[o.doc.Key]
		if b.Unchanged < a.Unchanged || b.Equal < a.Equal || b.Unchanged+b.Equal == a.Unchanged+a.Equal || purl.Key(o.PURL) != pkg {
			continue
		}
		if b = q.rarer(b, o.Match, needed); b.Bits < needed {
			continue
		}
		all, err := q.agreesWhere(occurrences[at].proof, o.proof)
		if err != nil {
			return 0, err
		}
		if all {
			at = i
		}
		refused[o.doc.Key] = !all
	}
	return at, nil
}

// agreesWhere tells whether match b has all tokens of the target that match a has, and the same text wherever a has that.
func (q *query) agreesWhere(a, b proof) (bool, error) {
	if match.Shared(a.Runs, b.Runs) < a.Tokens() {
		return false, nil
	}
	x, y, err := q.texts(a, b)
	if err != nil {
		return false, err
	}
	others := b.Runs
	for _, r := range a.Runs {
		for i := range r.Len {
			for others[0].TargetEnd() <= r.Target+i {
				others = others[1:]
			}
			own := q.Tokens[r.Target+i]
			text := q.Text[own.Start:own.End]
			s, t := a.doc.Stream.Span(r.Origin+i), b.doc.Stream.Span(others[0].Origin+r.Target+i-others[0].Target)
			if bytes.Equal(text, x[s.Start:s.End]) && !bytes.Equal(text, y[t.Start:t.End]) {
				return false, nil
			}
		}
	}
	return true, nil
}

// origins folds the versions of a package that have the region in the same file
// to one origin each, in the order of occurrences: the first named is the oldest of
// those that share most.
func (q *query) origins(occurrences []occurrence) (out []finding.Origin, all int, err error) {
	type home struct{ pkg, path string }
	group := make(map[home][]occurrence)
	var order []home
	for _, p := range occurrences {
		h := home{purl.Key(p.PURL), p.Path}
		if len(group[h]) == 0 {
			order = append(order, h)
		}
		group[h] = append(group[h], p)
	}
	first, err := q.e.firsts(occurrences)
	if err != nil {
		return nil, 0, err
	}
	for _, h := range order[:min(len(order), q.e.o.MaxOrigins)] {
		p := group[h][0]
		if _, err := p.doc.Read(); err != nil {
			return nil, 0, err
		}
		o := p.origin(shown(q.Stream, p.proof), q.countOwn(p.doc, q.Language))
		o.Versions, o.First = versionRange(group[h]), first[purl.Series(o.PURL)]
		if len(out) == 0 {
			o.CitesTarget = cites(p.doc.Text(), o.StartLine, o.EndLine, q.Text, q.e.files())
		}
		o.SameOwner = q.e.target.Self.Owns(o.PURL) || q.e.target.Self.OwnsRepository(p.Repository)
		out = append(out, o)
	}
	return out, len(order), nil
}

// versionRange tells the range that occurrences of one package cover, nil if it is one.
func versionRange(ps []occurrence) *finding.Versions {
	var vs []string
	for _, p := range ps {
		vs = append(vs, p.PURL)
	}
	slices.SortFunc(vs, compareVersion)
	vs = slices.Compact(vs)
	if len(vs) < 2 {
		return nil
	}
	return &finding.Versions{First: purl.Version(vs[0]), Last: purl.Version(vs[len(vs)-1]), Count: len(vs)}
}

// licenses lists the distinct licences of occurrences; more than one disagree. A copy
// whose licence is not known agrees with one of the same content whose licence is.
func licenses(ps []occurrence) []string {
	told := make(map[[32]byte]bool)
	for _, p := range ps {
		if cmp.Or(p.License, license.NoAssertion) != license.NoAssertion {
			told[p.doc.Hash] = true
		}
	}
	var out []string
	for _, p := range ps {
		if l := cmp.Or(p.License, license.NoAssertion); l != license.NoAssertion || !told[p.doc.Hash] {
			out = append(out, l)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// owners counts the owners of the packages of occurrences.
func owners(ps []occurrence) int {
	seen := make(map[string]bool)
	for _, p := range ps {
		seen[purl.Owner(p.PURL)] = true
	}
	return len(seen)
}

// origin describes a occurrence by the lines of a match.
func (p occurrence) origin(m match.Match, own int) finding.Origin {
	from, to := m.Origin()
	o := finding.Origin{
		PURL: p.PURL, Path: finding.EscapeName(p.Path), License: cmp.Or(p.License, "NOASSERTION"), LicenseFrom: finding.EscapeFrom(p.LicenseFrom), Similarity: p.share, Bits: round(p.bits),
		StartLine: p.doc.Stream.Line(from), EndLine: p.doc.LastLine(to - 1),
		FileShare: round(float64(p.Tokens()) / float64(own)), SHA256: p.doc.Hash.String(), WithoutText: p.doc.Bare, URL: purl.Web(p.PURL),
	}
	if !p.Released.IsZero() {
		t := p.Released.UTC()
		o.Released = &t
	}
	return o
}

// firsts says for each package of some occurrences when it first had their region, as
// far as the versions in the baselines tell. Versions in which it was not found count
// as without it until past.Directions looks into them.
func (s *Examiner) firsts(occurrences []occurrence) (map[string]*finding.Interval, error) {
	has := map[string][]occurrence{}
	for _, p := range occurrences {
		if p.share >= trace.Most {
			key := purl.Series(p.PURL)
			has[key] = append(has[key], p)
		}
	}
	all, err := s.releases()
	if err != nil {
		return nil, err
	}
	out := map[string]*finding.Interval{}
	for key, ps := range has {
		out[key] = firstOf(ps, all[key])
	}
	return out, nil
}

// firstOf bounds when a package first had what some of its versions have.
func firstOf(has []occurrence, all Releases) *finding.Interval {
	var seen []versions.Sighting
	known := map[string]bool{}
	for _, p := range has {
		if !known[p.PURL] {
			known[p.PURL] = true
			o := versions.Sighting{PURL: p.PURL, Present: true, Time: versions.Plausible(p.Released, time.Time{})}
			o.Time = all.Dates.Of(o)
			seen = append(seen, o)
		}
	}
	for _, r := range all.Whole {
		if !known[r.PURL] {
			seen = append(seen, r)
		}
	}
	return all.bound(seen)
}

// bound makes an interval of sightings, nil where none that has the region has a date.
func (all Releases) bound(seen []versions.Sighting) *finding.Interval {
	present, absent, _ := versions.Since(seen, all.Dates)
	if present.Time.IsZero() {
		return nil
	}
	in := &finding.Interval{Present: &finding.Point{PURL: present.PURL, Time: finding.UTC(present.Time)}, From: finding.FromBaseline}
	switch _, packed := all.Released[present.PURL]; {
	case all.Copies && packed:
		in.Note = "dated by the files in its archives: the registry dates copies"
	case all.Copies:
		in.Note = "its versions are dated in an order that releases do not have"
	}
	if absent.PURL != "" {
		in.Absent = &finding.Point{PURL: absent.PURL, Time: finding.UTC(absent.Time)}
	}
	return in
}

// Releases are the versions of a package that the baselines have, all major
// versions of a Go module being one package.
type Releases struct {
	versions.Dates
	Whole []versions.Sighting // those of which all is there, not looked into yet
}

// listReleases lists the versions of each package of the baselines.
func (s *Examiner) listReleases() (map[string]Releases, error) {
	whole, all := map[string][]versions.Sighting{}, map[string][]versions.Sighting{}
	for _, b := range s.bases {
		pkgs, err := b.Packages()
		if err != nil {
			return nil, err
		}
		for _, p := range pkgs {
			key := purl.Series(p.PURL)
			r := versions.Sighting{PURL: p.PURL, Time: versions.Plausible(p.Released, time.Time{}), Packed: p.Packed}.Ordered()
			all[key] = append(all[key], r)
			if versions.Whole(p) {
				whole[key] = append(whole[key], r)
			}
		}
	}
	out := map[string]Releases{}
	for key := range all {
		r := Releases{Dates: versions.DatesOf(all[key]), Whole: whole[key]}
		for i := range r.Whole {
			if r.Copies {
				r.Whole[i].Time = r.Released[r.Whole[i].PURL]
			}
		}
		out[key] = r
	}
	return out, nil
}

// looseLines is how many lines at either end can belong to a match by accident:
// they come and go with what stands next to the region.
const looseLines = 3

// trace is what the region of tokens from up to to is known by in the next version of the file.
func (s Stream) trace(from, to uint32) trace.Trace {
	starts := slices.DeleteFunc(s.lineStarts(from, to), func(i int) bool { return i > edge })
	ends := slices.DeleteFunc(s.lineEnds(from, to), func(i int) bool { return int(to-from)-i > edge })
	return trace.Of(s.Text, s.Tokens[from:to], starts, ends)
}

// signature is what the region that runs share with a document is known by in older contents. A literal that differs is
// not shared: it may have changed at any time. If that leaves less than half, the region is known by nothing.
func (s Stream) signature(d *library.Document, runs []match.Run) *trace.Signature {
	var sig trace.Signature
	all := 0
	for _, r := range runs {
		if r.Len < trace.Gram {
			continue
		}
		n := int(r.Len)
		all += n
		here, there := s.Tokens[r.Target:r.Target+r.Len], d.Stream.Slice(r.Origin, r.Origin+r.Len)
		for at := 0; at < n; {
			end := at
			for end < n && !otherLiteral(s.Text, here[end], d.Text(), there[end]) {
				end++
			}
			if end-at >= trace.Gram {
				sig.Add(trace.SideOf(s.Text, here[at:end]), trace.SideOf(d.Text(), there[at:end]))
			}
			at = end + 1
		}
	}
	if 2*sig.Tokens < all {
		return &trace.Signature{}
	}
	return &sig
}

// otherLiteral tells whether two tokens of a run are literals of different texts.
func otherLiteral(text []byte, t lang.Token, origin []byte, o lang.Token) bool {
	return (t.Class == lang.String || t.Class == lang.Number) && string(text[t.Start:t.End]) != string(origin[o.Start:o.End])
}

// lineStarts lists the offsets of the first tokens of the first lines.
func (s Stream) lineStarts(from, to uint32) []int {
	at := []int{0}
	for i := from + 1; i < to && len(at) <= looseLines; i++ {
		if s.begins(i) {
			at = append(at, int(i-from))
		}
	}
	return at
}

// lineEnds lists the offsets behind the last tokens of the last lines.
func (s Stream) lineEnds(from, to uint32) []int {
	at := []int{int(to - from)}
	for i := to - 1; i > from && len(at) <= looseLines; i-- {
		if s.begins(i) {
			at = append(at, int(i-from))
		}
	}
	return at
}

// countOwn is how many tokens of a document are not base code.
func (q *query) countOwn(d *library.Document, family *lang.Language) int {
	if len(q.e.o.BaseCode) == 0 {
		return d.Stream.Len()
	}
	toks, _ := d.Stream.All()
	return len(toks) - match.Count(q.e.o.BaseCode.Masked(family, toks, q.e.params.K))
}
