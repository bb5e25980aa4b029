package git

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	format "github.com/go-git/go-git/v5/plumbing/format/config"
)

// config is what matters here of a repository's configuration.
type config struct {
	bare        bool
	workTree    string
	excludes    string // core.excludesFile
	ignoreCase  bool
	promisor    bool // a partial clone
	format      string
	objects     string // extensions.objectFormat
	refs        string // extensions.refStorage
	unknown     []string
	upstreams   map[string]upstream // by branch
	fetchRules  map[string][]string // refspecs by remote
	worktreeExt bool
}

type upstream struct{ remote, merge string }

// readableExtensions change nothing about how objects, references or the index are read.
var readableExtensions = map[string]bool{
	"noop": true, "noop-v1": true, "preciousobjects": true, "partialclone": true,
	"worktreeconfig": true, "relativeworktrees": true, "objectformat": true, "refstorage": true,
}

func readConfig(common, gitDir string) (config, error) {
	c := config{upstreams: map[string]upstream{}, fetchRules: map[string][]string{}}
	if err := c.merge(filepath.Join(common, "config")); err != nil {
		return config{}, err
	}
	if c.worktreeExt {
		if err := c.merge(filepath.Join(gitDir, "config.worktree")); err != nil {
			return config{}, err
		}
	}
	return c, nil
}

// merge reads one file over what is known already. A file that does not exist changes nothing.
func (c *config) merge(path string) error {
	raw, err := decodeConfig(path)
	if raw == nil || err != nil {
		return err
	}
	for _, s := range raw.Sections {
		switch strings.ToLower(s.Name) {
		case "core":
			c.mergeCore(s.Options)
		case "extensions":
			c.mergeExtensions(s.Options)
		case "branch":
			for _, b := range s.Subsections {
				c.upstreams[b.Name] = upstream{remote: b.Option("remote"), merge: b.Option("merge")}
			}
		case "remote":
			for _, r := range s.Subsections {
				c.fetchRules[r.Name] = append(c.fetchRules[r.Name], r.OptionAll("fetch")...)
				c.promisor = c.promisor || r.HasOption("promisor") && isTrue(r.Option("promisor"))
			}
		}
	}
	return nil
}

func decodeConfig(path string) (*format.Config, error) {
	b, err := readBounded(path, 16<<20) // configurations of a thousand remotes are well below a megabyte
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	raw := format.New()
	if err := format.NewDecoder(bytes.NewReader(b)).Decode(raw); err != nil {
		return nil, fmt.Errorf("read configuration %q: %w", path, err)
	}
	return raw, nil
}

func (c *config) mergeCore(options format.Options) {
	for _, o := range options {
		switch strings.ToLower(o.Key) {
		case "bare":
			c.bare = isTrue(o.Value)
		case "worktree":
			c.workTree = o.Value
		case "excludesfile":
			c.excludes = o.Value
		case "ignorecase":
			c.ignoreCase = isTrue(o.Value)
		case "repositoryformatversion":
			c.format = o.Value
		}
	}
}

func (c *config) mergeExtensions(options format.Options) {
	for _, o := range options {
		key := strings.ToLower(o.Key)
		switch key {
		case "objectformat":
			c.objects = strings.ToLower(o.Value)
		case "refstorage":
			c.refs = strings.ToLower(o.Value)
		case "partialclone":
			c.promisor = true
		case "worktreeconfig":
			c.worktreeExt = isTrue(o.Value)
		}
		if !readableExtensions[key] {
			c.unknown = append(c.unknown, o.Key)
		}
	}
}

// isTrue reads git's booleans; a key without value counts as true, and the decoder gives it as an empty one.
func isTrue(v string) bool {
	switch strings.ToLower(v) {
	case "", "true", "yes", "on", "1":
		return true
	}
	return false
}

// supported refuses the formats this package would misread.
func (c *config) supported() error {
	switch {
	case c.objects != "" && c.objects != "sha1":
		return &UnsupportedError{What: "the object format " + c.objects,
			Remedy: "scan a clone made with `git init --object-format=sha1`, or scan the files outside of git"}
	case c.refs != "" && c.refs != "files":
		return &UnsupportedError{What: "the reference storage " + c.refs,
			Remedy: "run `git refs migrate --ref-format=files`"}
	case c.format != "" && c.format != "0" && c.format != "1":
		return &UnsupportedError{What: "repository format version " + c.format,
			Remedy: "scan a clone made by a git of today's format"}
	case c.format == "1" && len(c.unknown) > 0:
		return &UnsupportedError{What: "the repository extension " + c.unknown[0],
			Remedy: "scan a clone without it"}
	}
	return nil
}

// findExcludes names the user's file of ignore patterns as git does: core.excludesFile of the repository, of
// ~/.gitconfig, of $XDG_CONFIG_HOME/git/config, else $XDG_CONFIG_HOME/git/ignore.
func findExcludes(c config, l layout, opts Options) string {
	home, configHome := opts.Home, opts.ConfigHome
	if configHome == "" && home != "" {
		configHome = filepath.Join(home, ".config")
	}
	if c.excludes != "" {
		return expandHome(c.excludes, home, l.root)
	}
	var user config
	for _, file := range []struct{ dir, name string }{{home, ".gitconfig"}, {configHome, "git/config"}} {
		if file.dir == "" {
			continue
		}
		// A user configuration that cannot be read is no reason to refuse the repository.
		if raw, err := decodeConfig(filepath.Join(file.dir, file.name)); err == nil && raw != nil && raw.HasSection("core") {
			user.mergeCore(raw.Section("core").Options)
		}
		if user.excludes != "" {
			return expandHome(user.excludes, home, l.root)
		}
	}
	if configHome == "" {
		return ""
	}
	return filepath.Join(configHome, "git", "ignore")
}

func expandHome(path, home, root string) string {
	if rest, ok := strings.CutPrefix(path, "~/"); ok && home != "" {
		return filepath.Join(home, rest)
	}
	return within(root, path)
}
