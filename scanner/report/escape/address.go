package escape

import (
	"net/url"
	"strings"
)

// maxURL bounds an address in bytes; browsers and servers refuse much longer ones.
const maxURL = 2000

// Address returns a percent-encoded address that is safe to link to. It returns "" for anything but absolute http and
// https addresses without credentials.
func Address(s string) string {
	u, err := url.Parse(s)
	if err != nil || len(s) > maxURL || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.User != nil || u.Opaque != "" {
		return ""
	}
	return Percent(u.String(), "%:/?#[]@!$&*+,;=-._~")
}

// Percent encodes every byte except ASCII letters, digits and the bytes of keep.
func Percent(s, keep string) string {
	const digits = "0123456789ABCDEF"
	var b strings.Builder
	for i := range len(s) {
		switch c := s[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', strings.IndexByte(keep, c) >= 0:
			b.WriteByte(c)
		default:
			b.WriteString("%" + string([]byte{digits[c>>4], digits[c&15]}))
		}
	}
	return b.String()
}
