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

// Config is what each step knows of the build. It travels to the workers, which others
// can read: it holds no secret.
type Config struct {
	Baseline string // a directory that the committing worker sees, or an address
	From     string // digest of the generation there when the build began, "" if none
	Params   fingerprint.Params
	Parts    string   // directory of the build's files: a path, gs://… or s3://…
	Shards   int      // by hash, and by fingerprint
	Gone     []string // packages that are removed
	Offline  bool
	Cache    string // directory of a worker that keeps downloads; "" keeps nothing
}

// sources says where packages are read from: as the environment of the worker has it.
func (c Config) sources(ctx context.Context) source.Options {
	o := source.Options{
		Offline: c.Offline, Downloads: c.Cache,
		ModCache: cmp.Or(os.Getenv("GOMODCACHE"), filepath.Join(gobuild.Default.GOPATH, "pkg", "mod")), GoProxy: os.Getenv("GOPROXY"), GoPrivate: os.Getenv("GONOPROXY"),
		NPMRegistry: os.Getenv("npm_config_registry"),
	}
	o.Sums = source.NewSums(ctx, os.Getenv("GOSUMDB"), os.Getenv("GONOSUMDB"), o)
	return o
}

// open opens the generation that the build began with; nil if there was none.
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

// withCache says where parts of shared baselines are kept.
func withCache(ctx context.Context) context.Context {
	dir, err := os.UserCacheDir()
	if err != nil {
		return ctx
	}
	return shared.WithCache(ctx, shared.Cache{Dir: filepath.Join(dir, "git-provenance", "shared")})
}

// shardOf is where a hash or a fingerprint belongs: ranges that ascend with it.
func (c Config) shardOf(top uint32) int { return int(uint64(top) * uint64(c.Shards) >> 32) }

// first is where a shard begins, of hashes and fingerprints by their first 32 bits.
func (c Config) first(shard int) uint64 {
	return (uint64(shard)<<32 + uint64(c.Shards) - 1) / uint64(c.Shards)
}

func (c Config) check() error {
	if c.Shards < 1 || c.Shards > 1<<16 {
		return fmt.Errorf("--shards %d is not between 1 and 65536", c.Shards)
	}
	return nil
}
