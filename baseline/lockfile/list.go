package lockfile

import (
	"cmp"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"gopkg.in/yaml.v3"

	"github.com/git-provenance/git-provenance/baseline/bounded"
	"github.com/git-provenance/git-provenance/baseline/purl"
)

// list collects the entries of a text.
type list struct {
	pins map[string]*pinned
	left []Left
	full bool

	listed map[string]bool // names of entries, as other entries write them
	own    []string        // as File.Own
	needed []need

	bring string                            // of the entries at hand
	each  func(name, version string) string // the command of each entry, if it has its own
}

// pinned is a version with what its entries say. A text may have any number of entries for one version.
type pinned struct {
	Pin
	sums                   []string
	os, cpu, libc, markers condition
}

// condition is one kind of limits of several entries. It limits nothing if one of them has none.
type condition struct {
	any   []string
	never bool
}

func (c *condition) add(list []string) {
	c.any, c.never = append(c.any, list...), c.never || len(list) == 0
}

func (c *condition) list() []string {
	if c.never {
		return nil
	}
	slices.Sort(c.any)
	return slices.Compact(c.any)
}

// need is an entry that another one, by, cannot do without.
type need struct{ name, by string }

// needs notes that the entry by names another one.
func (l *list) needs(name, by string) {
	if name == "" {
		return
	}
	if len(l.needed) >= 4*maxEntries {
		l.full = true
		return
	}
	l.needed = append(l.needed, need{name, by})
}

// absent adds the entries that other entries need and the text does not have. The end of the text may be cut off, or a merge may
// have lost them.
func (l *list) absent() {
	slices.SortFunc(l.needed, func(a, b need) int { return cmp.Or(strings.Compare(a.name, b.name), strings.Compare(a.by, b.by)) })
	for i, n := range l.needed {
		if !l.listed[n.name] && (i == 0 || l.needed[i-1].name != n.name) {
			l.leave(n.name, ReasonNotListed, "needed by "+n.by)
		}
	}
}

// cut adds an entry for the end that a text does not have.
func (l *list) cut(detail string) { l.leave("", ReasonCut, detail) }

// ends checks that the last line of a text that a tool writes is whole.
func (l *list) ends(data []byte) {
	if len(data) > 0 && data[len(data)-1] != '\n' {
		l.cut("its last line has no end")
	}
}

// pin adds a version of a package. A repeated version adds its checksums.
func (l *list) pin(typ, name, version string, p Pin) {
	if len(l.pins)+len(l.left) >= maxEntries {
		l.full = true
		return
	}
	switch {
	case version == "":
		l.limited(typ, name, "", p.Limits)
		return
	case !safe(name) || !safe(version):
		l.leave(name, ReasonName, version)
		return
	}
	c, err := purl.Canonical(purl.Make(typ, name, version))
	if err != nil {
		l.leave(name, ReasonName, version)
		return
	}
	p.PURL, p.Bring = c, l.bring
	if l.each != nil {
		p.Bring = l.each(name, version)
	}
	p.Integrity, p.Unreadable = readable(p.Integrity)
	if l.pins[c] == nil {
		l.pins[c] = &pinned{Pin: p}
	}
	l.pins[c].merge(p)
}

// merge adds an entry of the version; the order of entries does not matter.
func (a *pinned) merge(b Pin) {
	a.sums = append(a.sums, strings.Fields(b.Integrity)...)
	a.os.add(b.Limits.OS)
	a.cpu.add(b.Limits.CPU)
	a.libc.add(b.Limits.Libc)
	a.markers.add(b.Limits.Markers)
	a.Unreadable = max(a.Unreadable, b.Unreadable)
	if a.Address == "" || b.Address != "" && b.Address < a.Address {
		a.Address = b.Address
	}
	a.License = max(a.License, b.License)
	a.Git, a.Revision = max(a.Git, b.Git), max(a.Revision, b.Revision)
	a.Bundled, a.Bring = a.Bundled && b.Bundled, min(a.Bring, b.Bring)
}

// pin returns what the entries together say.
func (a *pinned) pin() Pin {
	p := a.Pin
	slices.Sort(a.sums)
	p.Integrity = strings.Join(slices.Compact(a.sums), " ")
	p.Limits = Limits{OS: a.os.list(), CPU: a.cpu.list(), Libc: a.libc.list(), Markers: a.markers.list()}
	if p.Integrity != "" { // a download must match one of these
		p.Unreadable = ""
	}
	return p
}

func (l *list) leave(name, reason, detail string) {
	if len(l.pins)+len(l.left) >= maxEntries {
		l.full = true
		return
	}
	l.left = append(l.left, Left{Name: clip(name), Reason: reason, Detail: clip(detail)})
}

// takes notes a package that comes from a directory, a repository or an address. A manifest beside the text may name it too.
func (l *list) takes(typ, name string) {
	if c, err := purl.Canonical(purl.Make(typ, name, "")); err == nil && safe(name) && len(l.own) < maxEntries {
		l.own = append(l.own, c)
	}
}

// open adds a package whose version the text does not give.
func (l *list) open(typ, name, detail string) { l.limited(typ, name, detail, Limits{}) }

// limited adds a package without a fixed version that is for some machines only.
func (l *list) limited(typ, name, detail string, on Limits) {
	if c, err := purl.Canonical(purl.Make(typ, name, "")); err == nil && safe(name) && len(l.pins)+len(l.left) < maxEntries {
		l.left = append(l.left, Left{Name: clip(name), Reason: ReasonRange, Detail: clip(detail), PURL: c, Bring: l.bring, Limits: on})
		return
	}
	l.leave(name, ReasonName, detail)
}

