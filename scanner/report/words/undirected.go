package words

import (
	"fmt"

	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/report/order"
	"github.com/git-provenance/git-provenance/scanner/versions"
)

// WhatSettles says what would tell which side was first, of the findings that ask for
// action and whose direction is not known; "" if there are none, or nothing more to ask.
func WhatSettles(fs []*finding.Finding) string {
	count, undated, cloned := 0, false, false
	for _, f := range fs {
		if f.Direction != finding.DirectionUnknown || order.LevelRank(f.Level) > order.LevelRank("warning") || len(f.Origins) == 0 || f.Latest() == nil {
			continue
		}
		o := &f.Origins[0]
		first := o.First
		if first != nil && first.From == finding.FromHistory {
			continue // nothing tells more
		}
		fetchable := versions.Fetchable(o.PURL)
		if u, err := purl.Parse(o.PURL); err == nil && fetchable && u.Type == purl.TypeGolang && purl.FullName(u) == "std" && first != nil && first.From == "versions" {
			continue // its releases tell all there is
		}
		count++
		undated = undated || fetchable && (first == nil || first.From != "versions")
		cloned = cloned || versions.Clonable(o.PURL)
	}
	if count == 0 {
		return ""
	}
	says := fmt.Sprintf("which side was first is not known of %s at warning or above; ", Plural(count, "finding"))
	switch {
	case undated:
		return says + `"git-provenance scan --date" asks registries for older versions, with --clone it reads the histories of the origins`
	case cloned:
		return says + `"git-provenance scan --date --clone" reads the histories of the origins, which tell more than versions`
	}
	return says + `the history of the origin tells: "git-provenance scan --origin-repo DIR=PURL"`
}
