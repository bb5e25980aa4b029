package license

import "github.com/google/licensecheck"

func scannerIDs() []string {
	var ids []string
	for _, l := range licensecheck.BuiltinLicenses() {
		ids = append(ids, l.ID)
	}
	return ids
}

// Head reads the head of a single file.
func Head(src []byte) Stated { return new(Heads).Read(src) }

// Header returns the licence that the head of a single file names, or "".
func Header(src []byte) string { return Head(src).Named() }
