package baseline

import (
	"github.com/git-provenance/git-provenance/baseline/disk"
)

// Segment is what one segment of a baseline has.
type Segment struct {
	Name       string `json:"name"`
	Packages   int    `json:"packages"`
	Removed    int    `json:"removed"` // of them
	Documents  int    `json:"documents"`
	Source     uint64 `json:"source"` // bytes of their texts
	Tokens     uint64 `json:"tokens"`
	Postings   uint64 `json:"postings"`
	Bytes      uint64 `json:"bytes"`      // on disk
	IndexBytes uint64 `json:"indexBytes"` // of that, fingerprints
	Room       uint64 `json:"room"`       // bytes that can be added before it is merged with all behind it
}

// Growth tells what each segment has, the oldest first. It reads every document's record.
func (b *Baseline) Growth() ([]Segment, error) {
	out := make([]Segment, len(b.segs))
	behind := uint64(0)
	for i := len(b.segs) - 1; i >= 0; i-- {
		p := b.segs[i]
		pkgs, err := p.docs.Packages()
		if err != nil {
			return nil, blame(b.dir, err)
		}
		fps := p.fps.Info()
		s := Segment{Name: b.man.Segments[i].Name, Packages: len(pkgs), Removed: len(p.dead), Documents: p.docs.Docs(), Tokens: p.docs.Tokens(),
			Postings: fps.Postings, Bytes: uint64(fps.Size) + p.docs.Size(), IndexBytes: uint64(fps.Size)}
		if s.Source, err = b.source(p); err != nil {
			return nil, err
		}
		s.Room = s.Bytes - min(s.Bytes, behind)
		behind += s.Bytes
		out[i] = s
	}
	return out, nil
}

// source sums up the texts of a segment.
func (b *Baseline) source(p *part) (size uint64, err error) {
	err = disk.Guard(func() error {
		for i := range p.docs.Docs() {
			d, err := p.docs.Doc(i)
			if err != nil {
				return err
			}
			size += uint64(d.Size)
		}
		return nil
	})
	return size, blame(b.dir, err)
}
