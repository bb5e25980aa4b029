package words

import (
	"fmt"
	"strings"

	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/report/order"
	"github.com/git-provenance/git-provenance/scanner/versions"
)

// ExplainFlags returns the flags, with a space, that make "explain" show the dates that are known of these findings.
func ExplainFlags(fs []*finding.Finding) string {
	for _, f := range fs {
		if len(f.Origins) > 0 && dated(&f.Origins[0]) {
			return "--date --offline "
		}
	}
	return ""
}

// dated reports whether the first time of an origin was looked for.
func dated(o *finding.Origin) bool {
	return o.First != nil && (o.First.From == finding.FromHistory || o.First.From == finding.FromVersions)
}

// WhatSettles says how to find out which side was first, for findings that ask for action and whose direction is
// unknown. It returns "" if there are none, or if no further source exists.
func WhatSettles(fs []*finding.Finding) string {
	count, undated, cloned := 0, false, false
	for _, f := range fs {
		if f.Direction != finding.DirectionUnknown || order.LevelRank(f.Level) > order.LevelRank("warning") || len(f.Origins) == 0 || f.Latest() == nil {
			continue
		}
		o := &f.Origins[0]
		first := o.First
		if first != nil && first.From == finding.FromHistory {
			continue // no source says more
		}
		fetchable := versions.Fetchable(o.PURL)
		if u, err := purl.Parse(o.PURL); err == nil && fetchable && u.Type == purl.TypeGolang && purl.FullName(u) == "std" && first != nil && first.From == finding.FromVersions {
			continue // its releases already said everything
		}
		count++
		undated = undated || fetchable && (first == nil || first.From != finding.FromVersions)
		cloned = cloned || versions.Clonable(o.PURL) && !(first != nil && strings.Contains(first.Note, finding.RepositoryUnread))
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
