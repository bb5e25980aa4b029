package cmd

import (
	"fmt"
	"os"

	"github.com/git-provenance/git-provenance/baseline/fingerprint"
	"github.com/git-provenance/git-provenance/cmd/internal/config"
	"github.com/git-provenance/git-provenance/cmd/internal/console"
	"github.com/spf13/pflag"
)

// keyFile is the --key flag: the file that holds a secret, "" for none.
type keyFile struct{ path string }

func (k *keyFile) flag(fs *pflag.FlagSet, usage string) {
	fs.StringVar(&k.path, "key", "", usage)
	config.Mark(fs, config.IsPath, "key")
}

// opens is the help of --key where a baseline is opened.
const opens = "open a baseline that was built with the secret in `FILE`"

// maxKey bounds what is read of a key.
const maxKey = 1 << 20

// read returns the key, the zero key if none is named.
func (k *keyFile) read() (fingerprint.Key, error) {
	if k.path == "" {
		return fingerprint.Key{}, nil
	}
	f, err := os.Open(k.path)
	if err != nil {
		return fingerprint.Key{}, fmt.Errorf("read key: %w", err)
	}
	defer f.Close()
	secret, err := console.ReadLimited(f, maxKey)
	if err == nil && len(secret) < fingerprint.MinKey {
		err = fmt.Errorf("%d bytes, at least %d are needed", len(secret), fingerprint.MinKey)
	}
	if err != nil {
		return fingerprint.Key{}, fmt.Errorf("read key %q: %w", k.path, err)
	}
	return fingerprint.NewKey(secret), nil
}

// unkeyedError says that a key was given to add to a baseline that has none.
type unkeyedError struct{ path string }

func (e *unkeyedError) Error() string {
	return fmt.Sprintf("baseline %q was built without a key", e.path)
}
