package baseline

import (
	"fmt"
	"strings"

	"github.com/git-provenance/git-provenance/baseline/fingerprint"
)

// KeyError says that a baseline was built with a key that was not given.
type KeyError struct {
	Path  string
	Check string // of the key it was built with
	Given int    // keys, none of which it is
}

func (e *KeyError) Error() string {
	if e.Given == 0 {
		return fmt.Sprintf("baseline %q was built with a key (check value %s), and none is given", e.Path, e.Check)
	}
	return fmt.Sprintf("baseline %q was built with another key (check value %s) than the one given", e.Path, e.Check)
}

// keyMark stands in the scheme of a keyed baseline between the scheme without key and
// the check value of the key. So every segment names its key, and a program that knows
// no keys refuses the baseline.
const keyMark = "-key-"

// indexScheme is what the manifest and the segments of a baseline have as scheme.
func indexScheme(p fingerprint.Params, k fingerprint.Key) string {
	if k.IsZero() {
		return IndexID(p)
	}
	return IndexID(p) + keyMark + k.Check()
}

// keyOf returns the key of a baseline, the zero key if it was built without.
func (m *manifest) keyOf(dir string, keys []fingerprint.Key) (fingerprint.Key, error) {
	want := IndexID(m.Params)
	plain, check, keyed := strings.Cut(m.Scheme, keyMark)
	if plain != want {
		return fingerprint.Key{}, &SchemeError{dir, m.Scheme, want}
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
		return fingerprint.Key{}, &KeyError{dir, check, given}
	}
	return fingerprint.Key{}, nil
}

// Key is the key that the baseline was built with, the zero key if there is none. A
// text that is looked up has to be winnowed in its order.
func (b *Baseline) Key() fingerprint.Key { return b.key }
