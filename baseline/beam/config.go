package main

import (
	"cmp"
	"context"
	"fmt"
	gobuild "go/build"
	"os"
	"path/filepath"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/baseline/fingerprint"
	"github.com/git-provenance/git-provenance/baseline/shared"
	"github.com/git-provenance/git-provenance/baseline/source"
)

// Config is the configuration that each step of the build gets. It is sent to the workers, where others can read it, so
// it contains no secrets.
type Config struct {
	Baseline string // a directory that the committing worker can access, or an address
	From     string // digest of its generation when the build began; "" if there was none
	Params   fingerprint.Params
	Parts    string   // directory of the build's files: a path, gs://… or s3://…
	Shards   int      // number of shards, by hash and by fingerprint
	Gone     []string // packages to be removed
	Offline  bool
	Cache    string // a worker's directory for downloads; "" keeps none
}

// sources returns the options for reading packages, from the environment of the worker.
func (c Config) sources(ctx context.Context) source.Options {
	o := source.Options{
		Offline: c.Offline, Downloads: c.Cache,
		ModCache: cmp.Or(os.Getenv("GOMODCACHE"), filepath.Join(gobuild.Default.GOPATH, "pkg", "mod")), GoProxy: os.Getenv("GOPROXY"), GoPrivate: os.Getenv("GONOPROXY"),
		NPMRegistry: os.Getenv("npm_config_registry"),
	}
	o.Sums = source.NewSums(ctx, os.Getenv("GOSUMDB"), os.Getenv("GONOSUMDB"), o)
	return o
}

// open opens the generation that the build started from, or returns nil if there was none.
func (c Config) open(ctx context.Context) (*baseline.Baseline, error) {
	if c.From == "" {
		return nil, nil
	}
	b, err := baseline.Open(withCache(ctx), c.Baseline)
	if err != nil {
		return nil, err
	}
	if b.Digest() != c.From {
		b.Close()
		return nil, &baseline.MovedError{Path: baseline.NameOf(c.Baseline)}
	}
	return b, nil
}

// withCache sets where parts of shared baselines are kept.
func withCache(ctx context.Context) context.Context {
	dir, err := os.UserCacheDir()
	if err != nil {
		return ctx
	}
	return shared.WithCache(ctx, shared.Cache{Dir: filepath.Join(dir, "git-provenance", "shared")})
}

// shardOf returns the shard of a hash or fingerprint, by its first 32 bits. Shards are ascending ranges.
func (c Config) shardOf(top uint32) int { return int(uint64(top) * uint64(c.Shards) >> 32) }

// first returns the first hash or fingerprint of a shard, as its first 32 bits.
func (c Config) first(shard int) uint64 {
	return (uint64(shard)<<32 + uint64(c.Shards) - 1) / uint64(c.Shards)
}

func (c Config) check() error {
	if c.Shards < 1 || c.Shards > 1<<16 {
		return fmt.Errorf("--shards %d is not between 1 and 65536", c.Shards)
	}
	return nil
}
