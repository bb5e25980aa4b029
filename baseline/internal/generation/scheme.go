package generation

import (
	"fmt"
	"strings"

	"github.com/git-provenance/git-provenance/baseline/fingerprint"
)

// SchemeError reports that a baseline's fingerprints differ from those of this program.
type SchemeError struct{ Path, Have, Want string }

func (e *SchemeError) Error() string {
	return fmt.Sprintf("baseline %q has scheme %s, this program makes %s", e.Path, e.Have, e.Want)
}

// KeyError reports that a baseline was built with a key that was not given.
type KeyError struct {
	Path  string
	Check string // check value of the key it was built with
	Given int    // number of keys given; none of them is right
}

func (e *KeyError) Error() string {
	if e.Given == 0 {
		return fmt.Sprintf("baseline %q was built with a key (check value %s), and none is given", e.Path, e.Check)
	}
	return fmt.Sprintf("baseline %q was built with another key (check value %s) than the one given", e.Path, e.Check)
}

// IndexID names the hash, k and w, which all fingerprints of a baseline share, whatever the language. A program reads
// baselines of one IndexID for each k and w.
func IndexID(p fingerprint.Params) string { return "gp2-" + p.String() }

// keyMark separates, in the scheme of a keyed baseline, the scheme without key from the key's check value. So every
// segment names its key, and a program that does not know keys refuses the baseline.
const keyMark = "-key-"

// Scheme returns the scheme in the manifest and the segments of a baseline.
func Scheme(p fingerprint.Params, k fingerprint.Key) string {
	if k.IsZero() {
		return IndexID(p)
	}
	return IndexID(p) + keyMark + k.Check()
}

// Key returns the one of keys that the baseline at path was built with. It is the zero key if the baseline was built without one.
func (m *Manifest) Key(path string, keys []fingerprint.Key) (fingerprint.Key, error) {
	want := IndexID(m.Params)
	plain, check, keyed := strings.Cut(m.Scheme, keyMark)
	if plain != want {
		return fingerprint.Key{}, &SchemeError{path, m.Scheme, want}
	}
	given := 0
	for _, k := range keys {
		if k.IsZero() {
			continue
		}
		given++
		if keyed && k.Check() == check {
			return k, nil
		}
	}
	if keyed {
		return fingerprint.Key{}, &KeyError{path, check, given}
	}
	return fingerprint.Key{}, nil
}
