package purl

import (
	"net/url"
	"strings"
)

// escapePath escapes each segment of a slash path for use in a link. It keeps "@" and "+", which registries show in
// their links.
func escapePath(s string) string {
	segs := strings.Split(s, "/")
	for i, seg := range segs {
		segs[i] = url.PathEscape(seg)
	}
	return strings.Join(segs, "/")
}
