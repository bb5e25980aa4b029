package declarations

import (
	"slices"
	"strings"

	"github.com/git-provenance/git-provenance/lang"
)

const (
	// shortestEcho is the least length of a name that repeats its type, in letters and digits. Shorter ones are in many types.
	shortestEcho = 4
	// mostTypes is how many types of one name are kept.
	mostTypes = 8
)

// Echoes lists the names of a text that repeat the name of the type before them, with these types: submitInfo in "VkSubmitInfo
// submitInfo", and seat in "struct wl_seat *seat". Everybody who uses the type may call a variable so. It reads languages in which a
// type precedes the name, and finds none in others.
func Echoes(l *lang.Language, text []byte, tokens []lang.Token) map[string][]string {
	s := stream{text: text, tokens: tokens}
	out := make(map[string][]string)
	if styleOf(l.Syntax()) != behindType {
		return out
	}
	for i := range tokens {
		if tokens[i].Class != lang.Identifier {
			continue
		}
		of := i - 1
		for of > i-longestPointer && slices.Contains([]string{"*", "**", "&", "&&", "const"}, s.word(of)) {
			of--
		}
		if s.classOf(of) != lang.Identifier {
			continue
		}
		name, typ := s.whole(i), s.whole(of)
		if known := out[name]; len(known) < mostTypes && repeats(name, typ) && !slices.Contains(known, typ) {
			out[name] = append(known, typ)
		}
	}
	return out
}

// longestPointer bounds the tokens between a type and a name.
const longestPointer = 4

// repeats reports whether a name is in the name of a type, but for case, underscores, and an s or digits at its end.
func repeats(name, typ string) bool {
	name = strings.TrimRight(plain(name), "s0123456789")
	return len(name) >= shortestEcho && strings.Contains(plain(typ), name)
}

// plain returns a name in lower case without its underscores.
func plain(name string) string { return strings.ToLower(strings.ReplaceAll(name, "_", "")) }

// whole returns the text of a token.
func (s *stream) whole(i int) string { return string(s.text[s.tokens[i].Start:s.tokens[i].End]) }
