package history

import "testing"

// TestKeys: a content has one key for each chain of versions that it comes from. No file name can imitate such a chain.
func TestKeys(t *testing.T) {
	a, b := blobKey{name: "a.go"}, blobKey{name: "a.go"}
	a.blob[0], b.blob[0] = 1, 2
	whole := a.cacheKey()
	keys := map[cacheKey]string{whole: "as a whole"}
	for name, key := range map[string]cacheKey{
		"another content":          b.cacheKey(),
		"after another":            a.after(b.cacheKey()),
		"after that one after it":  a.after(b.after(whole)),
		"named like a key before":  blobKey{a.blob, "a.go" + string(whole[:])}.cacheKey(),
		"named like a key at last": blobKey{a.blob, string(whole[:]) + "a.go"}.cacheKey(),
	} {
		if other, ok := keys[key]; ok {
			t.Errorf("%s has the key of %s", name, other)
		}
		keys[key] = name
	}
}
