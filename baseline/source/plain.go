package source

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// New makes a package of files that the caller lists: walk calls file and skipped as
// Walk does, and keeps to the limits.
func New(from string, walk func(ctx context.Context, lim Limits, file func(path string, data []byte) error, skipped func(path, reason, detail string)) error) *Package {
	return &Package{From: from, walk: func(ctx context.Context, v *visit) error { return walk(ctx, v.lim, v.file, v.skipped) }}
}

// OpenFile makes a package of one file, under its name without directories.
func OpenFile(name string) *Package {
	return &Package{From: name, walk: func(_ context.Context, v *visit) error {
		f, err := os.Open(name)
		if err != nil {
			return fmt.Errorf("read file: %w", err)
		}
		defer f.Close()
		base := filepath.Base(name)
		data, size, err := readFile(f, v.lim.FileBytes)
		switch {
		case errors.Is(err, errTooLarge):
			v.skipped(base, ReasonTooLarge, sizeDetail(size, v.lim.FileBytes))
			return nil
		case err != nil:
			return fmt.Errorf("read file %q: %w", name, err)
		}
		return v.file(base, data)
	}}
}

// IsArchive tells by its first bytes whether a file is an archive that Open reads.
func IsArchive(name string) (bool, error) {
	f, err := os.Open(name)
	if err != nil {
		return false, fmt.Errorf("read file: %w", err)
	}
	defer f.Close()
	k, err := kind(f)
	if err != nil {
		return false, fmt.Errorf("read file %q: %w", name, err)
	}
	return k != "", nil
}