// clip makes untrusted text short and printable.
func clip(s string) string {
	s = strings.ToValidUTF8(s[:min(len(s), 256)], "?")
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return '?'
		}
		return r
	}, s)
}

func (l *list) file() File {
	f := File{Left: l.left, Own: l.own}
	slices.Sort(f.Own)
	for _, p := range l.pins {
		f.Pins = append(f.Pins, p.pin())
	}
	slices.SortFunc(f.Pins, func(a, b Pin) int { return strings.Compare(a.PURL, b.PURL) })
	slices.SortFunc(f.Left, Left.compare)
	bring := map[string]string{} // one command brings a package
	for _, e := range f.Left {
		if was, ok := bring[e.PURL]; !ok || e.Bring < was {
			bring[e.PURL] = e.Bring
		}
	}
	for i := range f.Left {
		f.Left[i].Bring = bring[f.Left[i].PURL]
	}
	f.Left = slices.CompactFunc(f.Left, func(a, b Left) bool { return a.compare(b) == 0 })
	return f
}

// safe reports whether a name or version can be part of a path below a directory.
func safe(s string) bool {
	if s == "" || len(s) > 512 || !utf8.ValidString(s) {
		return false
	}
	for part := range strings.SplitSeq(s, "/") {
		if part == "" || part == "." || part == ".." {
			return false
		}
	}
	return !strings.ContainsFunc(s, func(r rune) bool {
		return r == ' ' || !unicode.IsPrint(r) || strings.ContainsRune(`\:?#%"<>|*`, r)
	})
}

// hexSums converts checksums "sha256:HEX" or "sha256=HEX" to the form of Integrity. Others stay unchanged.
func hexSums(sums ...string) string {
	var out []string
	for _, s := range sums {
		if i := strings.IndexAny(s, ":="); i >= 0 && i+1 < len(s) {
			s = hexSum(s[:i], s[i+1:])
		}
		out = append(out, s)
	}
	return strings.Join(out, " ")
}

// sizes are the lengths in bytes of the known checksums.
var sizes = map[string]int{"sha1": 20, "sha256": 32, "sha384": 48, "sha512": 64, "md5": 16}

// hexSum returns a checksum in the form of Integrity, or "" for none. An invalid one becomes "algorithm:text".
func hexSum(algorithm, text string) string {
	if text == "" {
		return ""
	}
	known := strings.ReplaceAll(strings.ToLower(algorithm), "-", "")
	raw, err := hex.DecodeString(text)
	if err != nil || len(raw) != sizes[known] {
		return algorithm + ":" + text
	}
	return known + "-" + base64.StdEncoding.EncodeToString(raw)
}

// readable splits the checksums of a text into those that can be compared and one of the others.
func readable(s string) (sums, unreadable string) {
	var out []string
	for _, f := range strings.Fields(s) {
		f, _, _ = strings.Cut(f, "?")
		algorithm, sum, ok := strings.Cut(f, "-")
		raw, err := base64.StdEncoding.DecodeString(sum)
		if ok && err == nil && len(raw) == sizes[algorithm] && len(raw) > 0 {
			out = append(out, f)
		} else {
			unreadable = max(unreadable, clip(f))
		}
	}
	return strings.Join(out, " "), unreadable
}

// http returns an http or https address, and "" for anything else.
func http(s string) string {
	if strings.HasPrefix(s, "https://") || strings.HasPrefix(s, "http://") {
		return s
	}
	return ""
}

// decodeYAML decodes one document.
func decodeYAML(data []byte, into any) error {
	err := bounded.YAML(data, &unaliased{into})
	if _, ok := errors.AsType[*yaml.TypeError](err); ok { // its words name types of Go
		return errors.New("not what its name says")
	}
	return err
}

// unaliased is a document without aliases. No tool writes them, and they could stand for any number of entries.
type unaliased struct{ into any }

func (u *unaliased) UnmarshalYAML(n *yaml.Node) error {
	if aliased(n) {
		return errors.New("it has aliases, which no package manager writes")
	}
	return n.Decode(u.into)
}

func aliased(n *yaml.Node) bool {
	return n.Kind == yaml.AliasNode || slices.ContainsFunc(n.Content, aliased)
}

// table is a mapping of YAML. The library compares each key of a mapping with all others; a table looks them up.
type table[T any] map[string]T

func (t *table[T]) UnmarshalYAML(n *yaml.Node) error {
	if n.Kind != yaml.MappingNode {
		if n.ShortTag() == "!!null" {
			return nil
		}
		return fmt.Errorf("line %d is no mapping", n.Line)
	}
	*t = make(table[T], len(n.Content)/2)
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		if _, twice := (*t)[key.Value]; twice || key.Kind != yaml.ScalarNode {
			return fmt.Errorf("line %d has a key that is not a new word", key.Line)
		}
		var v T
		if err := n.Content[i+1].Decode(&v); err != nil {
			return err
		}
		(*t)[key.Value] = v
	}
	return nil
}

// wanted is the version that a package needs of another one: a word, or a mapping with one. It is "" for anything else.
type wanted string

func (w *wanted) UnmarshalYAML(n *yaml.Node) error {
	if n.Kind == yaml.MappingNode {
		for i := 0; i+1 < len(n.Content); i += 2 {
			if n.Content[i].Value == "version" {
				n = n.Content[i+1]
				break
			}
		}
	}
	if n.Kind == yaml.ScalarNode && n.ShortTag() == "!!str" {
		*w = wanted(n.Value)
	}
	return nil
}
