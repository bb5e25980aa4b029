// Package places finds the directories in which the tools of each ecosystem keep packages on this machine. It takes the
// environment. It runs Python, Ruby and rustc to get their directories. For other tools it uses the variables and defaults of their
// documentation.
//
//	places.go       Of: the directories
//	registries.go   Registries: the addresses of registries
//	credentials.go  Credentials: the names and passwords for them
package places

import (
	"bytes"
	"context"
	"encoding/json"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/git-provenance/git-provenance/baseline/source/installed"
)

// Env holds the inputs that the places depend on.
type Env struct {
	Getenv func(string) string
	Home   string
	Look   func(name string) string // finds a program; "" if there is none
	Apt    string                   // directory of apt's configuration; "" if there is none
}

// patience is how long a tool may take to report its directories.
const patience = 20 * time.Second

// Of returns the places of an ecosystem, by the type of its package URLs. A tool that is missing or fails adds none.
func (e Env) Of(ctx context.Context, typ string) installed.Places {
	switch typ {
	case "pypi":
		return e.python(ctx)
	case "cargo":
		return e.cargo(ctx)
	case "maven":
		return e.jvm()
	case "gem":
		return e.ruby(ctx)
	case "swift":
		return installed.Places{Swift: e.checkouts()}
	case "npm":
		return installed.Places{Yarn: e.yarn()}
	case "nuget":
		return installed.Places{NuGet: e.dirs(e.Getenv("NUGET_PACKAGES"), e.below(".nuget", "packages"))}
	}
	return installed.Places{}
}

// checkouts returns the directories in which Xcode keeps the repositories that projects depend on.
func (e Env) checkouts() []string {
	if e.Home == "" {
		return nil
	}
	out, _ := filepath.Glob(filepath.Join(e.Home, "Library", "Developer", "Xcode", "DerivedData", "*", "SourcePackages", "checkouts")) // the pattern is always valid
	return out
}

// yarn returns the caches of Yarn 2 and later.
func (e Env) yarn() (out []string) {
	global := e.Getenv("YARN_GLOBAL_FOLDER")
	if data := e.Getenv("XDG_DATA_HOME"); global == "" && data != "" {
		global = filepath.Join(data, "yarn", "berry")
	}
	for _, dir := range []string{global, e.below(".yarn", "berry")} {
		if dir != "" {
			out = append(out, filepath.Join(dir, "cache"))
		}
	}
	return e.dirs(append([]string{e.Getenv("YARN_CACHE_FOLDER")}, out...)...)
}

// below returns a path in the home directory, "" if there is none.
func (e Env) below(elem ...string) string {
	if e.Home == "" {
		return ""
	}
	return filepath.Join(append([]string{e.Home}, elem...)...)
}

// dirs omits empty and relative paths.
func (e Env) dirs(list ...string) []string {
	var out []string
	for _, d := range list {
		if filepath.IsAbs(d) {
			out = append(out, d)
		}
	}
	return out
}

// ask runs a tool outside of any project and decodes the JSON that it prints.
func (e Env) ask(ctx context.Context, into any, tool string, args ...string) bool {
	out := e.run(ctx, tool, args...)
	return out != nil && json.Unmarshal(out, into) == nil
}

func (e Env) run(ctx context.Context, tool string, args ...string) []byte {
	path := e.Look(tool)
	if path == "" {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	c := exec.CommandContext(ctx, path, args...)
	c.Dir = e.Home // the working directory may be a stranger's repository
	c.WaitDelay = time.Second
	out, err := c.Output()
	if err != nil {
		return nil
	}
	return bytes.TrimSpace(out)
}

// askPython prints the directories of the standard library and of packages, also those of a virtual environment.
const askPython = `import json, site, sysconfig
p = sysconfig.get_paths()
print(json.dumps([p["stdlib"], [p["purelib"], p["platlib"]] + site.getsitepackages() + [site.getusersitepackages()]]))`

func (e Env) python(ctx context.Context) installed.Places {
	var p installed.Places
	if venv := e.Getenv("VIRTUAL_ENV"); filepath.IsAbs(venv) {
		p.Python = installed.SitePackages(venv)
	}
	var std string
	var site []string
	if !e.ask(ctx, &[]any{&std, &site}, "python3", "-I", "-c", askPython) {
		return p
	}
	p.PythonLib = std
	p.Python = append(p.Python, e.dirs(site...)...)
	return p
}

const askRuby = `require "json"; puts JSON.dump([RbConfig::CONFIG["rubylibdir"], Gem.path])`

func (e Env) ruby(ctx context.Context) installed.Places {
	p := installed.Places{Gems: e.dirs(e.Getenv("GEM_HOME"))}
	p.Gems = append(p.Gems, e.dirs(filepath.SplitList(e.Getenv("GEM_PATH"))...)...)
	var gems []string
	if e.ask(ctx, &[]any{&p.RubyLib, &gems}, "ruby", "-e", askRuby) {
		p.Gems = append(p.Gems, e.dirs(gems...)...)
	}
	return p
}

func (e Env) cargo(ctx context.Context) installed.Places {
	p := installed.Places{
		Cargo:  e.dirs(e.Getenv("CARGO_HOME"), e.below(".cargo")),
		Crates: []string{"/usr/share/cargo/registry"},
	}
	if root := strings.TrimSpace(string(e.run(ctx, "rustc", "--print", "sysroot"))); filepath.IsAbs(root) {
		p.RustLib = filepath.Join(root, "lib", "rustlib", "src", "rust", "library")
	}
	return p
}

// jvm finds a JDK by JAVA_HOME, else by the compiler on the path.
func (e Env) jvm() installed.Places {
	p := installed.Places{
		Maven:  e.dirs(e.Getenv("MAVEN_REPO_LOCAL"), e.below(".m2", "repository")),
		Gradle: e.dirs(e.gradle(e.Getenv("GRADLE_USER_HOME")), e.gradle(e.below(".gradle"))),
		Java:   e.Getenv("JAVA_HOME"),
	}
	if javac := e.Look("javac"); p.Java == "" && javac != "" {
		if real, err := filepath.EvalSymlinks(javac); err == nil {
			p.Java = filepath.Dir(filepath.Dir(real))
		}
	}
	return p
}

func (e Env) gradle(home string) string {
	if home == "" {
		return ""
	}
	return filepath.Join(home, "caches", "modules-2", "files-2.1")
}
