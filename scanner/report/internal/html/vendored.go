package html

import (
	"path"

	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/report/escape"
	"github.com/git-provenance/git-provenance/scanner/report/words"
)

// pageVendored is a vendored package of the target.
type pageVendored struct{ Dir, Base, Package, Licence, Files, Record string }

func pageVendoredOf(vs []finding.Vendored) (out []pageVendored) {
	for i := range vs {
		v := &vs[i]
		dir, base := path.Split(v.Path)
		out = append(out, pageVendored{escape.Line(dir), escape.Line(base), words.VendoredName(v), escape.Line(words.Licence(v.License)), words.VendoredFiles(v), escape.Line(v.Record)})
	}
	return out
}
