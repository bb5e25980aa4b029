package license

import "github.com/google/licensecheck"

func scannerIDs() []string {
	var ids []string
	for _, l := range licensecheck.BuiltinLicenses() {
		ids = append(ids, l.ID)
	}
	return ids
}
