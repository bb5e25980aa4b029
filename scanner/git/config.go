package git

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/git-provenance/git-provenance/scanner/git/internal/configfile"
)

// config holds the settings of a repository that this package uses.
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
	remotes     map[string]string   // addresses by name
	worktreeExt bool
}

type upstream struct{ remote, merge string }

// readableExtensions do not change how objects, references or the index are read.
var readableExtensions = map[string]bool{
	"noop": true, "noop-v1": true, "preciousobjects": true, "partialclone": true,
	"worktreeconfig": true, "relativeworktrees": true, "objectformat": true, "refstorage": true,
}

func readConfig(common, gitDir string) (config, error) {
	c := config{upstreams: map[string]upstream{}, fetchRules: map[string][]string{}, remotes: map[string]string{}}
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

// merge reads one file over the settings read so far. A missing file changes nothing.
func (c *config) merge(path string) error {
	settings, err := readSettings(path)
	if err != nil {
		return err
	}
	for _, s := range settings {
		switch s.Section {
		case "core":
			c.mergeCore(s)
		case "extensions":
			c.mergeExtension(s)
		case "branch":
			c.mergeBranch(s)
		case "remote":
			c.mergeRemote(s)
		}
	}
	return nil
}

func readSettings(path string) ([]configfile.Setting, error) {
	b, err := readBounded(path, 16<<20) // configurations of a thousand remotes are well below a megabyte
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return configfile.Parse(path, b)
}

func (c *config) mergeCore(s configfile.Setting) {
	switch s.Key {
	case "bare":
		c.bare = s.IsTrue()
	case "worktree":
		c.workTree = s.Value
	case "excludesfile":
		c.excludes = s.Value
	case "ignorecase":
		c.ignoreCase = s.IsTrue()
	case "repositoryformatversion":
		c.format = s.Value
	}
}

func (c *config) mergeExtension(s configfile.Setting) {
	switch s.Key {
	case "objectformat":
		c.objects = strings.ToLower(s.Value)
	case "refstorage":
		c.refs = strings.ToLower(s.Value)
	case "partialclone":
		c.promisor = true
	case "worktreeconfig":
		c.worktreeExt = s.IsTrue()
	}
	if !readableExtensions[s.Key] {
		c.unknown = append(c.unknown, s.Key)
	}
}

func (c *config) mergeBranch(s configfile.Setting) {
	up := c.upstreams[s.Subsection]
	switch s.Key {
	case "remote":
		up.remote = s.Value
	case "merge":
		up.merge = s.Value
	}
	c.upstreams[s.Subsection] = up
}

func (c *config) mergeRemote(s configfile.Setting) {
	switch s.Key {
	case "url":
		if c.remotes[s.Subsection] == "" { // further addresses are for pushing to several places
			c.remotes[s.Subsection] = s.Value
		}
	case "fetch":
		c.fetchRules[s.Subsection] = append(c.fetchRules[s.Subsection], s.Value)
	case "promisor":
		c.promisor = c.promisor || s.IsTrue()
	}
}

// beyond names a setting that this package would misread, or returns nil.
func (c *config) beyond() *UnsupportedError {
	switch {
	case c.objects != "" && c.objects != "sha1":
		return &UnsupportedError{What: "the object format " + c.objects, needs: needsObjects,
			Remedy: "install git 2.29 or later, or scan the files outside of git"}
	case c.format != "" && c.format != "0" && c.format != "1":
		return &UnsupportedError{What: "repository format version " + c.format, needs: needsObjects,
			Remedy: "install a git that knows it, or scan a clone made by a git of today's format"}
	case c.format == "1" && len(c.unknown) > 0:
		return &UnsupportedError{What: "the repository extension " + c.unknown[0], needs: needsObjects,
			Remedy: "install a git that knows it, or scan a clone without it"}
	case c.refs != "" && c.refs != "files":
		return &UnsupportedError{What: "the reference storage " + c.refs, needs: needsRefs,
			Remedy: "install git 2.45 or later, or run `git refs migrate --ref-format=files`"}
	}
	return nil
}

// findExcludes returns the path of the user's ignore file, as git does: core.excludesFile of the repository, of
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
		settings, _ := readSettings(filepath.Join(file.dir, filepath.FromSlash(file.name)))
		for _, s := range settings {
			if s.Section == "core" {
				user.mergeCore(s)
			}
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
