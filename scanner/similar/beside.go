package similar

import (
	"cmp"
	"path"
	"slices"

	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/similar/collection"
)

// Beside is the source of two files of a pair that is similar without a match. Either side may be missing: then it has no path.
type Beside struct {
	A    string        `json:"a,omitempty"`
	B    string        `json:"b,omitempty"`
	Text finding.Sides `json:"text"` // the origin is B
}

// beside stores the source of a pair without a match, file by file, up to room bytes. It returns the size of the source.
func (g *gather) beside(p *UnitPair, l *collection.Loader, room int) (size int, err error) {
	for _, ab := range sideBySide(g.read(p.a), g.read(p.b)) {
		if size >= room {
			break
		}
		b := Beside{}
		for _, s := range []struct {
			file *file
			name *string
			text *finding.Excerpt
		}{{ab[0], &b.A, &b.Text.Target}, {ab[1], &b.B, &b.Text.Origin}} {
			*s.text = finding.Excerpt{StartLine: 1, Lines: []string{}}
			if s.file == nil {
				continue
			}
			d, err := l.Load(s.file.doc)
			if err != nil {
				return size, err
			}
			*s.name, *s.text = s.file.path, finding.NewExcerpt(d.Text, 1, d.Lines().Line(uint32(max(len(d.Text), 1)-1)))
			size += sizeOf(*s.text)
		}
		p.Beside = append(p.Beside, b)
	}
	return size, nil
}

// read lists the files of a unit that have code of its own.
func (g *gather) read(unit int) (out []*file) {
	at, _ := slices.BinarySearchFunc(g.files, unit, func(f file, unit int) int { return cmp.Compare(f.unit, unit) }) // units stand in their order
	for ; at < len(g.files) && g.files[at].unit == unit; at++ {
		if f := &g.files[at]; g.set.Docs[f.doc].Own > 0 && g.holders.any(f.doc) {
			out = append(out, f)
		}
	}
	return out
}

// sideBySide puts files of one name next to each other, and the others in their order. A side without a further file has nil.
func sideBySide(as, bs []*file) (out [][2]*file) {
	named, taken := make(map[string][]*file), make(map[*file]bool)
	for _, b := range bs {
		named[path.Base(b.path)] = append(named[path.Base(b.path)], b)
	}
	for _, a := range as {
		pair, name := [2]*file{a, nil}, path.Base(a.path)
		if same := named[name]; len(same) > 0 {
			pair[1], named[name], taken[same[0]] = same[0], same[1:], true
		}
		out = append(out, pair)
	}
	at := 0
	for _, b := range bs {
		if taken[b] {
			continue
		}
		for at < len(out) && out[at][1] != nil {
			at++
		}
		if at == len(out) {
			out = append(out, [2]*file{})
		}
		out[at][1] = b
	}
	return out
}

// sizeOf returns the size of an excerpt in bytes.
func sizeOf(e finding.Excerpt) (size int) {
	for _, line := range e.Lines {
		size += len(line) + 1
	}
	return size
}
