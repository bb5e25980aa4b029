package documents

import (
	"slices"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/baseline/model"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/lookup"
)

// Limits of the search for the names that a package declares.
const (
	// mostUsers is the number of documents with one of the names that are read.
	mostUsers = 256
	// mostPackages is the number of packages whose documents are remembered.
	mostPackages = 64
)

// packageOf names a package of a baseline.
type packageOf struct {
	base int
	purl string
}

// documentsOf lists the documents of a package.
func (c *Cache) documentsOf(p packageOf) ([]baseline.DocID, error) {
	c.mu.Lock()
	ids, ok := c.packages[p]
	c.mu.Unlock()
	if ok {
		return ids, nil
	}
	ids, err := c.bases[p.base].DocumentsOf(p.purl)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.packages) >= mostPackages || c.packages == nil {
		c.packages = make(map[packageOf][]baseline.DocID)
	}
	c.packages[p] = ids
	return ids, nil
}

// Undeclared returns those of names that no document of a package declares, in the baseline of d. It reads the documents that have
// one of the names. It ends as soon as enough accepts the names that are left. It returns nil if more than mostUsers documents
// would have to be read.
func (d *Document) Undeclared(purl string, names []string, enough func(names []string) bool) ([]string, error) {
	c, base := d.in, d.Key.Baseline
	ids, err := c.documentsOf(packageOf{base, purl})
	if err != nil {
		return nil, err
	}
	if err := c.bases[base].FetchNames(ids); err != nil {
		return nil, err
	}
	read, hashes := 0, hashesOf(names)
	for _, id := range ids {
		set, err := c.bases[base].Names(id)
		if err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(hashes, set.Has) {
			continue
		}
		if read++; read > mostUsers {
			return nil, nil
		}
		o, err := c.Load(lookup.Key{Baseline: base, ID: id})
		if err != nil {
			return nil, err
		}
		if _, err := o.Read(); err != nil {
			return nil, err
		}
		if names = o.Undeclares(names); enough(names) {
			break
		}
		hashes = hashesOf(names)
	}
	return names, nil
}

// hashesOf returns the hashes by which a document's set of names is asked for names.
func hashesOf(names []string) []uint32 {
	out := make([]uint32, len(names))
	for i, name := range names {
		out[i] = model.NameHash([]byte(name))
	}
	return out
}

// Undeclares returns those of names that the document does not declare. The text must have been read.
func (d *Document) Undeclares(names []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool { return d.Declared()[name] })
}
